package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Difference is a file of a report that is not what the stored rows give.
type Difference struct {
	// File is its path within the folder, with slashes.
	File string
	// Problem says where it differs, with both contents.
	Problem string
}

// String returns the difference as one line.
func (d Difference) String() string { return d.File + ": " + d.Problem }

// Check makes all tables, the data of all figures, and the ledger of claims again from the rows in dir/data and compares
// them with the files, byte for byte. It reports every file that differs or is missing. Errors are
// those of reading the rows.
func Check(dir string, opts Options) ([]Difference, error) {
	d, err := compose(dir, opts)
	if err != nil {
		return nil, err
	}
	return d.Check(dir)
}

// compareFiles compares what should be in the folder with what is there.
func compareFiles(dir string, files []file) ([]Difference, error) {
	var list []Difference
	for _, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(want.name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, Difference{want.name, "missing"})
		case err != nil:
			return nil, err
		case !bytes.Equal(got, want.bytes):
			list = append(list, Difference{want.name, firstDifference(got, want.bytes)})
		}
	}
	return list, nil
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(got, want []byte) string {
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(gotLines), len(wantLines)) {
		var a, b []byte
		if i < len(gotLines) {
			a = gotLines[i]
		}
		if i < len(wantLines) {
			b = wantLines[i]
		}
		if !bytes.Equal(a, b) || i >= len(gotLines) || i >= len(wantLines) {
			return fmt.Sprintf("line %d is %q, the rows give %q", i+1, clip(a), clip(b))
		}
	}
	return "differs"
}

// clip shortens a line for a message.
func clip(line []byte) string {
	const most = 160
	if len(line) > most {
		return string(line[:most]) + "..."
	}
	return string(line)
}
