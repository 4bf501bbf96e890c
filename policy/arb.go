package policy

import "time"

// ARB is Adaptive Retry Budgeting, Algorithm 1 of the paper's section VI. What the
// algorithm leaves open is a field; docs/arb.md lists the open questions with the
// field that answers each. The paper's own program is another thing: [ARBAuthors].
//
// The state is a budget B and a failure rate f. A failed attempt is retried if
// B > 0, the downstream did not signal OVERLOADED, and a uniform draw is strictly
// below min(B, 1-f); that costs B the share of base load that one retry is. Every
// Period, B shrinks if f is high or the downstream is overloaded, and grows if f
// is low. The test of B comes before that of the signal, which matters only for
// the reason given.
type ARB struct {
	// InitialBudget is B0, the first value of B and its cap. Default 0.2.
	InitialBudget float64 `yaml:"initial_budget"`
	// Period is T, the time between two adjustments of B. Default 1s.
	Period time.Duration `yaml:"period"`
	// Phase is random (the first adjustment comes at a point of the first period drawn for each
	// client, Env.Phase) or common (all clients adjust together). Default random.
	Phase string `yaml:"phase"`
	// FailureHigh is theta_h: B is cut if f is strictly above it. Default 0.3.
	FailureHigh float64 `yaml:"failure_high"`
	// FailureLow is theta_l: B grows if f is strictly below it. Default 0.05.
	FailureLow float64 `yaml:"failure_low"`
	// Hysteresis: cutting goes on down to FailureHigh less this, growing up to FailureLow plus
	// this. Default 0, as in Algorithm 1.
	Hysteresis float64 `yaml:"hysteresis"`
	// Cut is beta, the share of B that an adjustment takes. Default 0.5.
	Cut float64 `yaml:"cut"`
	// Step is the alpha that is added to B when it grows (not the weight of f). Default 0.1.
	Step float64 `yaml:"step"`
	// DeadZoneStep is added to B at an adjustment that finds f between the thresholds. Default 0:
	// there B only falls.
	DeadZoneStep float64 `yaml:"dead_zone_step"`
	// BudgetUnit is seconds (B is seconds of base load, spent by 1/load with each retry: the
	// algorithm's lines) or fraction (B is a fraction of base load, as the prose says: each period
	// allows B x load x Period retries and leaves B alone). Default seconds.
	BudgetUnit string `yaml:"budget_unit"`
	// ZeroBelow: a B at or below it counts as none. Cutting alone never reaches 0. Default 0.
	ZeroBelow float64 `yaml:"zero_below"`
	// Charge is scheduled (a retry is paid for when it is decided, and not refunded if a deadline
	// stops it before it is sent) or sent (when it is sent). Default scheduled.
	Charge string `yaml:"charge"`
	// Load is lambda, the base load that gives B its unit.
	Load ARBLoad `yaml:"load"`
	// FailureRate says how f is kept.
	FailureRate ARBFailureRate `yaml:"failure_rate"`
	// Signal says what the downstream's OVERLOADED does.
	Signal ARBSignal `yaml:"signal"`
	// Retry is the limit and the backoff, which Algorithm 1 does not have. Default as policy retry:
	// 3 retries, 100, 200, 400 ms +-25% (section V; the "three attempts" of VII-A are max_retries 2).
	Retry Retry `yaml:"retry"`
}

// ARBLoad is lambda, in fresh calls per second of one client towards one downstream.
type ARBLoad struct {
	// Source is measured (fresh calls sent over Window), constant (Constant), or base (the edge's
	// configured load, Env.BaseRate). Default measured.
	Source string `yaml:"source"`
	// Constant is the load of source constant, taken literally. Default 500.
	Constant float64 `yaml:"constant"`
	// Window of the measured load, in ten slots. Default 10s.
	Window time.Duration `yaml:"window"`
	// Floor is the least measured or base load. Default 5, which is 1/InitialBudget: below it one
	// retry would cost more than all of B.
	Floor float64 `yaml:"floor"`
}

// ARBFailureRate says how f is kept and what it counts.
type ARBFailureRate struct {
	// Per is completion (f = (1-Weight) f + Weight [failed], line 5: at 500/s its half-life is
	// 13 ms, at 1/s 6.6 s) or time (failures/completions, each weighted by its age with HalfLife).
	// Default completion.
	Per string `yaml:"per"`
	// Weight of one completion. Default 0.1.
	Weight float64 `yaml:"weight"`
	// HalfLife of the weights of per time. Default 1s.
	HalfLife time.Duration `yaml:"half_life"`
	// Counts is attempts or calls (with their final outcome). Default attempts.
	Counts string `yaml:"counts"`
	// Failures are the outcomes that count as failures. Default failed, rejected, shed and timed_out;
	// with shed a refused attempt counts here and in the signal.
	Failures RetryOn `yaml:"failures"`
	// Uncounted are outcomes that leave f alone; an outcome in neither set counts as no failure.
	// What never reached the wire (blocked) or was cancelled is never counted. Default none.
	Uncounted RetryOn `yaml:"uncounted"`
	// Order is update_first (line order: a failed attempt's own failure is in the f that decides
	// about its retry) or decide_first. Default update_first.
	Order string `yaml:"order"`
}

// ARBSignal says how the OVERLOADED of replies is read and what it does.
type ARBSignal struct {
	// Rule is last (the last reply tells) or share (more than Share of the replies of the last TTL
	// tell, for a downstream of many endpoints). Default last.
	Rule string `yaml:"rule"`
	// Share of rule share, in [0,1). Default 0.5.
	Share float64 `yaml:"share"`
	// TTL: a reply's word expires once it is older; 0 keeps it until the next reply (rule last only).
	// Default 2s, two periods.
	TTL time.Duration `yaml:"ttl"`
	// BlockRetries: while overloaded nothing is retried (line 10). Default true.
	BlockRetries bool `yaml:"block_retries"`
	// Cut is period (B is cut at the next adjustment, line 21), rising_edge (besides, at once when the
	// downstream becomes overloaded: the prose) or every (at once with every reply that leaves it
	// overloaded). Default period.
	Cut string `yaml:"cut"`
	// CutShare is the share of B that an immediate cut takes. Default 0.5.
	CutShare float64 `yaml:"cut_share"`
	// CutInterval is the least time between two immediate cuts. Default 1s, one period.
	CutInterval time.Duration `yaml:"cut_interval"`
}

// DefaultARB is Algorithm 1 with its constants; what it leaves open is as docs/arb.md says.
func DefaultARB() ARB {
	return ARB{
		InitialBudget: 0.2, Period: time.Second, Phase: "random",
		FailureHigh: 0.3, FailureLow: 0.05, Cut: 0.5, Step: 0.1,
		BudgetUnit: "seconds", Charge: "scheduled",
		Load: ARBLoad{Source: "measured", Constant: 500, Window: 10 * time.Second, Floor: 5},
		FailureRate: ARBFailureRate{
			Per: "completion", Weight: 0.1, HalfLife: time.Second,
			Counts: "attempts", Failures: everyFailure(), Order: "update_first",
		},
		Signal: ARBSignal{
			Rule: "last", Share: 0.5, TTL: 2 * time.Second, BlockRetries: true,
			Cut: "period", CutShare: 0.5, CutInterval: time.Second,
		},
		Retry: DefaultRetry(),
	}
}

// Kind implements Spec.
func (ARB) Kind() string { return "arb" }

// Problems implements Spec.
func (s ARB) Problems() []Problem {
	var p problems
	p.atLeast("initial_budget", s.InitialBudget, 0)
	p.atLeastTime("period", s.Period, time.Microsecond)
	p.oneOf("phase", s.Phase, "random", "common")
	p.between("failure_high", s.FailureHigh, 0, 1)
	p.between("failure_low", s.FailureLow, 0, 1)
	p.between("hysteresis", s.Hysteresis, 0, 1)
	p.between("cut", s.Cut, 0, 1)
	p.atLeast("step", s.Step, 0)
	p.atLeast("dead_zone_step", s.DeadZoneStep, 0)
	p.oneOf("budget_unit", s.BudgetUnit, "seconds", "fraction")
	p.atLeast("zero_below", s.ZeroBelow, 0)
	p.oneOf("charge", s.Charge, "scheduled", "sent")
	s.Load.problems(&p)
	s.FailureRate.problems(&p)
	s.Signal.problems(&p)
	if s.FailureLow > s.FailureHigh {
		p.add("failure_low", "must be at most failure_high (%v), got %v", s.FailureHigh, s.FailureLow)
	}
	return append(p, s.Retry.problems("retry.")...)
}

func (l *ARBLoad) problems(p *problems) {
	p.oneOf("load.source", l.Source, "measured", "constant", "base")
	p.above0("load.constant", l.Constant)
	p.atLeastTime("load.window", l.Window, arbSlots*10*time.Microsecond)
	p.above0("load.floor", l.Floor)
}

func (f *ARBFailureRate) problems(p *problems) {
	p.oneOf("failure_rate.per", f.Per, "completion", "time")
	p.between("failure_rate.weight", f.Weight, 0, 1)
	p.atLeastTime("failure_rate.half_life", f.HalfLife, time.Microsecond)
	p.oneOf("failure_rate.counts", f.Counts, "attempts", "calls")
	p.oneOf("failure_rate.order", f.Order, "update_first", "decide_first")
}

func (g *ARBSignal) problems(p *problems) {
	p.oneOf("signal.rule", g.Rule, "last", "share")
	p.between("signal.share", g.Share, 0, 1)
	p.atLeastTime("signal.ttl", g.TTL, 0)
	if g.Rule == "share" && g.TTL < arbSlots*time.Microsecond {
		p.add("signal.ttl", "must be at least %v with rule share, got %v", arbSlots*time.Microsecond, g.TTL)
	}
	p.oneOf("signal.cut", g.Cut, "period", "rising_edge", "every")
	p.between("signal.cut_share", g.CutShare, 0, 1)
	p.atLeastTime("signal.cut_interval", g.CutInterval, 0)
}
