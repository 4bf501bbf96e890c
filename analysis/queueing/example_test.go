package queueing_test

import (
	"fmt"

	"retrylab/analysis/queueing"
)

// The paper's scenario S1: five tiers, tier 3 fails half of its attempts, every
// tier retries three times.
func ExampleGraph_Solve() {
	solved, err := queueing.Chain([]float64{0, 0, 0.5, 0, 0}, []int{3, 3, 3, 3}, 0).Solve()
	if err != nil {
		fmt.Println(err)
		return
	}
	for tier, s := range solved.Services {
		fmt.Printf("tier %d: %.3f attempts per request, RAF %.3f\n", tier+1, s.Attempts, s.RAF)
	}
	fmt.Printf("success %.5f, without retries %.1f\n", solved.Success, solved.SuccessNoRetry)
	// Output:
	// tier 1: 1.000 attempts per request, RAF 1.000
	// tier 2: 1.067 attempts per request, RAF 1.067
	// tier 3: 2.000 attempts per request, RAF 2.000
	// tier 4: 1.000 attempts per request, RAF 2.000
	// tier 5: 1.000 attempts per request, RAF 2.000
	// success 0.99998, without retries 0.5
}
