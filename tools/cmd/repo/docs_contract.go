package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// An observation is what the program internal/observe prints.
type observation struct {
	Errors []struct{ Name, Text, Tool, Example string }
	Limits []struct{ Name, Type, Default string }

	Language observedLanguage
	Tools    []json.RawMessage
}

type observedLanguage struct {
	Names   []struct{ Name, Type string }
	Members []struct {
		Of    string
		Names []string
	}
	Features []struct{ Name, Program, Refusal string }
}

// contractPages are what the code shows when it runs.
func (w *workspace) contractPages(ctx context.Context) ([]page, error) {
	text, err := command(ctx, w.root, []string{"GOWORK="}, "go", "run", "./tools/cmd/repo/internal/observe")
	if err != nil {
		return nil, err
	}
	var seen observation
	if err := json.Unmarshal([]byte(text), &seen); err != nil {
		return nil, err
	}
	var pages []page
	for _, make := range []struct {
		name string
		text func(*observation) (string, error)
	}{
		{"errors.md", w.errorsPage},
		{"limits.md", w.limitsPage},
		{"language.md", func(seen *observation) (string, error) { return languagePage(seen.Language) }},
		{"tools.md", toolsPage},
	} {
		text, err := make.text(&seen)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", make.name, err)
		}
		pages = append(pages, page{make.name, text})
	}
	return pages, nil
}

func (w *workspace) errorsPage(seen *observation) (string, error) {
	names, docs, err := varDocs(filepath.Join(w.module("codemode").dir, "errors.go"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(generated + `# Errors

Every error of ` + "`codemode`" + ` matches exactly one class with ` + "`errors.Is`" + `, or ` + "`context.Canceled`" + `. A tool call that fails in an MCP
server says the text of the class, in two classes followed by what the engine or the binding found in the program.

| class | Error() | text of a tool call | meaning |
| --- | --- | --- | --- |
`)
	var shown []string
	for _, class := range seen.Errors {
		name, own := strings.CutPrefix(class.Name, "codemode.")
		meaning := "The context that the caller gave ended."
		if own {
			shown = append(shown, name)
			meaning = capital(strings.TrimPrefix(docs[name], name+": "))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", class.Name, class.Text, class.Tool, cell(meaning))
	}
	slices.Sort(names)
	if slices.Sort(shown); !slices.Equal(names, shown) {
		return "", fmt.Errorf("errors.go declares %v, and tools/cmd/repo/internal/observe tries %v", names, shown)
	}
	b.WriteString("\n## With detail\n\n")
	for _, class := range seen.Errors {
		if class.Example != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", class.Name, code(class.Example))
		}
	}
	return b.String(), nil
}

func (w *workspace) limitsPage(seen *observation) (string, error) {
	docs, err := fieldDocs(filepath.Join(w.module("codemode").dir, "limits.go"), "Limits")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(generated + `# Limits

The fields of ` + "`codemode.Limits`" + `. Zero means the default, never "unlimited".

| field | type | default | bounds |
| --- | --- | --- | --- |
`)
	for _, limit := range seen.Limits {
		if docs[limit.Name] == "" {
			return "", fmt.Errorf("field %s has no comment", limit.Name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", limit.Name, limit.Type, thousands(limit.Default), cell(capital(strings.TrimPrefix(docs[limit.Name], limit.Name+" bounds "))))
	}
	return b.String(), nil
}

// thousands groups the digits of a number; what is none stays.
func thousands(number string) string {
	if strings.Trim(number, "0123456789") != "" {
		return number
	}
	for i := len(number) - 3; i > 0; i -= 3 {
		number = number[:i] + "," + number[i:]
	}
	return number
}

func toolsPage(seen *observation) (string, error) {
	var b strings.Builder
	b.WriteString(generated + `# Tools

What ` + "`tools/list`" + ` returns for a server whose capabilities are all known to be read-only.
`)
	for _, raw := range seen.Tools {
		var tool map[string]any
		if err := json.Unmarshal(raw, &tool); err != nil {
			return "", err
		}
		description, _ := tool["description"].(string)
		delete(tool, "description")
		text, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %v\n\nThe description:\n\n```text\n%s\n```\n\nEverything else:\n\n```json\n%s\n```\n", tool["name"], description, text)
	}
	return b.String(), nil
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// cell makes text fit into a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "[", "", "]", "").Replace(text)
}

func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
