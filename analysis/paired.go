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
	mustEqualLengths(len(a), len(b))
	m, shape := newMoments(2), make([]float64, 0, min(len(a), HumpSample))
	for i := range a {
		if m.add(a[i], b[i]) && len(shape) < HumpSample {
			shape = append(shape, a[i]-b[i])
		}
	}
	estimate := (m.sums[0] - m.sums[1]) / float64(m.n) // 0/0 is NaN
	return compared(estimate, &m, []float64{1, 0}, []float64{0, -1}, shape, level, "paired t over trials")
}

// PairedRatioOfSums returns sum(topA)/sum(bottomA) - sum(topB)/sum(bottomB), such
// as the difference of successes per attempt, with trials as pairs and the
// variance by the delta method (see [RatioOfSums]).
func PairedRatioOfSums(topA, bottomA, topB, bottomB []float64, level float64) Difference {
	mustEqualLengths(len(topA), len(bottomA), len(topB), len(bottomB))
	s := NewPairedRatioSums()
	for i := range topA {
		s.Add(topA[i], bottomA[i], topB[i], bottomB[i])
	}
	return s.Difference(level)
}

// PairedRatioSums is [PairedRatioOfSums] for pairs that come one by one and are
// not kept, but for the first [HumpSample], whose shape is looked at.
type PairedRatioSums struct {
	m     moments
	first [][4]float64
}

// NewPairedRatioSums has seen no pairs.
func NewPairedRatioSums() *PairedRatioSums { return &PairedRatioSums{m: newMoments(4)} }

// Add takes in the two sides of a trial.
func (s *PairedRatioSums) Add(topA, bottomA, topB, bottomB float64) {
	if s.m.add(topA, bottomA, topB, bottomB) && len(s.first) < HumpSample {
		s.first = append(s.first, [4]float64{topA, bottomA, topB, bottomB})
	}
}

// Difference is that of the pairs so far.
func (s *PairedRatioSums) Difference(level float64) Difference {
	ratioA, scaleA := ratioWeights(&s.m, 0)
	ratioB, scaleB := ratioWeights(&s.m, 2)
	shape := make([]float64, len(s.first))
	for i, u := range s.first {
		shape[i] = scaleA*(u[0]-ratioA*u[1]) - scaleB*(u[2]-ratioB*u[3])
	}
	return compared(ratioA-ratioB, &s.m, []float64{scaleA, -scaleA * ratioA, 0, 0}, []float64{0, 0, -scaleB, scaleB * ratioB},
		shape, level, "paired ratio of sums over trials, delta method")
}

// compared compares two estimates whose errors are the means over units of the
// quantities with weights a and minus those with weights b. shape are the
// differences of some pairs.
func compared(estimate float64, m *moments, a, b, shape []float64, level float64, method string) Difference {
	both := make([]float64, len(a))
	for i := range both {
		both[i] = a[i] + b[i]
	}
	varA, varB, varD := m.variance(a...), m.variance(b...), m.variance(both...)
	d := Difference{
		Interval:      aroundEstimate(estimate, varD, m.n, m.leftOut, level, method),
		VarianceRatio: math.NaN(), Correlation: math.NaN(), PValue: math.NaN(),
	}
	if m.n < 2 || !isFinite(estimate) {
		return d
	}
	d.VarianceRatio = (varA + varB) / varD // 0/0 is NaN, as documented
	d.Correlation = (varA + varB - varD) / (2 * math.Sqrt(varA*varB))
	d.PValue = twoSided(estimate, varD, m.n)
	if FindHumps(shape).Two {
		d.warn(WarnTwoHumps)
	}
	return d
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
