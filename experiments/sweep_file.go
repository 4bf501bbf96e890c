package experiments

import (
	"retrylab/internal/yamldoc"
)

// sweepFile is a sweep as it is written. The tags doc are the descriptions of its JSON Schema and the tags schema its limits.
type sweepFile struct {
	Name     string        `yaml:"name" schema:"name=factor" doc:"name of the experiment: lower-case letters, digits and underscores; default: the file's name"`
	About    string        `yaml:"about" doc:"in one line, what the sweep asks"`
	Model    string        `yaml:"model" doc:"the base model: the name of an embedded one, or a file, relative to this one; or give base"`
	Base     *yamldoc.Node `yaml:"base" schema:"type=object" doc:"the base model written here, as a model file"`
	Scenario string        `yaml:"scenario" doc:"faults that are added to the model: the name of an embedded scenario, or a file; default none"`
	// Strategies are names, files, or strategies written here.
	Strategies []*yamldoc.Node `yaml:"strategies" doc:"strategies as a factor: names of embedded ones, files, or mappings of name and policy; default the model's own policies"`
	Set        *yamldoc.Node   `yaml:"set" schema:"type=object" doc:"fields of the model to change in all cells, by path"`
	Trials     int             `yaml:"trials" schema:"minimum=1 maximum=2147483648" doc:"trials of each cell; default 10"`
	Until      *untilFile      `yaml:"until" doc:"instead of trials: run each cell until its intervals are narrow enough"`
	Seed       uint64          `yaml:"seed" schema:"minimum=0" doc:"root seed of all random draws; default 20260826"`
	Tables     []string        `yaml:"tables" schema:"enum=services|edges|windows" doc:"tables to record beside cells and trials: services, edges, windows; default none"`
	Windows    int             `yaml:"window_trials" doc:"trials of each cell whose windows are recorded; default all if windows are recorded"`
	Factors    []factorFile    `yaml:"factors" doc:"what is varied; the cells are all combinations"`
	Blocks     []blockFile     `yaml:"blocks" doc:"parts of the design: each combines its own factors with the common ones; the cells are those of all blocks"`
	Quick      *quickFile      `yaml:"quick" doc:"what a quick run changes"`
}

// untilFile asks for half-widths of 95% intervals; those that are 0 are not asked for.
type untilFile struct {
	Success  float64 `yaml:"success" schema:"minimum=0" doc:"wanted half-width of success per arrival, as a share; default not asked for"`
	RAF      float64 `yaml:"raf" schema:"minimum=0" doc:"wanted half-width of the client's RAF; default not asked for"`
	Collapse float64 `yaml:"collapse" schema:"minimum=0" doc:"wanted half-width of the probability of collapse (docs/adr/0030-collapse.md); default not asked for"`
	Min      int     `yaml:"min" schema:"minimum=2" doc:"trials before the first look; default 20; with fewer, trials that happen to agree end a cell too soon, and its intervals cover less often"`
	Max      int     `yaml:"max" schema:"minimum=2" doc:"most trials of a cell; default 1000"`
}

// factorFile is one factor, or several that go together. It has exactly one of the ways to give levels.
type factorFile struct {
	Name     string          `yaml:"name" schema:"name=factor" doc:"name of the factor and of its column: lower-case letters, digits and underscores"`
	Path     string          `yaml:"path" doc:"field of the model that it sets, e.g. clients.client.arrivals.rate"`
	Paths    []string        `yaml:"paths" schema:"minItems=1" doc:"fields that it sets, all to the same value"`
	Times    float64         `yaml:"times" doc:"number by which the level is multiplied before it is set; default 1"`
	Suffix   string          `yaml:"suffix" doc:"what is written behind the number, e.g. s for a field that is a duration"`
	Unit     string          `yaml:"unit" doc:"unit of the column; default that of suffix"`
	About    string          `yaml:"about" doc:"meaning of the column"`
	List     []*yamldoc.Node `yaml:"list" schema:"minItems=1" doc:"levels one by one"`
	Range    *stepsFile      `yaml:"range" doc:"levels from, from+step, and so on, as far as to"`
	Linspace *spaceFile      `yaml:"linspace" doc:"n levels from one number to another in equal steps"`
	Logspace *spaceFile      `yaml:"logspace" doc:"n levels from one number to another in equal ratios"`
	Levels   *yamldoc.Node   `yaml:"levels" schema:"type=object minProperties=1" doc:"named levels: a mapping from each name to the fields that it sets, by path"`
	Zip      []factorFile    `yaml:"zip" schema:"minItems=1" doc:"factors whose levels go together, the first with the first and so on; the other keys then stay away"`
	LHS      *sampleFile     `yaml:"lhs" doc:"a Latin hypercube over several factors; the other keys then stay away"`
	Sobol    *sampleFile     `yaml:"sobol" doc:"the first points of a Sobol sequence over several factors; the other keys then stay away"`
}

type stepsFile struct {
	From float64 `yaml:"from" doc:"first level"`
	To   float64 `yaml:"to" doc:"last level, if the steps meet it"`
	Step float64 `yaml:"step" doc:"from one level to the next"`
}

type spaceFile struct {
	From float64 `yaml:"from" doc:"first level"`
	To   float64 `yaml:"to" doc:"last level"`
	N    int     `yaml:"n" schema:"minimum=1 maximum=100000" doc:"number of levels"`
}

// sampleFile is a sample of a box.
type sampleFile struct {
	N       int       `yaml:"n" schema:"minimum=1 maximum=100000" doc:"number of points"`
	Seed    uint64    `yaml:"seed" schema:"minimum=0" doc:"of a Latin hypercube's draws; default 1"`
	Factors []boxFile `yaml:"factors" schema:"minItems=1 maxItems=21" doc:"the sides of the box"`
}

type boxFile struct {
	Name   string   `yaml:"name" schema:"name=factor" doc:"name of the factor and of its column"`
	Path   string   `yaml:"path" doc:"field of the model that it sets"`
	Paths  []string `yaml:"paths" schema:"minItems=1" doc:"fields that it sets, all to the same value"`
	From   float64  `yaml:"from" doc:"lower end"`
	To     float64  `yaml:"to" doc:"upper end"`
	Log    bool     `yaml:"log" doc:"equal ratios instead of equal differences"`
	Whole  bool     `yaml:"whole" doc:"whole numbers"`
	Times  float64  `yaml:"times" doc:"number by which the level is multiplied before it is set; default 1"`
	Suffix string   `yaml:"suffix" doc:"what is written behind the number"`
	Unit   string   `yaml:"unit" doc:"unit of the column"`
	About  string   `yaml:"about" doc:"meaning of the column"`
}

// blockFile is a part of a design.
type blockFile struct {
	About   string        `yaml:"about" doc:"what the block is for"`
	Set     *yamldoc.Node `yaml:"set" schema:"type=object" doc:"fields of the model to change in the block's cells, by path"`
	Factors []factorFile  `yaml:"factors" doc:"what is varied in this block beside the common factors"`
}

// quickFile makes a sweep short.
type quickFile struct {
	Trials int           `yaml:"trials" schema:"minimum=0" doc:"trials of each cell"`
	Keep   *yamldoc.Node `yaml:"keep" schema:"type=object" doc:"levels to keep: a mapping from factors to lists of their levels; the cells with others are left out"`
}

// defaultSweepTrials is the number of trials of a sweep that does not say.
const defaultSweepTrials = 10

// sweepTypes knows how sweep files are written.
var sweepTypes = newSweepTypes()

func newSweepTypes() *yamldoc.Types {
	t := yamldoc.NewTypes()
	t.Default(untilFile{Min: 20, Max: 1000})
	t.Default(factorFile{Times: 1})
	t.Default(boxFile{Times: 1})
	t.Default(sampleFile{Seed: 1})
	return t
}
