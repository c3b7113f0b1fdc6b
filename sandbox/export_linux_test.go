package sandbox

import (
	"os"
	"strings"
)

var mechanismNames = map[string]mechanisms{
	"landlock": mechanismLandlock, "filter": mechanismFilter, "address space": mechanismAddressSpace,
	"CPU": mechanismCPU, "watch": mechanismWatch, "privileges": mechanismPrivileges,
}

// In a worker of a test binary, "without=filter,…" among the arguments leaves mechanisms out, and "trap" makes the filter kill where it would
// refuse.
func init() {
	for _, argument := range os.Args[1:] {
		list, found := strings.CutPrefix(argument, "without=")
		for name := range strings.SplitSeq(list, ",") {
			if found && isWorker {
				without |= mechanismNames[name]
			}
		}
		if argument == "trap" && isWorker {
			refuse = doKill
		}
	}
}
