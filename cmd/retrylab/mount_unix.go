//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// mounted tells whether a folder is where another disk begins, as a container's volume is: nothing can be renamed into it from beside it.
func mounted(path string) bool {
	device := func(path string) (uint64, bool) {
		info, err := os.Stat(path)
		if err != nil {
			return 0, false
		}
		s, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return 0, false
		}
		return uint64(s.Dev), true
	}
	own, ok := device(path)
	above, okAbove := device(filepath.Dir(path))
	return ok && okAbove && own != above
}
