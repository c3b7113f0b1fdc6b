package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

// A contributor is a row of contributors.star.
type contributor struct {
	Author       string
	Email        string
	Commits      int
	FilesTouched int    `json:"files_touched"`
	LinesAdded   int    `json:"lines_added"`
	LinesRemoved int    `json:"lines_removed"`
	FirstDate    string `json:"first_date"`
	LastDate     string `json:"last_date"`
}

// contributors computes what the program should from git log --numstat.
func contributors(t *testing.T, dir string) []contributor {
	t.Helper()
	rows := map[string]*contributor{}
	files := map[string]map[string]bool{}
	var row *contributor
	log := runGit(t, dir, "log", "-200", "--no-renames", "--numstat", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=commit%x09%an%x09%ae%x09%ad")
	for line := range strings.Lines(log) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if fields[0] == "commit" {
			key := fields[1] + fields[2]
			if rows[key] == nil {
				rows[key] = &contributor{Author: fields[1], Email: fields[2], FirstDate: fields[3], LastDate: fields[3]}
				files[key] = map[string]bool{}
			}
			row = rows[key]
			row.Commits++
			row.FirstDate, row.LastDate = min(row.FirstDate, fields[3]), max(row.LastDate, fields[3])
		} else if len(fields) == 3 {
			files[row.Author+row.Email][fields[2]] = true
			var added, removed int
			fmt.Sscan(fields[0], &added) // "-" for a binary file
			fmt.Sscan(fields[1], &removed)
			row.LinesAdded += added
			row.LinesRemoved += removed
		}
	}
	var list []contributor
	for key, r := range rows {
		r.FilesTouched = len(files[key])
		list = append(list, *r)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Commits != list[j].Commits {
			return list[i].Commits > list[j].Commits
		}
		return list[i].Author < list[j].Author
	})
	if len(list) < 3 {
		t.Fatalf("git names %d authors", len(list))
	}
	return list
}

// gitRepository makes a repository with git itself: 230 commits of four authors,
// with merges, renames, binary files and dates out of order.
func gitRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "-b", "main")
	r := rand.New(rand.NewPCG(11, 12))
	var stream strings.Builder
	when := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	content := map[string][]string{}
	for i := 1; i <= 230; i++ {
		who := []string{"Ann", "Bob", "Çelik", "Dee"}[r.IntN(4)]
		when += int64(r.IntN(5000)) - 500
		fmt.Fprintf(&stream, "commit refs/heads/main\nmark :%d\nauthor %s <%s@example.com> %d +0200\ncommitter Host <h@example.com> %d -0700\ndata 2\nx\n", i, who, who, when, when)
		if i > 1 {
			fmt.Fprintf(&stream, "from :%d\n", i-1)
		}
		if i > 20 && i%17 == 0 {
			fmt.Fprintf(&stream, "merge :%d\n", i-2)
		}
		path := fmt.Sprintf("dir %d/file-%d.txt", r.IntN(3), r.IntN(9))
		switch {
		case i%23 == 0:
			fmt.Fprintf(&stream, "M 100644 inline image.bin\ndata 4\n\x00%03d\n", i)
		case i%29 == 0 && len(content[path]) > 0:
			fmt.Fprintf(&stream, "R %q \"moved/%d.txt\"\n", path, i)
			delete(content, path)
		default:
			lines := content[path]
			for range 1 + r.IntN(8) {
				at := r.IntN(len(lines) + 1)
				lines = append(lines[:at:at], append([]string{fmt.Sprintf("line %d", r.IntN(40))}, lines[at:]...)...)
			}
			if len(lines) > 12 {
				lines = append(lines[:3:3], lines[3+r.IntN(6):]...)
			}
			content[path] = lines
			text := strings.Join(lines, "\n") + "\n"
			fmt.Fprintf(&stream, "M 100644 inline %q\ndata %d\n%s", path, len(text), text)
		}
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v: %s", err, out)
	}
	return dir
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; its numbers are what this test compares with")
	}
	cmd := exec.Command("git", append([]string{"-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TZ=UTC", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}
