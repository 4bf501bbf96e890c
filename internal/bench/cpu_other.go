//go:build !linux

package main

import "time"

var start = time.Now()

// threadCPU falls back to wall time where the thread's CPU time cannot be had.
func threadCPU() int64 { return int64(time.Since(start)) }

// processCPU falls back to wall time.
func processCPU() int64 { return int64(time.Since(start)) }
