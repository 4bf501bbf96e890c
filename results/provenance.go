package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// ProvenanceName is the file name of the provenance in a folder of results.
const ProvenanceName = "provenance.json"

// Provenance says who made a folder of results, where and when: everything that may differ between two
// runs with equal results. It is not under version control.
type Provenance struct {
	Commit          string    `json:"commit"`            // of the source; "unknown" if nobody could tell
	Dirty           *bool     `json:"dirty"`             // whether the source had uncommitted changes; null if unknown
	Host            string    `json:"host"`              // name of the machine
	Cores           int       `json:"cores"`             // logical processors
	Workers         int       `json:"workers"`           // trials that ran at once
	Started         time.Time `json:"started"`           // UTC
	Ended           time.Time `json:"ended"`             // UTC
	PeakMemoryBytes uint64    `json:"peak_memory_bytes"` // resident memory on Linux, elsewhere what Go took from the system
}

// Source is the state of the source code that a program was built from.
type Source struct {
	Commit string // empty if unknown
	Dirty  *bool  // nil if unknown
}

// NewProvenance describes a run that ends now. The commit is the one stamped into the program; builds
// without a stamp (-buildvcs=false, go run, go test) take fallback, e.g. from git rev-parse.
func NewProvenance(workers int, started time.Time, fallback Source) Provenance {
	src := stampedSource()
	if src.Commit == "" {
		src = fallback
	}
	if src.Commit == "" {
		src = Source{Commit: "unknown"}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return Provenance{
		Commit: src.Commit, Dirty: src.Dirty, Host: host, Cores: runtime.NumCPU(), Workers: workers,
		Started: started.UTC().Truncate(time.Millisecond), Ended: time.Now().UTC().Truncate(time.Millisecond),
		PeakMemoryBytes: peakMemory(),
	}
}

// stampedSource returns what the Go command wrote into the program.
func stampedSource() Source {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Source{}
	}
	var src Source
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			src.Commit = s.Value
		case "vcs.modified":
			dirty := s.Value == "true"
			src.Dirty = &dirty
		}
	}
	return src
}

// peakMemory returns the most memory that the process has used so far, in bytes.
func peakMemory() uint64 {
	// Linux counts resident memory itself: a line like "VmHWM:   12345 kB".
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range bytes.Lines(status) {
			fields := bytes.Fields(line)
			if len(fields) < 2 || string(fields[0]) != "VmHWM:" {
				continue
			}
			if kb, err := strconv.ParseUint(string(fields[1]), 10, 64); err == nil {
				return kb << 10
			}
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Sys
}

// Write writes dir/provenance.json.
func (p Provenance) Write(dir string) error {
	return writeJSON(filepath.Join(dir, ProvenanceName), p)
}

// ReadProvenance reads dir/provenance.json.
func ReadProvenance(dir string) (Provenance, error) {
	path := filepath.Join(dir, ProvenanceName)
	data, err := os.ReadFile(path)
	if err != nil {
		return Provenance{}, fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	var p Provenance
	if err := json.Unmarshal(data, &p); err != nil {
		return Provenance{}, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return p, nil
}
