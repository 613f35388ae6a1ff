package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// byteUnits are the units in which sizes may be given.
var byteUnits = []struct {
	name string
	of   float64
}{
	{"B", 1}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
}

// withUnit reads the limit of a series: a number in the unit that the series has, or a time, a size
// or a percentage, as series of these have them. unit is that of the number, as
// model.SeriesDef.Unit, empty where none was given.
func withUnit(text string) (limit float64, unit string, err error) {
	text = strings.TrimSpace(text)
	number := strings.TrimRightFunc(text, func(r rune) bool {
		return r == '%' || r == 'µ' || r == 'μ' || r >= 'A' && r <= 'z'
	})
	name, number := text[len(number):], strings.TrimSpace(number)
	limit, err = strconv.ParseFloat(number, 64)
	switch {
	case err != nil || math.IsNaN(limit) || math.IsInf(limit, 0):
		if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil { // "1m30s"
			return float64(d), "ns", nil
		}
		return 0, "", fmt.Errorf("%q is not a number, such as 100, \"16 ms\", \"512 MiB\" or \"90 %%\"", text)
	case name == "" || name == "%":
		return limit, name, nil
	}
	for _, u := range byteUnits {
		if name == u.name && !math.IsInf(limit*u.of, 0) {
			return limit * u.of, "B", nil
		}
	}
	d, err := time.ParseDuration(number + name)
	if err != nil {
		return 0, "", fmt.Errorf("%q: series have times (\"16 ms\"), sizes (\"512 MiB\"), percent (\"90 %%\") or plain "+
			"numbers", text)
	}
	return float64(d), "ns", nil
}

// inUnit is a limit as a file has it, which withUnit reads; empty where it has no unit.
func (b *Budget) inUnit() string {
	switch b.Unit {
	case "":
		return ""
	case "ns":
		if b.Limit < 0 {
			return time.Duration(b.Limit).String()
		}
		return Time(b.Limit)
	case "B":
		for _, u := range [...]int{7, 6, 5} {
			if n := b.Limit / byteUnits[u].of; n >= 1 && n == math.Trunc(n) {
				return strconv.FormatFloat(n, 'f', -1, 64) + " " + byteUnits[u].name
			}
		}
	}
	return strconv.FormatFloat(b.Limit, 'f', -1, 64) + " " + b.Unit
}
