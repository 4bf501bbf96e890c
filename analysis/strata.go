package analysis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The cells of a design are fixed, not drawn: a mean over them is one number, not the proportion of one population. Its
// interval therefore takes each cell as a stratum of its own, all of equal weight.

// Count is a count within one stratum.
type Count struct {
	// Hits are the trials counted, of Of in all; Of is at least 1.
	Hits, Of int
}

// MeanOfProportions returns the mean of the strata's proportions p. Its variance is the sum of p(1 - p)/n over the square
// of the number of strata; the interval is [Wilson]'s for as many trials as would give a single proportion that variance.
// The ratio of the two variances is taken at Jeffreys' estimates (hits + 1/2)/(n + 1), since a stratum with none or all
// would count as certain. The strata have equally many trials, or nearly so. N is the number of trials of all.
func MeanOfProportions(strata []Count, level float64) Interval {
	z := normalQuantile(level)
	k, trials, estimate, mean, within := float64(len(strata)), 0, 0.0, 0.0, 0.0
	for _, s := range strata {
		n := float64(s.Of)
		p := (float64(s.Hits) + 0.5) / (n + 1)
		trials += s.Of
		estimate += float64(s.Hits) / n / k
		mean += p / k
		within += p * (1 - p) / n / (k * k)
	}
	i := Interval{Estimate: estimate, Level: level, Method: "stratified Wilson", N: trials}
	low, high := wilsonEnds(estimate, mean*(1-mean)/within, z)
	i.Low, i.High = math.Max(low, 0), math.Min(high, 1)
	// Rounding may leave 1e-17 where the formula gives exactly the edge.
	if estimate == 0 {
		i.Low = 0
	}
	if estimate == 1 {
		i.High = 1
	}
	return i
}

// MeanOfDifferences returns the mean of the strata's paired differences, which are independent of each other, of one
// level. Its variance is the sum of theirs over the square of their number; Student's t has the degrees of freedom of
// Welch and Satterthwaite. NaN if a stratum has fewer than two pairs. N is the number of pairs of all; VarianceRatio and
// Correlation are not known of a mean, and NaN.
func MeanOfDifferences(strata []Difference, level float64) Difference {
	mustLevel(level)
	out := Difference{Interval: Interval{Level: level, Method: "stratified paired t"}, VarianceRatio: math.NaN(), Correlation: math.NaN(), PValue: 1}
	points, weights := make([]meanPoint, len(strata)), make([]float64, len(strata))
	for i, s := range strata {
		points[i], weights[i] = meanBehind(s.Interval), 1/float64(len(strata))
		out.N += s.N
	}
	value, variance, freedom := combine(points, weights)
	out.Estimate = value
	switch {
	case math.IsInf(variance, 1):
		out.Estimate, out.Low, out.High, out.PValue = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	case variance == 0:
		out.Low, out.High = value, value
		if value != 0 {
			out.PValue = 0
		}
	default:
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
		half := t.Quantile(0.5+level/2) * math.Sqrt(variance)
		out.Low, out.High = value-half, value+half
		out.PValue = 2 * t.CDF(-math.Abs(value)/math.Sqrt(variance))
	}
	return out
}
