package yamldoc_test

import (
	"time"

	"retrylab/internal/yamldoc"
)

// The shapes that the tests decode: a garden with beds, plants and a watering policy.
type garden struct {
	Name   string        `yaml:"name"`
	Sun    float64       `yaml:"sun"`
	Seed   uint64        `yaml:"seed"`
	Size   int8          `yaml:"size"`
	Open   bool          `yaml:"open"`
	Season time.Duration `yaml:"season"`
	Tags   []string      `yaml:"tags"`
	Beds   []bed         `yaml:"beds"`
	Fence  *fence        `yaml:"fence"`
}

type bed struct {
	Name   string  `yaml:"name"`
	Plants int     `yaml:"plants"`
	Water  water   `yaml:"water"`
	Paths  []route `yaml:"paths"`
	secret int     //lint:ignore U1000 decoding must leave unexported fields alone
}

type route struct {
	To     string `yaml:"to"`
	Metres int    `yaml:"metres"`
}

type fence struct {
	Height float64 `yaml:"height"`
}

// water is an interface with two kinds, one of them with an embedded part.
type water interface{ kind() string }

type dry struct{}

type timing struct {
	Every time.Duration `yaml:"every"`
}

type hose struct {
	timing `yaml:"-"`
	Timing `yaml:",inline"`
	Litres float64 `yaml:"litres"`
}

// Timing is exported because only exported fields are read.
type Timing struct {
	Every time.Duration `yaml:"every"`
	On    []int         `yaml:"on"`
}

func (dry) kind() string  { return "dry" }
func (hose) kind() string { return "hose" }

func defaultBed() bed { return bed{Name: "bed", Plants: 3, Water: dry{}} }

func defaultHose() hose { return hose{Timing: Timing{Every: time.Hour, On: []int{1}}, Litres: 2.5} }

func types() *yamldoc.Types {
	t := yamldoc.NewTypes()
	t.Default(garden{Sun: 0.5, Season: time.Minute, Open: true})
	t.Default(defaultBed())
	t.Default(fence{Height: 1.5})
	yamldoc.Union(t, "watering", []string{"dry", "hose"}, []water{dry{}, defaultHose()}, water.kind)
	return t
}

func newGarden() garden { return garden{Sun: 0.5, Season: time.Minute, Open: true} }
