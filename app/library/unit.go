package library

import (
	"strings"

	"framescope/model/measure"
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

// counted reports whether users know the records of a source.
func counted(source string) bool { return source == sourcePStats || source == sourceFlare }

// amount is a number of records of data of a source, for people.
func amount(source string, n int64) string { return Count(n) + " " + unit(source, n) }

// Count writes a number for people as the charts do: "45 240".
func Count(n int64) string { return measure.CountText(n) }
