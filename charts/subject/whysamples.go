package subject

import (
	"strconv"

	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model/store"
	"framescope/model/why"
)

// AppendSurpluses appends which methods have more samples in a stretch of time than chance allows, a
// line each; where there is none, that there is none.
func AppendSurpluses(dst []byte, s *store.Session, found *why.Surpluses) []byte {
	for i := range found.List {
		dst = append(AppendSurplus(dst, s, &found.List[i]), '\n')
	}
	if len(found.List) > 0 {
		return dst
	}
	if found.Threads == 0 {
		return append(dst, "No thread has samples in the range and in what it is compared with.\n"...)
	}
	dst = append(dst, "No method has more samples there than chance allows, of "...)
	dst = format.AppendPlural(dst, int64(found.Tests), "that was tested", "that were tested")
	dst = format.AppendPlural(append(dst, " in "...), found.OfThere, "sample", "samples")
	dst = format.AppendCount(append(dst, " there and "...), found.OfElsewhere)
	dst = append(dst, " elsewhere.\n"...)
	if there, elsewhere := found.Best.Share(); there > elsewhere {
		dst = append(AppendSurplus(append(dst, "Most over the rest, which may be chance: "...), s, &found.Best), '\n')
	}
	return dst
}

// AppendSurplus appends how many samples a method has in a stretch of time, and elsewhere.
func AppendSurplus(dst []byte, s *store.Session, x *why.Surplus) []byte {
	there, elsewhere := x.Share()
	dst = append(append(dst, ThreadName(s, x.Track)...), ": "...)
	dst = append(dst, escape.Name(s.Collector(x.Collector).Title())...)
	if x.Self {
		dst = append(dst, " is innermost in "...)
	} else {
		dst = append(dst, " is on the stack in "...)
	}
	dst = appendShare(dst, there, x.Error)
	dst = format.AppendPlural(append(dst, " of "...), x.OfThere, "sample", "samples")
	where := format.Pick(x.Baseline, ", in the baseline in ", ", elsewhere in ")
	dst = appendShare(append(dst, where...), elsewhere, x.ErrorElsewhere)
	dst = format.AppendCount(append(dst, " of "...), x.OfElsewhere)
	return append(appendChance(dst, x.P), '.')
}

// appendShare appends a share and its standard deviation: "47.6 ± 4.2 %".
func appendShare(dst []byte, share, deviation float64) []byte {
	const percent = 100
	dst = strconv.AppendFloat(dst, share*percent, 'f', 1, 64)
	dst = strconv.AppendFloat(append(dst, " ± "...), deviation*percent, 'f', 1, 64)
	return append(dst, " %"...)
}

// appendChance appends how likely something is by chance.
func appendChance(dst []byte, p float64) []byte {
	const least = 0.001
	if p < least {
		return append(dst, " (p < 0.001)"...)
	}
	return append(strconv.AppendFloat(append(dst, " (p = "...), p, 'f', 3, 64), ')')
}

// AppendSurplusFigures appends the figures of AppendSurplus without their words.
func AppendSurplusFigures(dst []byte, x *why.Surplus) []byte {
	there, elsewhere := x.Share()
	dst = appendShare(dst, there, x.Error)
	dst = appendShare(append(dst, ", elsewhere "...), elsewhere, x.ErrorElsewhere)
	return appendChance(dst, x.P)
}
