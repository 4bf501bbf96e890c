package policy

// arbSlots is the number of slots of ARB's windows.
const arbSlots = 10

// New implements Spec.
func (s ARB) New() Policy {
	p := &arb{
		spec:  s,
		rate:  failureRate{rule: s.FailureRate},
		heard: newOverload(s.Signal),
		calls: newWindow(int64(s.Load.Window)/arbSlots, arbSlots),
	}
	p.Reset(Env{})
	return p
}

type arb struct {
	spec        ARB
	env         Env
	budget      float64 // B
	tokens      float64 // retries left in this period, for unit fraction
	rate        failureRate
	heard       overload
	calls       window // fresh calls sent, for the measured load
	nextTick    int64  // ns
	direction   int8   // of the last adjustment: -1 cut, 0 held, 1 grew
	cutOnce     bool   // an immediate cut was made, at lastCut
	lastCut     int64  // ns
	transitions int64
}

func (p *arb) Reset(env Env) {
	p.calls.reset(0)
	p.heard.reset()
	p.rate.reset()
	*p = arb{spec: p.spec, env: env, rate: p.rate, heard: p.heard, calls: p.calls, budget: p.spec.InitialBudget}
	p.nextTick = int64(p.spec.Period)
	if p.spec.Phase == "random" {
		p.nextTick = max(1, int64(float64(p.spec.Period)*(1-env.Phase)))
	}
	p.refill(0)
}

func (p *arb) Watches() Events {
	e := WatchEnd // for the signal, whatever f counts
	if p.spec.Load.Source == "measured" || p.spec.Charge == "sent" {
		e |= WatchStart
	}
	if p.spec.FailureRate.Counts == "calls" {
		e |= WatchCall
	}
	return e
}

func (*arb) AllowFresh(int64, float64) bool { return true }

func (p *arb) AttemptStart(now int64, n int) {
	p.catchUp(now)
	switch {
	case n == 1:
		p.calls.add(now, 1, 0)
	case p.spec.Charge == "sent":
		p.spend(now)
	}
}

func (p *arb) AttemptEnd(now int64, a *Attempt) {
	p.catchUp(now)
	p.hear(now, a)
	if p.spec.FailureRate.Counts == "attempts" {
		p.rate.add(now, a.Outcome)
	}
}

func (p *arb) CallEnd(now int64, o Outcome, _ int) {
	p.catchUp(now)
	if p.spec.FailureRate.Counts == "calls" {
		p.rate.add(now, o)
	}
}

// Retry is lines 7 to 18, with the limit before them.
func (p *arb) Retry(now int64, a *Attempt, u Draws) Decision {
	p.catchUp(now)
	d := p.spec.Retry.decide(a, u)
	if d.Deny == Allowed {
		d.Deny = p.refusal(now, u.Coin)
	}
	p.rate.settle()
	if d.Deny != Allowed {
		return Decision{Deny: d.Deny}
	}
	if p.spec.Charge == "scheduled" {
		p.spend(now)
	}
	return d
}

func (p *arb) refusal(now int64, coin float64) Reason {
	switch {
	case p.empty():
		return BudgetEmpty
	case p.spec.Signal.BlockRetries && p.heard.now(now):
		return Backpressure
	case !(coin < min(p.budget, 1-p.rate.f)):
		return CoinRefused
	}
	return Allowed
}

func (p *arb) empty() bool {
	return p.budget <= p.spec.ZeroBelow || p.spec.BudgetUnit == "fraction" && p.tokens <= 0
}

// spend pays for one retry.
func (p *arb) spend(now int64) {
	if p.spec.BudgetUnit == "fraction" {
		p.tokens--
		return
	}
	retry := 1 / p.load(now)
	p.budget -= retry
	if p.budget < 1e-9*retry {
		p.budget = 0 // below zero, or a remainder that only rounding left: 100 retries at 500/s use up 0.2
	}
}

// load is lambda, fresh calls per second.
func (p *arb) load(now int64) float64 {
	switch p.spec.Load.Source {
	case "constant":
		return p.spec.Load.Constant
	case "base":
		return max(p.env.BaseRate, p.spec.Load.Floor)
	}
	n, _ := p.calls.total(now)
	return max(float64(n)*1e9/float64(p.calls.covered(now)), p.spec.Load.Floor)
}

// hear takes in the signal of a reply and makes the immediate cut, if there is one.
// An attempt that ended without a reply says nothing about the downstream's state.
func (p *arb) hear(now int64, a *Attempt) {
	if a.Signal == Calm && (a.Outcome == TimedOut || a.Outcome == Cancelled) {
		return
	}
	was := p.heard.now(now)
	p.heard.add(now, a.Signal >= Overloaded)
	rule := &p.spec.Signal
	if rule.Cut == "period" || !p.heard.now(now) || rule.Cut == "rising_edge" && was {
		return
	}
	if p.cutOnce && now-p.lastCut < int64(rule.CutInterval) {
		return
	}
	p.cutOnce, p.lastCut = true, now
	p.setBudget(p.budget * (1 - rule.CutShare))
	p.tokens *= 1 - rule.CutShare
}

// catchUp makes the adjustments that are due, at their own times, before anything
// that happens at time now. f does not change between events, so once an
// adjustment changes nothing and no signal is left to expire, neither would the
// ones after it, and they are passed over but for the last.
func (p *arb) catchUp(now int64) {
	for p.nextTick <= now {
		p.rate.settle()
		budget, direction := p.budget, p.direction
		overloaded := p.heard.now(p.nextTick)
		p.adjust(p.nextTick, overloaded)
		p.nextTick += int64(p.spec.Period)
		steady := p.budget == budget && p.direction == direction
		if steady && (!overloaded || p.spec.Signal.TTL == 0) && p.nextTick <= now {
			p.nextTick += (now - p.nextTick) / int64(p.spec.Period) * int64(p.spec.Period)
		}
	}
}

// adjust is lines 20 to 25.
func (p *arb) adjust(at int64, overloaded bool) {
	high, low := p.spec.FailureHigh, p.spec.FailureLow
	switch p.direction {
	case -1:
		high -= p.spec.Hysteresis
	case 1:
		low += p.spec.Hysteresis
	}
	switch f := p.rate.f; {
	case f > high || overloaded:
		p.direction = -1
		p.setBudget(p.budget * (1 - p.spec.Cut))
	case f < low:
		p.direction = 1
		p.setBudget(min(p.spec.InitialBudget, p.budget+p.spec.Step))
	default:
		p.direction = 0
		p.setBudget(min(p.spec.InitialBudget, p.budget+p.spec.DeadZoneStep))
	}
	p.refill(at)
}

func (p *arb) setBudget(b float64) {
	if b != p.budget {
		p.transitions++
	}
	p.budget = b
}

// refill sets the retries that the coming period allows in unit fraction.
func (p *arb) refill(at int64) {
	p.tokens = p.budget * p.load(at) * p.spec.Period.Seconds()
}

func (p *arb) State(now int64) State {
	p.catchUp(now)
	return State{Budget: p.budget, FailureRate: p.rate.f, Transitions: p.transitions}
}
