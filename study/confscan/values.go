package confscan

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"retrylab/study/finding"
)

var placeholder = regexp.MustCompile(`^\$\{([^:}]+)(?::([^}]*))?\}$`)

// number reads a whole number, also the default of a placeholder ${NAME:3}. The
// source says whether the value can be changed at run time; known is false for
// anything that is no number.
func number(text string) (n int64, source string, known bool) {
	source = finding.SourceLiteral
	text = strings.Trim(strings.TrimSpace(text), `"'`)
	if m := placeholder.FindStringSubmatch(text); m != nil {
		text, source = m[2], finding.SourceRuntime
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, source, err == nil
}

// wait reads a duration in any of the usual spellings; a bare number counts in
// the given unit.
func wait(text string, unit time.Duration) time.Duration {
	text = strings.Trim(strings.TrimSpace(text), `"'`)
	if m := placeholder.FindStringSubmatch(text); m != nil {
		text = m[2]
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && x >= 0 && x < 1e9 {
		return time.Duration(x * float64(unit))
	}
	low := strings.ToLower(strings.TrimPrefix(strings.ToUpper(text), "PT"))
	if d, err := time.ParseDuration(low); err == nil && d > 0 {
		return d
	}
	return 0
}

func isFalse(text string) bool {
	t := strings.ToLower(strings.Trim(text, `"'`))
	return t == "false" || t == "0" || t == "no" || t == "off"
}

// policy turns the settings of a mapping into a finding of the given row.
type policy struct {
	api  finding.API
	unit time.Duration // of bare numbers
	// names overrides the meaning of setting names (lower case, no separators).
	names map[string]finding.Param
}

// read fills a finding from a mapping and the mappings directly inside it.
func (p *policy) read(k, v *yaml.Node) finding.Finding {
	f := p.api.New(k.Line, lastLine(v))
	p.fill(&f, v, 0)
	return f
}

func (p *policy) fill(f *finding.Finding, v *yaml.Node, depth int) {
	if v.Kind != yaml.MappingNode || depth > 2 {
		return
	}
	for i := 0; i+1 < len(v.Content); i += 2 {
		key, val := v.Content[i].Value, v.Content[i+1]
		switch {
		case val.Kind == yaml.MappingNode:
			if strings.Contains(strings.ToLower(key), "back") && f.Backoff == finding.BackoffNone {
				f.Backoff = finding.BackoffExponential
			}
			p.fill(f, val, depth+1)
		case val.Kind == yaml.ScalarNode:
			p.set(f, key, val.Value)
		case isFailureList(key):
			f.Failures = scalars(val)
		}
	}
}

// meaning is the role of a setting's name.
func (p *policy) meaning(key string) finding.Param {
	low := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(key))
	if m, known := p.names[low]; known {
		return m
	}
	return finding.ParamOf(key)
}

func (p *policy) set(f *finding.Finding, key, text string) {
	switch p.meaning(key) {
	case finding.ParamCount:
		n, source, known := number(text)
		if !known {
			f.SetRuntime()
			return
		}
		p.api.Count.Apply(f, n, source)
	case finding.ParamBase:
		if d := wait(text, p.unit); d > 0 {
			f.Base = d
			if f.Backoff == finding.BackoffNone {
				f.Backoff = finding.BackoffConstant
			}
		}
	case finding.ParamCap:
		f.Cap = wait(text, p.unit)
	case finding.ParamFactor:
		if x, err := strconv.ParseFloat(text, 64); err == nil && x <= 1 {
			f.Backoff = finding.BackoffConstant
		} else {
			f.Backoff = finding.BackoffExponential
		}
	case finding.ParamJitter:
		f.Jitter, f.JitterSource = finding.Yes, finding.SourceLiteral
		if x, err := strconv.ParseFloat(text, 64); isFalse(text) || err == nil && x == 0 || strings.EqualFold(text, "none") {
			f.Jitter = finding.No
		}
	case finding.ParamElapsed:
		if f.Unlimited {
			f.Bound = finding.BoundElapsed
		}
	}
	if isFailureList(key) && f.Failures == "" {
		f.Failures = text
	}
	if strings.EqualFold(key, "enabled") && isFalse(text) {
		f.Disabled = true
	}
}

func isFailureList(key string) bool {
	switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key)) {
	case "retryon", "retryablestatuscodes", "statuses", "codes", "retryexceptions", "errorequals", "matching", "series":
		return true
	}
	return false
}

func scalars(n *yaml.Node) string {
	var list []string
	for _, c := range n.Content {
		if c.Kind == yaml.ScalarNode {
			list = append(list, c.Value)
		}
	}
	return strings.Join(list, ", ")
}
