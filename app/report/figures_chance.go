package report

import (
	"fmt"
	"math"
	"strconv"
)

// Chance prints a probability, a dash where nothing is known.
func Chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p < 0.0001:
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// Whole prints a number without decimals.
func Whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
