package table

import (
	"bytes"
	"fmt"
	"strings"
)

var escapeMarkdown = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;")

// Markdown renders the printed columns as a pipe table with title, lead, caption and notes.
func (t *Table) Markdown() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "**%s. %s**\n\n%s\n\n", t.Label, escapeMarkdown.Replace(t.Title), escapeMarkdown.Replace(t.Lead()))
	for _, c := range t.Columns {
		fmt.Fprintf(&out, "| %s ", escapeMarkdown.Replace(c.Head))
	}
	out.WriteString("|\n")
	for i := range t.Columns {
		if t.numericColumn(i) {
			out.WriteString("|---:")
		} else {
			out.WriteString("|:---")
		}
	}
	out.WriteString("|\n")
	for row := range t.Rows {
		for _, cell := range t.Cells(row) {
			out.WriteString("| " + escapeMarkdown.Replace(cell.Text))
			if cell.Mark != "" {
				out.WriteString(" (" + cell.Mark + ")")
			}
			out.WriteString(" ")
		}
		out.WriteString("|\n")
	}
	for _, note := range t.Footnotes() {
		fmt.Fprintf(&out, "\n(%s) %s\n", note.Mark, escapeMarkdown.Replace(note.Text))
	}
	if t.Caption != "" {
		fmt.Fprintf(&out, "\n%s\n", escapeMarkdown.Replace(t.Caption))
	}
	if len(t.Terms) > 0 {
		out.WriteString("\n")
	}
	for _, term := range t.Terms {
		fmt.Fprintf(&out, "- %s\n", escapeMarkdown.Replace(term))
	}
	return out.Bytes()
}
