//go:build cgo

package treesit

// mode is the imagined world a construct runs in.
type mode uint8

const (
	static  mode = iota // only values are asked for; nothing fails
	failing             // the operation fails every time
	healthy             // the operation succeeds at once
)

// Budgets of one run. A run that needs more is cut off; what it saw still counts.
const (
	maxSteps    = 60000
	maxDepthRun = 12
	// maxRecursion is how often a function may call itself in a run.
	maxRecursion = 80
	maxAttempts  = 400
	// stretchDelays is how many waits are wanted to tell shapes apart.
	stretchDelays = 9
)

// world runs code of one construct with stand-ins for everything unknown.
type world struct {
	u    *unit
	load *loader
	mode mode
	// stretch ignores bounds so that enough waits are seen.
	stretch bool

	top      *node           // the construct: a loop or a function
	ops      map[*node]bool  // the operation's calls
	throws   bool            // the operation fails by an exception
	counters map[string]bool // names that are counted inside the construct
	sinks    map[*node]bool  // timers and re-queue calls that start the construct again

	fields map[string]value // members, by path
	ret    value            // value of the last return
	label  string           // label of the break or continue under way
	thrown bool

	attempts   int
	again      int // times a sink was reached
	delays     []value
	soft       map[string][]value // assigned to variables named like waits, by name
	softFirst  string
	steps      int
	depth      int
	bounded    bool  // a counter was compared with a limit
	timed      bool  // a clock was compared
	limitFlags flags // where the limit came from
	shift      float64
	cut        bool            // the construct called itself deeper than the run goes
	openEach   bool            // ran over a collection of unknown length
	guard      map[*node]bool  // names being looked up
	busy       map[*node]bool  // values being evaluated
	lastHeard  int             // attempts when a failure event was last handled
	hits       int             // times a guard against endless lookups fired
	wanted     map[string]bool // names the prelude evaluates
	override   map[*node]map[string]value
	vary       float64 // the attempt that names of counters stand for; 0 = off
}

func newWorld(u *unit, load *loader, m mode) *world {
	if load.fields == nil {
		load.fields, load.indexes, load.worth = map[cacheKey]cached{}, map[*node]*funcIndex{}, map[*node]bool{}
	}
	return &world{u: u, load: load, mode: m, fields: map[string]value{}, guard: map[*node]bool{}, busy: map[*node]bool{}}
}

// spent counts a step and reports whether the run must stop.
func (w *world) spent() bool {
	w.steps++
	if w.mode == static {
		return w.steps > maxSteps
	}
	return w.steps > maxSteps || w.attempts+w.again > maxAttempts ||
		w.stretch && len(w.delays) >= stretchDelays || w.mode == healthy && w.attempts > 1
}

// repeats is how often the operation runs or is asked for again.
func (w *world) repeats() int { return w.attempts + w.again }

// deepest is how deep calls of a function may nest: recursion of the construct
// itself is what is being counted, anything else is kept shallow.
func (w *world) deepest(f *node) int {
	if f == w.top {
		return maxRecursion
	}
	return maxRecursion + maxDepthRun
}
