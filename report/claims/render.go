package claims

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"retrylab/report/table"
)

// JSON is the ledger for programs.
func JSON(list []Claim) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(list); err != nil {
		panic("claims: " + err.Error()) // numbers are finite and texts are texts
	}
	return out.Bytes()
}

// Count says how many claims got a verdict.
func Count(list []Claim, v Verdict) int {
	n := 0
	for _, c := range list {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// Totals says in one sentence how the verdicts are spread.
func Totals(list []Claim) string {
	var parts []string
	for _, v := range []Verdict{Reproduced, OnlyUnder, Contradicted, NotTestable, NotRun} {
		if n := Count(list, v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, map[Verdict]string{OnlyUnder: "reproduced only under a condition"}[v]+map[bool]string{true: string(v)}[v != OnlyUnder]))
		}
	}
	return fmt.Sprintf("Of %d claims: %s.", len(list), strings.Join(parts, ", "))
}

// Full is the verdict with its condition.
func (c Claim) Full() string {
	if c.Condition == "" {
		return string(c.Verdict)
	}
	return string(c.Verdict) + " " + c.Condition
}

// Markdown is the ledger as a page. Links are relative to the folder of the report.
func Markdown(list []Claim, notice string) []byte {
	var out strings.Builder
	out.WriteString("# Ledger of claims\n\nWhat the paper says, by section and in our words, and what the stored rows say about it. Verdicts are computed by the rule that is given with each; intervals are at 95%.\n\n")
	if notice != "" {
		fmt.Fprintf(&out, "**%s**\n\n", notice)
	}
	out.WriteString(Totals(list) + "\n\n| claim | section | verdict |\n|:---|:---|:---|\n")
	for _, c := range list {
		fmt.Fprintf(&out, "| [%s](#%s) | %s | %s |\n", c.ID, strings.ToLower(c.ID), c.Section, c.Full())
	}
	for _, c := range list {
		fmt.Fprintf(&out, "\n## %s\n\n%s (%s)\n\n**%s.** %s\n\nRule: %s\n", c.ID, c.Text, c.Section, table.UpperFirst(c.Full()), c.Reason, c.Rule)
		if len(c.Numbers) > 0 {
			out.WriteString("\n")
		}
		for _, n := range c.Numbers {
			fmt.Fprintf(&out, "- %s%s\n", n, n.sample())
		}
		if len(c.See) > 0 {
			fmt.Fprintf(&out, "\nSee: %s.\n", strings.Join(c.See, ", "))
		}
	}
	return []byte(out.String())
}

// sample is the number of trials in brackets; nothing for a closed form.
func (n Number) sample() string {
	if n.N == 0 {
		return ""
	}
	return fmt.Sprintf(" (n = %d)", n.N)
}

//go:embed ledger.html
var ledgerHTML string

var ledgerTemplate = template.Must(template.New("ledger").Parse(ledgerHTML))

// HTML is the ledger as a section of a page, without its heading.
func HTML(list []Claim) (string, error) {
	var out bytes.Buffer
	err := ledgerTemplate.Execute(&out, struct {
		Totals string
		Claims []Claim
	}{Totals(list), list})
	return out.String(), err
}

// Numeric is the number with its sample, for the page.
func (n Number) Numeric() string { return n.String() + n.sample() }
