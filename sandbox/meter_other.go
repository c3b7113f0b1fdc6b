//go:build !linux

package sandbox

import "time"

// A meter would look at a worker from outside; on this system it sees nothing.
type meter struct{}

func (*meter) open(int)                  {}
func (*meter) close()                    {}
func (*meter) works() bool               { return false }
func (*meter) base()                     {}
func (*meter) used() int64               { return 0 }
func (*meter) final(time.Duration) int64 { return 0 }
func (*meter) cpu() time.Duration        { return 0 }
func (*meter) highest() int64            { return 0 }
func (*meter) readyCPU() time.Duration   { return 0 }
