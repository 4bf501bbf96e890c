package report

import (
	"fmt"

	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// ledger is the ledger of claims and what is written of it.
type ledger struct {
	evidence *claims.Evidence
	claims   []claims.Claim
	html     string
	findings []byte // nil unless all claims could be judged
}

// newLedger judges the claims; nil if the run does not hold the paper's cells.
func newLedger(e *claims.Evidence, notice string) (*ledger, error) {
	if e == nil || !e.Paper() {
		return nil, nil
	}
	e.Notice = notice
	l := &ledger{evidence: e, claims: claims.Judge(e)}
	var err error
	if l.html, err = claims.HTML(l.claims); err != nil {
		return nil, err
	}
	if claims.Complete(l.claims) {
		l.findings, err = claims.Findings(e, l.claims)
	}
	return l, err
}

func (l *ledger) files() []file {
	if l == nil {
		return nil
	}
	files := []file{{"claims.json", claims.JSON(l.claims)}, {"claims.md", claims.Markdown(l.claims, l.evidence.Notice)}}
	if l.findings != nil {
		files = append(files, file{"findings.md", l.findings}, file{"headline.md", claims.Headline(l.evidence)})
	}
	return files
}

func (l *ledger) sections() []Section {
	if l == nil {
		return nil
	}
	return []Section{{ID: "claims", Title: "Ledger of claims", HTML: l.html}}
}

// summary is what the findings begin with, in a few sentences.
func (l *ledger) summary() []string {
	if l == nil || l.findings == nil {
		return nil
	}
	gain := func(m, scenario string) float64 {
		return l.evidence.GainPerArrival(modelKey(m, "SR", scenario)).Estimate
	}
	timeouts := l.evidence.Difference(measure.SuccessPerArrival, claims.TimeoutKey("SR-text", "0.5s", "1000"), claims.TimeoutKey("NR", "0.5s", "1000"), 100)
	return []string{
		fmt.Sprintf("With an entry that really is half loaded the same program gains by retries: %s, %s and %s percentage points per arrival in S1, S2 and S3.",
			table.Signed(gain("reference-25", "S1"), 1), table.Signed(gain("reference-25", "S2"), 1), table.Signed(gain("reference-25", "S3"), 1)),
		fmt.Sprintf("Retries do harm by other causes: workers held through hop-level backoff (%s points in S1 of the text's system), and attempt timeouts shorter than a full queue takes to drain (%s points in S3 at 50%% load).",
			table.Signed(gain("text-held", "S1"), 1), table.Signed(timeouts.Estimate, 1)),
		fmt.Sprintf("ARB stays close to no retries because it hardly retries: at most %.1f%% of the failures it sees in S1 to S3, and its overload signal never fires.", l.mostRetried()),
		claims.Totals(l.claims),
	}
}

// mostRetried is the largest share of failures that ARB retries in the models that are looked at closely.
func (l *ledger) mostRetried() float64 {
	most := 0.0
	for _, m := range lensModels {
		for _, s := range paperScenarios {
			most = max(most, l.evidence.Retried(modelKey(m, "ARB", s)).Estimate)
		}
	}
	return most
}
