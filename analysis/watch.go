package analysis

// RecoveredWindows is how many windows in a row show that a system is back (docs/adr/0010-recovery.md).
const RecoveredWindows = 3

// Watch is where in a trial its recovery would show, all in nanoseconds from the start. Windows begin at multiples of
// their length.
type Watch struct {
	// Window is the length of a window, above 0; Warmup the time that is not counted.
	Window, Warmup int64
	// From and To are the span of the faults, End the end of the arrivals.
	From, To, End int64
}

// Before tells whether a whole window lies between the warm-up and the faults.
func (w Watch) Before() bool { return ceilDiv(w.Warmup, w.Window) < w.From/w.Window }

// After tells whether [RecoveredWindows] whole windows lie between the faults and the end.
func (w Watch) After() bool { return w.End/w.Window-ceilDiv(w.To, w.Window) >= RecoveredWindows }

// Tells whether a time to recover has a meaning: there is something to come back to, and time to see it.
func (w Watch) Tells() bool { return w.Window > 0 && w.Before() && w.After() }

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
