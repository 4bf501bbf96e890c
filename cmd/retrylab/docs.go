package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"retrylab/internal/atomicfile"
)

func (a *app) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "docs FILE...",
		Short: "Fill the generated blocks of Markdown files",
		Long: `Replace what is between <!-- NAME begin: PATH --> and <!-- NAME end --> in Markdown files by the file PATH, relative to
the current folder. Relative links in it are made to work from where they are put.`,
		Example: "  retrylab docs README.md docs/findings.md",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				text, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				filled, err := fillBlocks(filepath.ToSlash(name), text, os.ReadFile)
				if err != nil {
					return err
				}
				if bytes.Equal(filled, text) {
					continue
				}
				if err := atomicfile.WriteBytes(name, filled); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

var blockBegin = regexp.MustCompile(`(?m)^<!-- ([a-z0-9-]+) begin: (\S+) -->\n`)

// fillBlocks fills the blocks of the file name; read reads a block's file.
func fillBlocks(name string, text []byte, read func(string) ([]byte, error)) ([]byte, error) {
	var out bytes.Buffer
	rest := text
	for {
		at := blockBegin.FindSubmatchIndex(rest)
		if at == nil {
			out.Write(rest)
			return out.Bytes(), nil
		}
		block, source := string(rest[at[2]:at[3]]), string(rest[at[4]:at[5]])
		end := []byte("<!-- " + block + " end -->")
		after := bytes.Index(rest[at[1]:], end)
		if after < 0 {
			return nil, fmt.Errorf("%s: block %s has no end, expected %s", name, block, end)
		}
		content, err := read(filepath.FromSlash(source))
		if err != nil {
			return nil, fmt.Errorf("%s: block %s: %w", name, block, err)
		}
		out.Write(rest[:at[1]])
		out.WriteString(strings.TrimSpace(relink(string(content), path.Dir(name), path.Dir(source))) + "\n")
		rest = rest[at[1]+after:]
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// relink makes relative links of a text from one folder work in another; both are relative to the current folder.
func relink(text, to, from string) string {
	prefix, err := filepath.Rel(filepath.FromSlash(to), filepath.FromSlash(from))
	if err != nil {
		return text // one of them is absolute: nothing to make it relative to
	}
	return link.ReplaceAllStringFunc(text, func(found string) string {
		target := found[2 : len(found)-1]
		return "](" + path.Join(filepath.ToSlash(prefix), target) + ")"
	})
}
