package pstatstest

import (
	"fmt"

	"framescope/net/pstats"
)

// Events parses events like "+F@0 +A@1 -A@4": F is collector 0, A 1, B 2, …
func Events(text string) []pstats.Event {
	var out []pstats.Event
	for text != "" {
		var sign, name rune
		var at float32
		if _, err := fmt.Sscanf(text, "%c%c@%g", &sign, &name, &at); err != nil {
			panic(err)
		}
		word := uint16(0)
		if name != 'F' {
			word = uint16(name-'A') + 1
		}
		if sign == '-' {
			word |= pstats.StopBit
		}
		out = append(out, pstats.Event{Word: word, Time: at})
		i := 0
		for i < len(text) && text[i] != ' ' {
			i++
		}
		text = text[min(i+1, len(text)):]
	}
	return out
}

// Frame is a frame of n events: Frame around pairs, two of three inside another.
func Frame(n int) *pstats.Frame {
	f := &pstats.Frame{Events: []pstats.Event{{Word: 0}}}
	for i := 0; len(f.Events) < n-1; i++ {
		c := uint16(1 + i%24)
		f.Events = append(
			f.Events, pstats.Event{Word: c}, pstats.Event{Word: c + 30}, pstats.Event{Word: c + 30 | pstats.StopBit},
			pstats.Event{Word: c | pstats.StopBit},
		)
	}
	f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit})
	return f
}
