// This file defines the table of all user commands: keys, tool bar, menus, palette and help use it.

package input

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Command is something that the user can do.
type Command struct {
	// ID is its name for the program: "frame.next"; Name the one for people.
	ID, Name string
	// Group is the heading of its line in the help; Does explains it, if its name is too short.
	Group, Does string
	// Words are more search terms; those that Also derives from its name are not needed.
	Words string
	// Panel is the ID of its panel; empty: none.
	Panel string
	// Now returns its name for the present state, in place of a Name with two meanings; nil: Name.
	Now func() string
	// Keys are its chords; the first is shown.
	Keys []string
	Run  func()
	// Shy leaves it out of the palette, where it makes no sense.
	Shy bool
	// Out reports that it leaves the window: a system dialog, another program, its end.
	Out bool
}

// Table is a set of commands in the order of the help and the palette.
type Table struct {
	list    []Command
	byID    map[string]int
	byChord map[Chord]int
}

// NewCommand makes a table. Two commands with one ID, or one chord, are an error.
func NewCommand(list []Command) (*Table, error) {
	t := &Table{list: list, byID: map[string]int{}, byChord: map[Chord]int{}}
	for i, c := range list {
		if other, taken := t.byID[c.ID]; taken {
			return nil, fmt.Errorf("command: %q and %q are both called %s", list[other].Name, c.Name, c.ID)
		}
		t.byID[c.ID] = i
		for _, k := range c.Keys {
			chord := ParseChord(k)
			if other, taken := t.byChord[chord]; taken {
				return nil, fmt.Errorf("command: %s is the key of %q and of %q", k, list[other].Name, c.Name)
			}
			t.byChord[chord] = i
		}
	}
	return t, nil
}

// All returns the commands.
func (t *Table) All() []Command { return t.list }

// Has reports whether there is a command of that ID.
func (t *Table) Has(id string) bool { _, ok := t.byID[id]; return ok }

// Name returns the present name of a command, empty for an unknown ID.
func (t *Table) Name(id string) string {
	i, ok := t.byID[id]
	switch {
	case !ok:
		return ""
	case t.list[i].Now != nil:
		return t.list[i].Now()
	}
	return t.list[i].Name
}

// Run runs a command; it does nothing for an unknown ID.
func (t *Table) Run(id string) {
	if i, ok := t.byID[id]; ok {
		t.list[i].Run()
	}
}

// Strike runs the command of a chord; false: there is none.
func (t *Table) Strike(c Chord) bool {
	if c == (Chord{Key: c.Key}) {
		c.Key = besidesMoving(c.Key, MovingKeys())
	}
	i, ok := t.byChord[c]
	if ok {
		t.list[i].Run()
	}
	return ok
}

// Key returns the key of a command for people, empty: none.
func (t *Table) Key(id string) string {
	if i, ok := t.byID[id]; ok && len(t.list[i].Keys) > 0 {
		return Show(t.list[i].Keys[0])
	}
	return ""
}

var arrows = map[string]string{"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}

// Show writes a chord as people read it.
func Show(chord string) string {
	i := strings.LastIndexByte(chord, '+') + 1
	if arrow, ok := arrows[chord[i:]]; ok {
		return chord[:i] + arrow
	}
	if len(chord) == 1 && unicode.IsLetter(rune(chord[0])) {
		return strings.ToUpper(besidesMoving(strings.ToLower(chord), MovingKeys()))
	}
	return chord
}

// besidesMoving makes way for the keys that move the picture, which are where an American keyboard has W A S D: each
// letter printed on one of them changes places with the American one. So a French keyboard's W has the command of Z,
// and its Z moves. The reverse is the same.
func besidesMoving(key, moving string) string {
	printed := strings.Fields(strings.ToLower(moving))
	if i := slices.Index(printed, key); i >= 0 {
		return wasd[i]
	}
	if i := slices.Index(wasd, key); i >= 0 && i < len(printed) {
		return printed[i]
	}
	return key
}

var wasd = []string{"w", "a", "s", "d"}

// ByState names a command by its present effect.
func ByState(is func() bool, yes, no string) func() string {
	return func() string {
		if is() {
			return yes
		}
		return no
	}
}

// alike are words of names, with the search terms of users that mean them.
var alike = [...]struct{ in, words string }{
	{"thread threads track tracks", "threads tracks rows lanes"},
	{"hide hidden", "hide remove visibility filter"},
	{"show open", "show open display unhide visible reveal"},
	{"idle", "idle empty inactive unused asleep waiting threads"},
	{"fold folded unfold", "fold collapse expand"},
	{"sorted grouped", "sort order arrange group"},
	{"zoom fit centre", "zoom fit center focus"},
	{"pause follow live", "pause stop freeze resume live follow"},
	{"find go filter", "find search jump goto filter"},
	{"copy", "copy clipboard"},
	{"export save", "export save write"},
	{"spike spikes", "spikes hitches stutters jank slow"},
	{"keys", "help shortcuts hotkeys keyboard mouse"},
	{"quit close", "quit exit close"},
	{"settings", "settings preferences options configuration"},
	{"colors", "theme themes color colour colours mode appearance"},
	{"contrast", "theme themes color colour colors appearance accessibility"},
	{"larger smaller normal", "scale size zoom ui font"},
	{"motion", "animate animation reduced jumps"},
	{"budget", "fps hz refresh rate target"},
	{"memory", "ram limit"},
	{"disk", "storage space limit"},
	{"layout workspace", "layout panels arrangement workspace windows"},
}

// Also returns further search terms for something with a name.
func Also(name string) string {
	var also []string
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, a := range &alike {
		in := strings.Fields(a.in)
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(in, w) }) {
			also = append(also, a.words)
		}
	}
	return strings.Join(also, " ")
}

// The system reports the state at a tick: whether a button is down, and whether it went down and up
// since the last tick. On a busy machine one tick holds several presses, as all late ticks see the
// state before the first of them. So presses and releases are queued, as far as the states distinguish
// them, and each tick delivers one: no caller has to handle a click within one tick.

// edges are the undelivered presses and releases of a button.
type edges struct {
	down  bool   // as given last
	queue []bool // true is a press
}

// last reports whether the button is down once all is given.
func (e *edges) last() bool {
	if n := len(e.queue); n > 0 {
		return e.queue[n-1]
	}
	return e.down
}

// add appends a press (true) or a release, unless it is already the last one.
func (e *edges) add(press bool) {
	if press != e.last() {
		e.queue = append(e.queue, press)
	}
}

// note notes the system's state at a tick. down is the state at its end, except for a tick in which the
// button went both ways: the next tick has its state.
func (e *edges) note(down, pressed, released bool) {
	switch {
	case pressed && released && e.last():
		e.add(false)
		e.add(true)
	case pressed && released:
		e.add(true)
		e.add(false)
	case pressed:
		e.add(false) // that release was missed
		e.add(true)
	case released:
		e.add(true)
		e.add(false)
	default:
		e.add(down)
	}
}

// next gives the next of them away.
func (e *edges) next() (down, pressed, released bool) {
	if len(e.queue) == 0 {
		return e.down, false, false
	}
	e.down = e.queue[0]
	e.queue = append(e.queue[:0], e.queue[1:]...)
	return e.down, e.down, !e.down
}

// seenClock is a clock that stops between late ticks: a key held for some time on it was seen held, and
// two events apart on it were at least so far apart.
type seenClock struct{ ns, lastNs, stepNs int64 }

// seenNs is the longest counted time between two ticks.
const seenNs = 50_000_000

// tick runs to a time.
func (c *seenClock) tick(nowNs int64) {
	c.stepNs = max(0, min(nowNs-c.lastNs, seenNs))
	c.ns, c.lastNs = c.ns+c.stepNs, nowNs
}

// The system reports the keys that went down in a tick, and the text, but not their sequence. On a busy
// machine there are several of each, and keys after the one that opens a field belong to that field.
// Text has an order, and so have the keys that wrote it: before them come keys with Ctrl or Alt, which
// open fields, and after them the others, which end the text.

// order sorts chords by time, as far as the text reveals it. A written sign had no Ctrl, even if Ctrl
// was held in the tick.
func order(chords []Chord, chars []rune) {
	for i := range chords {
		if c := &chords[i]; c.written(chars) >= 0 {
			c.Ctrl, c.Alt = false, false
		}
	}
	slices.SortStableFunc(chords, func(a, b Chord) int {
		return cmp.Or(cmp.Compare(a.rank(chars), b.rank(chars)), cmp.Compare(a.written(chars), b.written(chars)))
	})
}

// written returns which of the signs that were written the key wrote first, -1: none.
func (c Chord) written(chars []rune) int {
	r, n := utf8.DecodeRuneInString(c.Key)
	if c.Key == "space" {
		r, n = ' ', len(c.Key)
	}
	if r == utf8.RuneError || n != len(c.Key) {
		return -1
	}
	return slices.IndexFunc(chars, func(w rune) bool { return unicode.ToLower(w) == r })
}

// rank is 0 for keys before the text, 1 for keys that wrote it, and 2 for the rest.
func (c Chord) rank(chars []rune) int {
	switch {
	case c.written(chars) >= 0:
		return 1
	case c.Ctrl || c.Alt || len(c.Key) > 1 && strings.HasPrefix(c.Key, "f"):
		return 0
	}
	return 2
}

// After forgets the keys of this tick up to and including a chord, and returns the text after it.
func (k *Keyboard) After(chord int) (text string) {
	c := k.Chords[chord]
	k.Chords = append(k.Chords[:0], k.Chords[chord+1:]...)
	switch c.rank(k.Chars) {
	case 1:
		k.Chars = append(k.Chars[:0], k.Chars[c.written(k.Chars)+1:]...)
	case 2:
		k.Chars = k.Chars[:0]
	}
	return string(k.Chars)
}
