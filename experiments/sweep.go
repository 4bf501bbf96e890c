package experiments

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"retrylab/internal/yamldoc"
	"retrylab/results"
)

// Sweep is a design of cells with what it takes to run them.
type Sweep struct {
	Name  string // of the experiment
	About string // what it asks, in one line
	Cells []*Cell
	// Columns are the factors as columns of tables cells and trials, and Values the cells' values in them. A
	// factor that a cell's block does not have is NaN or empty.
	Columns []results.ExtraColumn
	Values  [][]results.Value
	Trials  int    // of each cell; 0 if Until decides
	Until   *Until // nil if Trials decides
	Seed    uint64
	// Services, Edges and Windows say which tables are recorded beside cells and trials.
	Services, Edges, Windows bool
	WindowTrials             int       // trials of each cell whose windows are recorded
	Sources                  []*Source // the files that it was made of
	Quick                    bool      // whether it is the quick form of the file
}

// Until runs trials until 95% intervals have the wanted half-widths; those that are 0 are not asked for.
type Until struct {
	Success  float64 // of success per arrival, a share
	RAF      float64 // of the client's RAF
	Collapse float64 // of the probability of collapse
	Min, Max int     // trials of a cell before the first look, and at most
}

// String is the half-widths that are asked for, by the names that they have in a file.
func (u *Until) String() string {
	var texts []string
	for _, t := range []struct {
		name string
		half float64
	}{{"success", u.Success}, {"raf", u.RAF}, {"collapse", u.Collapse}} {
		if t.half > 0 {
			texts = append(texts, t.name+"="+formatNumber(t.half))
		}
	}
	return strings.Join(texts, " ")
}

// SweepChanges are what a command line changes in a sweep file.
type SweepChanges struct {
	Set    []Setting // fields of the model in all cells
	Sweep  []string  // levels, as name=1,2,3 or name=0.1..0.7:7; a name that is no factor is a path
	Trials int       // 0: as the file says
	Seed   *uint64   // nil: as the file says
	Quick  bool      // as the file's key quick says
}

//go:embed sweeps/*.yaml
var sweepLibrary embed.FS

// Sweeps lists the names of the embedded sweep files.
func Sweeps() []string {
	entries, err := sweepLibrary.ReadDir("sweeps")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var list []string
	for _, e := range entries {
		list = append(list, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return list
}

// SweepSource is the file of an embedded sweep, to copy and edit.
func SweepSource(name string) (*Source, error) {
	data, err := sweepLibrary.ReadFile(path.Join("sweeps", name+".yaml"))
	if err != nil {
		return nil, unknownSweep(name)
	}
	return ParseSource(name+".yaml", data)
}

// LoadSweep reads a sweep, an embedded one by name or a file, and composes its cells. The error is
// yamldoc.Problems with everything that is wrong.
func LoadSweep(name string, changes SweepChanges) (*Sweep, error) {
	file, dir := name, ""
	var data []byte
	var err error
	if NamesFile(name) {
		data, err = readFile(name)
		dir = filepath.Dir(name)
	} else {
		file = name + ".yaml"
		data, err = sweepLibrary.ReadFile(path.Join("sweeps", file))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			return nil, unknownSweep(name)
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := ParseSweep(file, dir, data, changes)
	if s != nil {
		s.Sources[0].Embedded = !NamesFile(name)
	}
	return s, err
}

func unknownSweep(name string) error {
	hint := yamldoc.Suggest(name, Sweeps())
	if hint == "" {
		hint = ", expected one of " + strings.Join(Sweeps(), ", ") + " or a file that ends in .yaml"
	}
	return yamldoc.Problems{{File: name, Text: "unknown sweep" + hint}}
}

// ParseSweep is LoadSweep for given contents; file is its name in messages, and dir is where the files
// that it names are looked for.
func ParseSweep(file, dir string, data []byte, changes SweepChanges) (*Sweep, error) {
	src, err := ParseSource(file, data)
	if err != nil {
		return nil, err
	}
	b := newSweepBuilder(src, dir, changes)
	s := b.build()
	if len(b.problems) > 0 || len(b.others) > 0 {
		b.problems.Sort()
		m := mistakes{others: b.others}
		m.add(b.problems)
		return nil, m.err()
	}
	return s, nil
}

// TotalTrials is the number of trials in all; with Until the least and the most.
func (s *Sweep) TotalTrials() (least, most int) {
	if s.Until != nil {
		return len(s.Cells) * s.Until.Min, len(s.Cells) * s.Until.Max
	}
	return len(s.Cells) * s.Trials, len(s.Cells) * s.Trials
}

// details are the tables that the sweep records.
func (s *Sweep) details() details {
	return details{services: s.Services, edges: s.Edges, windows: s.Windows}
}

// fingerprint names everything that the rows depend on, but for the part that is run.
func (s *Sweep) fingerprint(version string) string {
	h := sha256.New()
	m := results.NewManifest(version, s.Seed)
	fmt.Fprintln(h, s.Name, m.SchemaVersion, m.ToolVersion, m.GoVersion, m.GOARCH, m.GOAMD64, s.Seed, s.Trials, s.WindowTrials, s.Services, s.Edges, s.Windows)
	if s.Until != nil {
		fmt.Fprintln(h, *s.Until)
	}
	for i, c := range s.Cells {
		fmt.Fprintln(h, c.ID(), c.SHA256, s.Values[i])
	}
	return hex.EncodeToString(h.Sum(nil))
}
