package githost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/config"
)

// checkFormat refuses repositories whose data go-git cannot read. Without it
// they would look empty or damaged.
func checkFormat(dir string) error {
	f, err := os.Open(filepath.Join(dir, "config"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	c, err := config.ReadConfig(f)
	if err != nil {
		return fmt.Errorf("repository %s: config: %w", dir, err)
	}
	switch v := c.Raw.Section("core").Option("repositoryformatversion"); v {
	case "", "0", "1":
	default:
		return fmt.Errorf("repository %s: format version %s is not supported", dir, v)
	}
	for _, option := range c.Raw.Section("extensions").Options {
		value := strings.ToLower(option.Value)
		switch key := strings.ToLower(option.Key); {
		case key == "objectformat" && value != "sha1", key == "refstorage" && value != "files":
			return fmt.Errorf("repository %s: %s = %s is not supported", dir, option.Key, option.Value)
		}
	}
	return nil
}
