package results

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Mismatch is a difference between a manifest and the files beside it.
type Mismatch struct {
	File    string // path within the folder, with slashes
	Problem string // what is wrong, with both values
}

// String returns the mismatch as one line.
func (m Mismatch) String() string { return m.File + ": " + m.Problem }

// Verify compares every file of the folder dir with its manifest: bytes, and for tables the number of
// rows and the digest, both recomputed from the rows. It reports all mismatches, in the manifest's
// order, among them tables that the manifest does not name, since a pattern like *.parquet would read
// them. The error is that of reading the manifest or the folder.
func Verify(dir string) ([]Mismatch, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	var list []Mismatch
	known := make(map[string]bool)
	for _, want := range m.Files {
		known[want.Name] = true
		got, err := describeFile(dir, want.Name)
		if err != nil {
			list = append(list, Mismatch{want.Name, err.Error()})
			if got.SHA256 == "" || got.SHA256 == want.SHA256 {
				continue
			}
		}
		if got.SHA256 != want.SHA256 {
			list = append(list, Mismatch{want.Name, fmt.Sprintf("sha256 %s, expected %s", got.SHA256, want.SHA256)})
		}
		if err == nil && got.Rows != want.Rows {
			list = append(list, Mismatch{want.Name, fmt.Sprintf("%d rows, expected %d", got.Rows, want.Rows)})
		}
		if err == nil && got.RowDigest != want.RowDigest {
			list = append(list, Mismatch{want.Name, fmt.Sprintf("row_digest %s, expected %s", got.RowDigest, want.RowDigest)})
		}
	}
	unknown, err := unlisted(dir, known)
	return append(list, unknown...), err
}

// unlisted finds the tables in dir that are not known. Hidden folders are not looked into: what is in them is not published.
func unlisted(dir string, known map[string]bool) (list []Mismatch, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != dir && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		if err == nil && isTable(name) && !known[name] {
			list = append(list, Mismatch{name, "not in the manifest"})
		}
		return err
	})
	return list, err
}
