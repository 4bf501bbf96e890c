package rng

import "math"

// The ziggurat of Marsaglia and Tsang (2000) for the exponential law, 256 layers,
// on one 64-bit draw: the low 8 bits pick the layer, the top 53 the abscissa.
// 98.9% of the draws take the fast path.
const (
	zigR = 7.69711747013104972      // start of the tail
	zigV = 0.0039496598225815571993 // area of a layer
	zigM = float64(1 << 53)         // range of the abscissa
)

type layer struct {
	k uint64  // below: inside the layer
	w float64 // abscissa of one unit
}

var (
	zig  [256]layer
	zigF [256]float64
)

func init() {
	q := zigV / math.Exp(-zigR)
	edge, prev := zigR, zigR
	zig[0] = layer{uint64(zigR / q * zigM), q / zigM}
	zig[255].w = zigR / zigM
	zigF[0], zigF[255] = 1, math.Exp(-zigR)
	for i := 254; i >= 1; i-- {
		edge = -math.Log(zigV/edge + math.Exp(-edge))
		zig[i+1].k = uint64(edge / prev * zigM)
		prev = edge
		zigF[i], zig[i].w = math.Exp(-edge), edge/zigM
	}
}

// Exp draws from the exponential law with mean 1.
func (s *Stream) Exp() float64 {
	u := s.Uint64()
	e := &zig[u&255]
	if r := u >> 11; r < e.k {
		return float64(int64(r)) * e.w
	}
	return s.expSlow(u)
}

func (s *Stream) expSlow(u uint64) float64 {
	for {
		i, r := u&255, u>>11
		x := float64(r) * zig[i].w
		if r < zig[i].k {
			return x
		}
		f := s.Float64()
		if i == 0 {
			return zigR - math.Log(1-f)
		}
		// The conversion keeps the product from being fused with the sum on some processors.
		if float64((zigF[i-1]-zigF[i])*f)+zigF[i] < math.Exp(-x) {
			return x
		}
		u = s.Uint64()
	}
}

// Normal draws from the standard normal law (Marsaglia's polar method, one of its two values).
func (s *Stream) Normal() float64 {
	for {
		x, y := 2*s.Float64()-1, 2*s.Float64()-1
		if r := float64(x*x) + float64(y*y); r > 0 && r < 1 {
			return x * math.Sqrt(-2*math.Log(r)/r)
		}
	}
}

// Gamma draws from the gamma law with the given shape and scale 1 (Marsaglia and Tsang 2000).
func (s *Stream) Gamma(shape float64) float64 {
	if shape < 1 {
		u := 1 - s.Float64() // in (0,1]
		return s.Gamma(shape+1) * math.Pow(u, 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := s.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - s.Float64()
		if math.Log(u) < float64(0.5*x*x)+d-float64(d*v)+float64(d*math.Log(v)) {
			return d * v
		}
	}
}
