package studycmd

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressOn returns what shows how far a scan is: a bar with the time left on a terminal, plain lines otherwise.
func progressOn(w io.Writer) func(done, total int, repo string, files int) {
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return progressLines(w)
	}
	var bar *progressbar.ProgressBar
	return func(done, total int, repo string, files int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
				progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
		bar.Describe(fmt.Sprintf("%s, %d files", repo, files))
		// A bar that cannot be drawn is no reason to end the scan.
		_ = bar.Set(done)
	}
}

// quietFor is how long a scan without a terminal may say nothing, so that a log of a big repository goes on.
const quietFor = 10 * time.Second

// progressLines writes a line every tenth of the repositories, and where one takes long.
func progressLines(w io.Writer) func(done, total int, repo string, files int) {
	tenth, last := 0, time.Now()
	return func(done, total int, repo string, files int) {
		if now := done * 10 / total; now > tenth {
			tenth = now
		} else if time.Since(last) < quietFor {
			return
		}
		last = time.Now()
		fmt.Fprintf(w, "scan: %d of %d repositories, %s, %d files\n", done, total, repo, files)
	}
}
