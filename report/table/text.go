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

// Fixed prints a number in a sentence as a cell of a table would have it: so many digits, U+2212 as minus sign, a dash for a
// number that is not finite.
func Fixed(x float64, digits int) string { return Number(x).print(digits, false) }

// Signed is Fixed with a sign, but for what rounds to zero.
func Signed(x float64, digits int) string { return Number(x).print(digits, true) }
