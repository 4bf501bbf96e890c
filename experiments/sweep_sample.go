package experiments

import (
	"cmp"
	"fmt"
	"slices"

	"retrylab/experiments/design"
	"retrylab/results"
)

// sample makes the points of a Latin hypercube or a Sobol sequence.
func (b *sweepBuilder) sample(at place, kind string, s *sampleFile) axis {
	before := len(b.problems)
	if s.N < 1 || s.N > design.MaxLevels {
		b.wrong(at.inside("n"), "must be between 1 and %d, got %d", design.MaxLevels, s.N)
	}
	if len(s.Factors) == 0 || len(s.Factors) > design.MaxSobol {
		b.wrong(at.inside("factors"), "must have between 1 and %d factors, got %d", design.MaxSobol, len(s.Factors))
	}
	var out axis
	for i, d := range s.Factors {
		item := at.inside(fmt.Sprintf("factors[%d]", i))
		b.checkFactor(item, d.Name, d.allPaths(), false)
		if err := d.dimension().Check(); err != nil {
			b.wrong(item, "%v", err)
		}
		out.factors = append(out.factors, axisFactor{at: item, paths: d.allPaths(),
			column: results.ExtraColumn{Name: d.Name, Kind: results.Float64, Unit: cmp.Or(d.Unit, d.Suffix), Doc: cmp.Or(d.About, "factor "+d.Name)}})
	}
	if len(b.problems) > before {
		return axis{}
	}
	unit := design.Sobol
	if kind == "lhs" {
		unit = func(n, dimensions int) [][]float64 { return design.LatinHypercube(n, dimensions, s.Seed) }
	}
	for _, u := range unit(s.N, len(s.Factors)) {
		var each [][]design.Point
		for k, d := range s.Factors {
			level := numberLevel(d.dimension().At(u[k]), d.allPaths(), d.Times, d.Suffix)
			each = append(each, design.Factor{Name: d.Name, Levels: []design.Level{level}}.Points())
		}
		out.points = append(out.points, design.Product(each...)...)
	}
	b.checkPoints(at, out.points)
	return out
}

func (d *boxFile) allPaths() []string {
	if d.Path == "" {
		return d.Paths
	}
	return append(slices.Clone(d.Paths), d.Path)
}

func (d *boxFile) dimension() design.Dimension {
	return design.Dimension{From: d.From, To: d.To, Log: d.Log, Whole: d.Whole}
}
