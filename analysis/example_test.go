package analysis_test

import (
	"fmt"

	"retrylab/analysis"
)

// Two strategies that faced the same five environments: pairing removes what
// the environments did to both.
func ExamplePaired() {
	retries := []float64{0.71, 0.66, 0.74, 0.69, 0.72}
	none := []float64{0.69, 0.65, 0.71, 0.68, 0.70}
	d := analysis.Paired(retries, none, 0.95)
	fmt.Printf("%+.3f [%+.3f, %+.3f], p=%.3f, %.0f times fewer trials\n",
		d.Estimate, d.Low, d.High, d.PValue, d.VarianceRatio)
	// Output: +0.018 [+0.008, +0.028], p=0.009, 21 times fewer trials
}

// Of four trials three recovered; the last was still down after 60 s.
func ExampleKaplanMeier() {
	median := analysis.KaplanMeier([]float64{12, 20, 31, 60}, []bool{true, true, true, false}).Median(0.95)
	fmt.Println(median.Estimate, median.Warnings[len(median.Warnings)-1])
	// Output: 20 not reached: too few trials recovered to bound this quantile
}
