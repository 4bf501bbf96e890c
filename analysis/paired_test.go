package analysis_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"retrylab/analysis"
)

// Differences 1, 2, 3: mean 2, s = 1, t(2) = 4.302653; t = 2 sqrt 3 = 3.4641,
// p = 0.0742 (tables of t with 2 degrees of freedom).
func TestPairedByHand(t *testing.T) {
	d := analysis.Paired([]float64{11, 22, 33}, []float64{10, 20, 30}, 0.95)
	near(t, "difference", d.Estimate, 2, 1e-12)
	near(t, "half", d.Half(), 4.30265273/math.Sqrt(3), 1e-7)
	near(t, "p", d.PValue, 1-2*math.Sqrt(3)/math.Sqrt(14), 1e-12) // t/sqrt(t^2+2) for 2 degrees
	near(t, "variance ratio", d.VarianceRatio, 121+100, 1e-9)
	near(t, "correlation", d.Correlation, 1, 1e-12)
}

func TestPairedEdges(t *testing.T) {
	same := analysis.Paired([]float64{1, 2, 3}, []float64{1, 2, 3}, 0.95)
	mustWarn(t, same.Interval, analysis.WarnConstant)
	if same.PValue != 1 || same.Low != 0 || same.High != 0 || !math.IsInf(same.VarianceRatio, 1) {
		t.Errorf("equal sides: %+v", same)
	}
	shifted := analysis.Paired([]float64{2, 3, 4}, []float64{1, 2, 3}, 0.95)
	if shifted.PValue != 0 || shifted.Low != 1 {
		t.Errorf("a constant difference is certain: %+v", shifted)
	}
	one := analysis.Paired([]float64{2}, []float64{1}, 0.95)
	if one.Estimate != 1 || !math.IsNaN(one.PValue) || !math.IsInf(one.High, 1) {
		t.Errorf("one pair: %+v", one)
	}
	none := analysis.Paired(nil, nil, 0.95)
	mustWarn(t, none.Interval, analysis.WarnNoData)
	holes := analysis.Paired([]float64{1, math.NaN(), 5}, []float64{0, 1, 3}, 0.95)
	mustWarn(t, holes.Interval, analysis.WarnLeftOut)
	near(t, "pairs with a hole are left out", holes.Estimate, 1.5, 0)
	mustPanic(t, "unequal lengths", func() { analysis.Paired([]float64{1}, nil, 0.95) })
}

func TestDifferenceJSONKeepsItsOwnFields(t *testing.T) {
	got, err := json.Marshal(analysis.Paired([]float64{2, 3, 4}, []float64{1, 2, 3}, 0.95))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"estimate":1,`, `"variance_ratio":null`, `"correlation":1`, `"p_value":0`} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%s is missing in %s", part, got)
		}
	}
}

// Shared noise of variance 9 and own noise of variance 1 on either side: the
// unpaired variance is 20, the paired 2.
func sharedNoise(r *rand.Rand, n int) (a, b []float64) {
	for range n {
		shared := 3 * r.NormFloat64()
		a, b = append(a, 1+shared+r.NormFloat64()), append(b, shared+r.NormFloat64())
	}
	return a, b
}

func TestPairingGain(t *testing.T) {
	a, b := sharedNoise(rand.New(rand.NewPCG(3, 3)), 20000)
	d := analysis.Paired(a, b, 0.95)
	near(t, "variance ratio", d.VarianceRatio, 10, 0.3)
	near(t, "correlation", d.Correlation, 0.9, 0.01)
}

func TestPairedCoverage(t *testing.T) {
	checkCoverage(t, "paired", coverage(4000, 31, 1, func(r *rand.Rand) analysis.Interval {
		a, b := sharedNoise(r, 12)
		return analysis.Paired(a, b, 0.95).Interval
	}))
	rejected := 0
	checkCoverage(t, "paired ratio of sums", coverage(4000, 32, 0.2, func(r *rand.Rand) analysis.Interval {
		var topA, bottomA, topB, bottomB []float64
		for range 30 {
			quality := 0.1 * r.NormFloat64() // the same environment for both
			sizeA, sizeB := 50+50*r.Float64(), 50+100*r.Float64()
			topA, bottomA = append(topA, sizeA*(0.7+quality)+r.NormFloat64()), append(bottomA, sizeA)
			topB, bottomB = append(topB, sizeB*(0.5+quality)+r.NormFloat64()), append(bottomB, sizeB)
		}
		d := analysis.PairedRatioOfSums(topA, bottomA, topB, bottomB, 0.95)
		if d.PValue < 0.05 {
			rejected++
		}
		return d.Interval
	}))
	if rejected < 3990 {
		t.Errorf("a difference of many standard errors was found in only %d of 4000 samples", rejected)
	}
}

// The p-value and the interval must tell the same story.
func TestPValueMatchesInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		a, b := sharedNoise(random, 6)
		d := analysis.Paired(a, b, 0.95)
		if (d.PValue < 0.05) != (d.Excludes(0) != 0) {
			t.Fatalf("p=%v but interval %v", d.PValue, d.Interval)
		}
	}
}

// R's p.adjust(c(.01, .04, .03, .005), "holm") gives .03 .06 .06 .02.
func TestHolm(t *testing.T) {
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "adjusted", analysis.Holm([]float64{0.01, 0.04, 0.03, 0.005})[i], want, 1e-15)
	}
	capped := analysis.Holm([]float64{0.6, math.NaN(), 0.7})
	if capped[0] != 1 || capped[2] != 1 || !math.IsNaN(capped[1]) {
		t.Errorf("got %v", capped)
	}
	near(t, "NaN does not count", analysis.Holm([]float64{0.01, math.NaN()})[0], 0.01, 0)
	if got := analysis.Holm(nil); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	mustPanic(t, "p > 1", func() { analysis.Holm([]float64{1.2}) })
}

// With five true null hypotheses, at most about 5% of families may contain a
// false discovery; without the correction it would be about 23%.
func TestHolmFamilywiseError(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1979))
	const families = 3000
	wrong, uncorrected := 0, 0
	for range families {
		ps := sample(5, random.Float64)
		smallest, adjusted := 1.0, analysis.Holm(ps)
		for i := range ps {
			smallest = min(smallest, adjusted[i])
		}
		if smallest < 0.05 {
			wrong++
		}
		if min(ps[0], ps[1], ps[2], ps[3], ps[4]) < 0.05 {
			uncorrected++
		}
	}
	if share := float64(wrong) / families; share > 0.065 || share < 0.03 {
		t.Errorf("family-wise error %.3f, expected about 0.05", share)
	}
	if float64(uncorrected)/families < 0.2 {
		t.Errorf("the comparison itself is off: %d", uncorrected)
	}
}
