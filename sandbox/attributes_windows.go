package sandbox

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// attributes keeps console signals of the host's group away from the worker and opens no window for it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

// environment holds the one variable without which the system's libraries are not found.
func environment() []string { return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} }

// adopt puts the process into a job object that ends with its last handle, which is this process's: the worker then ends with its
// parent. The worker adds limits in a nested job of its own.
func adopt(process *os.Process) (Layers, func()) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, func() {}
	}
	closeJob := func() { windows.CloseHandle(job) }
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		withErr := process.WithHandle(func(handle uintptr) {
			err = windows.AssignProcessToJobObject(job, windows.Handle(handle))
		})
		if withErr != nil {
			err = withErr
		}
	}
	if err != nil {
		closeJob()
		return 0, func() {}
	}
	return ParentDeath, closeJob
}

// transient reports whether a start is worth another attempt.
func transient(error) bool { return false }

// verdict reads from an exit status what it alone tells.
func verdict(state *os.ProcessState) ending {
	if state.ExitCode() == 2 {
		return endedByRuntime
	}
	return endedOtherwise
}
