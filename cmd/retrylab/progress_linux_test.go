package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// terminal opens a terminal of that many columns: what is written to one end is read from the other.
func terminal(t *testing.T, columns int) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, program
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// Progress is one line that is written over, so it must fit, whatever the name and the numbers.
func TestProgressFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{80, 64, 50} {
		for _, name := range []string{"run", "a_sweep_with_a_name_that_says_everything_about_it"} {
			for _, total := range []int{40, 10_000_000, 1_000_000_000} {
				t.Run(fmt.Sprintf("%d %.3s %d", columns, name, total), func(t *testing.T) {
					t.Parallel()
					checkProgress(t, columns, name, total)
				})
			}
		}
	}
	// Where there is no terminal the lines stay, and fit too.
	var plain bytes.Buffer
	bar := (&app{stderr: &plain}).progress("a_sweep_with_a_name_that_says_everything_about_it", false)
	bar.start = time.Now().Add(-100 * time.Hour)
	bar.step(100_000_000, 1_000_000_000)
	if line := strings.TrimSpace(plain.String()); line == "" || len(line) > 80 {
		t.Errorf("%d columns: %s", len(line), line)
	}
}

// checkProgress draws the progress of a run on a terminal and measures its lines.
func checkProgress(t *testing.T, columns int, name string, total int) {
	screen, program := terminal(t, columns)
	bar := (&app{stderr: program}).progress(name, false)
	bar.step(total/40, total)
	for i := 2; i <= 4; i++ {
		time.Sleep(120 * time.Millisecond) // the bar is drawn ten times a second at most
		bar.step(total*i/5, total)
	}
	bar.step(total, total)
	bar.finish()
	program.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, screen) // ends with an error when the other end is closed
	lines := 0
	for _, line := range strings.FieldsFunc(escape.ReplaceAllString(shown.String(), ""), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if strings.Contains(line, "%") {
			lines++
		}
		if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if lines < 3 {
		t.Errorf("%d lines of progress in %q", lines, shown.String())
	}
}
