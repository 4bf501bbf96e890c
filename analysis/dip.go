package analysis

import "math"

// Dip returns Hartigan's dip of a sorted sample: the largest difference between
// its distribution function and that of the unimodal law nearest to it. It lies
// between 1/(2n) and 1/4; the smaller, the more like one hump. Source: Hartigan
// and Hartigan, The Dip Test of Unimodality, Annals of Statistics 13 (1985);
// the method follows its section 3: narrow the interval of possible modes
// between the greatest convex minorant and the least concave majorant until
// neither is further from the data inside than outside.
//
// Repeated values are one point with a higher step. NaN for no data.
func Dip(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	f := newSteps(sorted)
	dip := 1.0 // in observations; half of it over n is the dip
	for low, high := 0, len(f.x)-1; low < high; {
		convex, concave := f.minorant(low, high), f.majorant(low, high)
		gap, newLow, newHigh := f.widest(convex, concave)
		if gap <= dip {
			break
		}
		dip = max(dip, f.above(convex, newLow), f.below(concave, newHigh))
		low, high = newLow, newHigh
	}
	return dip / (2 * float64(n))
}

// steps is an empirical distribution function in observations: before[i] values
// lie below x[i], upto[i] at or below.
type steps struct {
	x, before, upto []float64
}

func newSteps(sorted []float64) steps {
	var f steps
	for i, x := range sorted {
		if i == 0 || x != sorted[i-1] {
			f.x, f.before, f.upto = append(f.x, x), append(f.before, float64(i)), append(f.upto, 0)
		}
		f.upto[len(f.upto)-1] = float64(i + 1)
	}
	return f
}

// hull is a piecewise linear function through some points of the steps, named
// by their index.
type hull struct {
	at   []int
	x, y []float64 // of all points; shared, not copied
}

// minorant is the greatest convex function below the steps on [low, high];
// it touches them from below, before each step.
func (f steps) minorant(low, high int) hull { return makeHull(f.x, f.before, low, high, +1) }

// majorant is the least concave function above; it touches them after each step.
func (f steps) majorant(low, high int) hull { return makeHull(f.x, f.upto, low, high, -1) }

func makeHull(x, y []float64, low, high int, turn float64) hull {
	h := hull{x: x, y: y}
	for i := low; i <= high; i++ {
		for n := len(h.at); n >= 2; n = len(h.at) {
			a, b := h.at[n-2], h.at[n-1]
			if turn*((y[b]-y[a])*(x[i]-x[a])-(y[i]-y[a])*(x[b]-x[a])) < 0 {
				break
			}
			h.at = h.at[:n-1]
		}
		h.at = append(h.at, i)
	}
	return h
}

// value evaluates the hull at point i, which lies in piece k: between vertices
// k and k+1.
func (h hull) value(k, i int) float64 {
	a, b := h.at[k], h.at[min(k+1, len(h.at)-1)]
	if a == b || i == a {
		return h.y[a]
	}
	return h.y[a] + (h.y[b]-h.y[a])*(h.x[i]-h.x[a])/(h.x[b]-h.x[a])
}

// widest returns the largest distance between the two hulls at their vertices
// and the interval of modes that it leaves.
func (f steps) widest(convex, concave hull) (gap float64, low, high int) {
	gap = -1
	k := 0
	for _, i := range convex.at {
		for k+1 < len(concave.at) && concave.at[k+1] < i {
			k++
		}
		if d := concave.value(k, i) - f.before[i]; d > gap {
			gap, low, high = d, i, concave.at[k]
			if high < i {
				high = concave.at[k+1]
			}
		}
	}
	k = 0
	for _, i := range concave.at {
		for k+1 < len(convex.at) && convex.at[k+1] <= i {
			k++
		}
		if d := f.upto[i] - convex.value(k, i); d > gap {
			gap, low, high = d, convex.at[k], i
		}
	}
	return gap, low, high
}

// above is the largest distance of the steps over the convex hull before point
// end, which is one of its vertices. The end itself may be the mode, where a
// unimodal law may jump; if it is not, the next round looks at it.
func (f steps) above(convex hull, end int) (largest float64) {
	k := 0
	for i := convex.at[0]; i < end; i++ {
		for k+1 < len(convex.at) && convex.at[k+1] <= i {
			k++
		}
		largest = max(largest, f.upto[i]-convex.value(k, i))
	}
	return largest
}

// below is the largest distance of the steps under the concave hull after point
// start, which is one of its vertices; see above.
func (f steps) below(concave hull, start int) (largest float64) {
	k := 0
	for i := start + 1; i <= concave.at[len(concave.at)-1]; i++ {
		for k+1 < len(concave.at) && concave.at[k+1] <= i {
			k++
		}
		largest = max(largest, concave.value(k, i)-f.before[i])
	}
	return largest
}
