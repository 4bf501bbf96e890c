package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run is: a bar with the time left on a terminal, a line every tenth otherwise.
type progress struct {
	w     io.Writer
	name  string
	quiet bool
	bar   *progressbar.ProgressBar
	tenth int
	start time.Time
}

func (a *app) progress(name string, quiet bool) *progress {
	return &progress{w: a.stderr, name: name, quiet: quiet, start: time.Now()}
}

// step tells that done of total trials are written.
func (p *progress) step(done, total int) {
	switch {
	case p.quiet:
	case p.bar != nil:
		_ = p.bar.Set(done) // a terminal that does not take it is no reason to stop
	case isTerminal(p.w) && done < total:
		p.bar = newBar(p.w, p.name, total)
	case done*10/total > p.tenth:
		p.tenth = done * 10 / total
		took := time.Since(p.start)
		left := time.Duration(float64(took) / float64(done) * float64(total-done))
		fmt.Fprintf(p.w, "%s: %d of %d trials, %v, about %v left\n", shortened(p.name, mostName), done, total, rounded(took), rounded(left))
	}
}

// finish leaves the terminal ready for the next line.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Exit()
		fmt.Fprintln(p.w)
	}
}

// mostName is the longest name that is shown whole.
const mostName = 16

// newBar is a bar that fits the terminal: where it is narrow the speed is left out, and the name is cut.
func newBar(w io.Writer, name string, total int) *progressbar.ProgressBar {
	const (
		around = 32 // columns of the share, the time and what separates them
		speed  = 20
	)
	room := width(w) - around - 2*len(strconv.Itoa(total))
	name = shortened(name, max(6, min(room, mostName)))
	options := []progressbar.Option{progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(name), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionFullWidth()}
	if len(name)+speed <= room {
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString("trials"))
	}
	return progressbar.NewOptions(total, options...)
}

// shortened cuts a name that is longer than most; names are ASCII.
func shortened(name string, most int) string {
	if len(name) <= most {
		return name
	}
	return name[:most-2] + ".."
}

// width is that of a terminal, or what all have.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
