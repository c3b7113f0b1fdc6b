package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A changelog is the CHANGELOG.md of a module: sections of the form
// "## v0.2.0 - 2026-05-01", newest first; "unreleased" stands for a date that
// is not known yet.
type changelog struct {
	file     string
	text     string
	sections []section
}

type section struct {
	heading       string
	version, date string
	body          string
}

const unreleased = "unreleased"

var sectionHeading = regexp.MustCompile(`(?m)^## (v\S+) - (\S+)[ \t]*$`)

func readChangelog(m *module) (changelog, error) {
	file := filepath.Join(m.dir, "CHANGELOG.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return changelog{}, err
	}
	return parseChangelog(file, string(text)), nil
}

func parseChangelog(file, text string) changelog {
	log := changelog{file: file, text: text}
	found := sectionHeading.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		log.sections = append(log.sections, section{
			heading: text[at[0]:at[1]],
			version: text[at[2]:at[3]],
			date:    text[at[4]:at[5]],
			body:    strings.TrimSpace(text[at[1]:end]),
		})
	}
	return log
}

// unreleased returns the version of the newest section while it has no date.
func (c changelog) unreleased() string {
	if len(c.sections) > 0 && c.sections[0].date == unreleased {
		return c.sections[0].version
	}
	return ""
}

// checkEntry refuses a release that its CHANGELOG does not describe.
func (c changelog) checkEntry(version string) error {
	if len(c.sections) == 0 || c.sections[0].version != version {
		return fmt.Errorf("%s: the first section must be \"## %s - %s\"", c.file, version, unreleased)
	}
	first := c.sections[0]
	if _, err := time.Parse(time.DateOnly, first.date); err != nil && first.date != unreleased {
		return fmt.Errorf("%s: section %s is dated %q, want %s or a date", c.file, version, first.date, unreleased)
	}
	for line := range strings.Lines(first.body) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return nil
		}
	}
	return fmt.Errorf("%s: section %s says nothing", c.file, version)
}

// dated returns the text with the date of the newest section filled in.
func (c changelog) dated(day time.Time) string {
	if c.unreleased() == "" {
		return c.text
	}
	first := c.sections[0]
	heading := fmt.Sprintf("## %s - %s", first.version, day.Format(time.DateOnly))
	return strings.Replace(c.text, first.heading, heading, 1)
}
