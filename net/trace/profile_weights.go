package trace

import (
	"fmt"
	"math"
	"strings"
)

// mostParts is into how many parts a unit is divided at most.
const mostParts = 1e9

// weights are the sums of the weights of stacks.
type weights map[key]weight

// weight is the sum of weights: of their whole parts, and of their fractions.
type weight struct {
	whole int64
	part  float64
}

func (w weights) add(at key, n float64) {
	whole, part := math.Modf(n)
	sum := w[at]
	w[at] = weight{sum.whole + int64(whole), sum.part + part}
}

// parts is into how many parts the unit is divided so that no sum vanishes that is above 0: 1, or a power of ten.
func (w weights) parts() float64 {
	least, total := math.Inf(1), 0.0
	for _, x := range w {
		n := float64(x.whole) + x.part
		if total += n; n > 0 {
			least = min(least, n)
		}
	}
	parts := 1.0
	for least*parts < 0.5 && parts < mostParts && total*parts*10 < MostOne {
		parts *= 10
	}
	return parts
}

// publishWeights publishes the weights, in parts of their unit where some of them are less than one.
func (p *Profile) publishWeights() error {
	parts := p.weights.parts()
	if parts > 1 {
		p.Kind = WeightKind{Name: strings.TrimSpace(fmt.Sprintf("%s, in 1/%.0f %s", p.Kind.Name, parts, p.Kind.Unit))}
	}
	all, rounded := NewWeighted(nil, p.Kind), false
	freed, negative := 0, 0.0
	for at, x := range p.weights {
		if n := float64(x.whole) + x.part; n < 0 {
			freed++
			negative -= n
			continue
		}
		rounded = rounded || x.part != math.Round(x.part)
		if all.Add(at.track, at.path, x.whole*int64(parts)+int64(math.Round(x.part*parts))) != nil {
			p.Bad.Bad(ManyStacks, Unknown)
		}
	}
	if rounded {
		p.Warn("Some weights are fractions: the sum of each stack is rounded to a multiple of %g.", 1/parts)
	}
	if freed > 0 {
		p.Warn("%d stacks have a negative weight (−%.0f in all), such as freed memory: they are left out.", freed, negative)
	}
	return all.Publish(p.sink)
}
