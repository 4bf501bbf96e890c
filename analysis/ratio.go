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
	mustEqualLengths(len(top), len(bottom))
	s := NewRatioSums()
	for i := range top {
		s.Add(top[i], bottom[i])
	}
	return s.Interval(level)
}

// RatioSums is [RatioOfSums] for trials that come one by one and are not kept.
type RatioSums struct{ m moments }

// NewRatioSums has seen no trials.
func NewRatioSums() *RatioSums { return &RatioSums{newMoments(2)} }

// Add takes a trial in.
func (s *RatioSums) Add(top, bottom float64) { s.m.add(top, bottom) }

// Interval is that of the trials so far.
func (s *RatioSums) Interval(level float64) Interval {
	ratio, scale := ratioWeights(&s.m, 0)
	return aroundEstimate(ratio, s.m.variance(scale, -scale*ratio), s.m.n, s.m.leftOut, level, "ratio of sums over trials, delta method")
}

// ratioWeights are the ratio of the sums of quantities k and k+1 and the weight
// of the upper one in what each unit adds to the ratio to first order,
// (top - r bottom) / mean(bottom).
func ratioWeights(m *moments, k int) (ratio, scale float64) {
	return m.sums[k] / m.sums[k+1], float64(m.n) / m.sums[k+1]
}

// aroundEstimate puts a t interval around an estimate whose error is the mean of
// n units' influence, which has the given variance.
func aroundEstimate(estimate, variance float64, n int, leftOut bool, level float64, method string) Interval {
	mustLevel(level)
	i := unknown(level, method, n)
	if leftOut {
		i.warn(WarnLeftOut)
	}
	if !isFinite(estimate) {
		i.warn(WarnNoData)
		return i
	}
	i.Estimate = estimate
	if n < 2 {
		return i
	}
	if variance == 0 {
		i.warn(WarnConstant)
	}
	half := studentQuantile(level, n-1) * math.Sqrt(variance/float64(n))
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
		return aroundEstimate(sumTop/sumBottom, 0, len(top), leftOut, level, method)
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
