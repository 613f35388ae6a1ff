package profilelib

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// expected is what testdata/profilelib/expected.json tells of each capture: counted by another
// program that knows only the record layout.
type expected struct {
	Records, Stray int
	Kinds, Threads map[string]int
	Processors     []int
	Missing        int64
	Frames         int
	Names          map[string][2]int64 // count, ticks
}

// truth is what the recorded program noted itself.
type truth struct {
	Threads []struct {
		TID    uint32
		Role   string
		Scopes map[string]struct {
			Calls   int64
			TotalNs int64 `json:"total_ns"`
		}
		Events [][]any
	}
	Scopes map[string]struct {
		Calls   int64
		TotalNs int64 `json:"total_ns"`
	}
	Messages [][]any
	Frames   [][2]int64
}

const small = "../../testdata/profilelib"

var all = []string{"small-clean", "game-600f", "locks-waits-logs", "migrating", "restarts", "exhausted", "no-sysinfo", "layout-2013-01", "layout-2013-10", "layout-2014-03-72byte", "truncated"}

// capture returns the path of a capture; it skips the test when the capture is not there.
func capture(t testing.TB, name string) string {
	t.Helper()
	return recordings.File(t, recordings.ProfileLib, name+".prof")
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	return testkit.Must(os.ReadFile(path))(t)
}

func readJSON(t testing.TB, path string, to any) {
	t.Helper()
	testkit.OK(t, json.Unmarshal(readFile(t, path), to), path)
}

// sink hands everything to a session.
type sink struct{ feedtest.Into }

func newSink() *sink { return &sink{feedtest.Into{Session: store.NewSession()}} }

func (k *sink) lost(reason model.LossReason) (n int64) {
	for _, l := range k.Losses {
		if l.Reason == reason {
			n += l.N
		}
	}
	return n
}

// load reads a capture as a file.
func load(t testing.TB, path string, o Options) *sink {
	t.Helper()
	k := newSink()
	testkit.OK(t, Source{o}.OpenFile(context.Background(), path, k), path)
	return k
}

// sum is what there is of blocks.
type sum struct{ Count, Ns int64 }

// blocks sums the spans of a session by track title and name, and all tracks together.
func blocks(s *store.Session) (byTrack map[model.TrackID]map[string]sum, all map[string]sum) {
	byTrack, all = map[model.TrackID]map[string]sum{}, map[string]sum{}
	for i := range s.NumTracks() {
		id := model.TrackID(i)
		byTrack[id] = map[string]sum{}
		tr := s.Track(id)
		for lane := range tr.Lanes() {
			for _, b := range spansOf(s, id, lane) {
				_, c := s.Path(b.Path)
				name := s.Collector(c).Name
				v, w := byTrack[id][name], all[name]
				v.Count, v.Ns = v.Count+1, v.Ns+b.End-b.Begin
				w.Count, w.Ns = w.Count+1, w.Ns+b.End-b.Begin
				byTrack[id][name], all[name] = v, w
			}
		}
	}
	return byTrack, all
}

// spansOf returns the spans of a lane, one by one.
func spansOf(s *store.Session, track model.TrackID, lane int) []spans.Bar {
	begin, end, ok := s.Track(track).Bounds()
	if !ok {
		return nil
	}
	return s.Spans().Visible(track, lane, begin, end+1, 0, nil)
}

// mainOf returns the main thread of a session, nil where there is none.
func mainOf(s *store.Session) *store.Track {
	for _, tr := range feedtest.Tracks(s) {
		if tr.Title() == "main" {
			return tr
		}
	}
	return nil
}

func layoutOf(name string) Layout {
	l := Current
	switch {
	case strings.Contains(name, "2013-01"):
		l = V1
	case strings.Contains(name, "2013-10"):
		l = V2
	case strings.Contains(name, "72byte"):
		l = V3
	}
	return l
}

// known says which captures hold all that the program called: the truth and the stream agree in
// full.
func known(name string) bool { return name != "restarts" && name != "exhausted" && name != "truncated" }

func expectations(t testing.TB) map[string]expected {
	var want map[string]expected
	readJSON(t, filepath.Join(small, "expected.json"), &want)
	return want
}

func truthOf(t testing.TB, name string) (tr truth) {
	readJSON(t, strings.TrimSuffix(capture(t, name), ".prof")+".truth.json", &tr)
	return tr
}

// eachCapture runs a test for each capture with what others say of it.
func eachCapture(t *testing.T, test func(t *testing.T, name string, w expected, tr truth)) {
	want := expectations(t)
	for _, name := range all {
		t.Run(name, func(t *testing.T) { test(t, name, want[name+".prof"], truthOf(t, name)) })
	}
}

// TestBlocks compares the time and number of the blocks of each name, piece by piece, with what
// another program counted, and joined, with the calls that the recorded program made.
func TestBlocks(t *testing.T) {
	eachCapture(t, func(t *testing.T, name string, w expected, tr truth) {
		pieces := load(t, capture(t, name), Options{KeepPieces: true})
		byTrack, sums := blocks(pieces.Session)
		testkit.That(t, len(sums) == len(w.Names), "%d names, want %d", len(sums), len(w.Names))
		for n, x := range w.Names {
			testkit.That(t, sums[n] == (sum{x[0], x[1]}),
				"%q: %d blocks, %d ns; want %d, %d", n, sums[n].Count, sums[n].Ns, x[0], x[1])
		}
		for id, names := range byTrack {
			n := 0
			for _, x := range names {
				n += int(x.Count)
			}
			tid := fmt.Sprint(uint32(pieces.Session.Track(id).Def.Index))
			if name == "restarts" && tid == "31249" { // the library's thread, and those that it started later
				for _, more := range []string{"31270", "31288", "31289", "31298"} {
					w.Threads[tid] += w.Threads[more]
				}
			}
			testkit.That(t, n == w.Threads[tid], "thread %s: %d blocks, want %d", tid, n, w.Threads[tid])
		}
		told := strings.Contains(fmt.Sprint(pieces.Losses), fmt.Sprintf("%d bytes left over", w.Stray))
		testkit.That(t, told == (w.Stray > 0), "%d bytes are left over; %v", w.Stray, pieces.Losses)
		joined := load(t, capture(t, name), Options{})
		tracks, sums := blocks(joined.Session)
		room := layoutOf(name).NameSize() - 1
		if layoutOf(name) <= V3 {
			room-- // these versions cut names a byte earlier
		}
		for scope, x := range tr.Scopes {
			cut := scope[:min(len(scope), room)]
			got := sums[cut]
			switch {
			case known(name) && got.Count != x.Calls:
				t.Errorf("%q: %d calls, want %d", scope, got.Count, x.Calls)
			case got.Count > x.Calls || name != "restarts" && got.Ns > x.TotalNs:
				t.Errorf("%q: %d calls of %d ns, but the program made %d of %d ns", scope, got.Count, got.Ns, x.Calls, x.TotalNs)
			}
		}
		for _, th := range tr.Threads {
			for id, names := range tracks {
				if uint32(joined.Session.Track(id).Def.Index) != th.TID {
					continue
				}
				for scope, x := range th.Scopes {
					if got := names[scope[:min(len(scope), room)]]; known(name) && got.Count != x.Calls || got.Count > x.Calls {
						t.Errorf("thread %d %s, %q: %d calls, want %d", th.TID, th.Role, scope, got.Count, x.Calls)
					}
				}
			}
		}
	})
}

// TestMessages compares messages and steps of locks with what the program did.
func TestMessages(t *testing.T) {
	eachCapture(t, func(t *testing.T, name string, w expected, tr truth) {
		k := load(t, capture(t, name), Options{})
		got := map[string]int{}
		kinds := map[string]int{}
		var last int64
		for _, track := range feedtest.Tracks(k.Session) {
			for _, m := range k.Session.Messages().Of(track.Def.ID, minTime, maxTime, nil) {
				if m.Category != noteCategory {
					got["log "+m.Text]++
					kinds["log"]++
				}
			}
			last = minTime
			wait := false
			for _, e := range k.Session.Locks().Events(track.Def.ID, minTime, maxTime, nil) {
				word := [...]string{"trylock", "lock", "unlock", "wait", "signal", "woken"}[e.Kind]
				got[word+" "+k.Session.Collector(e.Lock).Name]++
				kinds[word]++
				testkit.That(t, e.Time >= last, "a step of a lock at %d came after one at %d", e.Time, last)
				last = e.Time
				testkit.That(t, !wait || e.Kind == model.LockWoken, "%s at %d while waiting", word, e.Time)
				wait = e.Kind == model.LockWait
			}
		}
		for _, kind := range []string{"log", "trylock", "lock", "unlock", "wait", "signal"} {
			testkit.That(t, kinds[kind] == w.Kinds[kind], "%d times %s, want %d", kinds[kind], kind, w.Kinds[kind])
		}
		testkit.That(t, kinds["woken"] <= kinds["wait"] && kinds["woken"] >= kinds["wait"]-2,
			"%d waits ended of %d", kinds["woken"], kinds["wait"])
		calls := 0
		for _, m := range tr.Messages {
			key, n := m[0].(string)+" "+strings.ToValidUTF8(m[1].(string), "�"), int(m[2].(float64))
			if m[1].(string) == "" && m[0] != "log" {
				key += "(no name)"
			}
			calls += n
			switch {
			case layoutOf(name) <= V2: // the library lost bytes of each piece
			case known(name) && got[key] != n:
				t.Errorf("%q: %d times, want %d", key, got[key], n)
			case got[key] > n:
				t.Errorf("%q: %d times, but there were %d", key, got[key], n)
			}
		}
		total := 0
		for key, n := range got {
			if !strings.HasPrefix(key, "woken ") {
				total += n
			}
		}
		testkit.That(t, !known(name) || total == calls, "%d messages, want %d", total, calls)
	})
}

// TestFrames compares frames with those of the program: numbers, and times to within the difference
// of the two clocks.
func TestFrames(t *testing.T) {
	eachCapture(t, func(t *testing.T, name string, w expected, tr truth) {
		k := load(t, capture(t, name), Options{})
		main := mainOf(k.Session)
		testkit.MustThat(t, main != nil && main.NumFrames() == w.Frames,
			"%d frames, want %d", main.NumFrames(), w.Frames)
		ends := map[int64]int64{}
		for _, f := range tr.Frames {
			ends[f[0]] = f[1]
		}
		var least, most int64 = maxTime, minTime
		for i := range main.NumFrames() {
			f := main.Frame(i)
			end, ok := ends[f.Number]
			testkit.MustThat(t, ok && f.Begin <= f.End,
				"frame %d, %d to %d, is none of the program's", f.Number, f.Begin, f.End)
			least, most = min(least, end-f.End), max(most, end-f.End)
			testkit.That(t, i <= 0 || f.Missing != 0 || name == "restarts" || f.Begin == main.Frame(i-1).End,
				"frame %d does not begin where the last one ended", f.Number)
			sum := int64(0)
			for _, a := range k.Session.Frames().Self(main.Def.ID, i, nil) {
				testkit.That(t, a.Ns >= 0, "frame %d: %d ns alone", f.Number, a.Ns)
				sum += a.Ns
			}
			testkit.That(t, sum <= f.End-f.Begin, "frame %d of %d ns has blocks of %d ns", f.Number, f.End-f.Begin, sum)
		}
		testkit.That(t, most-least <= 3e6, "the program's clock is %d to %d ns ahead", least, most)
		checkFrames(t, k.Session)
	})
}

// checkFrames demands that the exclusive times of the frames add up to the time of the blocks that
// lie in frames.
func checkFrames(t *testing.T, s *store.Session) {
	t.Helper()
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		if tr.NumFrames() == 0 || tr.Lanes() == 0 {
			continue
		}
		var inFrames, count int64
		for f := range tr.NumFrames() {
			for _, a := range s.Frames().Self(id, f, nil) {
				inFrames, count = inFrames+a.Ns, count+int64(a.Count)
			}
		}
		// Outermost blocks cover all others.
		var outer, spans int64
		for lane := range tr.Lanes() {
			for _, b := range spansOf(s, id, lane) {
				for f := max(tr.FrameAt(b.Begin), 0); lane == 0 && f < tr.NumFrames() && tr.Frame(f).Begin < b.End; f++ {
					outer += max(0, min(b.End, tr.Frame(f).End)-max(b.Begin, tr.Frame(f).Begin))
				}
				if f := tr.FrameAt(b.Begin); f >= 0 && b.Begin < tr.Frame(f).End {
					spans++
				}
			}
		}
		if inFrames != outer || count != spans {
			t.Errorf("%s: %d ns of %d blocks in its frames, but its rows have %d ns of %d", tr.Title(), inFrames, count, outer, spans)
		}
	}
}

// TestSmallClean compares each single duration with the program's own.
func TestSmallClean(t *testing.T) {
	tr := truthOf(t, "small-clean")
	k := load(t, capture(t, "small-clean"), Options{})
	compared := 0
	for _, th := range tr.Threads {
		for i := range k.Session.NumTracks() {
			id := model.TrackID(i)
			if uint32(k.Session.Track(id).Def.Index) != th.TID {
				continue
			}
			// The n-th block of a depth is the n-th of the program's there.
			next := map[int]int{}
			lanes := map[int][]spans.Bar{}
			for lane := range k.Session.Track(id).Lanes() {
				lanes[lane] = spansOf(k.Session, id, lane)
			}
			for _, e := range th.Events {
				if e[0] != "block" {
					continue
				}
				depth := int(e[5].(float64))
				bar := lanes[depth][next[depth]]
				next[depth]++
				_, c := k.Session.Path(bar.Path)
				if name := e[1].(string); k.Session.Collector(c).Name != name[:min(len(name), 25)] {
					t.Fatalf("thread %d: %q where %q should be", th.TID, k.Session.Collector(c).Name, name)
				}
				diff := int64(e[3].(float64)-e[2].(float64)) - (bar.End - bar.Begin)
				if diff < 150 || diff > 20000 { // 0.2 µs, rounded
					t.Errorf("thread %d, %v: %d ns shorter than the program's", th.TID, e, diff)
				}
				compared++
			}
		}
	}
	testkit.MustThat(t, compared == 1731, "%d durations compared, want 1731", compared)
	reason, over := k.Session.Ended()
	testkit.That(t, over && reason == "end of file", "ended %v: %q", over, reason)
	info := k.Session.Info()
	testkit.That(t, info.Source == "profilelib" && info.Clock.StepNs == 1 && info.File, "info %+v", info)
}

// TestProcessors demands a band of processors for each thread, with only those that the records
// name.
func TestProcessors(t *testing.T) {
	k := load(t, capture(t, "migrating"), Options{})
	moves := 0
	for i := range k.Session.Series().Len() {
		s := k.Session.Series().ByID(model.SeriesID(i))
		testkit.That(t, s.Def.Role == model.RoleProcessor && s.Def.Kind == model.SeriesState &&
			s.Def.Track != model.NoTrack, "series %+v", s.Def)
		last := math.NaN()
		for _, x := range s.Samples(minTime, maxTime, 0, nil) {
			testkit.That(t, (x.Value == 0 || x.Value == 1) && x.Value != last,
				"%s: processor %v after %v", s.Def.Name, x.Value, last)
			last = x.Value
			moves++
		}
	}
	testkit.That(t, k.Session.Series().Len() == 6 && moves >= 100, "%d series, %d moves", k.Session.Series().Len(), moves)
}
