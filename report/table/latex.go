package table

import (
	"bytes"
	"fmt"
	"strings"
)

// escapeLatex makes plain text safe; the non-ASCII signs that tables use become
// commands, so that any LaTeX sets them.
var escapeLatex = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
	"—", "---", "–", "--", "−", "$-$", "±", `$\pm$`, "×", `$\times$`, "≤", `$\leq$`, "→", `$\rightarrow$`,
)

// Latex renders the printed columns as a table environment for the package booktabs.
func (t *Table) Latex() []byte {
	var out bytes.Buffer
	var spec strings.Builder
	for i := range t.Columns {
		if t.numericColumn(i) {
			spec.WriteByte('r')
		} else {
			spec.WriteByte('l')
		}
	}
	fmt.Fprintf(&out, "%% Needs \\usepackage{booktabs}.\n\\begin{table}\n\\centering\n")
	fmt.Fprintf(&out, "\\caption{%s. %s}\n\\label{tab:%s}\n", escapeLatex.Replace(t.Title), escapeLatex.Replace(t.Lead()), t.Name)
	fmt.Fprintf(&out, "\\begin{tabular}{%s}\n\\toprule\n", spec.String())
	heads := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = escapeLatex.Replace(c.Head)
	}
	fmt.Fprintf(&out, "%s \\\\\n\\midrule\n", strings.Join(heads, " & "))
	for row := range t.Rows {
		cells := make([]string, len(t.Columns))
		for i, cell := range t.Cells(row) {
			cells[i] = escapeLatex.Replace(cell.Text)
			if strings.HasPrefix(cells[i], "[") {
				cells[i] = "{}" + cells[i] // \\ before [ would read it as an argument
			}
			if cell.Mark != "" {
				cells[i] += "\\textsuperscript{" + cell.Mark + "}"
			}
		}
		fmt.Fprintf(&out, "%s \\\\\n", strings.Join(cells, " & "))
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	out.WriteString("\n\\smallskip\n")
	for _, note := range t.Footnotes() {
		fmt.Fprintf(&out, "{\\footnotesize\\textsuperscript{%s} %s\\par}\n", note.Mark, escapeLatex.Replace(note.Text))
	}
	for _, text := range append([]string{t.Caption}, t.Terms...) {
		if text != "" {
			fmt.Fprintf(&out, "{\\footnotesize %s\\par}\n", escapeLatex.Replace(text))
		}
	}
	out.WriteString("\\end{table}\n")
	return out.Bytes()
}
