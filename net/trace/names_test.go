package trace_test

import (
	"fmt"
	"testing"

	"framescope/internal/testkit"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
	"framescope/net/trace/tracetest"
)

// sink keeps what is defined, and may bound what is.
type sink struct {
	feed.Sink
	defined []model.Change
	held    *feed.Held
}

func (s *sink) Define(c model.Change) { s.defined = append(s.defined, c) }
func (s *sink) NamesHeld() *feed.Held { return s.held }

// TestNames asks for the same things twice: each is defined once, parents before children.
func TestNames(t *testing.T) {
	s := &sink{}
	n := trace.New(s, nil, "All")
	a, b := n.Collector([]byte("a\x00b")), n.Collector([]byte(""))
	c := n.Keyed([]byte("a\x00file"), func() model.CollectorDef { return model.CollectorDef{Name: "a", Unit: "ms"} })
	p := n.Path(n.Path(model.PathRoot, a), b)
	track, ok := n.Track("7", model.TrackDef{Name: "wor\nker"})
	before := len(s.defined)
	if a2, p2 := n.Collector([]byte("a\x00b")), n.Path(n.Path(model.PathRoot, a), b); a2 != a || p2 != p || c == a || n.Of(p) != b || !ok || track != 0 {
		t.Error(a, a2, p, p2, c, track, ok)
	}
	n.Track("7", model.TrackDef{})
	testkit.That(t, len(s.defined) == before && before == 2+3+2+1, "%d definitions, then %d", before, len(s.defined))
	got := s.defined[2].(model.CollectorDef).Name + s.defined[3].(model.CollectorDef).Name + s.defined[7].(model.TrackDef).Name
	testkit.That(t, got == "a\x00b(unnamed)wor\nker", "shown as %q", got)
	n.Tell()
	testkit.That(t, n.Refused == 0 && len(s.defined) == before, "something was refused")
}

// TestNoRoom makes up names without end: what there is no room for is of the other names, or its
// caller's, and counted.
func TestNoRoom(t *testing.T) {
	s := &sink{held: &feed.Held{}}
	s.held.SetLimit(1 << 20)
	room := feed.NamesOf(s)
	defer room.Close()
	n := trace.New(s, room, "All")
	refused := 0
	for i := range 1000 {
		c := n.Collector(fmt.Append(nil, "name ", i))
		p := n.Path(model.PathRoot, c)
		testkit.MustThat(t, n.Of(p) == c || n.Of(p) == trace.Other, "a call path of another name")
		if c == trace.Other {
			refused++
		}
	}
	tracks := 0
	for i := range 1000 {
		if _, ok := n.Track(fmt.Sprint(i), model.TrackDef{Name: "thread"}); ok {
			tracks++
		}
	}
	if refused == 0 || refused == 1000 || tracks < feed.SureThreads || tracks == 1000 || n.Refused < int64(refused+1000-tracks) {
		t.Errorf("%d names refused, %d tracks, %d counted", refused, tracks, n.Refused)
	}
	n.Tell()
	l, ok := s.defined[len(s.defined)-1].(model.Loss)
	testkit.That(t, ok && l.N == n.Refused && l.Reason == model.LossLimit, "told %+v", s.defined[len(s.defined)-1])
}

// What functions stand in has keys of its own, also while a function of such a key is described.
func TestGroup(t *testing.T) {
	k := tracetest.New(t) // collectors come one after the other
	n := trace.New(k, nil, "All")
	var in model.CollectorID
	group := func() model.CollectorID { return n.Group([]byte("\x00file"), func() string { return "file" }) }
	c := n.Keyed([]byte("\x00file"), func() model.CollectorDef {
		in = group()
		return model.CollectorDef{Name: "f", Parent: in}
	})
	if again := n.Keyed([]byte("\x00file"), nil); c == in || again != c || group() != in || n.NumNames() != 2 {
		t.Errorf("%d in %d, then %d in %d of %d", c, in, again, group(), n.NumNames())
	}
	testkit.Equal(t, n.Collector([]byte("g")), trace.Other+3, "the next")
}
