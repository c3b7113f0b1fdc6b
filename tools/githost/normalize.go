package githost

import (
	"time"

	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/text/encoding/htmlindex"
)

// normalize brings a commit into the form in which git shows it: text as UTF-8,
// whatever encoding its author used, and a date that cannot be read as the
// beginning of time.
func normalize(c *object.Commit) {
	for _, when := range []*time.Time{&c.Author.When, &c.Committer.When} {
		if when.IsZero() {
			*when = time.Unix(0, 0).UTC()
		}
	}
	if c.Encoding == "" || c.Encoding == "UTF-8" {
		return
	}
	encoding, err := htmlindex.Get(string(c.Encoding))
	if err != nil {
		return // git shows the bytes as they are, too
	}
	decoder := encoding.NewDecoder()
	for _, text := range []*string{&c.Message, &c.Author.Name, &c.Author.Email, &c.Committer.Name, &c.Committer.Email} {
		if decoded, err := decoder.String(*text); err == nil {
			*text = decoded
		}
	}
}
