//go:build unix

package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// lockWait is how long a run waits for another that is just ending, as after a requeue.
const lockWait = 30 * time.Second

// lock keeps a second process out of a checkpoint. The system gives the lock up when the process ends, killed or not.
// The error is fs.ErrNotExist when the folder went while it waited: the process before ended and took it away.
func lock(path string, wait time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && !stillNamed(path, f) {
			_ = f.Close() // the lock of a file that is not there keeps nobody out
			return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		if err == nil {
			return func() { _ = f.Close() }, nil // which gives the lock up
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || time.Now().After(deadline) {
			_ = f.Close() // the first error counts
			return nil, fmt.Errorf("%w: another process is running a sweep there (%s: %v)", ErrOtherSweep, path, err)
		}
	}
}

// stillNamed tells whether the path is still that of the open file.
func stillNamed(path string, f *os.File) bool {
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	own, err := f.Stat()
	return err == nil && os.SameFile(there, own)
}
