package claims

import "math"

// average is the mean in the order of the values; NaN of none.
func average(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// deviation is the sample standard deviation; NaN of fewer than two values.
func deviation(values []float64) float64 {
	mean, squares := average(values), 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	if len(values) < 2 {
		return math.NaN()
	}
	return math.Sqrt(squares / float64(len(values)-1))
}
