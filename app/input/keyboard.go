package input

import (
	"slices"
	"strings"
)

// Chord is a key with modifiers. Letters mean the printed letter, other keys the position.
type Chord struct {
	Ctrl, Shift, Alt bool
	// Key is a lower case letter, or the name that ebiten gives to the position, in lower case; a
	// printable sign stands for itself.
	Key string
}

// ParseChord reads the notation of command tables: "Ctrl+Shift+P", "Left", "F1", "?".
func ParseChord(s string) Chord {
	var c Chord
	for {
		i := strings.IndexByte(s, '+')
		if i <= 0 || i == len(s)-1 {
			break
		}
		switch s[:i] {
		case "Ctrl":
			c.Ctrl = true
		case "Shift":
			c.Shift = true
		case "Alt":
			c.Alt = true
		}
		s = s[i+1:]
	}
	c.Key = strings.ToLower(s)
	return c
}

// Keyboard is the keyboard in one tick.
type Keyboard struct {
	Ctrl, Shift, Alt bool
	Chords           []Chord // keys struck in this tick, repeats of held keys included, in the sequence of [order]
	Chars            []rune  // text written in this tick
	// Keys that move the picture while they are held, by their position, without a modifier that makes them
	// something else.
	ZoomIn, ZoomOut, PanLeft, PanRight bool

	Used   bool // a key is down
	clock  seenClock
	system systemKeys
}

// When a held key is struck again: first after a while, then again and again.
const (
	repeatAfterNs = 383_000_000
	repeatEachNs  = 50_000_000
)

// held is for how long a key was seen held.
type held struct {
	ns, nextNs int64
	typed      bool // while text was written: has no other effect until its release
}

// strikes reports whether the key is struck in a tick: it went down, or repeats. typing: text is written.
func (h *held) strikes(pressed, typing bool, stepNs int64) bool {
	if pressed {
		*h = held{nextNs: repeatAfterNs, typed: typing}
		return true
	}
	if h.typed = h.typed || typing; h.typed && !typing {
		return false
	}
	if h.ns += stepNs; h.nextNs == 0 || h.ns < h.nextNs {
		return false
	}
	h.nextNs += repeatEachNs
	return true
}

// Struck reports whether a key was struck in this tick, with any modifiers.
func (k *Keyboard) Struck(key string) bool {
	return slices.ContainsFunc(k.Chords, func(c Chord) bool { return c.Key == key })
}
