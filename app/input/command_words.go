package input

import (
	"slices"
	"strings"
	"unicode"
)

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
