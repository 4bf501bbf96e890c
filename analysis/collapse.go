package analysis

// Phases are the requests of a trial that arrived before and after its faults, and those of them that
// succeeded, whenever they did.
type Phases struct {
	Before, SucceededBefore int64
	After, SucceededAfter   int64
}

// CollapsedShare is the share of the success before the faults below which success after them counts as a
// collapse.
const CollapsedShare = 0.5

// Collapsed says whether a trial collapsed: of the requests that arrived after the faults had ended, the share
// that succeeded is less than half of what it was before them. Without requests in either phase, or without
// success before, nothing can collapse. The definition is argued in docs/adr/0030-collapse.md.
func Collapsed(p Phases) bool {
	if p.Before == 0 || p.After == 0 || p.SucceededBefore == 0 {
		return false
	}
	before := float64(p.SucceededBefore) / float64(p.Before)
	after := float64(p.SucceededAfter) / float64(p.After)
	return after < CollapsedShare*before
}
