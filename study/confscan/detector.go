// Package confscan finds retry policies in configuration files: YAML (also
// inside Helm templates, as far as it can be read), JSON and Java properties.
//
// It knows the service meshes and gateways (Istio, Envoy, Linkerd, Kuma, Gateway
// API, Traefik, Spring Cloud Gateway), gRPC service configs, resilience4j and
// Spring, Dapr, Argo, state machines, telemetry and log collectors and shell
// loops in container commands. A retry count of a health check, of a pipeline step, or
// in a schema is none.
package confscan

import (
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"retrylab/study/finding"
)

// Detector is the finding.Detector for configuration files.
type Detector struct{}

// Name is "config".
func (Detector) Name() string { return "config" }

// Wants takes YAML, JSON and properties files that configure something that
// runs: not pipelines, lock files or API descriptions.
func (Detector) Wants(p string) bool {
	switch finding.LanguageOf(p) {
	case finding.LangYAML, finding.LangJSON, finding.LangProperties:
		return !tooling(strings.ToLower(p))
	}
	return false
}

// tooling recognises files about building, testing or describing.
func tooling(p string) bool {
	for s := range strings.SplitSeq(path.Dir(p), "/") {
		switch s {
		case ".github", ".circleci", ".gitlab", ".azure-pipelines", ".buildkite", ".travis", "crds", "crd", ".vscode", ".idea", "locales", "i18n", "lang", ".tekton", ".semaphore", "swagger", "openapi":
			return true
		}
	}
	base := path.Base(p)
	for _, w := range []string{".gitlab-ci", "azure-pipelines", ".travis", "appveyor", "cloudbuild", "openapi", "swagger", "package.json", "tsconfig", "package-lock", "composer", "pnpm-lock", ".schema.json", "codecov", "renovate", "messages"} {
		if strings.Contains(base, w) {
			return true
		}
	}
	return false
}

// Scan returns the retry policies of one file.
func (Detector) Scan(f *finding.File) ([]finding.Finding, error) {
	if !finding.Gate(f.Text) {
		return nil, nil
	}
	s := &scan{file: f}
	switch finding.LanguageOf(f.Path) {
	case finding.LangJSON:
		if list := finding.ServiceConfig(string(f.Text), 1); list != nil {
			return list, nil
		}
		node, err := parseJSON(f.Text)
		if err != nil {
			return nil, fmt.Errorf("%s: not readable as JSON: %w", f.Path, err)
		}
		s.document(node)
	case finding.LangProperties:
		s.properties(string(f.Text))
	default:
		return s.yaml()
	}
	return s.found, nil
}

// scan is one file being read.
type scan struct {
	file  *finding.File
	found []finding.Finding
	kind  string // Kubernetes kind of the document
	flat  []setting
}

// yaml reads the documents of a file; after a broken one the rest is lost, but
// what came before is kept.
func (s *scan) yaml() ([]finding.Finding, error) {
	text := string(s.file.Text)
	if strings.Contains(text, "{{") {
		text = plainTemplate(text)
	}
	dec := yaml.NewDecoder(strings.NewReader(text))
	var err error
	for range 1000 { // documents in a file
		var node yaml.Node
		if err = dec.Decode(&node); err != nil {
			break
		}
		s.document(&node)
	}
	if err != nil && err.Error() != "EOF" {
		return s.found, fmt.Errorf("%s: not readable as YAML: %w", s.file.Path, err)
	}
	return s.found, nil
}

// document visits one document: first the trees, then the settings with dotted
// names, which need the whole path.
func (s *scan) document(n *yaml.Node) {
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	s.kind, s.flat = "", nil
	if k := child(n, "kind"); k != nil {
		s.kind = k.Value
	}
	if s.kind == "CustomResourceDefinition" || child(n, "openapi") != nil || child(n, "swagger") != nil || child(n, "$schema") != nil {
		return
	}
	s.visit(n, nil, 0)
	s.springSettings(s.flat)
}

// maxNesting limits the depth of trees walked (YAML aliases can nest without end).
const maxNesting = 60

// visit walks a tree with the path of keys that leads to each node.
func (s *scan) visit(n *yaml.Node, at []string, depth int) {
	if depth > maxNesting {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			if skipKey(k.Value) {
				continue
			}
			below := append(at[:len(at):len(at)], k.Value)
			if !s.rule(n, k, v, below) {
				s.visit(v, below, depth+1)
			}
		}
	case yaml.SequenceNode:
		for _, v := range n.Content {
			s.visit(v, at, depth+1)
		}
	case yaml.ScalarNode:
		s.scalar(n, at)
	}
}

// skipKey rules out subtrees that describe or check rather than configure calls.
func skipKey(k string) bool {
	switch strings.ToLower(k) {
	case "healthcheck", "health_check", "healthchecks", "livenessprobe", "readinessprobe", "startupprobe", "openapiv3schema", "properties", "definitions", "jobs", "steps", "description":
		return true
	}
	return false
}

// scalar looks into texts: JSON service configs and shell scripts; the rest is
// kept as a setting with a dotted name.
func (s *scan) scalar(n *yaml.Node, at []string) {
	if len(n.Value) > 40 {
		line := n.Line
		if n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle {
			line++
		}
		s.found = append(s.found, finding.ServiceConfig(n.Value, line)...)
		s.shell(n.Value, line)
		s.fluentd(n.Value, line)
		return
	}
	s.flat = append(s.flat, setting{strings.Join(at, "."), n.Value, n.Line})
}

func (s *scan) add(f finding.Finding) { s.found = append(s.found, f) }

// child returns the value of a key of a mapping, nil when there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if strings.EqualFold(n.Content[i].Value, key) {
			return n.Content[i+1]
		}
	}
	return nil
}

// lastLine is the last line of a tree.
func lastLine(n *yaml.Node) int {
	line := n.Line
	for _, c := range n.Content {
		line = max(line, lastLine(c))
	}
	return line
}
