//go:build cgo

package treesit

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// What is used of tree-sitter's C library, which the Go module links (tree_sitter/api.h, version 0.25).
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TSNode ts_tree_cursor_current_node(const void *cursor);
uint16_t ts_tree_cursor_current_field_id(const void *cursor);
bool ts_tree_cursor_goto_first_child(void *cursor);
bool ts_tree_cursor_goto_next_sibling(void *cursor);
bool ts_tree_cursor_goto_parent(void *cursor);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);

static void own_allocator(void) { ts_set_allocator(NULL, NULL, NULL, NULL); }

enum { max_depth = 500 }; // nesting that is read; what lies deeper is dropped. Real code stays below 200.

typedef struct {
	uint16_t kind, field;
	uint32_t start, end; // bytes
	uint32_t size;       // nodes of the subtree, this one included
} flat_node;

// flatten lists the nodes below a cursor, parents before children; NULL if there is no memory. The caller frees the list.
static flat_node *flatten(void *cursor, uint32_t *count) {
	uint32_t room = 1024, len = 0, depth = 0, open[max_depth + 2];
	flat_node *list = malloc(room * sizeof *list);
	while (list) {
		if (len == room) {
			flat_node *more = realloc(list, (room *= 2) * sizeof *list);
			if (!more) { free(list); return NULL; }
			list = more;
		}
		TSNode n = ts_tree_cursor_current_node(cursor);
		list[len] = (flat_node){ts_node_symbol(n), ts_tree_cursor_current_field_id(cursor), ts_node_start_byte(n), ts_node_end_byte(n), 0};
		open[depth] = len++;
		if (depth <= max_depth && ts_tree_cursor_goto_first_child(cursor)) { depth++; continue; }
		for (;;) {
			list[open[depth]].size = len - open[depth];
			if (depth == 0) { *count = len; return list; }
			if (ts_tree_cursor_goto_next_sibling(cursor)) break;
			ts_tree_cursor_goto_parent(cursor);
			depth--;
		}
	}
	return NULL;
}
*/
import "C"

import (
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// The Go module has the C library call into Go for every piece of memory, and Go calls C's malloc. The library's own allocator is
// C's malloc at once.
func init() { C.own_allocator() }

// flat is a node in a list of a tree's nodes, each before its children.
type flat = C.flat_node

// flatten copies a tree out of C in one call: to ask for each node by itself takes as long as to parse. The list is of use until free.
func flatten(tree *sitter.Tree) (list []flat, free func()) {
	cursor := tree.Walk()
	defer cursor.Close()
	var count C.uint32_t
	first := C.flatten(unsafe.Pointer(cursor), &count) // a TreeCursor is the C struct and nothing else
	return unsafe.Slice(first, int(count)), func() { C.free(unsafe.Pointer(first)) }
}
