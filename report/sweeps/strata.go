package sweeps

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"retrylab/analysis"
)

// A design's cells are fixed, not drawn: a mean over them is one number for each strategy, not the proportion of one
// population. Its interval therefore takes each cell as a stratum of its own, all of equal weight.

// proportion is a count within one stratum.
type proportion struct{ hits, of int }

// meanProportion is the mean of the strata's proportions p. Its variance is the sum of p(1 - p)/n over the square of the
// number of strata; the interval is Wilson's for as many trials as would give a single proportion that variance. The
// ratio of the two variances is taken at Jeffreys' estimates (hits + 1/2)/(n + 1), since a stratum with none
// or all would count as certain. The strata have equally many trials, or nearly so.
func meanProportion(strata []proportion) analysis.Interval {
	k, trials, estimate, mean, within := float64(len(strata)), 0, 0.0, 0.0, 0.0
	for _, s := range strata {
		n := float64(s.of)
		p := (float64(s.hits) + 0.5) / (n + 1)
		trials += s.of
		estimate += float64(s.hits) / n / k
		mean += p / k
		within += p * (1 - p) / n / (k * k)
	}
	effective := mean * (1 - mean) / within
	low, high := wilsonEnds(estimate, effective)
	return analysis.Interval{Estimate: estimate, Low: low, High: high, Level: level, Method: "stratified Wilson", N: trials}
}

// wilsonEnds are those of a proportion of n trials, which need not be whole.
func wilsonEnds(p, n float64) (low, high float64) {
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low, high = math.Max(middle-half, 0), math.Min(middle+half, 1)
	if p == 0 {
		low = 0 // but for rounding
	}
	if p == 1 {
		high = 1
	}
	return low, high
}

// meanDifference is the mean of the strata's paired differences. Its variance is the sum of theirs over the square of
// their number; Student's t has the degrees of freedom of Welch and Satterthwaite.
func meanDifference(strata []analysis.Difference) analysis.Difference {
	k := float64(len(strata))
	out := analysis.Difference{Interval: analysis.Interval{Level: level, Method: "stratified paired t"}, VarianceRatio: math.NaN(), PValue: 1}
	variance, fourth := 0.0, 0.0
	for _, s := range strata {
		if s.N < 2 {
			out.Estimate, out.Low, out.High, out.PValue = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			return out
		}
		df := float64(s.N - 1)
		se := s.Half() / distuv.StudentsT{Sigma: 1, Nu: df}.Quantile((1+level)/2) / k
		out.Estimate += s.Estimate / k
		out.N += s.N
		variance += se * se
		fourth += math.Pow(se, 4) / df
	}
	if variance == 0 {
		out.Low, out.High = out.Estimate, out.Estimate
		if out.Estimate != 0 {
			out.PValue = 0
		}
		return out
	}
	t := distuv.StudentsT{Sigma: 1, Nu: variance * variance / fourth}
	half := t.Quantile((1+level)/2) * math.Sqrt(variance)
	out.Low, out.High = out.Estimate-half, out.Estimate+half
	out.PValue = 2 * t.CDF(-math.Abs(out.Estimate)/math.Sqrt(variance))
	return out
}
