package analysis

import "math"

// Two ways to make one ratio out of many trials. They answer different
// questions and differ when trials differ in size: RatioOfSums weighs each
// attempt alike, MeanOfRatios each trial alike. The paper averages ratios.

// RatioOfSums returns sum(top) / sum(bottom), such as successes per attempt,
// with trials as units and the variance by the delta method:
//
//	var = sum (top - r bottom)^2 / ((n-1) n mean(bottom)^2),
//
// and Student's t with n-1 degrees of freedom. Trials with a value that is not
// finite are left out; a trial with 0 below the line counts with its 0. Source:
// Cochran, Sampling Techniques, 3rd edition (Wiley, 1977), section 6.3.
func RatioOfSums(top, bottom []float64, level float64) Interval {
	kept, leftOut := finiteRows(top, bottom)
	influence, ratio := ratioInfluence(kept[0], kept[1])
	return aroundEstimate(ratio, influence, leftOut, level, "ratio of sums over trials, delta method")
}

// ratioInfluence returns the ratio of sums and what each trial adds to it to
// first order, (top - r bottom) / mean(bottom), which has mean 0.
func ratioInfluence(top, bottom []float64) (influence []float64, ratio float64) {
	ratio = sum(top) / sum(bottom)
	centre := mean(bottom)
	influence = make([]float64, len(top))
	for i := range top {
		influence[i] = (top[i] - ratio*bottom[i]) / centre
	}
	return influence, ratio
}

// aroundEstimate puts a t interval around an estimate whose error is the mean of
// the given influence values.
func aroundEstimate(estimate float64, influence []float64, leftOut bool, level float64, method string) Interval {
	mustLevel(level)
	i := unknown(level, method, len(influence))
	if leftOut {
		i.warn(WarnLeftOut)
	}
	if !isFinite(estimate) {
		i.warn(WarnNoData)
		return i
	}
	i.Estimate = estimate
	if len(influence) < 2 {
		return i
	}
	spread := variance(influence)
	if constant(influence) {
		spread = 0
		i.warn(WarnConstant)
	}
	half := studentQuantile(level, len(influence)-1) * math.Sqrt(spread/float64(len(influence)))
	i.Low, i.High = estimate-half, estimate+half
	return i
}

// RatioOfSumsJackknife returns the same ratio with the jackknife: the ratio is
// computed without each trial in turn, the pseudo-values n r - (n-1) r(without i)
// are averaged, and Student's t is applied to them. It removes most of the
// ratio's bias and its interval is a little wider with few or uneven trials.
// Source: Tukey (1958); Cochran, Sampling Techniques, section 6.17.
func RatioOfSumsJackknife(top, bottom []float64, level float64) Interval {
	const method = "ratio of sums over trials, jackknife"
	kept, leftOut := finiteRows(top, bottom)
	top, bottom = kept[0], kept[1]
	n := float64(len(top))
	sumTop, sumBottom := sum(top), sum(bottom)
	if len(top) < 2 || sumBottom == 0 {
		return aroundEstimate(sumTop/sumBottom, make([]float64, len(top)), leftOut, level, method)
	}
	pseudo := make([]float64, len(top))
	for i := range top {
		pseudo[i] = n*(sumTop/sumBottom) - (n-1)*((sumTop-top[i])/(sumBottom-bottom[i]))
	}
	i := meanT(pseudo, level, method)
	if leftOut {
		i.warn(WarnLeftOut)
	}
	return i
}

// MeanOfRatios returns the mean over trials of top/bottom with Student's t
// interval. Trials with 0 below the line have no ratio and are left out with a
// warning.
func MeanOfRatios(top, bottom []float64, level float64) Interval {
	mustEqualLengths(len(top), len(bottom))
	ratios := make([]float64, len(top))
	for i := range top {
		ratios[i] = math.NaN()
		if bottom[i] != 0 {
			ratios[i] = top[i] / bottom[i]
		}
	}
	i := Mean(ratios, level)
	i.Method = "mean of the trials' ratios, t"
	return i
}
