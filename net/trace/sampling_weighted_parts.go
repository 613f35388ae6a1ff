package trace

import (
	"fmt"

	"framescope/model"
	"framescope/net/feed"
)

// mostParts is into how many parts a unit is divided at most.
const mostParts = 1e9

// Parts returns into how many parts the unit of weights is divided, so that none of some sums of fractions
// vanishes that are above 0, where the least of them and all together are known: 1, or a power of ten.
func Parts(least, total float64) float64 {
	parts := 1.0
	for least > 0 && least*parts < 0.5 && parts < mostParts && total*parts*10 < MostOne {
		parts *= 10
	}
	return parts
}

// In returns what parts of the unit of a kind count.
func (k WeightKind) In(parts float64) WeightKind {
	switch {
	case parts == 1:
		return k
	case k.Unit != "":
		return WeightKind{Name: fmt.Sprintf("%s, in 1/%.0f %s", k.Name, parts, k.Unit)}
	}
	return WeightKind{Name: fmt.Sprintf("%s, in 1/%.0f", k.Name, parts)}
}

// WarnRounded warns that sums of fractions are rounded.
func WarnRounded(sink feed.Sink, what string, parts float64) {
	text := "Some " + what + " are fractions: the sum of each stack is rounded to a whole number."
	if parts > 1 {
		text = fmt.Sprintf("Some %s are fractions: the sum of each stack is shown in parts of 1/%.0f, and rounded.", what, parts)
	}
	sink.Define(model.Warning{Text: text})
}
