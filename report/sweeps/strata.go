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

// meanProportion is the mean of the strata's proportions with the stratified Wilson interval of Yan and Su (2010): each
// stratum's Wilson ends at one smaller quantile, chosen so that the mean has the level asked for. That quantile
// takes a stratum's variance at its Agresti-Coull estimate, since in strata with none or all it would be zero.
func meanProportion(strata []proportion) analysis.Interval {
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	i := analysis.Interval{Level: level, Method: "stratified Wilson"}
	squares, sum := 0.0, 0.0
	for _, s := range strata {
		n := float64(s.of)
		p := (float64(s.hits) + z*z/2) / (n + z*z)
		variance := p * (1 - p) / (n + z*z)
		squares, sum = squares+variance, sum+math.Sqrt(variance)
		i.N += s.of
	}
	smaller := z * math.Sqrt(squares) / sum
	k := float64(len(strata))
	levelEach := 2*distuv.UnitNormal.CDF(smaller) - 1
	for _, s := range strata {
		each := analysis.Wilson(s.hits, s.of, levelEach)
		i.Estimate, i.Low, i.High = i.Estimate+each.Estimate/k, i.Low+each.Low/k, i.High+each.High/k
	}
	return i
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
