package analysis

import "math"

// Mean returns the mean of one value per trial with Student's t interval,
//
//	m +- t(n-1) s / sqrt(n).
//
// Values that are not finite are left out with a warning. It warns of two humps
// (see [FindHumps]), where a mean describes nothing that happens. One value
// alone has infinite ends. Source: Student, Biometrika 6 (1908).
func Mean(xs []float64, level float64) Interval {
	i := meanT(xs, level, "t over trials")
	if FindHumps(xs).Two {
		i.warn(WarnTwoHumps)
	}
	return i
}

// meanT is Mean without the look at the shape.
func meanT(xs []float64, level float64, method string) Interval {
	mustLevel(level)
	kept, leftOut := finiteRows(xs)
	xs = kept[0]
	i := unknown(level, method, len(xs))
	if leftOut {
		i.warn(WarnLeftOut)
	}
	if len(xs) == 0 {
		return i
	}
	i.Estimate = mean(xs)
	if len(xs) == 1 {
		return i
	}
	if constant(xs) {
		i.Estimate, i.Low, i.High = xs[0], xs[0], xs[0]
		i.warn(WarnConstant)
		return i
	}
	half := studentQuantile(level, len(xs)-1) * math.Sqrt(variance(xs)/float64(len(xs)))
	i.Low, i.High = i.Estimate-half, i.Estimate+half
	return i
}
