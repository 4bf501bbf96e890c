package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
)

// Survival is the Kaplan-Meier estimate of the share of trials that have not
// recovered by a given time.
type Survival struct {
	// Steps are the times at which trials recovered, ascending.
	Steps []SurvivalStep
	// N is the number of trials, of which Censored ended before they recovered.
	N, Censored int
	// Last is the longest time observed, recovered or not.
	Last float64

	times []endings // all different durations, ascending
}

// endings are the trials whose watch ended at one time.
type endings struct {
	time                float64
	recovered, censored int
	upTo                int // trials with this duration or a shorter one
}

// SurvivalStep is one downward step of the curve.
type SurvivalStep struct {
	// Time of the step, in the unit of the durations.
	Time float64
	// AtRisk trials were still being watched just before, Recovered did so here.
	AtRisk, Recovered int
	// Surviving is the estimated share not recovered after this time.
	Surviving float64
	// greenwood is the sum of d/(n(n-d)) up to here: Var(S)/S^2.
	greenwood float64
}

// KaplanMeier estimates from times to recovery. recovered[i] false means that
// trial i was watched for durations[i] and had not recovered: it is censored
// there. A trial that never was down has duration 0. Recoveries come before
// censorings at the same time. Source: Kaplan and Meier, JASA 53 (1958).
func KaplanMeier(durations []float64, recovered []bool) Survival {
	mustEqualLengths(len(durations), len(recovered))
	var r Recoveries
	for i, d := range durations {
		r.Add(d, recovered[i])
	}
	return r.KaplanMeier()
}

// Recoveries are times to recovery that come one by one and of which only the
// different ones are kept: times are often whole windows. The zero value has
// seen none.
type Recoveries struct{ times map[float64]endings }

// Add takes a trial in; see [KaplanMeier].
func (r *Recoveries) Add(duration float64, recovered bool) {
	if !(duration >= 0) {
		panic(fmt.Sprintf("analysis: durations must be at least 0, got %v", duration))
	}
	if r.times == nil {
		r.times = map[float64]endings{}
	}
	e := r.times[duration]
	e.time = duration
	if recovered {
		e.recovered++
	} else {
		e.censored++
	}
	r.times[duration] = e
}

// KaplanMeier estimates from the trials so far; see the function.
func (r *Recoveries) KaplanMeier() Survival {
	var s Survival
	s.times = slices.SortedFunc(maps.Values(r.times), func(a, b endings) int { return cmp.Compare(a.time, b.time) })
	for i := range s.times {
		e := &s.times[i]
		s.N += e.recovered + e.censored
		s.Censored += e.censored
		s.Last, e.upTo = e.time, s.N
	}
	surviving, greenwood, atRisk := 1.0, 0.0, s.N
	for _, e := range s.times {
		if e.recovered > 0 {
			surviving *= 1 - float64(e.recovered)/float64(atRisk)
			greenwood += float64(e.recovered) / (float64(atRisk) * float64(atRisk-e.recovered))
			s.Steps = append(s.Steps, SurvivalStep{e.time, atRisk, e.recovered, surviving, greenwood})
		}
		atRisk = s.N - e.upTo
	}
	return s
}

// At returns the share not recovered after a time, with the log-log interval,
//
//	S^exp(+- z se),  se = sqrt(greenwood) / |log S|,
//
// which stays in [0, 1]. Before the first recovery it is 1 and after the last
// trial 0, where the method has no width of its own: the interval is then that
// of [ClopperPearson] for none or all of the trials still watched. Source:
// Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data
// (Wiley, 1980), section 1.3.
func (s Survival) At(time, level float64) Interval {
	z := normalQuantile(level)
	i := unknown(level, "Kaplan-Meier, log-log", s.N)
	s.warn(&i)
	if s.N == 0 {
		return i
	}
	step := SurvivalStep{Surviving: 1, AtRisk: s.N}
	for _, candidate := range s.Steps {
		if candidate.Time <= time {
			step = candidate
		}
	}
	i.Estimate = step.Surviving
	if step.Surviving == 1 {
		watched := s.watchedAt(time)
		edge := ClopperPearson(watched, watched, level)
		i.Low, i.High = edge.Low, edge.High
		return i
	}
	i.Low, i.High = step.ends(z, level)
	return i
}

// ends is the interval of a step: log-log, or Clopper-Pearson when all trials
// still watched recovered at once, where log-log has none. That is common: times
// are often whole windows, or 0 in every trial.
func (s SurvivalStep) ends(z, level float64) (low, high float64) {
	if s.Surviving == 0 {
		return 0, ClopperPearson(0, s.AtRisk, level).High
	}
	se := math.Sqrt(s.greenwood) / math.Abs(math.Log(s.Surviving))
	return math.Pow(s.Surviving, math.Exp(z*se)), math.Pow(s.Surviving, math.Exp(-z*se))
}

// watchedAt counts the trials whose duration is at least time.
func (s Survival) watchedAt(time float64) int {
	earlier := 0
	for _, e := range s.times {
		if e.time < time {
			earlier = e.upTo
		}
	}
	return s.N - earlier
}

// Median returns the time by which half of the trials have recovered; see
// [Survival.Quantile].
func (s Survival) Median(level float64) Interval { return s.Quantile(0.5, level) }

// Quantile returns the time by which a share q of trials has recovered, with
// the interval of Brookmeyer and Crowley on the log-log scale: the times at
// which the curve's interval contains 1-q. Estimate and High are +Inf when the
// curve, or its upper limit, never comes down to 1-q ([WarnNotReached]); Low is
// then at least the time up to which the data exclude it. Source: Brookmeyer
// and Crowley, A Confidence Interval for the Median Survival Time, Biometrics
// 38 (1982).
func (s Survival) Quantile(q, level float64) Interval {
	z := normalQuantile(level)
	mustQuantile(q)
	i := unknown(level, fmt.Sprintf("Kaplan-Meier, q=%g, Brookmeyer-Crowley log-log", q), s.N)
	s.warn(&i)
	if s.N == 0 {
		return i
	}
	const slack = 1e-12 // products of fractions miss 1/2 by rounding
	target := 1 - q + slack
	i.Estimate, i.Low, i.High = math.Inf(1), math.Inf(1), math.Inf(1)
	for _, step := range s.Steps {
		low, high := step.ends(z, level)
		if step.Surviving <= target {
			i.Estimate = min(i.Estimate, step.Time)
		}
		if low <= target {
			i.Low = min(i.Low, step.Time)
		}
		if high <= target {
			i.High = min(i.High, step.Time)
		}
	}
	if math.IsInf(i.Low, 1) {
		i.Low = s.excludedUpTo(1-q, level)
	}
	if math.IsInf(i.High, 1) {
		i.warn(WarnNotReached)
	}
	return i
}

// excludedUpTo is the lower end when the curve's lower limit never comes down to
// the target: with recoveries, the end of observation; without any, the last
// time at which enough trials were still watched for none of them to have
// recovered by chance.
func (s Survival) excludedUpTo(target, level float64) float64 {
	if len(s.Steps) > 0 {
		return s.Last
	}
	// n trials, all surviving: the exact lower limit of their share, which grows with n.
	few := sort.Search(s.N, func(k int) bool { return ClopperPearson(k+1, k+1, level).Low > target })
	switch few {
	case 0:
		return s.Last
	case s.N:
		return 0
	}
	at, _ := slices.BinarySearchFunc(s.times, s.N-few, func(e endings, n int) int { return e.upTo - n })
	return s.times[at].time
}

func (s Survival) warn(i *Interval) {
	if s.Censored > 0 {
		i.warn(WarnCensored)
	}
}
