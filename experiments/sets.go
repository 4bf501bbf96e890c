package experiments

import (
	"errors"
	"fmt"
	"slices"

	"retrylab/internal/yamldoc"
)

// Set is a named list of cells with what it takes to run them again.
type Set struct {
	Name    string // name of the experiment
	Trials  int    // per cell
	Seed    uint64
	Windows int       // trials of each cell whose windows are recorded
	Cells   []*Cell   // in order
	Files   []*Source // the files that the cells were made of
}

// PaperSeed is the seed of the published results.
const PaperSeed = 20260826

// Paper is the experiment behind the paper's Tables III and IV: the reference model under S1, S2 and S3
// with NR, SR, CB and ARB, 100 trials each.
func Paper() (*Set, error) {
	s := &Set{Name: "paper", Trials: 100, Seed: PaperSeed, Windows: 20}
	return s, s.Add([]string{"reference"}, []string{"S1", "S2", "S3"}, []string{"NR", "SR", "CB", "ARB"}, nil)
}

// Add composes every model with every scenario and every strategy, the strategies innermost, and adds the
// cells. An empty list means what the model file itself holds. The error holds everything wrong with any
// of the files.
func (s *Set) Add(models, scenarios, strategies []string, set []Setting) error {
	var errs mistakes
	m := loadAll(&errs, LoadModel, models)
	sc := loadAll(&errs, LoadScenario, scenarios)
	st := loadAll(&errs, LoadStrategy, strategies)
	if errs.any() {
		return errs.err()
	}
	s.Files = slices.Concat(s.Files, m, sc, st)
	for _, model := range m {
		for _, scenario := range orNone(sc) {
			for _, strategy := range orNone(st) {
				c, err := Compose(Parts{model, scenario, strategy, set})
				errs.add(err)
				if c != nil && s.holds(c.ID()) {
					errs.add(yamldoc.Problems{{File: model.File, Path: "name", Text: fmt.Sprintf("cell %s is already in this run, expected names that tell models, scenarios and strategies apart", c.ID())}})
				}
				s.Cells = append(s.Cells, c)
			}
		}
	}
	return errs.err()
}

// holds tells whether a cell of that id is in the set.
func (s *Set) holds(id string) bool {
	return slices.ContainsFunc(s.Cells, func(c *Cell) bool { return c != nil && c.ID() == id })
}

func loadAll(errs *mistakes, load func(string) (*Source, error), names []string) []*Source {
	var list []*Source
	for _, n := range names {
		src, err := load(n)
		errs.add(err)
		list = append(list, src)
	}
	return list
}

func orNone(list []*Source) []*Source {
	if len(list) == 0 {
		return []*Source{nil}
	}
	return list
}

// mistakes collects errors; a file's mistake that several cells meet is kept once.
type mistakes struct {
	problems yamldoc.Problems
	others   []error
}

func (m *mistakes) add(err error) {
	var ps yamldoc.Problems
	if !errors.As(err, &ps) {
		if err != nil {
			m.others = append(m.others, err)
		}
		return
	}
	for _, p := range ps {
		if !slices.Contains(m.problems, p) {
			m.problems = append(m.problems, p)
		}
	}
}

func (m *mistakes) any() bool { return len(m.problems)+len(m.others) > 0 }

// err is yamldoc.Problems if all are mistakes in files.
func (m *mistakes) err() error {
	if len(m.others) == 0 {
		return m.problems.Err()
	}
	return errors.Join(append(m.others, m.problems.Err())...)
}
