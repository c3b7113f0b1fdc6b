package sandbox

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// takePipes keeps standard input and output for the protocol, and leaves the null device and standard error in their places: what the host's code
// prints from here on cannot corrupt a frame.
func takePipes() (in, out *os.File, err error) {
	in, out = os.Stdin, os.Stdout
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	os.Stdin, os.Stdout = null, os.Stderr
	if err := windows.SetStdHandle(windows.STD_INPUT_HANDLE, windows.Handle(null.Fd())); err != nil {
		return nil, nil, err
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, nil, err
	}
	return in, out, nil
}

// confine puts the process into a job object with limits that it cannot lift: one process, so much memory, so much time.
func confine(m mandate, _ *os.File) Report {
	report := Report{Memory: MemorySoft}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return report
	}
	defer windows.CloseHandle(job) // the job lives as long as the process in it
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	basic := &info.BasicLimitInformation
	basic.LimitFlags = windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY |
		windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	basic.ActiveProcessLimit = 1
	info.ProcessMemoryLimit = uintptr(committed() + m.memory)
	if m.cpu > 0 {
		basic.LimitFlags |= windows.JOB_OBJECT_LIMIT_PROCESS_TIME
		basic.PerProcessUserTimeLimit = m.cpu * int64(time.Second) / 100
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess())
	}
	if err != nil {
		return report
	}
	report.Memory = MemoryHard
	report.Layers = Memory | Processes
	if m.cpu > 0 {
		report.Layers |= CPU
	}
	return report
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// committed returns the private memory that the process has at this moment; a generous guess if it cannot be read.
func committed() int64 {
	var counters struct { // PROCESS_MEMORY_COUNTERS
		size, pageFaults                                         uint32
		peakWorkingSet, workingSet                               uintptr
		peakPaged, paged, peakNonPaged, nonPaged, pagefile, peak uintptr
	}
	counters.size = uint32(unsafe.Sizeof(counters))
	ok, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size))
	if ok == 0 {
		return 64 << 20
	}
	return int64(counters.pagefile)
}
