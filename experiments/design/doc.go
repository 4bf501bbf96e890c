// Package design makes the points of a sweep from its factors.
//
// A [Factor] has levels; a [Point] chooses one level of each factor. Points come from
// products of factors (a grid), from factors that go together ([Zip]), or from samples of a
// box ([LatinHypercube], [Sobol]). Everything is deterministic, and a point's [Point.ID]
// does not depend on the order of the factors or of the points.
package design
