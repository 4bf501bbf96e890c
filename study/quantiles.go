package study

import "gonum.org/v1/gonum/stat/distuv"

// tQuantile975 is the 97.5% point of Student's t.
func tQuantile975(df int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
}
