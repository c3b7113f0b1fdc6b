package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A console block is a list of commands, each with what it prints. Commands run
// in a copy of the repository, in a shell of their own for each block.
type consoleCommand struct {
	line   int
	text   string
	output string
}

// calls finds codemode where a shell would run it.
var calls = regexp.MustCompile(`(^|[|;&(]\s*)codemode(\s|$)`)

// sourceCall is how a checkout calls the command.
const sourceCall = "go run ./tools/cmd/codemode"

// harmless are the other commands of a block that are run: they make what
// codemode reads. All others, such as installations, are not.
var harmless = regexp.MustCompile(`^(cat|cd|echo|printf|mkdir|export|cp|git|ls)\b`)

// server is a call that would not end. Its flags are tried.
var server = regexp.MustCompile(`\bcodemode serve\b`)

func (w *workspace) consoleBlocks(ctx context.Context) (string, error) {
	if runtime.GOOS == "windows" {
		return "not run on Windows: they are written for a POSIX shell", nil
	}
	blocks, err := w.blocks(ctx, "console")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	c := &console{dir: filepath.Join(dir, "repository"), bin: filepath.Join(dir, "bin")}
	var errs []error
	ran := 0
	for _, b := range blocks {
		commands := parseConsole(b)
		if !anyCall(commands) {
			continue
		}
		if ran == 0 {
			if err := w.prepareConsole(ctx, c); err != nil {
				return "", err
			}
		}
		ran++
		errs = append(errs, c.run(ctx, b, commands))
	}
	return fmt.Sprintf("%d of %d blocks call codemode and were run", ran, len(blocks)), errors.Join(errs...)
}

// prepareConsole builds the command and copies the repository with its history
// and the files at hand.
func (w *workspace) prepareConsole(ctx context.Context, c *console) error {
	if err := w.buildCommand(ctx, filepath.Join(c.bin, "codemode")); err != nil {
		return err
	}
	if _, err := command(ctx, w.root, nil, "git", "clone", "--quiet", "--shared", w.root, c.dir); err != nil {
		return err
	}
	text, err := command(ctx, w.root, nil, "git", "ls-files", "-z", "--modified", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(name)))
		if name == "" || errors.Is(err, os.ErrNotExist) {
			continue
		}
		target := filepath.Join(c.dir, filepath.FromSlash(name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(target), 0o777), os.WriteFile(target, data, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

func parseConsole(b block) []consoleCommand {
	var commands []consoleCommand
	continued := false
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		text, prompt := strings.CutPrefix(line, "$ ")
		last := len(commands) - 1
		switch {
		case prompt:
			commands = append(commands, consoleCommand{line: b.line + i, text: text})
		case last < 0:
			continue // a comment before the first command
		case continued:
			text = line
			commands[last].text += "\n" + line
		default:
			commands[last].output += line + "\n"
			continue
		}
		continued = strings.HasSuffix(text, "\\")
	}
	for i := range commands {
		commands[i].text = strings.ReplaceAll(commands[i].text, sourceCall, "codemode")
	}
	return commands
}

func anyCall(commands []consoleCommand) bool {
	for _, c := range commands {
		if calls.MatchString(c.text) {
			return true
		}
	}
	return false
}

// A console is where blocks run.
type console struct{ dir, bin string }

// boundary separates the outputs of a block's commands.
const boundary = "--- end of command, status"

func (c *console) run(ctx context.Context, b block, commands []consoleCommand) error {
	var script strings.Builder
	var run []consoleCommand
	for _, command := range commands {
		text := command.text
		switch {
		case server.MatchString(text):
			text, command.output = strings.TrimSuffix(strings.TrimSpace(text), "&")+" --help", "…\n"
		case calls.MatchString(text), harmless.MatchString(text):
		default:
			continue
		}
		run = append(run, command)
		fmt.Fprintf(&script, "%s\necho \"%s $?\"\n", text, boundary)
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "PATH="+c.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=80")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", b, err, output.String())
	}
	var errs []error
	rest := output.String()
	for _, command := range run {
		var printed, status string
		printed, rest, _ = strings.Cut(rest, boundary)
		status, rest, _ = strings.Cut(rest, "\n")
		errs = append(errs, command.compare(b.file, printed, strings.TrimSpace(status)))
	}
	return errors.Join(errs...)
}

// compare wants the shown output, or success where none is shown.
func (c consoleCommand) compare(file, printed, status string) error {
	if strings.TrimSpace(c.output) == "" {
		if status != "0" {
			return fmt.Errorf("%s:%d: %s: exit status %s\n%s", file, c.line, c.text, status, printed)
		}
		return nil
	}
	if !expected(c.output).MatchString(trimLines(printed)) {
		return fmt.Errorf("%s:%d: %s: printed\n%s\nbut the page shows\n%s", file, c.line, c.text, printed, c.output)
	}
	return nil
}

// expected turns a shown output into a pattern.
func expected(output string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	for line := range strings.Lines(trimLines(output)) {
		switch trimmed := strings.TrimSpace(line); trimmed {
		case "…", "...":
			b.WriteString(`(?:.*\n)*?`)
		default:
			b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(line, "\n")), "…", ".*?") + `\n`)
		}
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}

// trimLines removes spaces at the ends of lines and empty lines at the end.
func trimLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, " \t\n") + "\n") {
		b.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
	}
	return b.String()
}
