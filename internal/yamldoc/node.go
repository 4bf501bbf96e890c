package yamldoc

// Kind says what a [Node] holds.
type Kind uint8

// The kinds of node.
const (
	Null   Kind = iota // no value
	Scalar             // one word, number or truth value
	Map                // named values
	List               // values in order
)

// Node is a value in a YAML file, aliases and merge keys already resolved.
type Node struct {
	File string // where it was written: a file's name, or the option that set it
	Line int    // from 1; 0 if unknown
	Kind Kind
	// Tag is the type of a scalar in YAML's short form: !!str, !!int, !!float or !!bool.
	Tag string
	// Text is a scalar's text, without quotes.
	Text string
	// Keys are the names of a map's values, which Items holds in the same order.
	Keys []string
	// Items are the values of a map or a list.
	Items []*Node
}

// Get is the value of a map under that key, or nil.
func (n *Node) Get(key string) *Node {
	if i := n.index(key); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// Put sets the value of a map under that key, at the end if it is new.
func (n *Node) Put(key string, value *Node) {
	if i := n.index(key); i >= 0 {
		n.Items[i] = value
		return
	}
	n.Keys = append(n.Keys, key)
	n.Items = append(n.Items, value)
}

// Take removes the value of a map under that key and gives it back, or nil.
func (n *Node) Take(key string) *Node {
	i := n.index(key)
	if i < 0 {
		return nil
	}
	value := n.Items[i]
	n.Keys = append(n.Keys[:i:i], n.Keys[i+1:]...)
	n.Items = append(n.Items[:i:i], n.Items[i+1:]...)
	return value
}

func (n *Node) index(key string) int {
	if n == nil || n.Kind != Map {
		return -1
	}
	for i, k := range n.Keys {
		if k == key {
			return i
		}
	}
	return -1
}

// Clone is a deep copy.
func (n *Node) Clone() *Node {
	c := *n
	c.Keys = append([]string(nil), n.Keys...)
	c.Items = make([]*Node, len(n.Items))
	for i, item := range n.Items {
		c.Items[i] = item.Clone()
	}
	return &c
}

// Moved says that n and all below it were written at that place.
func (n *Node) Moved(file string, line int) *Node {
	n.File, n.Line = file, line
	for _, item := range n.Items {
		item.Moved(file, line)
	}
	return n
}

// String is a scalar node that holds text.
func String(text string) *Node { return &Node{Kind: Scalar, Tag: "!!str", Text: text} }

// Problem is a problem at the place of n.
func (n *Node) Problem(path, text string) Problem {
	return Problem{File: n.File, Line: n.Line, Path: path, Text: text}
}

// describe says what n is, for messages: `got the text "x"`.
func (n *Node) describe() string {
	switch n.Kind {
	case Null:
		return "has no value"
	case Map:
		return "got a mapping"
	case List:
		return "got a list"
	}
	text := n.Text
	if len(text) > 40 {
		text = text[:37] + "..."
	}
	switch n.Tag {
	case "!!int", "!!float":
		return "got the number " + text
	case "!!bool":
		return "got the truth value " + text
	}
	return "got the text " + quote(text)
}
