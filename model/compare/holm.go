package compare

import (
	"math"
	"slices"
)

// ErrorRate is how often a comparison reports any change though nothing changed: the rate of error of
// all its tests together.
const ErrorRate = 0.05

// holm corrects the probabilities of many tests for their number, in place (Holm, 1979): with the
// corrected ones below ErrorRate, the chance that any of those rows did not change is at most that.
// Benjamini and Hochberg's way would find more, but promises only that few of the rows that it calls
// changed are noise, and that only for rows that depend on each other in the right way. Rows of a
// profile lie inside one another; Holm's promise holds for them, too.
func holm(p []float64) {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if p[i] != p[j] {
			return int(math.Copysign(1, p[i]-p[j]))
		}
		return i - j
	})
	least := 0.0
	for k, i := range order {
		least = max(least, min(p[i]*float64(len(p)-k), 1))
		p[i] = least
	}
}
