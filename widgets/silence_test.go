package widgets

import (
	"testing"
	"time"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

func TestSilenceInWords(t *testing.T) {
	for _, c := range []struct {
		s    Silence
		want string
	}{
		{Silence{}, ""},
		{Silence{Ns: 640e6}, "silent for 0.6 s"},
		{Silence{Ns: 12_900e6, Overdue: true}, "silent for 12 s"},
		{Silence{Ns: 125e9}, "silent for 2 min 5 s"},
		{Silence{Ns: 3725e9}, "silent for 1 h 2 min"},
		{Silence{Ns: 25e9, Nothing: true}, "nothing received yet, 25 s"},
	} {
		if got := string(c.s.Append(nil)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// The row of a session that falls silent counts the seconds, and turns amber when something is
// overdue.
func TestSilentSessionInTheList(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a", Live: true}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	amber := draw.Color(env.Theme.Over)
	show := func(silence Silence) (colored bool, revision uint64) {
		p.rows[0].Silence = silence
		for range 13 { // news are shown a few times a second
			env.NowNs += int64(time.Second) / 60
			pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		}
		for _, v := range pane.List().Vertices {
			is := func(have float32, want uint8) bool { return int(have*255+0.5) == int(want) }
			colored = colored || is(v.R, amber.R) && is(v.G, amber.G) && is(v.B, amber.B)
		}
		return colored, pane.List().Revision()
	}
	if colored, _ := show(Silence{}); colored {
		t.Error("amber though all is well")
	}
	colored, first := show(Silence{Ns: 1200e6})
	if colored {
		t.Error("amber though nothing is overdue")
	}
	if _, again := show(Silence{Ns: 1900e6}); again != first {
		t.Error("painted anew though the words are the same")
	}
	if colored, later := show(Silence{Ns: 2000e6, Overdue: true}); !colored || later == first {
		t.Error("what is overdue is not amber")
	}
}
