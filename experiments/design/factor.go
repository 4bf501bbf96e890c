package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Change sets one field of a model.
type Change struct {
	Path  string // of the field, e.g. services.API.servers
	Value string // as it would stand in a model file
}

// Level is one value of a factor.
type Level struct {
	Text    string  // as ids show it
	Number  float64 // its value; NaN if it is a name
	Changes []Change
}

// Factor is something that a sweep varies.
type Factor struct {
	Name   string
	Levels []Level
}

// Choice is a factor at one of its levels.
type Choice struct {
	Factor string
	Level  Level
}

// Point is a choice for every factor, sorted by factor.
type Point []Choice

// ID is factor=level for every choice, sorted and separated by commas.
func (p Point) ID() string {
	parts := make([]string, len(p))
	for i, c := range p {
		parts[i] = c.Factor + "=" + c.Level.Text
	}
	return strings.Join(parts, ",")
}

// Get is the level of a factor.
func (p Point) Get(factor string) (Level, bool) {
	for _, c := range p {
		if c.Factor == factor {
			return c.Level, true
		}
	}
	return Level{Number: math.NaN()}, false
}

// Points are the points that vary one factor alone.
func (f Factor) Points() []Point {
	points := make([]Point, len(f.Levels))
	for i, l := range f.Levels {
		points[i] = Point{{f.Name, l}}
	}
	return points
}

// join makes one point of two with different factors.
func join(a, b Point) Point {
	p := slices.Concat(a, b)
	slices.SortStableFunc(p, func(x, y Choice) int { return cmp.Compare(x.Factor, y.Factor) })
	return p
}

// Product combines every point of each list with every point of the others; the last list varies
// fastest. Without lists it is the one point that chooses nothing.
func Product(lists ...[]Point) []Point {
	all := []Point{nil}
	for _, list := range lists {
		next := make([]Point, 0, len(all)*len(list))
		for _, a := range all {
			for _, b := range list {
				next = append(next, join(a, b))
			}
		}
		all = next
	}
	return all
}

// Zip pairs the levels of factors: the first with the first, and so on. They must have equally many.
func Zip(factors ...Factor) ([]Point, error) {
	var points []Point
	for i, f := range factors {
		if i == 0 {
			points = f.Points()
			continue
		}
		if len(f.Levels) != len(points) {
			return nil, fmt.Errorf("%s has %d levels and %s has %d, expected equally many", factors[0].Name, len(points), f.Name, len(f.Levels))
		}
		for k, p := range f.Points() {
			points[k] = join(points[k], p)
		}
	}
	return points, nil
}

// Repeated lists the ids that occur more than once, each once, in order.
func Repeated(points []Point) []string {
	seen := make(map[string]int)
	var list []string
	for _, p := range points {
		id := p.ID()
		if seen[id]++; seen[id] == 2 {
			list = append(list, id)
		}
	}
	return list
}
