package engine

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRosterAgainstSortedSlice holds a service's list of attempts in service against a stably sorted slice.
func TestRosterAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := rapid.Int64Range(1, rosterMax).Draw(t, "servers")
		s := &Sim{}
		s.sel.reset(2)
		st := &station{source: 1}
		st.others.reset(servers)
		var dumb []inService
		n := uint32(0)
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				if len(dumb) == int(servers) {
					return
				}
				n++
				a := inService{rapid.Int64Range(1, 20).Draw(t, "due"), n}
				s.enter(st, a.handle, a.due)
				dumb = append(dumb, a)
				slices.SortStableFunc(dumb, func(a, b inService) int { return cmp.Compare(a.due, b.due) })
			},
			"leave": func(t *rapid.T) {
				if len(dumb) > 0 {
					s.leave(st)
					dumb = dumb[1:]
				}
			},
			"remove": func(t *rapid.T) {
				if len(dumb) < 2 {
					return
				}
				i := rapid.IntRange(1, len(dumb)-1).Draw(t, "which")
				st.others.remove(dumb[i].handle)
				dumb = slices.Delete(dumb, i, i+1)
			},
			"": func(t *rapid.T) {
				want := never
				if len(dumb) > 0 {
					want = eventKey(dumb[0].due, 1)
					if st.current != dumb[0].handle {
						t.Fatalf("first is %d, expected %d", st.current, dumb[0].handle)
					}
				} else if st.current != 0 {
					t.Fatalf("first is %d in an empty service", st.current)
				}
				if got := s.sel.minFlat(); got != want {
					t.Fatalf("candidate %d, expected %d", got, want)
				}
			},
		})
	})
}
