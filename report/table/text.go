package table

import (
	"unicode"
	"unicode/utf8"
)

// UpperFirst is a text with its first letter in upper case, as sentences and row heads begin.
func UpperFirst(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
