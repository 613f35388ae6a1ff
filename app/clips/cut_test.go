package clips

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/app/load"
	"framescope/app/report"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/sessionfile"
)

// fataler is what a test and a property have in common.
// ctx is what a test is given to work with.
type ctx = context.Context

type fataler interface {
	testkit.T
	Fatal(args ...any)
}

func open(t fataler, path string) *store.Session {
	t.Helper()
	rec, err := load.File(t.(interface{ Context() ctx }).Context(), path, load.Options{})
	testkit.MustThat(t, err == nil || rec != nil && strings.Contains(path, "killed"), "%v", err)
	return rec.Session
}

// figures is what the report on a range says of its threads: all else is of the whole session, where it
// comes from, and how many frames there are in all of it. Threads named in more are left out.
func figures(t fataler, s *store.Session, r place.TimeRange, more map[string]bool) any {
	t.Helper()
	var out bytes.Buffer
	testkit.NoErr(t, report.Write(&out, s, report.Options{Stats: true, JSON: true, Range: r}))
	var doc map[string]any
	testkit.NoErr(t, json.Unmarshal(out.Bytes(), &doc))
	threads, _ := doc["threads"].([]any)
	testkit.MustThat(t, len(threads) != 0, "the report is of no thread")
	for _, key := range []string{"session", "ledger", "missing", "notes"} {
		delete(doc, key)
	}
	doc["threads"] = slices.DeleteFunc(threads, func(of any) bool {
		delete(of.(map[string]any), "outside_frames")
		name, _ := of.(map[string]any)["name"].(string)
		return more[name]
	})
	return doc
}

// saved saves what a range is of, and returns the session that the file is of.
func saved(t fataler, path string, s *store.Session, p Part) (*store.Session, string, Frames) {
	t.Helper()
	dir := testkit.Must(os.MkdirTemp("", "framescope-clips-"))(t)
	clip := filepath.Join(dir, "clip.pstats")
	f := p.Frames(s)
	testkit.NoErr(t, Save(t.(interface{ Context() ctx }).Context(), path, clip, f, nil, false))
	return open(t, clip), clip, f
}

// sessionFile saves a part to a session file, and returns the session that it holds.
func sessionFile(t fataler, path string, s *store.Session, p Part) *store.Session {
	t.Helper()
	dir := testkit.Must(os.MkdirTemp("", "framescope-clips-"))(t)
	defer os.RemoveAll(dir)
	x := Session{Path: path, Sources: testkit.Must(load.Sources{}.Registry())(t), Part: p.Frames(s).Part}
	to := filepath.Join(dir, "part.framescope")
	testkit.Must(x.Save(t.(interface{ Context() ctx }).Context(), to, false))(t)
	return open(t, to)
}

// same saves a range and compares what reports say of the file with what they say of the range.
func same(t fataler, path string, s *store.Session, r place.TimeRange, what string) {
	t.Helper()
	main := s.MainTrack()
	first, last, err := r.Frames(s, main)
	testkit.NoErr(t, err)
	p := FramesOf(s, main, first, last)
	if r.Times {
		begin, end, err := r.Resolve(s, main)
		testkit.NoErr(t, err)
		p = Time(begin, end)
	}
	clip, file, f := saved(t, path, s, p)
	defer os.RemoveAll(filepath.Dir(file))
	received := int64(0)
	for id := range model.TrackID(clip.NumTracks()) {
		received += int64(clip.Track(id).NumFrames())
	}
	testkit.MustEqual(t, received, f.N, "%s: frames are in the file", what)
	more := map[string]bool{} // threads with a frame in the file that a report on frames of Main leaves out
	for id := range model.TrackID(s.NumTracks()) {
		if a, b := p.of(s, id); p.Track != model.NoTrack && a <= b {
			first, last, _ := s.FramesWith(id, p.Track, p.First, p.Last)
			more[s.Track(id).Def.Name] = a != first || b != last
			begin, end, _ := s.Track(p.Track).FrameTimes(p.First, p.Last)
			testkit.MustThat(t, id != p.Track || a == p.First && b == p.Last, "%s: other frames of the range's thread", what)
			f := s.Track(id).Frame(a)
			testkit.MustThat(t, a == first || f.Begin < begin && f.End > begin && end > begin, "%s: an earlier frame", what)
		}
	}
	want := figures(t, s, r, more)
	for _, of := range []*store.Session{clip, sessionFile(t, path, s, p)} {
		on := place.TimeRange{}
		if r.Times {
			on = r
		}
		got := figures(t, of, on, more)
		testkit.MustNoDiff(t, gocmp.Diff(want, got), "%s: the file says something else than the range (-range +file)", what)
	}
}

// So it is of sessions that nobody thought of, from a file and from the journal of a live session, which
// give the same file to the byte.
func TestGeneratedSessions(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{Limit: 1 << 30})
	defer root.Close()
	rapid.Check(t, func(t *rapid.T) {
		g := testkit.Must(gen.New(gen.Options{
			Spans: rapid.Int64Range(200, 3000).Draw(t, "spans"), Tracks: rapid.IntRange(1, 5).Draw(t, "tracks"),
			Seed: rapid.Uint64().Draw(t, "seed"), FrameSpans: rapid.IntRange(1, 40).Draw(t, "spans a frame"),
			HitchEvery: 20, GapEvery: rapid.IntRange(5, 60).Draw(t, "gap every"), Levels: rapid.IntRange(-1, 4).Draw(t, "levels"),
		}))(t)
		dir := testkit.Must(os.MkdirTemp("", "framescope-clips-"))(t)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "all.pstats")
		f := testkit.Must(os.Create(path))(t)
		testkit.NoErr(t, cmp.Or(g.Write(t.Context(), f, nil), f.Close()))
		s := open(t, path)
		first, last, r := anyRange(t, s)
		same(t, path, s, r, "generated")

		sameOfJournal(t, root, g.Hello(), path, s, FramesOf(s, s.MainTrack(), first, last))
	})
}

// anyRange draws frames of the main thread, and their range by number or by time.
func anyRange(t *rapid.T, s *store.Session) (first, last int, r place.TimeRange) {
	main := s.Track(s.MainTrack())
	first = rapid.IntRange(0, main.NumFrames()-1).Draw(t, "first")
	last = rapid.IntRange(first, main.NumFrames()-1).Draw(t, "last")
	a, b := main.Frame(first), main.Frame(last)
	if rapid.Bool().Draw(t, "of time") {
		return first, last, place.TimeRange{Times: true, A: a.Begin, B: b.Begin + 1, HasA: true, HasB: true}
	}
	return first, last, place.TimeRange{A: a.Number, B: b.Number, HasA: true, HasB: true}
}

// sameOfJournal demands that a part of a session that is in a file and that of the journal of the same
// session are one file, to the byte.
func sameOfJournal(t fataler, root *journal.Root, hello pstats.ClientHello, path string, s *store.Session, p Part) {
	t.Helper()
	w := root.Create(decode.Meta(hello, "test"), journal.Options{})
	_ = testkit.Must(sessionfile.ReadFile(path, newest{decode.NewEncoder(w)}, nil))(t)
	testkit.NoErr(t, w.Flush())
	_, one, _ := saved(t, path, s, p)
	_, other, _ := saved(t, w.Path(), s, p)
	defer os.RemoveAll(filepath.Dir(one))
	defer os.RemoveAll(filepath.Dir(other))
	x, errX := os.ReadFile(one)
	y, errY := os.ReadFile(other)
	testkit.NoErr(t, cmp.Or(errX, errY))
	testkit.MustThat(t, bytes.Equal(x, y), "the file of a journal's range is not that of the file's range")
	w.Close("over")
	<-w.Done()
}

// newest is the handler of a client that speaks the newest version of the protocol.
type newest struct{ pstats.Handler }

// Hello implements pstats.Handler.
func (n newest) Hello(h pstats.ClientHello) {
	h.Version = pstats.Newest()
	n.Handler.Hello(h)
}

// carrying writes a session whose calls run over many frames: what a frame has open goes on in the next.
func carrying(t *rapid.T, path string) {
	raw := sessionfile.NewRaw()
	raw.Hello(pstats.ClientHello{Program: "carrying", Version: pstats.Newest()})
	names := []string{"Frame", "A", "B", "C", "D", "E"}
	for i, name := range names {
		raw.Collectors([]pstats.CollectorDef{{Index: int16(i), Name: name, Parent: 0}})
	}
	raw.Threads(0, []string{"Main", "Other"})
	for thread := range uint16(2) {
		now := float32(1)
		step := func() float32 {
			now += float32(rapid.IntRange(1, 64).Draw(t, "step")) / 8192
			return now
		}
		var open []uint16
		for n := range uint32(12) {
			f := pstats.Frame{Thread: thread, Number: n}
			f.Events = append(f.Events, pstats.Event{Word: 0, Time: step()})
			for range rapid.IntRange(0, 6).Draw(t, "events") {
				c := uint16(rapid.IntRange(1, len(names)-1).Draw(t, "collector"))
				if k := len(open); k > 0 && rapid.Bool().Draw(t, "stops") {
					f.Events = append(f.Events, pstats.Event{Word: open[k-1] | pstats.StopBit, Time: step()})
					open = open[:k-1]
					continue
				}
				open = append(open, c)
				f.Events = append(f.Events, pstats.Event{Word: c, Time: step()})
			}
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: step()})
			raw.Frame(&f, 0)
		}
	}
	out := testkit.Must(os.Create(path))(t)
	defer out.Close()
	testkit.NoErr(t, raw.WriteSession(out))
}

// What runs when a range begins is in the file that it was saved to, for as long as it runs in it.
func TestWhatRanBefore(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{Limit: 1 << 30})
	defer root.Close()
	rapid.Check(t, func(t *rapid.T) {
		dir := testkit.Must(os.MkdirTemp("", "framescope-clips-"))(t)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "all.pstats")
		carrying(t, path)
		s := open(t, path)
		first, last, r := anyRange(t, s)
		same(t, path, s, r, fmt.Sprintf("frames %d to %d", first, last))
		hello := pstats.ClientHello{Program: "carrying", Version: pstats.Newest()}
		sameOfJournal(t, root, hello, path, s, FramesOf(s, s.MainTrack(), first, last))
	})
}

// A part has all frames that run in a range, and says which of them run outside it, too; it has the bookmarks that lie
// in the range, up to its very ends.
func TestEdgesOfRanges(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.TrackDef{ID: 1, Name: "Loader"})
	for n := range int64(4) {
		s.Append(&model.Batch{HasFrame: true, Number: n, Begin: n * 10e6, End: n*10e6 + 10e6})
	}
	s.Append(&model.Batch{Track: 1, HasFrame: true, Number: 0, Begin: 10e6, End: 32e6})
	for r, want := range map[[2]int64]struct {
		frames int64
		said   string
	}{
		{10e6, 32e6}: {4, "frame 3 of Main ends 8.00 ms behind it"},
		{12e6, 25e6}: {3, "frame 1 of Main begins 2.00 ms before the range; frame 0 of Loader ends 7.00 ms behind it"},
		{30e6, 40e6}: {2, "frame 0 of Loader begins 20.0 ms before the range"},
		{0, 10e6}:    {1, ""}, {40e6, 50e6}: {0, ""},
	} {
		p := Time(r[0], r[1])
		testkit.Equal(t, p.Frames(s).N, want.frames, "frames in %v", r)
		testkit.Equal(t, p.Whole(s), want.said, "%v", r)
	}
	of := FramesOf(s, 0, 3, 3).Frames(s)
	testkit.Equal(t, of.N, 2, "frames with frame 3 of Main: its own, and Loader's that runs then")
	mark := []place.Mark{{BeginNs: 10, EndNs: 20}}
	for r, want := range map[[2]int64]int{{10, 20}: 1, {11, 20}: 0, {10, 19}: 0} {
		testkit.Equal(t, len(within(mark, r[0], r[1])), want, "bookmarks in %v", r)
	}
}
