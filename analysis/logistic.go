package analysis

import "math"

// logistic is the model logit p = base + slope (u - u0) of counts at a few
// values, slope at least 0; base is the logit of the target, passed at u0.
type logistic struct {
	base       float64
	u          []float64
	counted, n []float64
}

// fitShares inverts the likelihood ratio test within the window, which is put on
// [-1, 1] and turned to rise.
func (s *search) fitShares(w *window) (low, high, estimate float64, inside bool) {
	l := logistic{base: math.Log(s.Target / (1 - s.Target))}
	turn := -float64(s.lowSide)
	for k, values := range w.values {
		l.u = append(l.u, turn*float64(k-1))
		l.counted, l.n = append(l.counted, sum(values)), append(l.n, float64(len(values)))
	}
	best := highest(l.profile, -1, 1)
	most := l.profile(best)
	atLeast := func(least float64) func(float64) bool {
		return func(u float64) bool { return l.profile(u) >= least }
	}
	z := normalQuantile(s.Level)
	accepted, top := atLeast(most-z*z/2), atLeast(most-1e-5)
	back := func(u float64) float64 { return w.x[1] + turn*u*(w.x[2]-w.x[1]) }
	// The likelihood of a clean step is flat on top: the estimate is its middle.
	u := (edgeOr(top, best, -1) + edgeOr(top, best, 1)) / 2
	low, high = back(edgeOr(accepted, best, -turn)), back(edgeOr(accepted, best, turn))
	return low, high, back(u), u > -0.999 && u < 0.999
}

// profile is the log likelihood at the best slope for a tipping point u0. Its
// derivative falls with the slope: Newton's steps within a bracket.
func (l *logistic) profile(u0 float64) float64 {
	const most = 1 << 20 // a step, for all purposes
	low, high := 0.0, 1.0
	if first, _ := l.derivatives(u0, 0); first <= 0 {
		return l.likelihood(u0, 0)
	}
	for first, _ := l.derivatives(u0, high); first > 0 && high < most; first, _ = l.derivatives(u0, high) {
		low, high = high, 4*high
	}
	slope := low + (high-low)/2
	for range 60 {
		first, second := l.derivatives(u0, slope)
		if first > 0 {
			low = slope
		} else {
			high = slope
		}
		next := slope - first/second
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-slope) <= 1e-8*(1+slope) {
			break
		}
		slope = next
	}
	return l.likelihood(u0, slope)
}

// derivatives of the log likelihood by the slope.
func (l *logistic) derivatives(u0, slope float64) (first, second float64) {
	for k, u := range l.u {
		p := 1 / (1 + math.Exp(-(l.base + slope*(u-u0))))
		first += (l.counted[k] - l.n[k]*p) * (u - u0)
		second -= l.n[k] * p * (1 - p) * (u - u0) * (u - u0)
	}
	return first, second
}

func (l *logistic) likelihood(u0, slope float64) float64 {
	total := 0.0
	for k, u := range l.u {
		eta := l.base + slope*(u-u0)
		// log p = -log(1 + e^-eta), without overflow.
		total -= l.counted[k]*softplus(-eta) + (l.n[k]-l.counted[k])*softplus(eta)
	}
	return total
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// highest finds the top of a function with one, by golden section.
func highest(f func(float64) float64, low, high float64) float64 {
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for high-low > 1e-4 {
		if fa >= fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return low + (high-low)/2
}
