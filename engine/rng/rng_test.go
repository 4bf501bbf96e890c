package rng_test

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"retrylab/engine/rng"
)

// TestFrozen: published results depend on these values; a change must be meant.
func TestFrozen(t *testing.T) {
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %s, frozen %s", what, got, want)
		}
	}
	check("keys", fmt.Sprintf("%#x %#x %#x %#x", rng.Key(), rng.Key(1), rng.Key(1, 2, 3), rng.Sub(5, 6)), frozenKeys)
	s := rng.New(rng.Key(1, 2, 3))
	check("words", fmt.Sprintf("%#x %#x %#x", s.Uint64(), s.Uint64(), s.Uint64()), frozenWords)
	check("uniform", fmt.Sprint(s.Float64(), s.Float64()), frozenUniform)
	check("exponential", fmt.Sprint(s.Exp(), s.Exp(), s.Exp()), frozenExp)
	check("normal", fmt.Sprint(s.Normal(), s.Normal()), frozenNormal)
	check("gamma", fmt.Sprint(s.Gamma(2.5), s.Gamma(0.3)), frozenGamma)
}

// TestSplitMix64 has the first words of the published generator (Vigna's splitmix64.c, seed 1234567).
func TestSplitMix64(t *testing.T) {
	s := rng.New(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.Uint64(); got != want {
			t.Errorf("word %d is %d, published %d", i+1, got, want)
		}
	}
}

// TestAt reaches any draw of a stream directly.
func TestAt(t *testing.T) {
	key := rng.Key(9)
	s := rng.New(key)
	for n := uint64(1); n < 100; n++ {
		if got, want := rng.At(key, n), s.Uint64(); got != want {
			t.Fatalf("draw %d is %#x, in sequence %#x", n, got, want)
		}
	}
}

// TestNoSharedDraws counts words that two streams have in common: streams of the keys that a sweep uses,
// neighbours in every word. Of a million random words of 64 bits, two are equal once in 37 million tries.
func TestNoSharedDraws(t *testing.T) {
	const draws = 100
	var words []uint64
	for seed := range uint64(4) {
		for environment := range uint64(5) {
			for trial := range uint64(10) {
				for purpose := range uint64(10) {
					for entity := range uint64(5) {
						s := rng.New(rng.Key(seed, environment, trial, purpose, entity))
						for range draws {
							words = append(words, s.Uint64())
						}
					}
				}
			}
		}
	}
	slices.Sort(words)
	shared := 0
	for i := 1; i < len(words); i++ {
		if words[i] == words[i-1] {
			shared++
		}
	}
	if len(words) != 1_000_000 || shared != 0 {
		t.Errorf("%d of %d draws are shared", shared, len(words))
	}
}

// TestKeysDiffer: order, length and zeros of a key's words all matter.
func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, words := range [][]uint64{{}, {0}, {0, 0}, {1}, {1, 0}, {0, 1}, {1, 1}, {2}, {0, 2}, {math.MaxUint64}, {math.MaxUint64, 1}, {1, math.MaxUint64}} {
		k := rng.Key(words...)
		if other, ok := seen[k]; ok {
			t.Errorf("%v and %s give the same key", words, other)
		}
		seen[k] = fmt.Sprint(words)
	}
}

// n is the number of draws of a law.
const n = 200_000

func draw(f func(*rng.Stream) float64) []float64 {
	s := rng.New(rng.Key(2026, 8, 26))
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = f(&s)
	}
	sort.Float64s(xs)
	return xs
}

// like compares draws with a law: mean and variance by z, the whole law by Kolmogorov and Smirnov.
func like(t *testing.T, xs []float64, mean, variance, excess float64, cdf func(float64) float64) {
	t.Helper()
	m, v := moments(xs)
	if z := (m - mean) / math.Sqrt(variance/n); math.Abs(z) >= 4 {
		t.Errorf("mean %.5f, expected %.5f, z = %.1f", m, mean, z)
	}
	if z := (v - variance) / (variance * math.Sqrt((excess+2)/n)); math.Abs(z) >= 4 {
		t.Errorf("variance %.5f, expected %.5f, z = %.1f", v, variance, z)
	}
	if d := kolmogorov(xs, cdf); d*math.Sqrt(n) > 2.2 { // p = 1e-4
		t.Errorf("Kolmogorov-Smirnov distance times root n is %.2f", d*math.Sqrt(n))
	}
}

func moments(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		variance += (x - mean) * (x - mean) / float64(len(xs)-1)
	}
	return mean, variance
}

func kolmogorov(sorted []float64, cdf func(float64) float64) (distance float64) {
	for i, x := range sorted {
		f := cdf(x)
		distance = max(distance, math.Abs(f-float64(i)/float64(len(sorted))), math.Abs(f-float64(i+1)/float64(len(sorted))))
	}
	return distance
}

func TestUniform(t *testing.T) {
	law := distuv.Uniform{Min: 0, Max: 1}
	xs := draw((*rng.Stream).Float64)
	like(t, xs, 0.5, 1.0/12, -1.2, law.CDF)
	if xs[0] < 0 || xs[n-1] >= 1 {
		t.Errorf("draws from %v to %v, expected [0,1)", xs[0], xs[n-1])
	}
	if got := rng.Float(math.MaxUint64); got >= 1 {
		t.Errorf("the largest uniform is %v", got)
	}
}

func TestExp(t *testing.T) {
	law := distuv.Exponential{Rate: 1}
	xs := draw((*rng.Stream).Exp)
	like(t, xs, 1, 1, 6, law.CDF)
	tail := 0.0 // beyond the ziggurat's layers
	for _, x := range xs {
		if x > 7.69711747013104972 {
			tail++
		}
	}
	want := n * math.Exp(-7.69711747013104972)
	if z := (tail - want) / math.Sqrt(want); math.Abs(z) >= 4 {
		t.Errorf("%v draws in the tail, expected %.1f", tail, want)
	}
}

func TestNormal(t *testing.T) {
	like(t, draw((*rng.Stream).Normal), 0, 1, 0, distuv.UnitNormal.CDF)
}

func TestGamma(t *testing.T) {
	for _, shape := range []float64{0.11, 0.5, 1, 4, 30} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			law := distuv.Gamma{Alpha: shape, Beta: 1}
			like(t, draw(func(s *rng.Stream) float64 { return s.Gamma(shape) }), shape, shape, 6/shape, law.CDF)
		})
	}
}

// TestBitsAreFair: every bit of a stream's words, and of the first words of neighbouring streams, is one half the time.
func TestBitsAreFair(t *testing.T) {
	s := rng.New(rng.Key(3))
	for name, next := range map[string]func(i uint64) uint64{
		"stream":     func(uint64) uint64 { return s.Uint64() },
		"neighbours": func(i uint64) uint64 { return rng.At(rng.Sub(rng.Key(3), i), 1) },
	} {
		var ones [64]float64
		for i := range uint64(n) {
			for b, w := 0, next(i); w != 0; b, w = b+1, w>>1 {
				ones[b] += float64(w & 1)
			}
		}
		for b, k := range ones {
			if z := (k - n/2) / math.Sqrt(n/4); math.Abs(z) >= 4.5 { // 128 bits looked at
				t.Errorf("%s: bit %d is one %v times of %d", name, b, k, n)
			}
		}
	}
}
