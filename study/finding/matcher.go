package finding

// matcher finds any of a set of words in one pass (the Aho-Corasick automaton
// as one dense table: state and byte give the next state). A table of a few
// hundred states stays in the cache, and the loop has no branch per word.
type matcher struct {
	next  [][256]uint16
	final []bool
}

func newMatcher(words []string) *matcher {
	m := &matcher{next: make([][256]uint16, 1), final: make([]bool, 1)}
	for _, w := range words {
		state := uint16(0)
		for i := range len(w) {
			to := m.next[state][w[i]]
			if to == 0 {
				to = uint16(len(m.next))
				m.next = append(m.next, [256]uint16{})
				m.final = append(m.final, false)
				m.next[state][w[i]] = to
			}
			state = to
		}
		m.final[state] = true
	}
	m.link()
	return m
}

// link fills the missing transitions breadth first with those of the longest
// proper suffix, then copies lower-case columns to upper case.
func (m *matcher) link() {
	fail := make([]uint16, len(m.next))
	var queue []uint16
	for b := range 256 {
		if s := m.next[0][b]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		m.final[s] = m.final[s] || m.final[fail[s]]
		for b := range 256 {
			if to := m.next[s][b]; to != 0 {
				fail[to] = m.next[fail[s]][b]
				queue = append(queue, to)
			} else {
				m.next[s][b] = m.next[fail[s]][b]
			}
		}
	}
	for s := range m.next {
		for b := 'a'; b <= 'z'; b++ {
			m.next[s][b-'a'+'A'] = m.next[s][b]
		}
	}
}

func (m *matcher) match(text []byte) bool {
	state := uint16(0)
	for _, b := range text {
		state = m.next[state][b]
		if m.final[state] {
			return true
		}
	}
	return false
}
