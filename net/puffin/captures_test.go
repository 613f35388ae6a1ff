package puffin

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// truth is what another program reads in a capture, which knows the format alone.
type truth struct {
	Format  string
	Threads []struct {
		Name   string
		Start  *int64 `json:"start_time_ns"`
		Spans  int64
		Frames int
		Depth  int              `json:"max_depth"`
		ByName map[string]int64 `json:"spans_by_name"`
	}
	Spans      int64
	ByName     map[string]total           `json:"by_name"`
	Data       int                        `json:"distinct_data_strings"`
	Unresolved map[string]int64           `json:"unresolved_scope_ids"`
	Details    map[string]json.RawMessage `json:"scope_details"`
	First      int64                      `json:"first_ns"`
	Last       int64                      `json:"last_ns"`
	Frames     struct {
		Count    int
		First    int64 `json:"first_number"`
		Last     int64 `json:"last_number"`
		Gaps     int   `json:"number_gaps"`
		Restarts int64
		List     [][6]int64
	}
	Damaged struct {
		Errors     []string
		BadScopes  int64 `json:"bad_scopes"`
		Mismatches int64 `json:"count_mismatches"`
	}
}

type total struct {
	Count int64
	Total int64 `json:"total_ns"`
	Self  int64 `json:"self_ns"`
}

var captures = []string{
	"game60.puffin", "evicted-names.puffin", "http_join_start.puffinstream", "http_join_late.puffinstream", "pfd1.puffin",
	"pfd2.puffin", "pfd3.puffin", "broken-cut.puffin",
}

// stem returns the name of a capture without its end.
func stem(name string) string { return name[:strings.LastIndexByte(name, '.')] }

func truthOf(t testing.TB, name string) *truth {
	t.Helper()
	want := recordings.JSON[truth](t, recordings.Puffin, stem(name)+".truth.json")
	return want
}

// TestCaptures compares each capture with its truth: threads with their spans, sums, frames and
// depths, the ranges of frames, names that are missing, and what is damaged. So it is when the same
// bytes come in pieces.
func TestCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			path, want := recordings.File(t, recordings.Puffin, name), truthOf(t, name)
			s := feedtest.Open(t, Source{}, path)
			compare(t, s, want)
			data := recordings.Read(t, recordings.Puffin, name)
			t.Run("in pieces", func(t *testing.T) { compare(t, feedtest.Streamed(t, Source{}, data, 777, false), want) })
			if strings.HasSuffix(name, ".puffinstream") {
				t.Run("as it came", func(t *testing.T) { compare(t, replay(t, data, stem(name)+".arrival.json"), want) })
			}
			t.Run("slowly", func(t *testing.T) { compare(t, feedtest.Streamed(t, Source{}, data, 333, true), want) })
		})
	}
}

// replay reads a connection in the pieces in which it came; it is idle where nothing came for a while.
func replay(t *testing.T, data []byte, arrivals string) *store.Session {
	t.Helper()
	var list [][2]float64
	testkit.OK(t, json.Unmarshal(recordings.Read(t, recordings.Puffin, arrivals), &list))
	k := &feedtest.Into{Session: store.NewSession()}
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "it"})
	at, from := 0.0, 0
	for _, x := range list {
		for ; x[0]-at > 0.05; at += 0.05 {
			s.Idle()
		}
		at = max(at, x[0])
		testkit.Must(s.Write(data[from:int(x[1])]))(t)
		from = int(x[1])
	}
	testkit.MustThat(t, from == len(data), "%d bytes came, of %d", from, len(data))
	s.Close("")
	return k.Session
}

func compare(t *testing.T, s *store.Session, want *truth) {
	t.Helper()
	zero := want.First
	if want.Format == "puffin_http stream" && !s.Info().File {
		zero = zeroOf(t, s, want)
	}
	testkit.MustThat(t, s.NumTracks() == len(want.Threads), "%d threads, want %d", s.NumTracks(), len(want.Threads))
	sums := map[string]total{}
	left := len(want.Threads)
	for _, w := range want.Threads {
		id, ok := trackLike(s, func(tr *store.Track) bool {
			name, _, _ := strings.Cut(tr.Def.Name, " (")
			return name == w.Name && tr.NumSpans() == w.Spans && maps.Equal(callsOf(s, tr.Def.ID, nil), w.ByName)
		})
		if !ok {
			t.Errorf("no thread %q of %d spans", w.Name, w.Spans)
			continue
		}
		left--
		tr := s.Track(id)
		testkit.That(t, tr.Lanes() == w.Depth, "%s: %d deep, want %d", tr.Title(), tr.Lanes(), w.Depth)
		frames := 0
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			testkit.That(t, f.End > f.Begin, "%s: frame %d takes no time", tr.Title(), f.Number)
			if b, ok := s.Spans().At(id, 0, f.Begin, 0); ok && b.Begin == f.Begin {
				frames++
			}
		}
		testkit.That(t, frames == w.Frames, "%s: %d frames, want %d", tr.Title(), frames, w.Frames)
		got := tr.Missing()
		testkit.That(t, want.Frames.Gaps != 0 || got == 0, "%s: %d frames are missing", tr.Title(), got)
		callsOf(s, id, sums)
	}
	testkit.That(t, left <= 0, "%d threads of the truth are not here", left)
	testkit.That(t, maps.Equal(sums, want.ByName), "sums by name: %v\nwant %v", sums, want.ByName)
	texts := textsOf(s)
	testkit.That(t, len(texts) == want.Data, "%d texts of calls, want %d", len(texts), want.Data)
	begin, end := int64(model.MaxTime), int64(model.MinTime)
	for id := range model.TrackID(s.NumTracks()) {
		if b, e, ok := s.Track(id).Bounds(); ok {
			begin, end = min(begin, b), max(end, e)
		}
	}
	testkit.That(t, begin+zero == want.First && end+zero == want.Last,
		"from %d to %d, want %d to %d", begin+zero, end+zero, want.First, want.Last)
	compareFrames(t, s, want, zero)
	losses, lines := s.Losses()
	if damage := losses[model.LossMalformed] + losses[model.LossTruncated]; damage != int64(len(want.Damaged.Errors))+want.Damaged.BadScopes {
		t.Errorf("%d places are damaged, want %q: %q", damage, want.Damaged.Errors, lines)
	}
	for r, n := range losses {
		r := model.LossReason(r)
		if n > 0 && r != model.LossMalformed && r != model.LossTruncated && (r != model.LossNumbers || want.Frames.Gaps == 0) {
			t.Errorf("%d lost of reason %d: %q", n, r, lines)
		}
	}
}

// zeroOf is the session's time 0: what of a stream came first may not be the earliest.
func zeroOf(t *testing.T, s *store.Session, want *truth) int64 {
	begin := int64(model.MaxTime)
	for id := range model.TrackID(s.NumTracks()) {
		if b, _, ok := s.Track(id).Bounds(); ok {
			begin = min(begin, b)
		}
	}
	return want.First - begin
}

// textsOf returns the texts that calls were given, and how many calls were given each.
func textsOf(s *store.Session) map[string]int {
	out := map[string]int{}
	for _, tr := range feedtest.Tracks(s) {
		for lane := range tr.Lanes() {
			c := s.Args().Cursor(tr.Def.ID, lane)
			for c.Next() {
				for _, x := range c.Each() {
					out[s.Args().Value(x).String()]++
				}
			}
		}
	}
	return out
}

func trackLike(s *store.Session, like func(*store.Track) bool) (model.TrackID, bool) {
	for id := range model.TrackID(s.NumTracks()) {
		if like(s.Track(id)) {
			return id, true
		}
	}
	return 0, false
}

// callsOf returns how often each name ran on a track, and adds it to sums.
func callsOf(s *store.Session, track model.TrackID, sums map[string]total) map[string]int64 {
	calls := map[string]int64{}
	for _, st := range s.Spans().Stats([]model.TrackID{track}, model.MinTime, model.MaxTime, nil) {
		name := s.Collector(st.Collector).Name
		calls[name] += st.Calls
		if sums != nil {
			x := sums[name]
			x.Count, x.Self = x.Count+st.Calls, x.Self+st.SelfNs
			sums[name] = x
		}
	}
	if sums == nil {
		return calls
	}
	for lane := range s.Track(track).Lanes() {
		for _, b := range feedtest.Bars(s, track, lane) {
			name := s.Collector(b.Collector).Name
			x := sums[name]
			x.Total += b.End - b.Begin
			sums[name] = x
		}
	}
	return calls
}

// compareFrames compares the recorded ranges of frames, and the frames of the main thread: they have
// the program's numbers, and follow each other without a gap.
func compareFrames(t *testing.T, s *store.Session, want *truth, zero int64) {
	t.Helper()
	for i, value := range []func([6]int64) int64{
		func(f [6]int64) int64 { return f[2] - f[1] }, func(f [6]int64) int64 { return f[3] },
	} {
		got := samplesOf(s, model.SeriesID(i))
		for _, f := range want.Frames.List {
			k := sample{f[1] - zero, float64(value(f))}
			got[k]--
			testkit.That(t, got[k] >= 0, "series %d: frame %d has no %v", i, f[0], k)
		}
		for k, n := range got {
			testkit.That(t, n == 0, "series %d: %v is of no frame", i, k)
		}
	}
	main := s.Track(s.MainTrack())
	testkit.That(t, main.Def.Name == "main", "the main thread is %q", main.Def.Name)
	numbers := map[int64]bool{}
	for _, f := range want.Frames.List {
		numbers[f[0]] = true
	}
	for i := range main.NumFrames() {
		f := main.Frame(i)
		testkit.That(t, numbers[f.Number], "a frame %d", f.Number)
		if i+1 < main.NumFrames() {
			if next := main.Frame(i + 1); next.Number == f.Number+1 && next.Begin != f.End {
				t.Errorf("frame %d ends at %d, the next begins at %d", f.Number, f.End, next.Begin)
			}
		}
	}
	testkit.That(t, main.Missing() > 0 == (want.Frames.Gaps > 0),
		"%d frames are missing, want %d gaps", main.Missing(), want.Frames.Gaps)
	uses := int64(0)
	for _, n := range want.Unresolved {
		uses += n
	}
	told := false
	for _, w := range s.Warnings() {
		told = told || strings.Contains(w, "scope#17")
	}
	testkit.That(t, told == (uses > 0), "%d scopes have no name, told: %v", uses, s.Warnings())
}

type sample struct {
	time  int64
	value float64
}

func samplesOf(s *store.Session, id model.SeriesID) map[sample]int {
	out := map[sample]int{}
	for _, x := range s.Series().ByID(id).Samples(model.MinTime, model.MaxTime, 0, nil) {
		out[sample{x.Time, x.Value}]++
	}
	return out
}

// program is what the recorded program itself counted.
type program struct {
	Spans       map[string]int64
	ByThread    map[string]map[string]int64 `json:"spans_by_thread_name"`
	Hitches     []int64                     `json:"hitch_loop_frames"`
	LoopFrames  int                         `json:"loop_frames"`
	InView      int                         `json:"frames_in_view"`
	DataStrings int64                       `json:"data_strings"`
}

// TestAgainstThePrograms compares captures with what the program itself counted: scopes by thread and
// name, and where its hitches were. Of a recording that lost frames nothing is more than was made.
func TestAgainstThePrograms(t *testing.T) {
	for _, name := range []string{"game60.puffin", "evicted-names.puffin", "pfd1.puffin", "pfd2.puffin", "pfd3.puffin"} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Puffin, name)
			want := recordings.JSON[program](t, recordings.Puffin, stem(name)+".program.json")
			s := feedtest.Open(t, Source{}, path)
			got := map[string]map[string]int64{}
			all := map[string]int64{}
			for id := range model.TrackID(s.NumTracks()) {
				thread, _, _ := strings.Cut(s.Track(id).Def.Name, " (")
				if thread == serverThread { // which is not the program's
					continue
				}
				if got[thread] == nil {
					got[thread] = map[string]int64{}
				}
				for scope, n := range callsOf(s, id, nil) {
					scope = scope[strings.LastIndex(scope, ":")+1:] // the program leaves out its own name
					got[thread][scope] += n
					all[scope] += n
				}
			}
			main := s.Track(s.MainTrack())
			frames := len(samplesOf(s, rangeSeries))
			switch {
			case name == "evicted-names.puffin":
				testkit.That(t, frames == want.InView, "%d frames, want %d", frames, want.InView)
				for thread, scopes := range got {
					for scope, n := range scopes {
						if most := want.ByThread[thread][scope]; n > most && !strings.HasPrefix(scope, "scope#") {
							t.Errorf("%s: %d times %s, of %d", thread, n, scope, most)
						}
					}
				}
			case want.Spans != nil:
				testkit.That(t, maps.Equal(all, want.Spans) && main.NumFrames() == want.LoopFrames,
					"%v in %d frames, want %v in %d", all, main.NumFrames(), want.Spans, want.LoopFrames)
			default:
				testkit.That(t, maps.EqualFunc(got, want.ByThread, maps.Equal[map[string]int64, map[string]int64]),
					"%v\nwant %v", got, want.ByThread)
				testkit.That(t, main.NumFrames() == want.LoopFrames && frames == want.InView,
					"%d and %d frames, want %d and %d", main.NumFrames(), frames, want.LoopFrames, want.InView)
			}
			for _, loop := range want.Hitches {
				i, ok := main.FrameByNumber(loop + 1)
				if f := main.Frame(i); !ok || f.End-f.Begin < 30e6 {
					t.Errorf("frame %d, where the program's loop %d hitched, took %d ns", loop+1, loop, f.End-f.Begin)
				}
			}
		})
	}
}
