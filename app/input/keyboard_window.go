//go:build !headless

package input

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

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
	ebiten.KeyComma: ",", ebiten.KeyPeriod: ".", ebiten.KeySlash: "/", ebiten.KeyBracketLeft: "[",
	ebiten.KeyBracketRight: "]",
}

// systemKeys is what is known of the system's keys.
type systemKeys struct {
	names map[ebiten.Key]string
	held  map[ebiten.Key]held
	keys  []ebiten.Key
}

// Read takes the state of the keys for this tick; typing reports that a text field has them. A key held
// during typing neither repeats nor counts as held after the field is left.
func (k *Keyboard) Read(nowNs int64, typing bool) {
	k.clock.tick(nowNs)
	k.Ctrl = ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta)
	k.Shift = ebiten.IsKeyPressed(ebiten.KeyShift)
	k.Alt = ebiten.IsKeyPressed(ebiten.KeyAlt)
	k.Chords = k.Chords[:0]
	sys := &k.system
	sys.keys = inpututil.AppendPressedKeys(sys.keys[:0])
	k.Used = len(sys.keys) > 0
	typed, any := false, false
	for _, key := range sys.keys {
		h := sys.held[key]
		struck := h.strikes(inpututil.IsKeyJustPressed(key), typing, k.clock.stepNs)
		typed, any = typed || h.typed && !typing, any || struck
		if sys.held == nil {
			sys.held = map[ebiten.Key]held{}
		}
		if sys.held[key] = h; !struck {
			continue
		}
		name := sys.nameOf(key)
		if name != "" {
			k.Chords = append(k.Chords, Chord{k.Ctrl, k.Shift, k.Alt, name})
		}
	}
	// Signs are where the layout puts them; with Shift or AltGr held as the layout wants it.
	if k.Chars = ebiten.AppendInputChars(k.Chars[:0]); typed && !any {
		k.Chars = k.Chars[:0] // from a key that is still held
	}
	if writesWithCtrl && k.Ctrl && !k.Alt {
		k.Chars = k.Chars[:0]
	}
	if !k.Ctrl {
		for _, r := range k.Chars {
			if c := (Chord{Key: string(r)}); strings.ContainsRune("?/[]", r) && !slices.Contains(k.Chords, c) {
				k.Chords = append(k.Chords, c)
			}
		}
	}
	order(k.Chords, k.Chars)
	k.ZoomIn, k.ZoomOut = k.moves(ebiten.KeyW), k.moves(ebiten.KeyS)
	k.PanLeft, k.PanRight = k.moves(ebiten.KeyA), k.moves(ebiten.KeyD)
}

// nameOf returns the name of a key in command tables: the printed letter, or the name of its position.
func (k *systemKeys) nameOf(key ebiten.Key) string {
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

// MovingKeys returns what the keyboard's layout prints on the keys that move the picture; that of an American keyboard
// while the layout is not known.
func MovingKeys() string {
	var names []string
	for _, key := range []ebiten.Key{ebiten.KeyW, ebiten.KeyA, ebiten.KeyS, ebiten.KeyD} {
		names = append(names, strings.ToUpper(cmp.Or(ebiten.KeyName(key), key.String())))
	}
	return strings.Join(names, " ")
}

// moves reports whether a key is held to move the picture, and not since text was written.
func (k *Keyboard) moves(key ebiten.Key) bool {
	return !k.Ctrl && !k.Alt && !k.system.held[key].typed && ebiten.IsKeyPressed(key)
}
