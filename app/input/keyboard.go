package input

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
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

// positionNames gives the keys identified by position their names in the command table.
var positionNames = map[ebiten.Key]string{
	ebiten.KeyArrowLeft: "left", ebiten.KeyArrowRight: "right",
	ebiten.KeyArrowUp: "up", ebiten.KeyArrowDown: "down",
	ebiten.KeyHome: "home", ebiten.KeyEnd: "end", ebiten.KeyPageUp: "pgup", ebiten.KeyPageDown: "pgdn",
	ebiten.KeySpace: "space", ebiten.KeyEnter: "enter", ebiten.KeyNumpadEnter: "enter",
	ebiten.KeyBackspace: "backspace", ebiten.KeyEscape: "esc",
	ebiten.KeyTab: "tab", ebiten.KeyDelete: "delete",
	ebiten.KeyF1: "f1", ebiten.KeyF2: "f2", ebiten.KeyF11: "f11",
	ebiten.KeyDigit0: "0", ebiten.KeyDigit1: "1", ebiten.KeyDigit2: "2", ebiten.KeyDigit3: "3",
	ebiten.KeyDigit4: "4", ebiten.KeyDigit5: "5", ebiten.KeyDigit6: "6", ebiten.KeyDigit7: "7",
	ebiten.KeyDigit8: "8", ebiten.KeyDigit9: "9", ebiten.KeyNumpad0: "0",
	ebiten.KeyNumpadAdd: "+", ebiten.KeyNumpadSubtract: "-", ebiten.KeyEqual: "+", ebiten.KeyMinus: "-",
}

// american are the printed signs of keys other than letters, for an unknown layout.
var american = map[ebiten.Key]string{
	ebiten.KeyComma: ",", ebiten.KeyPeriod: ".", ebiten.KeySlash: "/", ebiten.KeyBracketLeft: "[", ebiten.KeyBracketRight: "]",
}

// Keyboard is the keyboard in one tick.
type Keyboard struct {
	Ctrl, Shift, Alt bool
	Chords           []Chord // keys struck in this tick, repeats of held keys included, in the sequence of [order]
	Chars            []rune  // text written in this tick
	names            map[ebiten.Key]string
	clock            seenClock
	held             map[ebiten.Key]held
	keys             []ebiten.Key
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

// Used reports whether a key is down.
func (k *Keyboard) Used() bool { return len(k.keys) > 0 }

// Read takes the state of the keys for this tick; typing reports that a text field has them. A key held
// during typing neither repeats nor counts as held after the field is left.
func (k *Keyboard) Read(nowNs int64, typing bool) {
	k.clock.tick(nowNs)
	k.Ctrl = ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta)
	k.Shift = ebiten.IsKeyPressed(ebiten.KeyShift)
	k.Alt = ebiten.IsKeyPressed(ebiten.KeyAlt)
	k.Chords = k.Chords[:0]
	k.keys = inpututil.AppendPressedKeys(k.keys[:0])
	typed, any := false, false
	for _, key := range k.keys {
		h := k.held[key]
		struck := h.strikes(inpututil.IsKeyJustPressed(key), typing, k.clock.stepNs)
		typed, any = typed || h.typed && !typing, any || struck
		if k.held == nil {
			k.held = map[ebiten.Key]held{}
		}
		if k.held[key] = h; !struck {
			continue
		}
		name := k.nameOf(key)
		if name != "" {
			k.Chords = append(k.Chords, Chord{k.Ctrl, k.Shift, k.Alt, name})
		}
	}
	// Signs are where the layout puts them; with Shift or AltGr held as the layout wants it.
	if k.Chars = ebiten.AppendInputChars(k.Chars[:0]); typed && !any {
		k.Chars = k.Chars[:0] // from a key that is still held
	}
	if !k.Ctrl {
		for _, r := range k.Chars {
			if c := (Chord{Key: string(r)}); strings.ContainsRune("?/[]", r) && !slices.Contains(k.Chords, c) {
				k.Chords = append(k.Chords, c)
			}
		}
	}
	order(k.Chords, k.Chars)
}

// nameOf returns the name of a key in command tables: the printed letter, or the name of its position.
func (k *Keyboard) nameOf(key ebiten.Key) string {
	if n, ok := positionNames[key]; ok {
		return n
	}
	if n, ok := k.names[key]; ok {
		return n
	}
	n := strings.ToLower(ebiten.KeyName(key))
	if n == "" { // no layout known (a headless guest): use an American keyboard
		n = strings.ToLower(key.String())
		if sign, ok := american[key]; ok {
			n = sign
		}
	}
	if len(n) != 1 {
		n = ""
	}
	if k.names == nil {
		k.names = map[ebiten.Key]string{}
	}
	k.names[key] = n
	return n
}

// Printed returns what the keyboard's layout prints on keys that are meant by position; that of an American keyboard while
// the layout is not known.
func Printed(keys ...ebiten.Key) string {
	var names []string
	for _, key := range keys {
		names = append(names, strings.ToUpper(cmp.Or(ebiten.KeyName(key), key.String())))
	}
	return strings.Join(names, " ")
}

// Held reports whether one of the movement keys, meant by position, is held without a modifier that
// makes it something else, and not since text was written.
func (k *Keyboard) Held(key ebiten.Key) bool {
	return !k.Ctrl && !k.Alt && !k.held[key].typed && ebiten.IsKeyPressed(key)
}

// Struck reports whether a key was struck in this tick, with any modifiers.
func (k *Keyboard) Struck(key string) bool {
	return slices.ContainsFunc(k.Chords, func(c Chord) bool { return c.Key == key })
}
