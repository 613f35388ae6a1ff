package pstatstest

import (
	"fmt"

	"framescope/net/pstats/wire"
)

// Events parses events like "+F@0 +A@1 -A@4": F is collector 0, A 1, B 2, …
func Events(text string) []wire.Event {
	var out []wire.Event
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
			word |= wire.StopBit
		}
		out = append(out, wire.Event{Word: word, Time: at})
		i := 0
		for i < len(text) && text[i] != ' ' {
			i++
		}
		text = text[min(i+1, len(text)):]
	}
	return out
}

// Frame is a frame of n events: Frame around pairs, two of three inside another.
func Frame(n int) *wire.Frame {
	f := &wire.Frame{Events: []wire.Event{{Word: 0}}}
	for i := 0; len(f.Events) < n-1; i++ {
		c := uint16(1 + i%24)
		f.Events = append(
			f.Events, wire.Event{Word: c}, wire.Event{Word: c + 30}, wire.Event{Word: c + 30 | wire.StopBit},
			wire.Event{Word: c | wire.StopBit},
		)
	}
	f.Events = append(f.Events, wire.Event{Word: wire.StopBit})
	return f
}
