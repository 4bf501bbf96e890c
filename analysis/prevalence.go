package analysis

import "math"

// Audit is a detector's finding together with a check of what it missed.
type Audit struct {
	// Found of Scanned units were detected.
	Found, Scanned int
	// Missed of Checked undetected units, drawn at random, proved to have it.
	Missed, Checked int
}

// Prevalence returns the share of units that truly have it,
//
//	d + (1-d) m,  d = Found/Scanned, m = Missed/Checked,
//
// with an interval that carries the uncertainty of both shares: as
// 1 - (1-d)(1-m) is one minus a product of independent shares, the Wilson
// limits of the two are combined on the log scale by the MOVER rule (Zou and
// Donner, Statistics in Medicine 27, 2008). What was detected is taken to be
// right; correct Found for precision beforehand if it is not.
func Prevalence(a Audit, level float64) Interval {
	found, missed := Wilson(a.Found, a.Scanned, level), Wilson(a.Missed, a.Checked, level)
	i := a.start(found, missed, "prevalence, MOVER over both Wilson intervals")
	if i.N == 0 {
		return i
	}
	// Free shares 1-d and 1-m, their logs, and the distances to the limits.
	freeD, freeM := 1-found.Estimate, 1-missed.Estimate
	lower := math.Hypot(math.Log(freeD/(1-found.Low)), math.Log(freeM/(1-missed.Low)))
	upper := math.Hypot(math.Log(freeD/(1-found.High)), math.Log(freeM/(1-missed.High)))
	free := freeD * freeM
	if free == 0 { // everything has it: the logs have no lower distance
		i.High = 1
		i.Low = 1 - (1-found.Low)*(1-missed.Low)
		return i
	}
	i.Low, i.High = 1-free*math.Exp(lower), 1-free*math.Exp(-upper)
	i.Low = max(i.Low, 0)
	return i
}

// PrevalenceAuditOnly returns the same estimate with the paper's interval
// (section IV-D): Wilson's limits of m alone carried over, as if the detection
// rate were known exactly. It is the narrower of the two.
func PrevalenceAuditOnly(a Audit, level float64) Interval {
	found, missed := Wilson(a.Found, a.Scanned, level), Wilson(a.Missed, a.Checked, level)
	i := a.start(found, missed, "prevalence, Wilson interval of the audit carried over")
	if i.N == 0 {
		return i
	}
	d := found.Estimate
	i.Low, i.High = d+(1-d)*missed.Low, d+(1-d)*missed.High
	return i
}

func (a Audit) start(found, missed Interval, method string) Interval {
	i := Interval{Estimate: math.NaN(), Low: 0, High: 1, Level: found.Level, Method: method, N: min(a.Scanned, a.Checked)}
	i.warnCount()
	if i.N > 0 {
		d, m := found.Estimate, missed.Estimate
		i.Estimate = d + (1-d)*m
	}
	return i
}
