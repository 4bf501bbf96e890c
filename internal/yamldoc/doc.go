// Package yamldoc decodes YAML files into plain Go structs, strictly, and finds
// every mistake in one go.
//
// [Parse] turns a file into a tree of [Node] values that know where they came
// from. [Types.Decode] fills a struct from a tree by its yaml tags, starting from
// the values already there; [Types.Encode] is its inverse. [Types.Set] changes one
// value of a tree by a path such as services.API.servers, and [Get] reads one from
// a struct, so that any field can be overridden or swept.
//
// A file is data, not a program: its size, its depth and the growth of aliases are
// bounded, keys may not repeat, and only the plain types of YAML are read.
package yamldoc
