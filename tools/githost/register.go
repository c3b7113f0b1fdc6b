package githost

import "github.com/codemode-go/codemode/codemode"

// Register adds all capabilities of the host to a builder, the writing ones too.
// Which of them a server offers is the business of its options: ReadOnly leaves
// out those that write, DisabledCapabilities single ones.
func (h *Host) Register(b *codemode.Builder) {
	h.registerHistory(b)
	h.registerFiles(b)
	h.registerReferences(b)
	h.registerWrites(b)
}

func (h *Host) registerHistory(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[CommitsInput, CommitsOutput]{
		Name:    "repo.commits",
		Summary: "List commits of the git history, newest first, filtered by author, path or date.",
		Description: `List commits reachable from a revision (default HEAD), newest first: who changed what and when, without the changed files; repo.commit has those.

author: part of the author's name or e-mail, case ignored. path: only commits that changed this file or directory. since, until: committer date, as 2026-01-31 (start of that day, UTC) or 2026-01-31T12:00:00Z. limit: 1 to 1000, default 100.
next_cursor is None at the end of the history; otherwise call again with cursor=next_cursor to go on. A page may be shorter than limit, even empty, and still have a next_cursor.
date is when the author wrote the change, committed when it was committed; both are UTC and sort as strings.`,
		SearchTerms: []string{
			"log history recent changes", "who committed", "contributors and authors activity",
			"changelog release notes", "history of a file", "commits since last week", "find commit by author",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.Commits,
	})
	codemode.Register(b, codemode.Capability[CommitInput, CommitOutput]{
		Name:    "repo.commit",
		Summary: "Get one commit with its message and the lines added and deleted in each file.",
		Description: `Get one commit (default HEAD): message, parents, and for each changed file the number of added and deleted lines, as git log --numstat --no-renames counts them. A merge has no files and counts no lines; a binary file counts none. A rename is a deleted and an added file.

revision: a hash, branch, tag, or HEAD, also with ~N or ^N. limit: most files to list, 1 to 5000, default 1000; files_truncated tells that there are more. files_changed, additions and deletions always cover all files.
status is added, deleted, modified or type_changed.`,
		SearchTerms: []string{
			"show commit details", "changed files", "code churn statistics numstat diffstat",
			"insertions removals line counts", "lines per author", "commit message body",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.Commit,
	})
	codemode.Register(b, codemode.Capability[DiffInput, DiffOutput]{
		Name:    "repo.diff",
		Summary: "Diff two revisions: changed files, added and deleted lines, unified patches.",
		Description: `Compare the files of revision base with those of head (default HEAD), optionally only at or below path. Renames are not detected.

patch=False leaves out the patch texts. A patch is cut between hunks when it is long (patch_truncated). limit: most files to list, 1 to 5000, default 1000; files_changed, additions and deletions always cover all files.`,
		SearchTerms: []string{
			"show what changed between two versions", "difference of branches tags releases", "review changes", "patch hunks", "compare commits",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.Diff,
	})
}

func (h *Host) registerFiles(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[TreeInput, TreeOutput]{
		Name:    "repo.tree",
		Summary: "List the files in the tree of a revision below a directory, with sizes.",
		Description: `List all files at and below path (default: the whole repository) in a revision (default HEAD), with sizes in bytes. found is False, and files empty, if the revision has nothing at that path: ask here before repo.file, which fails then.

limit: 1 to 5000, default 1000. next_cursor is None at the end; otherwise call again with cursor=next_cursor. kind is file, symlink or submodule.`,
		SearchTerms: []string{
			"directory listing", "find files by name", "does a path exist", "largest files", "ls folders", "project structure",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.Tree,
	})
	codemode.Register(b, codemode.Capability[FileInput, FileOutput]{
		Name:    "repo.file",
		Summary: "Read the text of one file at a revision.",
		Description: `Read a text file as it was in a revision (default HEAD). A binary file is refused: binary is True and text None. Fails if the revision has no such file; repo.tree tells.

first_line and last_line (from 1) select lines. At most 256 KiB come back; truncated tells that later lines did not fit: go on with first_line=last_line+1. lines is how many the file has.`,
		SearchTerms: []string{
			"show content", "open source code", "cat file contents", "old version of a file", "view lines", "search text grep",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.File,
	})
	codemode.Register(b, codemode.Capability[BlameInput, BlameOutput]{
		Name:    "repo.blame",
		Summary: "Blame a file: who last changed each line, and in which commit.",
		Description: `For each run of lines of a text file (in revision, default HEAD): the commit that last changed it, with author and date. Does not follow renames.

first_line and last_line (from 1) select lines. lines is how many the file has; truncated tells that there were more ranges than fit.`,
		SearchTerms: []string{
			"annotate authorship", "who wrote this line", "code ownership", "when was a line introduced", "owner of a file",
		},
		Effect:  codemode.EffectReadOnly,
		Handler: h.Blame,
	})
}

func (h *Host) registerReferences(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[BranchesInput, BranchesOutput]{
		Name:        "repo.branches",
		Summary:     "List branches with their last commit, and tell which one is checked out.",
		Description: `List the local branches by name, each with its last commit. remote=True adds the remote-tracking ones. current is the checked-out branch, None if HEAD is detached.`,
		SearchTerms: []string{"current branch", "stale old branches", "heads refs", "remote tracking branches"},
		Effect:      codemode.EffectReadOnly,
		Handler:     h.Branches,
	})
	codemode.Register(b, codemode.Capability[TagsInput, TagsOutput]{
		Name:        "repo.tags",
		Summary:     "List tags with the commits they name and their dates.",
		Description: `List the tags by name. hash is the commit; date is that of an annotated tag itself and of the commit for a lightweight one; message is empty for a lightweight one.`,
		SearchTerms: []string{"releases versions", "latest release", "version numbers", "refs"},
		Effect:      codemode.EffectReadOnly,
		Handler:     h.Tags,
	})
}

func (h *Host) registerWrites(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[CreateBranchInput, CreateBranchOutput]{
		Name:        "repo.create_branch",
		Summary:     "Start a branch at a revision, without checking it out.",
		Description: `Create a new branch at a revision (default HEAD). Nothing is checked out. Fails if a branch of that name exists.`,
		SearchTerms: []string{"new branch", "start branch from commit", "restore deleted branch"},
		Effect:      codemode.EffectAdditive,
		Handler:     h.CreateBranch,
	})
	codemode.Register(b, codemode.Capability[CreateTagInput, CreateTagOutput]{
		Name:        "repo.create_tag",
		Summary:     "Mark a revision with a tag, lightweight or annotated.",
		Description: `Create a tag at a revision (default HEAD): an annotated one if message is given, else a lightweight one. Fails if a tag of that name exists.`,
		SearchTerms: []string{"new tag", "mark release version", "annotated tag"},
		Effect:      codemode.EffectAdditive,
		Handler:     h.CreateTag,
	})
	codemode.Register(b, codemode.Capability[DeleteBranchInput, DeleteBranchOutput]{
		Name:        "repo.delete_branch",
		Summary:     "Delete a local branch, merged or not.",
		Description: `Delete a local branch, merged or not. The result names the commit it pointed to, with which repo.create_branch brings it back. Fails if the branch is checked out.`,
		SearchTerms: []string{"remove branch", "clean up stale branches"},
		Effect:      codemode.EffectDestructive,
		Handler:     h.DeleteBranch,
	})
}
