package study

import (
	"encoding/json"
	"io"
	"net/url"
)

// The types below are the part of SARIF 2.1.0 that is written.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool      `json:"tool"`
	Invocations []sarifInvoked `json:"invocations"`
	ColumnKind  string         `json:"columnKind"`
	Results     []sarifResult  `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"semanticVersion,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string      `json:"id"`
	Name    string      `json:"name"`
	Short   sarifText   `json:"shortDescription"`
	Full    sarifText   `json:"fullDescription"`
	Help    sarifText   `json:"help"`
	Default sarifConfig `json:"defaultConfiguration"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifInvoked struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Prints    map[string]any  `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// WriteSARIF writes advice as a SARIF 2.1.0 log. notes say what was not read
// (languages left out, files that failed); they become notifications. version
// is the tool's semantic version, "" to leave it out.
func WriteSARIF(w io.Writer, list []Advice, notes []string, version string) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "retrylab", Version: version, Rules: []sarifRule{}}
	index := map[string]int{}
	for i, r := range AdviceRules {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Name: r.ID, Short: sarifText{r.Short}, Full: sarifText{r.Help}, Help: sarifText{r.Help}, Default: sarifConfig{r.Severity},
		})
	}
	inv := sarifInvoked{Successful: true, Notifications: []sarifNotification{}}
	for _, n := range notes {
		inv.Notifications = append(inv.Notifications, sarifNotification{SeverityNote, sarifText{n}})
	}
	run.Invocations = []sarifInvoked{inv}
	for _, a := range list {
		run.Results = append(run.Results, sarifResult{
			RuleID: a.Rule.ID, RuleIndex: index[a.Rule.ID], Level: a.Severity, Message: sarifText{a.Message},
			Locations: []sarifLocation{{sarifPhysical{
				sarifArtifact{(&url.URL{Path: a.Finding.Path}).EscapedPath(), "%SRCROOT%"},
				sarifRegion{a.Finding.Line, a.Finding.SpanEnd},
			}}},
			Prints: map[string]any{"detectedBy": a.Finding.Rule, "confidence": a.Finding.Confidence},
		})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}
