package tree

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

// ErrBinary marks a file that is no text.
var ErrBinary = errors.New(SkipBinary)

// Text returns a file's bytes as text: without a byte order mark, UTF-16 with a
// mark converted to UTF-8, ErrBinary when the first 8 KiB hold a zero byte.
// Other encodings are passed on as they are: parsers see their ASCII part.
func Text(raw []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xef, 0xbb, 0xbf}):
		return raw[3:], nil
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		return fromUTF16(raw[2:], binary.LittleEndian), nil
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return fromUTF16(raw[2:], binary.BigEndian), nil
	case bytes.IndexByte(raw[:min(len(raw), 8192)], 0) >= 0:
		return nil, ErrBinary
	}
	return raw, nil
}

func fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
