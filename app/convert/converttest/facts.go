// Package converttest compares a session with the result of its export to a format and import again.
package converttest

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/trace"
)

// Sum is the total of all spans of a name. Begins is the sum of their begins, from the first time of
// all on.
type Sum struct{ N, Total, Self, Begins int64 }

// Facts must be equal in a session and its export.
type Facts struct {
	Threads  map[string]map[string]Sum // of tracks of calls, by title and by full name of a collector; of all where the part is whole
	Async    map[string]Sum            // of all other tracks, by title and name
	Frames   []string                  // of all tracks: number, begin, end, how many spans began in each
	Main     string                    // title of the main thread, empty: it is left out
	Messages []string                  // time, text without "message: " before it, category, severity, object, track
	Counters map[string]string         // by track, group and name: kind, n, first, last, sum
	Arrows   []string                  // flows: name, tracks and times
	Flows    []string                  // those from span to span: name, spans, whether they go on
	Args     map[string]int            // spans with each argument, by title, name, key and value
	Open     map[string]int            // spans with an open end, by title and name, and which
	Made     []string                  // objects and links of the program
	Told     []string                  // of a whole session: its warnings, and the processes of tracks
	PID      int64                     // of the program
	parts    bool                      // spans come in parts, if they outlive their caller or a range cuts them
	whole    bool                      // it is all of a session
	named    bool
}

// Open reads a recording of the tree's testdata.
func Open(t testing.TB, name string) *store.Session {
	t.Helper()
	rec, err := load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

// Part is a range of a session, all of it where the text is empty.
func Part(t testing.TB, s *store.Session, text string) *convert.Part {
	t.Helper()
	r, err := place.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := convert.Of(s, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Again writes a part and reads the file.
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

// Named is Of that compares states by name, in any order, and includes missing states.
func Named(p *convert.Part) *Facts { return of(p, true) }

func of(p *convert.Part, named bool) *Facts {
	f := &Facts{
		Threads: map[string]map[string]Sum{}, Async: map[string]Sum{}, Counters: map[string]string{}, Args: map[string]int{},
		Open: map[string]int{}, named: named, parts: !p.Whole(), whole: p.Whole(),
	}
	f.PID = p.Session.Info().PID
	_, threads := p.Threads()
	for i := range threads {
		f.thread(p, &threads[i])
		f.frames(p, &threads[i])
	}
	slices.Sort(f.Messages)
	slices.SortStableFunc(f.Frames, func(a, b string) int { return cmp.Compare(before(a), before(b)) })
	f.values(p, p.Counters(threads))
	f.flows(p)
	f.made(p)
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
		f.Frames = append(f.Frames, fmt.Sprintf("%s: %d from %d for %d with %d spans", title, x.Number, x.Begin, x.End-x.Begin, x.Spans))
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
		name := ""
		if x := p.Session.Collector(c); x != nil {
			name = x.Title()
		}
		if !th.Track.Def.Kind.Calls() {
			name = th.Track.Title() + ": " + name
		}
		x := sums[name]
		sums[name] = Sum{x.N + d.N, x.Total + d.Total, x.Self + d.Self, x.Begins + d.Begins}
	}
	p.Spans(th.ID, func(s *convert.Span) error {
		for _, a := range p.Args(s) {
			f.Args[fmt.Sprintf("%s: %s: %s=%d %s", th.Track.Title(), p.Name(s.Collector), a.Key, a.Value.Kind, a.Value)]++
		}
		if s.Flags&trace.Open != 0 {
			f.Open[fmt.Sprintf("%s: %s %s", th.Track.Title(), p.Name(s.Collector), trace.AppendMarks(nil, s.Flags&trace.Open))]++
		}
		f.parts = f.parts || s.Flags&model.SpanMoves != 0
		ns := s.End - s.Begin
		add(s.Collector, Sum{1, ns, ns, s.Begin})
		if up, _ := p.Session.Path(s.Path); up != model.PathRoot {
			_, c := p.Session.Path(up)
			add(c, Sum{Self: -ns})
		}
		return nil
	})
	if th.Track.Def.Kind.Calls() && (len(sums) > 0 || f.whole) {
		f.Threads[th.Track.Title()] = sums
	}
	p.Messages(th.ID, func(m *model.Message) error {
		f.Messages = append(f.Messages, fmt.Sprintf("%d %s [%s] %s %q on %s", m.Time, m.Text,
			m.Category, m.Severity.Word(), m.Object, th.Track.Title()))
		return nil
	})
}

// value is the compared form of a value.
func (f *Facts) value(c *convert.Counter, v float64) float64 {
	if !f.named || c.Series == nil || len(c.Series.Def.States) == 0 {
		return v
	}
	if v != v {
		return -1
	}
	return float64(crc32.ChecksumIEEE([]byte(c.Series.Def.States[int(v)])) % 1000)
}

// values adds the facts of counters: how many values and gaps, and when. Infinite values do not count.
func (f *Facts) values(p *convert.Part, list []convert.Counter) {
	type sum struct {
		n, gaps          int
		first, last, all float64
		at               int64
	}
	sums := map[*convert.Counter]*sum{}
	p.Values(list, func(c *convert.Counter, ns int64, v float64) error {
		if v = f.value(c, v); math.IsInf(v, 0) {
			return nil
		}
		x := sums[c]
		if x == nil {
			x = &sum{first: v}
			sums[c] = x
		}
		if v != v {
			x.gaps, x.at = x.gaps+1, x.at+ns
			return nil
		}
		x.n, x.last, x.all, x.at = x.n+1, v, x.all+v, x.at+ns
		return nil
	})
	for i := range list {
		c := &list[i]
		x := sums[c]
		if x == nil {
			continue
		}
		name := calledIn(p, c)
		for at := 2; f.Counters[name] != ""; at++ { // another counter has the same name
			name = fmt.Sprintf("%s (%d)", calledIn(p, c), at)
		}
		kind, role, of := model.SeriesGauge, "", ""
		if c.Series != nil {
			d := &c.Series.Def
			kind, role, of = d.Kind, trace.RoleWord(d.Role), on(p, d.Object, d.Peer)
		}
		f.Counters[name] = fmt.Sprintf("%s%s of %s in %q, %d and %d gaps from %g to %g, sum %.9g, times %d", kind.Word(), role, of, c.Unit, x.n, x.gaps, x.first, x.last, x.all, x.at)
	}
}

// calledIn is the name of a counter in its session, after the title of its track.
func calledIn(p *convert.Part, c *convert.Counter) string {
	title := ""
	if t := p.Session.Track(c.Track); t != nil {
		title = t.Title()
	}
	if c.Series != nil {
		return fmt.Sprintf("%s: %s: %s", title, c.Series.Def.Group, c.Series.Def.Name)
	}
	return fmt.Sprintf("%s: %s: %s", title, c.Group, p.Name(c.Collector))
}

// on are the objects at the ends of something.
func on(p *convert.Part, object, peer model.ObjectID) string {
	from, _ := p.Session.Topology().Object(object)
	to, _ := p.Session.Topology().Object(peer)
	return fmt.Sprintf("%q %d to %q %d", from.Name, object, to.Name, peer)
}

// made adds the objects and links of the program, the series for traffic over links, and the owners of
// tracks.
func (f *Facts) made(p *convert.Part) {
	defer func() { slices.Sort(f.Made) }()
	if f.whole {
		info := p.Session.Info()
		f.Told = append(f.Told, fmt.Sprintf("recorded as %s, clock %+v", cmp.Or(info.Origin, info.VersionWords()), info.Clock))
		for _, text := range p.Session.Warnings() {
			f.Told = append(f.Told, "note: "+text)
		}
		var of []string
		for _, id := range p.Tracks {
			t := p.Session.Track(id)
			of = append(of, fmt.Sprintf("track %q is of process %q, numbers skip: %v", t.Title(), t.Def.Process, t.Def.Skips))
			if t.Def.Kind.Calls() {
				f.Told = append(f.Told, fmt.Sprintf("thread %q is number %d, like %q", t.Title(), t.Def.Index, t.Kin()))
			}
		}
		slices.Sort(of)
		f.Told = append(f.Told, of...)
	}
	p.Topology(0, func(_ string, info []byte) { f.Made = append(f.Made, string(info)) })
	if len(f.Made) == 0 {
		return
	}
	for _, l := range p.Session.Topology().Links() {
		if x := p.Session.Series().ByID(l.Flow); x != nil {
			p.Samples(x, func(model.Sample) error {
				f.Made = append(f.Made, fmt.Sprintf("over %d: %s %s", l.ID, x.Def.Group, x.Def.Name))
				return io.EOF // once
			})
		}
	}
	for _, id := range p.Tracks {
		if d := &p.Session.Track(id).Def; d.Kind == model.TrackElement || d.Kind == model.TrackStream {
			f.Made = append(f.Made, fmt.Sprintf("%s is the %s of %s", d.Name, d.Kind, on(p, d.Object, d.Peer)))
		}
	}
}

// Complainer is a test of any kind.
type Complainer interface {
	Helper()
	Errorf(format string, args ...any)
}

// Differ reports the differences between facts, a few at most.
func Differ(t Complainer, want, got *Facts) {
	t.Helper()
	said := 0
	say := func(format string, args ...any) {
		if said++; said < 12 {
			t.Errorf(format, args...)
		}
	}
	for name, sums := range want.Threads {
		if got.Threads[name] == nil {
			say("thread %q is not there", name)
		}
		same(say, "thread "+name, sums, got.Threads[name])
	}
	for name := range got.Threads {
		if want.Threads[name] == nil && (want.whole || len(got.Threads[name]) > 0) {
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
	if want.PID != got.PID {
		say("the program is process %d, not %d", got.PID, want.PID)
	}
	lines(say, "message", want.Messages, got.Messages)
	lines(say, "arrow", want.Arrows, got.Arrows)
	lines(say, "flow", want.Flows, got.Flows)
	same(say, "argument", want.Args, got.Args)
	same(say, "open span", want.Open, got.Open)
	lines(say, "part of the program", want.Made, got.Made)
	if want.whole {
		lines(say, "what is told", want.Told, got.Told)
	}
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

// Calls leaves only the calls of threads, for formats that have room for nothing else.
func (f *Facts) Calls() *Facts {
	maps.DeleteFunc(f.Threads, func(_ string, sums map[string]Sum) bool { return len(sums) == 0 })
	return &Facts{Threads: f.Threads}
}
