package library

import (
	"strconv"
	"strings"
)

// unit names records of data of a source, for people.
func unit(source string, n int64) string {
	name := "pieces of data"
	switch source {
	case sourcePStats:
		name = "frames"
	case sourceFlare:
		name = "samples"
	}
	if n == 1 {
		if name == "pieces of data" {
			return "piece of data"
		}
		name = strings.TrimSuffix(name, "s")
	}
	return name
}

// thinSpace stands between groups of digits.
const thinSpace = '\u2009'

// count writes a number with its digits in groups: "45 240".
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && c != '-' {
			b.WriteRune(thinSpace)
		}
		b.WriteRune(c)
	}
	return b.String()
}
