package results

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Everything here is fixed, because the bytes of a file must depend on its rows alone.
const (
	createdBy = "retrylab" // without a version: the schema version says what a reader must know
	zstdLevel = 3
	batchRows = 1024     // rows that are transposed, and handed to the encoder, at once
	pageBytes = 32 << 10 // a column's page; small, since every open column keeps one in memory
	// maxPageBytes is far beyond what pageBytes and batches of 1024 strings lead to; a damaged file may claim anything.
	maxPageBytes = 64 << 20
	versionKey   = "retrylab.schema_version"
	tableKey     = "retrylab.table"
	// defaultRowGroupRows is the size of DuckDB's own row groups, its unit of parallel work.
	defaultRowGroupRows = 122880
)

// node returns the Parquet schema. The root is required: readers take a repeated one for a list.
func node(columns []Column) (*schema.GroupNode, error) {
	fields := make(schema.FieldList, len(columns))
	for i, c := range columns {
		var logical schema.LogicalType
		var physical parquet.Type
		switch c.Kind {
		case String:
			logical, physical = schema.StringLogicalType{}, parquet.Types.ByteArray
		case Bool:
			physical = parquet.Types.Boolean
		case Int64:
			logical, physical = schema.NewIntLogicalType(64, true), parquet.Types.Int64
		case Uint64:
			logical, physical = schema.NewIntLogicalType(64, false), parquet.Types.Int64
		case Float64:
			physical = parquet.Types.Double
		}
		n, err := schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Required, logical, physical, -1, -1)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields[i] = n
	}
	return schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
}

// properties: zstd, statistics, dictionaries for strings only, since they bloat columns of distinct numbers.
func properties(columns []Column) *parquet.WriterProperties {
	props := []parquet.WriterProperty{
		parquet.WithCreatedBy(createdBy),
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithCompressionLevel(zstdLevel),
		parquet.WithStats(true),
		parquet.WithDataPageSize(pageBytes),
		parquet.WithDictionaryDefault(false),
	}
	for _, c := range columns {
		if c.Kind == String {
			props = append(props, parquet.WithDictionaryFor(c.Name, true))
		}
	}
	return parquet.NewWriterProperties(props...)
}

// fileMetadata holds nothing that may differ between two runs with equal rows: no time, host or worker count.
func fileMetadata(table string, extra []ExtraColumn) (metadata.KeyValueMetadata, error) {
	kv := metadata.NewKeyValueMetadata()
	pairs := [][2]string{{versionKey, strconv.Itoa(SchemaVersion)}, {tableKey, table}}
	if len(extra) > 0 {
		pairs = append(pairs, [2]string{extraKey, encodeExtra(extra)})
	}
	for _, p := range pairs {
		if err := kv.Append(p[0], p[1]); err != nil {
			return nil, err
		}
	}
	return kv, nil
}

// put writes the values of a vector to a column.
func put(w file.ColumnChunkWriter, v *vector) error {
	var err error
	switch w := w.(type) {
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(byteArrays(v.texts), nil, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(v.bools, nil, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(v.ints, nil, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(v.floats, nil, nil)
	default:
		panic(fmt.Sprintf("results: column writer %T", w))
	}
	return err
}

// byteArrays copies the strings into fresh memory, equal neighbours once.
func byteArrays(texts []string) []parquet.ByteArray {
	list := make([]parquet.ByteArray, len(texts))
	for i, s := range texts {
		if i > 0 && s == texts[i-1] {
			list[i] = list[i-1]
			continue
		}
		list[i] = parquet.ByteArray(s)
	}
	return list
}
