package results

import (
	"fmt"
	"strings"
)

const schemaHead = `# Tables and columns

Generated from the tags of package results; do not edit. To rewrite it:

    go test ./results -run TestSchemaDoc -update

Schema version %d. Each table is a Parquet file of the same name (` + "`trials.parquet`" + `), compressed with zstd.

- No column is nullable and none is nested. Where a quantity does not exist, its meaning says which number stands in.
- Rows hold counts and nanoseconds of simulated time. Ratios, means and intervals are computed from them, not stored.
- "of them" counts a part of the column above that it explains.
- ` + "`uint64`" + ` is stored as Parquet's unsigned 64-bit integer. Values over 2^53 lose digits in readers that
  turn integers into floating-point numbers.
- Rows are in a fixed order: by cell in the order of the design, then trial, then position.
- A sweep may add columns for its factors after the last one; the file's metadata lists them under
  ` + "`" + extraKey + "`" + ` with unit and meaning.
- Files of another schema version are refused. *Since* is the version that brought a column.
- Beside the tables, ` + "`manifest.json`" + ` gives for each file its SHA-256 and, as ` + "`row_digest`" + `, a hash of the rows
  alone, which stays equal when a newer library packs the same rows into other bytes.
`

// SchemaMarkdown returns docs/SCHEMA.md: every table and column.
func SchemaMarkdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, schemaHead, SchemaVersion)
	for _, t := range Tables() {
		fmt.Fprintf(&b, "\n## %s\n\nOne row is %s\n\n", t.Name, t.About)
		b.WriteString("| column | type | unit | since | meaning |\n|---|---|---|---|---|\n")
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "| `%s` | %v | %s | %s | %s |\n", c.Name, c.Kind, c.Unit, c.Since, escapeCell(c.Doc))
		}
	}
	return b.String()
}

// escapeCell keeps a text from ending a table's cell or becoming a tag.
func escapeCell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(s)
}
