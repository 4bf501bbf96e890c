package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// z95 is the normal quantile of a two-sided 95% interval.
const z95 = 1.959963984540054

// Interval is a share with its 95% interval.
type Interval struct{ Share, Low, High float64 }

// String is "41.0% (28.5-56.8)".
func (i Interval) String() string {
	if math.IsNaN(i.Share) {
		return "no data"
	}
	return fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*i.Share, 100*i.Low, 100*i.High)
}

// Wilson is the Wilson score interval of hit out of of; not a number when of is 0.
func Wilson(hit, of int) Interval {
	if of == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	n, p := float64(of), float64(hit)/float64(of)
	centre := p + z95*z95/(2*n)
	half := z95 * math.Sqrt((p*(1-p)+z95*z95/(4*n))/n)
	scale := 1 + z95*z95/n
	return Interval{p, max(0, (centre-half)/scale), min(1, (centre+half)/scale)}
}

// Audit holds the four counts behind a corrected prevalence: repositories in
// which something was detected, and a sample of the others that was searched in
// full for what had been missed.
type Audit struct {
	Detected, Repositories int // detected out of all scanned
	Missed, Searched       int // found to retry after all, out of the undetected ones searched
	TruePositives, Checked int // detections confirmed out of those checked; 0 of 0 = taken as exact
}

// Prevalence carries the false-negative rate across the undetected repositories.
// Its interval takes over the Wilson interval of that rate alone, as the paper
// does; the detection rate itself counts as known.
func (a Audit) Prevalence() Interval {
	w := Wilson(a.Missed, a.Searched)
	carry := func(rate float64) float64 {
		return (float64(a.Detected) + float64(a.Repositories-a.Detected)*rate) / float64(a.Repositories)
	}
	return Interval{carry(w.Share), carry(w.Low), carry(w.High)}
}

// PrevalenceFull also carries the uncertainty of the sample of repositories and
// of the detections' precision, by a parametric bootstrap of draws draws: each
// count is drawn anew from the beta law of its share (Jeffreys prior), and the
// 2.5% and 97.5% points are taken.
func (a Audit) PrevalenceFull(draws int, seed uint64) Interval {
	rng := rand.New(rand.NewPCG(seed, 0x57d1))
	out := make([]float64, draws)
	for i := range out {
		detected := betaDraw(rng, a.Detected, a.Repositories)
		missed := betaDraw(rng, a.Missed, a.Searched)
		precise := 1.0
		if a.Checked > 0 {
			precise = betaDraw(rng, a.TruePositives, a.Checked)
		}
		out[i] = detected*precise + (1-detected)*missed
	}
	sort.Float64s(out)
	point := a.Prevalence().Share
	if a.Checked > 0 {
		d := float64(a.Detected) / float64(a.Repositories)
		point = d*float64(a.TruePositives)/float64(a.Checked) + (1-d)*float64(a.Missed)/float64(a.Searched)
	}
	return Interval{point, quantile(out, 0.025), quantile(out, 0.975)}
}

// betaDraw draws from Beta(hit+1/2, of-hit+1/2).
func betaDraw(rng *rand.Rand, hit, of int) float64 {
	x := gammaDraw(rng, float64(hit)+0.5)
	y := gammaDraw(rng, float64(of-hit)+0.5)
	return x / (x + y)
}

// gammaDraw draws from Gamma(shape, 1) by the method of Marsaglia and Tsang.
func gammaDraw(rng *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gammaDraw(rng, shape+1) * math.Pow(rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-rng.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// quantile interpolates in a sorted slice.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Cluster is the part of a share that comes from one repository.
type Cluster struct{ Hit, Of int }

// ClusterInterval is the interval of a pooled share whose cases come in
// clusters: configurations of one repository resemble each other, so they are
// not independent draws. The variance is that of a ratio of cluster totals with
// the small-sample factor m/(m-1); the interval is formed on the logit scale,
// with Student's t of m-1 degrees of freedom, so that it stays within 0 and 1.
// With fewer than two clusters, or a share of 0 or 1, it is Wilson's interval
// with the number of clusters as the number of cases.
func ClusterInterval(clusters []Cluster) Interval {
	var hit, of float64
	m := 0
	for _, c := range clusters {
		if c.Of == 0 {
			continue
		}
		hit, of, m = hit+float64(c.Hit), of+float64(c.Of), m+1
	}
	if m == 0 {
		return Wilson(0, 0)
	}
	p := hit / of
	if m < 2 || p == 0 || p == 1 {
		w := Wilson(int(math.Round(p*float64(m))), m)
		return Interval{p, w.Low, w.High}
	}
	var ss float64
	for _, c := range clusters {
		r := float64(c.Hit) - p*float64(c.Of)
		ss += r * r
	}
	se := math.Sqrt(ss*float64(m)/float64(m-1)) / of
	logit := math.Log(p / (1 - p))
	half := tQuantile975(m-1) * se / (p * (1 - p))
	return Interval{p, expit(logit - half), expit(logit + half)}
}

func expit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// TopShare is the share of all cases that the k largest clusters hold.
func TopShare(clusters []Cluster, k int) float64 {
	sizes := make([]int, 0, len(clusters))
	total := 0
	for _, c := range clusters {
		sizes = append(sizes, c.Of)
		total += c.Of
	}
	if total == 0 {
		return math.NaN()
	}
	sort.Sort(sort.Reverse(sort.IntSlice(sizes)))
	top := 0
	for _, n := range sizes[:min(k, len(sizes))] {
		top += n
	}
	return float64(top) / float64(total)
}
