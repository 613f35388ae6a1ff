package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/framescope"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/sessionfile"
	"framescope/net/puffin"
	"framescope/net/together"
)

// text writes down a session: what the reports say, and its losses.
func text(s *store.Session) string {
	var b strings.Builder
	for _, o := range []report.Options{{Stats: true, JSON: true}, {JSON: true}} {
		if err := report.Write(&b, s, o); err != nil {
			fmt.Fprintln(&b, err)
		}
	}
	losses, lines := s.Losses()
	reason, ended := s.Ended()
	fmt.Fprintln(&b, losses, lines, reason, ended)
	all := strings.ReplaceAll(b.String(), `"file":true`, `"file":false`)
	if s.Info().ZeroAt.By == model.ByArrival { // when it arrived here
		all = arrival.ReplaceAllString(all, "")
	}
	return all
}

var arrival = regexp.MustCompile(`\s*"begun(_by)?": ?"[^"]*",?|, begun [-0-9 :.]+\(received, UTC\)`)

// TestJournalsOpenAsTheyWere keeps a stream of each kind in a folder and in a file, and demands the
// session that was live of both.
func TestJournalsOpenAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		source, file string
		streamer     feed.Streamer
	}{
		{"gsttrace", "../../testdata/gsttrace/leaks-found.log", GStreamer()},
		{"profilelib", "../../testdata/profilelib/small-clean.prof", must(Sources{}.ProfileLib())},
		{"puffin", "../../testdata/puffin/http_join_late.puffinstream", puffin.Source{}},
		{"pstats", nested, nil},
	} {
		t.Run(c.source, func(t *testing.T) {
			data := testkit.Must(os.ReadFile(c.file))(t)
			dir := t.TempDir()
			root := journal.OpenRoot(dir, journal.RootOptions{})
			defer root.Close()
			meta := journal.Meta{Source: c.source, Peer: "127.0.0.1:3", Program: "game"}
			for _, w := range []*journal.Writer{
				root.Create(meta, journal.Options{SegmentBytes: 100_000}),
				journal.CreateFile(filepath.Join(dir, "run"), meta, journal.Options{}),
			} {
				live := store.NewSession()
				sink := &feedtest.Into{Session: live}
				if c.streamer == nil {
					enc := decode.NewEncoder(w)
					h := pstats.Tee(decode.New(sink, decode.Options{Peer: meta.Peer}), enc)
					testkit.Must(sessionfile.Read(bytes.NewReader(data), "", 0, client{h}, nil))(t)
					h.Close("done")
				} else {
					stream := c.streamer.NewStream(sink, feed.StreamOptions{Name: meta.Peer, Program: "game"})
					tape := journal.ByteTape{Tape: w}
					for rest := data; len(rest) > 0; {
						n := min(len(rest), 1+rand.IntN(5000))
						stream.Write(rest[:n])
						tape.Write(rest[:n])
						rest = rest[n:]
					}
					stream.Close("done")
					w.Close("done")
				}
				testkit.NoErr(t, w.Wait(time.Minute))
				again := testkit.Must(File(t.Context(), w.Path(), Options{}))(t)
				a, b := text(live), text(again.Session)
				testkit.That(t, a == b, "%s: the session is\n%.2000s\nbut it was\n%.2000s", w.Path(), b, a)
				testkit.That(t, live.NumTracks() != 0, "the test shows nothing")
				// A file as it comes, in pieces.
				if st, _ := os.Stat(w.Path()); !st.IsDir() {
					s := store.NewSession()
					stream := Journals{}.NewStream(&feedtest.Into{Session: s}, feed.StreamOptions{Name: "run"})
					all, _ := os.ReadFile(w.Path())
					for rest := all; len(rest) > 0; {
						n := min(len(rest), 1+rand.IntN(3000))
						_, err := stream.Write(rest[:n])
						testkit.MustThat(t, err == nil || n >= len(rest), "%v", err)
						rest = rest[n:]
					}
					stream.Close("")
					a, b := text(live), text(s)
					testkit.That(t, a == b, "followed, the session is\n%.2000s\nbut it was\n%.2000s", b, a)
				}
			}
		})
	}
}

// client says hello as a client does, with a version; files do not know it.
type client struct{ pstats.Handler }

func (c client) Hello(h pstats.ClientHello) {
	h.Version = pstats.Version{Major: 3, Minor: 2}
	c.Handler.Hello(h)
}

func must(s feed.Streamer, err error) feed.Streamer {
	if err != nil {
		panic(err)
	}
	return s
}

// TestJournalsFollow follows a session while it is written, through eviction and to its end.
func TestJournalsFollow(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: "gsttrace", Peer: "p"}, journal.Options{SegmentBytes: 2000, Flush: time.Millisecond})
	data, err := os.ReadFile("../../testdata/gsttrace/leaks-found.log")
	testkit.NoErr(t, err)
	live, followed := store.NewSession(), store.NewSession()
	stream := GStreamer().NewStream(&feedtest.Into{Session: live}, feed.StreamOptions{Name: "p"})
	tape := journal.ByteTape{Tape: w}
	next := func() bool {
		n := min(len(data), 1000)
		stream.Write(data[:n])
		tape.Write(data[:n])
		data = data[n:]
		if len(data) == 0 {
			stream.Close("done")
			w.Close("done")
			<-w.Done()
		} else if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return len(data) > 0
	}
	next()
	waits := 0
	err = Journals{}.FollowFolder(t.Context(), w.Path(), &feedtest.Into{Session: followed}, func(context.Context) error {
		if waits++; !next() && waits > 1000 {
			return io.EOF
		}
		return nil
	})
	testkit.That(t, err == nil && waits >= 3, "%v after %d waits", err, waits)
	a, b := text(live), text(followed)
	testkit.That(t, a == b, "followed, the session is\n%.2000s\nbut it was\n%.2000s", b, a)
}

func TestJournalsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	unknown := journal.CreateFile(filepath.Join(dir, "unknown"), journal.Meta{Source: "other"}, journal.Options{})
	unknown.Data([]byte("x"))
	unknown.Close("")
	unknown.Wait(time.Minute)
	for path, want := range map[string]string{filepath.Join(dir, "unknown"): `"other"`, filepath.Join(dir, "none"): "none"} {
		s := store.NewSession()
		testkit.Fails(t, Journals{}.OpenFile(t.Context(), path, &feedtest.Into{Session: s}), want)
		_, ended := s.Ended()
		testkit.That(t, ended, "%s: the session has not ended", path)
	}
}

// A session file with a damaged description opens, and one without its end says so.
func TestDamagedSessionFile(t *testing.T) {
	var file bytes.Buffer
	w := framescope.NewWriter(&file, framescope.Options{})
	w.Define(model.Info{Source: "PStats", Program: "game"})
	w.Define(model.TrackDef{ID: 0, Name: "Main"})
	w.Publish(&model.Batch{HasFrame: true, Begin: 5, End: 9})
	w.Define(model.End{Reason: "it was quit"})
	testkit.NoErr(t, w.Close())
	whole := file.Bytes()
	flipped := bytes.Clone(whole)
	flipped[100] ^= 4
	for _, c := range []struct {
		data []byte
		want string
	}{
		{whole, ""},
		{flipped, "offset 44: a record is damaged, "},
		{whole[:bytes.LastIndex(whole, []byte(`{"reason"`))-18], "not closed"},
	} {
		path := filepath.Join(t.TempDir(), "run.framescope")
		testkit.NoErr(t, os.WriteFile(path, c.data, 0o600))
		rec := testkit.Must(File(t.Context(), path, Options{}))(t)
		testkit.That(t, strings.Contains(rec.Cut, c.want) && (rec.Cut == "") == (c.want == "") && strings.Count(rec.Cut, ": ") <= 3,
			"it says %q, not %q", rec.Cut, c.want)
		testkit.Equal(t, rec.Session.Track(0).NumFrames(), 1, "frames")
		testkit.Equal(t, rec.Session.Info().Program, "game", "program")
	}
}

// What others delete of a session while it is live is told in one way wherever it is told of: it
// was deleted, not lost when it was recorded, and no place can't be read for it. The session is as
// long as what is left.
func TestDeletedOfALiveSession(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	var now atomic.Int64
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	meta := journal.Meta{Source: decode.JournalSource, Program: "game", Peer: "127.0.0.1:3", Start: start}
	w := root.Create(meta, journal.Options{
		Flush: time.Microsecond, Retry: time.Millisecond,
		Now: func() time.Time { return start.Add(time.Duration(now.Load())) },
	})
	enc := decode.NewEncoder(w)
	enc.Hello(pstats.ClientHello{Program: "game"})
	enc.Threads(0, []string{"Main"})
	send := func(from, to int) {
		for n := from; n < to; n++ {
			now.Add(int64(time.Second))
			at := float32(n)
			enc.Frame(&pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Word: 0, Time: at}, {Word: pstats.StopBit, Time: at + 0.5}}}, 10)
		}
		testkit.WaitUntil(t, "writing to be resumed", func() bool { now.Add(1); return w.Flush() == nil })
	}
	send(0, 60)
	path := w.Path()
	testkit.NoErr(t, os.RemoveAll(path))
	testkit.WaitUntil(t, "somebody to notice", func() bool {
		now.Add(int64(10 * time.Millisecond))
		return w.Stats().Trouble != nil
	})
	send(60, 101)
	length := func(when string) {
		t.Helper()
		info, err := root.Info(path)
		testkit.That(t, err == nil && info.Deleted == 60 && info.Refused <= 0 &&
			info.Length.Round(time.Millisecond) == 40*time.Second && info.Headless, "%s: %+v, %v", when, info, err)
	}
	length("live")
	enc.Close("done")
	<-w.Done()
	length("ended")

	rec := testkit.Must(File(t.Context(), path, Options{}))(t)
	l := rec.Session.Ledger()
	testkit.That(t, l.Sent == 101 && l.Received == 41 && l.Erased == 60 && l.Lost() == 60 && l.Truncated+l.Unrecorded == 0,
		"%+v", l)
	n, _ := rec.Session.Losses()
	testkit.That(t, n[model.LossDeleted] == 60, "losses %v", n)
	var text, js strings.Builder
	testkit.NoErr(t, report.Write(&text, rec.Session, report.Options{Stats: true}))
	report.Write(&js, rec.Session, report.Options{Stats: true, JSON: true})
	for _, want := range []string{
		"frames in all: 101, 41 received, 60 missing (60 deleted from the disk afterwards)\n",
		"60 frames were deleted from the disk by another program",
	} {
		testkit.That(t, strings.Contains(text.String(), want), "the report lacks %q:\n%s", want, text.String())
	}
	words := strings.Join(strings.Fields(js.String()), " ")
	for _, want := range []string{`"reason": "frames in all", "count": 101`, `"key": "deleted_afterwards", "reason": "deleted from the disk afterwards", "count": 60`} {
		testkit.That(t, strings.Contains(words, want), "the JSON lacks %s: %s", want, js.String())
	}
}

// single hides that a sink is a divided one.
type single struct{ feed.Sink }

// answers is what a session says of a track.
type answers struct {
	Name   string
	Frames []frames.Frame
	Self   []model.CollectorTime
	Inside []spans.Inside
	Spans  int64
}

func answersOf(s *store.Session) (out []answers) {
	var tree spans.Tree
	for id := range s.NumTracks() {
		t := s.Track(model.TrackID(id))
		a := answers{Name: t.Def.Name, Spans: t.NumSpans()}
		for i := range t.NumFrames() {
			a.Frames = append(a.Frames, t.Frame(i))
			a.Self = s.Frames().Self(model.TrackID(id), i, a.Self)
			if i%100 == 0 {
				a.Inside = s.FrameTotals(model.TrackID(id), i, min(i+99, t.NumFrames()-1), &tree, a.Inside)
			}
		}
		out = append(out, a)
	}
	return out
}

// Threads that are appended by several goroutines at once make the same session as one after the
// other.
func TestDividedSessionIsTheSame(t *testing.T) {
	const spans = 500_000 // more than 4 MiB, from which on files are read by several
	made := testkit.Must(gen.New(gen.Options{Spans: spans, Tracks: 7, Depth: 9, Seed: 3, GapEvery: 50}))(t)
	var file bytes.Buffer
	testkit.NoErr(t, made.Write(t.Context(), &file, nil))
	path := filepath.Join(t.TempDir(), "game.pstats")
	testkit.NoErr(t, os.WriteFile(path, file.Bytes(), 0o600))
	pages := store.New(0)
	defer pages.Close()
	rec := testkit.Must(File(t.Context(), path, Options{Store: pages}))(t)
	one := store.NewSession()
	testkit.NoErr(t, decode.OpenFile(t.Context(), path, single{&direct{ctx: t.Context(), session: one}}))
	testkit.NoDiff(t, cmp.Diff(answersOf(one), answersOf(rec.Session)), "answersOf")
	var n int64
	for _, a := range answersOf(rec.Session) {
		n += a.Spans
	}
	// Call paths are numbered in the order in which threads come to define them, and rows have as many bits
	// as these numbers need.
	a, b := one.Memory(), rec.Session.Memory()
	if off := a.Spans - b.Spans; n != spans || max(off, -off) > a.Spans/100 || a.Frames != b.Frames {
		t.Errorf("%d spans, memory %+v, want %+v", n, b, a)
	}
}

// What two recordings hold is in a session on one ruler, of each thread as much and moved alike. Each recording goes
// with one of another kind.
func TestTogetherHoldsBoth(t *testing.T) {
	testkit.OneGoroutine(t)
	reg := testkit.Must(Sources{}.Registry())(t)
	var paths []string // the smallest of each kind
	last := ""
	for _, path := range recordings.Few(recordings.All(t, reg)) {
		if _, err := File(t.Context(), path, Options{}); err != nil || filepath.Dir(path) == last {
			continue
		}
		last, paths = filepath.Dir(path), append(paths, path)
	}
	for i, path := range paths {
		other := paths[(i+1)%len(paths)]
		plan := &together.Plan{Members: []together.Member{
			{Path: path, Name: "one"}, {Path: other, Name: "two", Shift: together.Shift{OffsetNs: 1_234_567, SpreadNs: 10}},
		}}
		file := filepath.Join(t.TempDir(), "both.framescope")
		testkit.NoErr(t, os.WriteFile(file, testkit.Must(plan.Encode(""))(t), 0o600))
		both := testkit.Must(File(t.Context(), file, Options{}))(t)
		var got []string
		for id := range model.TrackID(both.Session.NumTracks()) {
			track := both.Session.Track(id)
			shift := int64(0)
			if track.Def.Program == "two" {
				shift = 1_234_567
			}
			got = append(got, track.Def.Program+" "+holds(both.Session, id, shift))
		}
		var want []string
		for k, path := range []string{path, other} {
			rec := testkit.Must(File(t.Context(), path, Options{}))(t)
			for id := range model.TrackID(rec.Session.NumTracks()) {
				want = append(want, plan.Members[k].Name+" "+holds(rec.Session, id, 0))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		testkit.Equal(t, strings.Join(got, "\n"), strings.Join(want, "\n"), "%s with %s", path, other)
	}
}

// holds says what is in a track, its times moved back.
func holds(s *store.Session, id model.TrackID, shift int64) string {
	t := s.Track(id)
	begin, end, some := t.Bounds()
	if some {
		begin, end = begin-shift, end-shift
	}
	arrows := len(s.Flows().In(id, begin+shift, end+shift, nil))
	return fmt.Sprint(t.Def.Name, t.Def.Kind, t.NumSpans(), t.NumFrames(), t.NumMessages(), t.Missing(), t.Lanes(), begin, end,
		t.SumOfFrames(0, t.NumFrames()-1), arrows)
}
