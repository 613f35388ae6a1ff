// This file defines the table of all user commands: keys, tool bar, menus, palette and help use it.

package input

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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
	return chord
}

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
