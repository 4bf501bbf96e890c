//go:build cgo

package treesit

import (
	"path"
	"strings"
	"sync"

	sitter "github.com/tree-sitter/go-tree-sitter"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"retrylab/study/finding"
)

// lang is what differs between the languages apart from their syntax.
type lang struct {
	name    string
	grammar func() *grammar
	lower   func(*builder, *cst) *node
	// mask blanks what need not be parsed; nil = parse all.
	mask func([]byte) []byte
	// waitUnit is how many seconds one unit of sleep's argument is.
	waitUnit float64
	// bareFields: members are read and written without "this.".
	bareFields bool
	// js: JavaScript or TypeScript.
	js bool
	// apis is the table of libraries.
	apis *apiTable
}

var (
	langPython = &lang{name: finding.LangPython, lower: lowerPython, mask: maskPython, waitUnit: 1,
		grammar: sync.OnceValue(func() *grammar { return newGrammar(sitter.NewLanguage(python.Language())) })}
	langJava = &lang{name: finding.LangJava, lower: lowerJava, waitUnit: 1e-3, bareFields: true,
		grammar: sync.OnceValue(func() *grammar { return newGrammar(sitter.NewLanguage(java.Language())) })}
	langJS = &lang{name: finding.LangJavaScript, lower: lowerJS, waitUnit: 1e-3, js: true,
		grammar: sync.OnceValue(func() *grammar { return newGrammar(sitter.NewLanguage(javascript.Language())) })}
	langTS = &lang{name: finding.LangTypeScript, lower: lowerJS, waitUnit: 1e-3, js: true,
		grammar: sync.OnceValue(func() *grammar { return newGrammar(sitter.NewLanguage(typescript.LanguageTypescript())) })}
	langTSX = &lang{name: finding.LangTypeScript, lower: lowerJS, waitUnit: 1e-3, js: true,
		grammar: sync.OnceValue(func() *grammar { return newGrammar(sitter.NewLanguage(typescript.LanguageTSX())) })}
)

// The tables' readers come back to the languages, so they are joined at run time.
func init() {
	langPython.apis, langJava.apis = pythonAPIs, javaAPIs
	for _, l := range []*lang{langJS, langTS, langTSX} {
		l.apis = jsAPIs
	}
}

// langOf picks the language by a path's extension; nil for files of no interest,
// which include minified scripts and type declarations.
func langOf(p string) *lang {
	low := strings.ToLower(p)
	if strings.HasSuffix(low, ".min.js") || strings.HasSuffix(low, ".d.ts") || strings.HasSuffix(low, ".bundle.js") {
		return nil
	}
	switch path.Ext(low) {
	case ".py", ".pyi":
		return langPython
	case ".java":
		return langJava
	case ".js", ".jsx", ".mjs", ".cjs":
		return langJS
	case ".ts", ".mts", ".cts":
		return langTS
	case ".tsx":
		return langTSX
	}
	return nil
}

// read parses and lowers one file. mask says whether functions without a word of
// interest may be left out.
func (l *lang) read(p string, text []byte, mask bool) (*unit, error) {
	if mask && l.mask != nil {
		text = l.mask(text)
	}
	src, err := l.grammar().parse(text)
	if err != nil {
		return nil, err
	}
	u := &unit{path: p, lang: l, imports: map[string]imported{}, modules: map[string]bool{}, broken: src.broken}
	b := &builder{parsed: src, u: u, lower: l.lower}
	u.root = &node{op: opFile, line: 1, a: b.low(&src.root)}
	u.index()
	return u, nil
}
