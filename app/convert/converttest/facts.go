// Package converttest compares what a session says with what it says after it was written in a format
// and read again.
package converttest

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// Sum is what all spans of a name come to. Begins is the sum of when they begin, from the first time of
// all on.
type Sum struct{ N, Total, Self, Begins int64 }

// Facts are what must be the same in a session and in what was written and read of it.
type Facts struct {
	Threads  map[string]map[string]Sum // of tracks of calls, by title and by name of a collector
	Async    map[string]Sum            // of all other tracks
	Frames   []string                  // of all tracks: number, begin, end, how many spans began in each
	Main     string                    // title of the thread by whose frames it is counted, empty: those are not in it
	Messages []string                  // time, text without "message: " before it, category
	Counters map[string]string         // by name, and process where several have it: n, first, last, sum
	parts    bool                      // spans are told in parts: what outlives its caller, what a range cuts
	first    int64
	called   int64 // the begin of the first call
	named    bool
}

// Open reads a recording of the tree's testdata.
func Open(t testing.TB, name string) *store.Session {
	t.Helper()
	rec, err := load.File(t.Context(), filepath.Join("../../../testdata", name), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

// Part is a range of a session, all of it where the text is empty.
func Part(t testing.TB, s *store.Session, text string) *convert.Part {
	t.Helper()
	r, err := timerange.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := convert.Of(s, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Again writes a part and reads what was written.
func Again(t testing.TB, f *convert.Format, p *convert.Part) (s *store.Session, path string) {
	t.Helper()
	if err := f.Check(p); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "again"+f.Ext)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Give(t.Context(), p, file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := load.File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session, path
}

// Of returns the facts of a part. Of states of a series the numbers count.
func Of(p *convert.Part) *Facts { return of(p, false) }

// Named is Of where of states their names count, in whatever order they are, and that there is none.
func Named(p *convert.Part) *Facts { return of(p, true) }

func of(p *convert.Part, named bool) *Facts {
	f := &Facts{Threads: map[string]map[string]Sum{}, Async: map[string]Sum{}, Counters: map[string]string{}, first: math.MaxInt64, called: math.MaxInt64, named: named, parts: !p.Whole()}
	procs, threads := p.Threads()
	counters := p.Counters(threads)
	early := func(ns int64) { f.first = min(f.first, ns) }
	for _, id := range p.Tracks {
		p.Spans(id, func(s *convert.Span) error { early(s.Begin); return nil })
		p.Messages(id, func(m *model.Message) error { early(m.Time); return nil })
	}
	for _, id := range p.Tracks {
		p.EachFrame(id, func(x frames.Frame) error { early(x.Begin); return nil })
	}
	p.Values(counters, func(c *convert.Counter, ns int64, v float64) error {
		if v = f.value(c, v); v-v == 0 {
			early(ns)
		}
		return nil
	})
	for i := range threads {
		f.thread(p, &threads[i])
		f.frames(p, &threads[i])
	}
	slices.Sort(f.Messages)
	slices.SortStableFunc(f.Frames, func(a, b string) int { return cmp.Compare(before(a), before(b)) })
	f.values(p, procs, counters)
	return f
}

// frames adds the frames of a track.
func (f *Facts) frames(p *convert.Part, th *convert.Thread) {
	title := th.Track.Title()
	first, end := p.Frames(th.ID)
	if th.ID == p.Session.MainTrack() && (first < end || th.Track.Def.Main && !p.Session.HasFrames()) {
		f.Main = title
	}
	p.EachFrame(th.ID, func(x frames.Frame) error {
		f.Frames = append(f.Frames, fmt.Sprintf("%s: %d from %d for %d with %d spans", title, x.Number, x.Begin-f.first, x.End-x.Begin, x.Spans))
		return nil
	})
}

// uncounted are frames without how many spans began in them.
func uncounted(list []string) (out []string) {
	for _, frame := range list {
		frame, _, _ = strings.Cut(frame, " with ")
		out = append(out, frame)
	}
	return out
}

// before is a frame's track.
func before(frame string) string { title, _, _ := strings.Cut(frame, ": "); return title }

// thread adds the facts of a track.
func (f *Facts) thread(p *convert.Part, th *convert.Thread) {
	sums := f.Async
	if th.Track.Def.Kind.Calls() {
		sums = map[string]Sum{}
	}
	add := func(c model.CollectorID, d Sum) {
		name := shown(p.Name(c))
		x := sums[name]
		sums[name] = Sum{x.N + d.N, x.Total + d.Total, x.Self + d.Self, x.Begins + d.Begins}
	}
	p.Spans(th.ID, func(s *convert.Span) error {
		f.parts = f.parts || s.Flags&model.SpanMoves != 0
		if th.Track.Def.Kind.Calls() {
			f.called = min(f.called, s.Begin)
		}
		ns := s.End - s.Begin
		add(s.Collector, Sum{1, ns, ns, s.Begin - f.first})
		if up, _ := p.Session.Path(s.Path); up != model.PathRoot {
			_, c := p.Session.Path(up)
			add(c, Sum{Self: -ns})
		}
		return nil
	})
	if th.Track.Def.Kind.Calls() && len(sums) > 0 {
		f.Threads[th.Track.Title()] = sums
	}
	p.Messages(th.ID, func(m *model.Message) error {
		f.Messages = append(f.Messages, fmt.Sprintf("%d %s [%s]", m.Time-f.first, shown(strings.TrimPrefix(m.Text, "message: ")), m.Category))
		return nil
	})
}

// shown is a text without control characters, which some readers replace.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// value is what counts of a value.
func (f *Facts) value(c *convert.Counter, v float64) float64 {
	if !f.named || c.Series == nil || len(c.Series.Def.States) == 0 {
		return v
	}
	if v != v {
		return -1
	}
	return float64(crc32.ChecksumIEEE([]byte(c.Series.Def.States[int(v)])) % 1000)
}

// values adds the facts of counters. What is no number does not count.
func (f *Facts) values(p *convert.Part, procs []convert.Process, list []convert.Counter) {
	type sum struct {
		n                int
		first, last, all float64
		at               int64
	}
	sums := map[*convert.Counter]*sum{}
	p.Values(list, func(c *convert.Counter, ns int64, v float64) error {
		if v = f.value(c, v); v-v != 0 {
			return nil
		}
		x := sums[c]
		if x == nil {
			x = &sum{first: v}
			sums[c] = x
		}
		x.n, x.last, x.all, x.at = x.n+1, v, x.all+v, x.at+ns-f.first
		return nil
	})
	for i := range list {
		c := &list[i]
		x := sums[c]
		if x == nil {
			continue
		}
		name := c.Name
		for i := range procs { // readers put it before, where there are several
			name = strings.TrimPrefix(name, procs[i].Name+" ")
		}
		if _, taken := f.Counters[c.Group+": "+name]; taken {
			name = procs[c.Process].Name + "/" + name
		}
		f.Counters[c.Group+": "+name] = fmt.Sprintf("%d from %g to %g, sum %.9g, times %d", x.n, x.first, x.last, x.all, x.at)
	}
}

// Complainer is a test of any kind.
type Complainer interface {
	Helper()
	Errorf(format string, args ...any)
}

// Differ tells where facts differ, a few at most.
func Differ(t Complainer, want, got *Facts) {
	t.Helper()
	said := 0
	say := func(format string, args ...any) {
		if said++; said < 12 {
			t.Errorf(format, args...)
		}
	}
	for name, sums := range want.Threads {
		same(say, "thread "+name, sums, got.Threads[name])
	}
	for name := range got.Threads {
		if want.Threads[name] == nil {
			say("thread %q came from nowhere", name)
		}
	}
	same(say, "beside threads", want.Async, got.Async)
	same(say, "counter", want.Counters, got.Counters)
	if want.parts {
		want.Frames, got.Frames = uncounted(want.Frames), uncounted(got.Frames)
	}
	lines(say, "frame", want.Frames, got.Frames)
	if want.Main != "" && want.Main != got.Main {
		say("the main thread is %q, not %q", got.Main, want.Main)
	}
	lines(say, "message", want.Messages, got.Messages)
}

// same compares by name.
func same[T comparable](say func(string, ...any), what string, want, got map[string]T) {
	for name, x := range want {
		if y, ok := got[name]; !ok {
			say("%s: %q is not there: %v", what, name, x)
		} else if y != x {
			say("%s: %q is %v, not %v", what, name, y, x)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			say("%s: %q came from nowhere: %v", what, name, got[name])
		}
	}
}

// lines compares lists.
func lines(say func(string, ...any), what string, want, got []string) {
	if len(want) != len(got) {
		say("%d %ss instead of %d", len(got), what, len(want))
	}
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			say("%s %d is %q, not %q", what, i, got[i], want[i])
			return
		}
	}
}

// Unnamed leaves the names of counters out, which formats put together in their own way; their values
// count, in order.
func (f *Facts) Unnamed() *Facts {
	values := slices.Sorted(maps.Values(f.Counters))
	clear(f.Counters)
	for i, v := range values {
		f.Counters[fmt.Sprint(i)] = v
	}
	return f
}

// Calls leaves only the calls of threads, for formats that have room for nothing else.
func (f *Facts) Calls() *Facts {
	for _, sums := range f.Threads {
		for name, x := range sums {
			x.Begins -= x.N * (f.called - f.first)
			sums[name] = x
		}
	}
	return &Facts{Threads: f.Threads}
}
