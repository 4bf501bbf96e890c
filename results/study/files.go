// Package study embeds the published dataset of the study of repositories, so that the program can put it into the
// results of the paper wherever it runs.
package study

import "embed"

// Files are the published rows, the audit of repositories without a finding, and the reviewed sample.
//
//go:embed findings.parquet repositories.parquet exclusions.parquet audit.csv validation.csv
var Files embed.FS
