package results

import (
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// boundedZstd is the Parquet library's zstd, but for decoding: a page may not become larger than the page's
// header says. The library's own decoder believes the compressed data instead, so that one wrong bit in a
// damaged file makes it ask for up to 64 GiB.
type boundedZstd struct {
	compress.Codec
	decoder *zstd.Decoder // safe for concurrent use
}

func init() {
	own, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(err) // it is always built in
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are constants
	}
	compress.RegisterCodec(compress.Codecs.Zstd, boundedZstd{own, decoder})
}

// DecodeWithError decodes src into the capacity of dst.
func (z boundedZstd) DecodeWithError(dst, src []byte) ([]byte, error) {
	return z.decoder.DecodeAll(src, dst[:0])
}

// Decode is the form of DecodeWithError for callers that recover.
func (z boundedZstd) Decode(dst, src []byte) []byte {
	out, err := z.DecodeWithError(dst, src)
	if err != nil {
		panic(err)
	}
	return out
}
