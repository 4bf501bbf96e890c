package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"retrylab/internal/atomicfile"
)

// ManifestName is the manifest's file name in a folder of results.
const ManifestName = "manifest.json"

// Parameters of a manifest that runs write and reports read.
const (
	ParameterAbout  = "about"  // what a sweep asks
	ParameterNotice = "notice" // what readers must know first, e.g. of a quick run: on top of the page and with every table
	// ParameterUntil is the half-widths that a sweep runs trials for, those that are asked for, as success=0.01 raf=0.1 collapse=0.05.
	ParameterUntil = "until"
)

// Manifest says what a folder of results holds and everything that its bytes depend on. Two runs that
// should agree have equal manifests, so it names no time, host, path or number of workers: see Provenance.
type Manifest struct {
	SchemaVersion int    `json:"schema_version"` // of the tables
	ToolVersion   string `json:"tool_version"`   // of retrylab
	GoVersion     string `json:"go_version"`     // of the compiler, as runtime.Version
	GOARCH        string `json:"goarch"`         // processor; some fuse multiply and add, which changes last digits
	GOAMD64       string `json:"goamd64"`        // amd64 level, v1 to v4; empty on other processors
	Seed          uint64 `json:"seed,string"`    // root seed; a string, since JavaScript numbers have 53 bits
	// Parameters are the further settings that choose the rows, e.g. trials: 100. Omitted if there are none.
	Parameters map[string]string `json:"parameters,omitempty"`
	Models     []ModelFile       `json:"models"` // the model files, sorted by name
	Files      []FileEntry       `json:"files"`  // every published file but the manifest, sorted by name
}

// ModelFile is a model file that a run read.
type ModelFile struct {
	Name   string `json:"name"`   // as the user named it
	SHA256 string `json:"sha256"` // of its bytes, in hexadecimal
}

// FileEntry is a file of a folder of results.
type FileEntry struct {
	Name      string `json:"name"`       // path within the folder, with slashes
	Rows      int64  `json:"rows"`       // rows of a table; 0 for other files
	SHA256    string `json:"sha256"`     // of its bytes, in hexadecimal
	RowDigest string `json:"row_digest"` // of a table's rows, whatever the Parquet bytes: see Digest; empty for other files
}

// NewManifest returns a manifest of this program and processor without files.
func NewManifest(toolVersion string, seed uint64) *Manifest {
	m := &Manifest{
		SchemaVersion: SchemaVersion, ToolVersion: toolVersion, GoVersion: runtime.Version(),
		GOARCH: runtime.GOARCH, Seed: seed, Models: []ModelFile{}, Files: []FileEntry{},
	}
	if m.GOARCH == "amd64" {
		m.GOAMD64 = buildSetting("GOAMD64")
	}
	return m
}

// buildSetting returns a setting that the program was built with, or "unknown".
func buildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return "unknown"
}

// AddModel adds a model file by its contents.
func (m *Manifest) AddModel(name string, contents []byte) {
	sum := sha256.Sum256(contents)
	m.Models = append(m.Models, ModelFile{Name: name, SHA256: hex.EncodeToString(sum[:])})
}

// Add adds entries, e.g. a Writer's under its name within the folder.
func (m *Manifest) Add(entries ...FileEntry) { m.Files = append(m.Files, entries...) }

// AddFile adds a file of folder dir by reading it; name is its path within dir, with slashes.
// Files that end in .parquet are tables of this package and get their rows counted and digested.
func (m *Manifest) AddFile(dir, name string) error {
	e, err := describeFile(dir, name)
	if err == nil {
		m.Add(e)
	}
	return err
}

func isTable(name string) bool { return strings.HasSuffix(name, ".parquet") }

// describeFile computes the entry of a file on the disk.
func describeFile(dir, name string) (FileEntry, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	e := FileEntry{Name: name}
	f, err := os.Open(path)
	if err != nil {
		return e, fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return e, fmt.Errorf("cannot read %s: %w", path, err)
	}
	e.SHA256 = hex.EncodeToString(h.Sum(nil))
	if !isTable(name) {
		return e, nil
	}
	e.Rows, e.RowDigest, err = digest(path, nil)
	return e, err
}

// Write writes dir/manifest.json, sorted, with two spaces of indentation and a newline at the end.
// Write it last: a folder without it is unfinished. Two entries of one name are an error.
func (m *Manifest) Write(dir string) error {
	slices.SortFunc(m.Models, func(a, b ModelFile) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Files, func(a, b FileEntry) int { return strings.Compare(a.Name, b.Name) })
	path := filepath.Join(dir, ManifestName)
	if err := m.check(); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return writeJSON(path, m)
}

// check reports entries that no reader could use.
func (m *Manifest) check() error {
	var problems []error
	for i, e := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(e.Name)) || e.Name == ManifestName {
			problems = append(problems, fmt.Errorf("files[%d].name: %q, expected a path within the folder", i, e.Name))
		}
		if i > 0 && e.Name == m.Files[i-1].Name {
			problems = append(problems, fmt.Errorf("files[%d].name: %q twice", i, e.Name))
		}
	}
	return errors.Join(problems...)
}

// ReadManifest reads dir/manifest.json. Errors: missing, not JSON, unknown keys, of another schema
// version, or naming files outside the folder.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	var version struct {
		SchemaVersion *int `json:"schema_version"`
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	if version.SchemaVersion == nil {
		return nil, fmt.Errorf("cannot read %s: not a manifest of retrylab: no schema_version", path)
	}
	if *version.SchemaVersion != SchemaVersion {
		return nil, fmt.Errorf("cannot read %s: schema_version: %d, expected %d", path, *version.SchemaVersion, SchemaVersion)
	}
	m := new(Manifest)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return m, nil
}

// writeJSON writes v in the order of its fields.
func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, append(data, '\n'))
}
