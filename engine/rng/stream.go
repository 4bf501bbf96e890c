// Package rng has keyed streams of random numbers.
//
// A stream is SplitMix64 in counter form: draw n is mix(key + n golden). Its
// state is one word, and any draw can be reached directly. Keys come from nested
// hashing of what the stream is for, never from adding numbers, so streams of
// different purposes do not disturb each other (Steele, Lea and Flood 2014, for
// the mixer; Stafford's variant 13).
package rng

const golden = 0x9e3779b97f4a7c15

// Mix is the SplitMix64 finalizer, a bijection of 64-bit words.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key hashes a chain of words into a stream's key. Order matters, and no word is
// neutral: Key(a), Key(a, 0) and Key(0, a) differ.
func Key(words ...uint64) uint64 {
	k := uint64(0x6a09e667f3bcc909)
	for _, w := range words {
		k = Sub(k, w)
	}
	return k
}

// Sub derives the key of one part of what key k is for.
func Sub(k, word uint64) uint64 { return Mix(Mix(k) + golden*(word+1)) }

// At is draw n (from 1) of the stream with key k.
func At(k, n uint64) uint64 { return Mix(k + golden*n) }

// Stream is a sequence of draws. Its zero value is the stream with key 0.
type Stream struct{ state uint64 }

// New starts the stream with the given key.
func New(key uint64) Stream { return Stream{key} }

// Uint64 draws 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return Mix(s.state)
}

// Float64 draws a uniform in [0,1), a multiple of 2^-53.
func (s *Stream) Float64() float64 { return Float(s.Uint64()) }

// Float maps 64 random bits to [0,1).
func Float(u uint64) float64 { return float64(u>>11) * (1.0 / (1 << 53)) }
