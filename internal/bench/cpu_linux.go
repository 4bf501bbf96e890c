package main

import "golang.org/x/sys/unix"

// threadCPU is the CPU time of this thread in ns.
func threadCPU() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

// processCPU is the CPU time of this process in ns.
func processCPU() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}
