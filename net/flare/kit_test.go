package flare

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/trace"
)

func TestMain(m *testing.M) { os.Exit(flaretest.Main(m)) }

// sink hands everything to a session at once.
type sink struct {
	mu sync.Mutex
	s  *store.Session
	b  model.Batch
}

func newSink() *sink { return &sink{s: store.NewSession()} }

func (k *sink) Define(c model.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Apply(c)
}
func (k *sink) Begin() *model.Batch { k.b.Reset(); return &k.b }
func (k *sink) Publish(b *model.Batch) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Append(b)
	return true
}
func (k *sink) Progress(done, total int64) {}

// find returns the path of a file or folder of the captures, unpacked.
func find(t testing.TB, pattern string) string {
	t.Helper()
	return flaretest.Find(t, flaretest.Captures(t), pattern)
}

func capture(t testing.TB, name string) []byte {
	t.Helper()
	return testkit.Must(os.ReadFile(find(t, name)))(t)
}

// readDir reads a folder as a recording.
func readDir(t testing.TB, dir string) *Recording {
	t.Helper()
	return testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
}

// openDir reads a folder as a session.
func openDir(t testing.TB, dir string) *store.Session {
	t.Helper()
	k := newSink()
	testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, k))
	return k.s
}

// minutes are the two captures of a minute.
var minutes = []string{"constructed-60s/127*", "recorded-60s/127*"}

// truths are the folders of the captures with what their truth files say.
var truths = map[string]string{
	minutes[0]:                 "constructed-60s/truth.json",
	minutes[1]:                 "recorded-60s/truth.json",
	"constructed-roll/*200654": "constructed-roll/truth-1-*.json",
	"constructed-roll/*200657": "constructed-roll/truth-2-*.json",
}

// truth is what the truth file of a folder says.
type truth struct {
	Info struct {
		Interval    int64 `json:"sample_interval"`
		RecordStart int64 `json:"record_start_time"`
	} `json:"sample_info"`
	Threads map[int64]truthThread
}

type truthThread struct {
	Name    string
	Samples int
	First   int64 `json:"first_sample_time"`
	Last    int64 `json:"last_sample_time"`
	CPU     int64 `json:"cpu_time_delta_sum_us"`
	Methods []struct {
		ID        MethodID
		Name      string
		Inclusive int64 `json:"inclusive_ms"`
		Self      int64 `json:"self_ms"`
		Samples   int64
	}
	Series struct {
		Begin     int64   `json:"begin_time"`
		Step      int64   `json:"unit_time_ms"`
		Steps     int     `json:"values"`
		Total     int64   `json:"sum_us"`
		PerSecond []int64 `json:"per_second_us"`
	}
	Collapsed []struct {
		Stack string
		Ms    int64
	} `json:"collapsed_top"`
}

// eachTruth runs a test for each folder of the captures.
func eachTruth(t *testing.T, f func(t *testing.T, dir string, want truth)) {
	captures := flaretest.Captures(t)
	for dir, file := range truths {
		t.Run(filepath.Dir(dir), func(t *testing.T) {
			data := testkit.Must(os.ReadFile(flaretest.Find(t, captures, file)))(t)
			var want truth
			testkit.OK(t, json.Unmarshal(data, &want))
			f(t, flaretest.Find(t, captures, dir), want)
		})
	}
}

// eachTrack runs a test for each thread of two recordings and its track in the session.
func eachTrack(t *testing.T, f func(t *testing.T, rec *Recording, th *Thread, s *store.Session, track *store.Track)) {
	captures := flaretest.Captures(t)
	for _, pattern := range minutes {
		dir := flaretest.Find(t, captures, pattern)
		rec, s, n := readDir(t, dir), openDir(t, dir), 0
		for _, track := range feedtest.Tracks(s) {
			if th := rec.Thread(int64(track.Def.Index)); th != nil && len(th.Records) > 1 {
				f(t, rec, th, s, track)
				n++
			}
		}
		testkit.That(t, n >= 3, "%s: only %d threads were looked at", dir, n)
	}
}

// trackOf returns the track of a thread, nil where there is none.
func trackOf(s *store.Session, thread int64) *store.Track {
	for _, t := range feedtest.Tracks(s) {
		if int64(t.Def.Index) == thread {
			return t
		}
	}
	return nil
}

// methodName is the full name of a method's collector.
func methodName(s *store.Session, c model.CollectorID) string {
	d := s.Collector(c)
	if d.Parent != trace.Root {
		return s.Collector(d.Parent).Name + "." + d.Name
	}
	return d.Name
}

// timed is a sample with its thread.
type timed struct {
	*Thread
	x Record
}

// inTime lists all samples of a recording in order of time.
func inTime(rec *Recording) (all []timed) {
	for _, th := range rec.Threads {
		for _, x := range th.Records {
			all = append(all, timed{th, x})
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return int(a.x.TimeMs - b.x.TimeMs) })
	return all
}

// openInPieces plays a folder as an agent would send it: all threads' samples in order of time,
// names late, with a flush after every n samples.
func openInPieces(t testing.TB, dir string, n int) *store.Session {
	rec := readDir(t, dir)
	all, to := inTime(rec), newSink()
	m := NewMapper(to, model.Info{}, all[0].x.TimeMs)
	for _, th := range inOrder(rec.Threads) { // tracks in the same order as when a folder is read
		if len(th.Records) > 0 {
			m.thread(th.ID, th.Name)
		}
	}
	for i, x := range all {
		m.Sample(x.ID, x.Name, x.x)
		if i == len(all)/2 {
			for _, id := range slices.Sorted(maps.Keys(rec.Methods)) {
				m.Method(id, rec.Methods[id])
			}
		}
		if i%n == 0 {
			m.Flush()
		}
	}
	m.Close("end")
	return to.s
}

// sum is what a plain count over the records gives a path or a method.
type sum struct{ Ms, Calls int64 }

// total returns the sum of all steps in µs.
func total(s *Series) (us int64) {
	for _, v := range s.Values {
		us += v
	}
	return us
}
