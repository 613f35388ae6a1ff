package input

import (
	"testing"

	"framescope/internal/testkit"
)

func TestTable(t *testing.T) {
	done := ""
	list := []Command{
		{ID: "a", Name: "Do A", Group: "G", Keys: []string{"Ctrl+Left", "X"}, Run: func() { done += "a" }},
		{ID: "b", Name: "Do B", Group: "G", Shy: true, Run: func() { done += "b" }},
	}
	table, err := NewCommand(list)
	testkit.NoErr(t, err)
	table.Run("b")
	table.Run("none")
	testkit.That(t, table.Strike(Chord{Key: "x"}) && !table.Strike(Chord{Key: "y"}) && done == "ba",
		"done was %q", done)
	if k := table.Key("a"); k != "Ctrl+←" || table.Key("b") != "" {
		t.Errorf("the key of a is %q, that of b %q", k, table.Key("b"))
	}
	items := table.Palette("Commands", "Panels")
	testkit.That(t, len(items) == 1 && items[0].Name == "Do A", "the palette has %v", items)
	if help := table.Help(); len(help) != 1 || len(help[0].Rows) != 1 || help[0].Rows[0].Key != "Ctrl+←, X" {
		t.Errorf("the help has %v", help)
	}
	for chord, want := range map[string]string{"Shift+Up": "Shift+↑", "PgUp": "PgUp", "Ctrl++": "Ctrl++", "Left": "←"} {
		testkit.Equal(t, Show(chord), want, "%s is shown as", chord)
	}
	list[1].Keys = []string{"X"}
	_, err = NewCommand(list)
	testkit.That(t, err != nil, "one key for two commands passed")
	list[1].Keys, list[1].ID = nil, "a"
	_, err = NewCommand(list)
	testkit.That(t, err != nil, "one ID for two commands passed")
}
