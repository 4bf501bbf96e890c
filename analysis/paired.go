package analysis

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Difference is a paired comparison of two strategies that faced the same
// streams (common random numbers), trial by trial.
type Difference struct {
	// Interval is of first minus second.
	Interval
	// VarianceRatio is Var(unpaired)/Var(paired): how many times more trials an
	// unpaired comparison would need for the same width. 1 means that pairing
	// gained nothing; +Inf that the pairs differ by a constant; NaN for fewer
	// than two pairs or two constant sides.
	VarianceRatio float64
	// Correlation between the two sides over trials; NaN if either is constant.
	Correlation float64
	// PValue is of the two-sided t-test of no difference, before any correction
	// for several comparisons (see [Holm]); NaN for fewer than two pairs.
	PValue float64
}

// MarshalJSON writes the interval's fields and its own side by side. Without it
// the embedded interval's method would be used and drop the rest.
func (d Difference) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		intervalJSON
		VarianceRatio *float64 `json:"variance_ratio"`
		Correlation   *float64 `json:"correlation"`
		PValue        *float64 `json:"p_value"`
	}{d.forJSON(), finiteOrNil(d.VarianceRatio), finiteOrNil(d.Correlation), finiteOrNil(d.PValue)})
}

// Paired returns mean(a - b) with Student's t interval on the differences. a[i]
// and b[i] are of the same trial. Pairs with a value that is not finite are left
// out with a warning.
func Paired(a, b []float64, level float64) Difference {
	kept, leftOut := finiteRows(a, b)
	estimate := 0.0
	if n := len(kept[0]); n > 0 {
		estimate = mean(kept[0]) - mean(kept[1])
	} else {
		estimate = math.NaN()
	}
	return pairedInfluence(estimate, kept[0], kept[1], leftOut, level, "paired t over trials")
}

// PairedRatioOfSums returns sum(topA)/sum(bottomA) - sum(topB)/sum(bottomB), such
// as the difference of successes per attempt, with trials as pairs and the
// variance by the delta method (see [RatioOfSums]).
func PairedRatioOfSums(topA, bottomA, topB, bottomB []float64, level float64) Difference {
	kept, leftOut := finiteRows(topA, bottomA, topB, bottomB)
	a, ratioA := ratioInfluence(kept[0], kept[1])
	b, ratioB := ratioInfluence(kept[2], kept[3])
	return pairedInfluence(ratioA-ratioB, a, b, leftOut, level, "paired ratio of sums over trials, delta method")
}

// pairedInfluence compares two estimates whose errors are the means of a and b
// around their own means.
func pairedInfluence(estimate float64, a, b []float64, leftOut bool, level float64, method string) Difference {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	d := Difference{
		Interval:      aroundEstimate(estimate, differences, leftOut, level, method),
		VarianceRatio: math.NaN(), Correlation: math.NaN(), PValue: math.NaN(),
	}
	if len(a) < 2 || !isFinite(estimate) {
		return d
	}
	varA, varB, varD := spread(a), spread(b), spread(differences)
	d.VarianceRatio = (varA + varB) / varD // 0/0 is NaN, as documented
	d.Correlation = (varA + varB - varD) / (2 * math.Sqrt(varA*varB))
	d.PValue = twoSided(estimate, varD, len(a))
	if FindHumps(differences).Two {
		d.warn(WarnTwoHumps)
	}
	return d
}

// spread is the variance, exactly 0 for equal values.
func spread(xs []float64) float64 {
	if constant(xs) {
		return 0
	}
	return variance(xs)
}

func twoSided(estimate, variance float64, n int) float64 {
	if variance == 0 {
		if estimate == 0 {
			return 1
		}
		return 0
	}
	t := math.Abs(estimate) / math.Sqrt(variance/float64(n))
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.CDF(-t)
}
