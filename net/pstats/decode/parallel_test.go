package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// content is what a sink was told, in a form that does not depend on the order in which threads
// were decoded.
type content struct {
	Tracks map[string]model.TrackDef
	Frames map[string][]string // in words, taken-back ones removed
	Losses []string
	End    string

	numbers map[string][]int64
	keys    map[model.TrackID]string // thread index and the how manieth of it: a thread that is used again inside a file has a track whose id depends on when it is decoded
	paths   map[model.PathID]string
	batch   model.Batch
	open    atomic.Int32 // goroutines that use the sink
	stopAt  int          // batch that is refused, 0 none
	count   int
	misused bool
}

var _ feed.Sink = (*content)(nil)

func newContent() *content {
	return &content{Tracks: map[string]model.TrackDef{}, Frames: map[string][]string{}, numbers: map[string][]int64{}, keys: map[model.TrackID]string{model.NoTrack: "none"},
		paths: map[model.PathID]string{0: ""}}
}

func (c *content) enter() func() {
	if c.open.Add(1) != 1 {
		c.misused = true
	}
	return func() { c.open.Add(-1) }
}

func (c *content) Define(ch model.Change) {
	defer c.enter()()
	switch ch := ch.(type) {
	case model.TrackDef:
		if _, ok := c.keys[ch.ID]; !ok {
			n := 1
			for c.Tracks[fmt.Sprintf("%d.%d", ch.Index, n)] != (model.TrackDef{}) {
				n++
			}
			c.keys[ch.ID] = fmt.Sprintf("%d.%d", ch.Index, n)
		}
		key := c.keys[ch.ID]
		ch.ID = 1 // not the zero value
		c.Tracks[key] = ch
	case model.PathDef:
		if int(ch.ID) != len(c.paths) {
			panic(fmt.Sprintf("call path %d comes after %d", ch.ID, len(c.paths)-1))
		}
		c.paths[ch.ID] = fmt.Sprintf("%s/%d", c.paths[ch.Parent], ch.Collector)
	case model.Loss:
		c.Losses = append(c.Losses, fmt.Sprintf("%v of track %s: %d %s", ch.Reason, c.keys[ch.Track], ch.N, ch.Detail))
	case model.End:
		c.End = ch.Reason
		slices.Sort(c.Losses)
	}
}

func (c *content) Begin() *model.Batch { c.batch.Reset(); return &c.batch }

func (c *content) Publish(b *model.Batch) bool {
	defer c.enter()()
	if b != &c.batch {
		panic("not the batch that Begin gave")
	}
	if c.count++; c.count == c.stopAt {
		return false
	}
	key, ok := c.keys[b.Track]
	if !ok {
		panic("a batch of a track that is not defined")
	}
	if b.Rewind {
		k, _ := slices.BinarySearch(c.numbers[key], b.Number)
		c.numbers[key], c.Frames[key] = c.numbers[key][:k], c.Frames[key][:k]
	}
	var s strings.Builder
	fmt.Fprintln(&s, b.Number, b.Begin, b.End, b.Self, b.Levels)
	for _, sp := range b.Spans {
		path, ok := c.paths[sp.Path]
		if !ok {
			panic("a span of a call path that is not defined")
		}
		fmt.Fprintln(&s, sp.Begin, sp.End, path, sp.Lane, sp.Flags)
	}
	c.numbers[key] = append(c.numbers[key], b.Number)
	c.Frames[key] = append(c.Frames[key], s.String())
	return true
}

func (c *content) Progress(done, total int64) {
	defer c.enter()()
	if done > total {
		panic("more done than there is")
	}
}

// compareWorkers opens a file with different numbers of workers, 0, 1, 2 and 5 unless others are given, and
// wants the same from all.
func compareWorkers(t *testing.T, name string, data []byte, counts ...int) *content {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.WriteFile(path, data, 0o600))
	var first *content
	var firstErr error
	if counts == nil || testkit.Long {
		counts = []int{0, 1, 2, 5}
	}
	for _, workers := range counts {
		c := newContent()
		least := int64(0)
		if workers == 0 {
			least = 1 << 40
		}
		err := openFile(context.Background(), path, c, workers, least)
		testkit.MustThat(t, !c.misused, "%s: several goroutines used the sink at a time", name)
		if first == nil {
			first, firstErr = c, err
			continue
		}
		testkit.That(t, fmt.Sprint(err) == fmt.Sprint(firstErr),
			"%s, %d workers: error %v, want %v", name, workers, err, firstErr)
		diff := compareContent(first, c)
		testkit.MustThat(t, diff == "", "%s, %d workers (- one thread after another):\n%.4000s", name, workers, diff)
	}
	return first
}

// madeSession returns a session of threads with nested and overlapping frames, written by the
// journal's code; edit may change it.
func madeSession(t testing.TB, threads int, edit func(thread int, f *pstats.Frame)) []byte {
	raw := sessionfile.NewRaw()
	raw.Hello(pstats.ClientHello{Host: "here", Program: "made", PID: 1})
	raw.Collectors([]pstats.CollectorDef{{Index: 0, Name: "Frame"}, {Index: 1, Name: "App"}, {Index: 2, Name: "Cull"}, {Index: 3, Name: "Draw"}, {Index: 4, Name: "Wait", Parent: 1}, {Index: 5, Name: "Many"}})
	for thread := range threads {
		if thread%3 != 2 {
			raw.Threads(thread, []string{fmt.Sprintf("Thread %c", 'A'+thread)})
		}
		sec := float32(thread)
		for n := range 20 + 10*thread {
			f := &pstats.Frame{Thread: uint16(thread), Number: uint32(n + n/7)}
			event := func(word uint16) {
				f.Events = append(f.Events, pstats.Event{Word: word, Time: sec})
				sec += 1.0 / 512
			}
			event(0)
			for k := range 3 + n%4 {
				c := uint16(1 + (k+thread)%5)
				event(c)
				event(4)
				if n%5 == 3 { // overlap
					event(c | pstats.StopBit)
					event(4 | pstats.StopBit)
				} else {
					event(4 | pstats.StopBit)
					event(c | pstats.StopBit)
				}
			}
			if n%6 == 5 {
				event(uint16(3 + thread%3)) // goes on
			}
			event(pstats.StopBit)
			f.Levels = append(f.Levels, pstats.Level{Collector: 5, Value: float32(n)})
			if edit != nil {
				edit(thread, f)
			}
			raw.Frame(f, 0)
		}
	}
	return pstatstest.Written(t, raw.WriteSession)
}

func TestWorkersChangeNothing(t *testing.T) {
	c := compareWorkers(t, "made", madeSession(t, 7, nil))
	testkit.That(t, len(c.Tracks) == 7 && len(c.Frames["6.1"]) == 80 && c.End == "end of file",
		"%d tracks, %d frames of the last, end %q", len(c.Tracks), len(c.Frames["6.1"]), c.End)
	for i := range model.TrackID(7) {
		testkit.That(t, c.keys[i] == fmt.Sprintf("%d.1", i), "track %d is thread %s", i, c.keys[i])
	}
}

func TestWorkersOnRecordings(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/pstats/*.pstats")
	testkit.MustThat(t, err == nil && len(files) != 0, "no recordings %v", err)
	for _, file := range files {
		data := testkit.Must(os.ReadFile(file))(t)
		compareWorkers(t, filepath.Base(file), data)
	}
	compareWorkers(t, "constructed", pstatstest.Constructed(t))
}

func TestWorkersWithOddThreads(t *testing.T) {
	// Bad values, which are lost, and events with impossible times in the main thread too.
	nan := float32(0)
	nan /= nan
	compareWorkers(t, "values", madeSession(t, 5, func(thread int, f *pstats.Frame) {
		if f.Number%3 == 0 {
			f.Levels[0].Value = nan
			f.Events[0].Time, f.Events[2].Time = -1, nan
			f.Events[len(f.Events)-1].Time = 3e9
		}
	}))
	// A GPU of an old client, whose clock has another epoch.
	data := madeSession(t, 5, func(thread int, f *pstats.Frame) {
		if thread == 3 {
			for i := range f.Events {
				f.Events[i].Time += 5000
			}
		}
	})
	c := compareWorkers(t, "epoch", bytes.Replace(data, []byte("Thread D"), []byte("GeForce "), 1))
	if gpu := c.Tracks["3.1"]; gpu.ShiftNs > -4990e9 || gpu.ShiftNs < -5010e9 || gpu.Kind != model.TrackGPU || c.Tracks["1.1"].ShiftNs != 0 {
		t.Errorf("own clocks are not found: %+v", c.Tracks)
	}
}

// TestWorkersOnDisorder exchanges frame numbers in the file, and thread indices, so that frames are
// late, repeated, or begin anew, and threads come in pieces.
func TestWorkersOnDisorder(t *testing.T) {
	data := madeSession(t, 6, nil)
	swap := func(name string, from, to []byte, n int) {
		changed := bytes.Replace(data, from, to, n)
		testkit.MustThat(t, !bytes.Equal(changed, data), "%s: nothing to change", name)
		compareWorkers(t, name, changed, 0, 2)
	}
	number := func(n byte) []byte { return []byte{n, 0, 0, 0, 12, 0, 0, 0, 0, 0} } // of a frame with 12 or more events: begins with Frame
	for i, n := range []byte{2, 9, 13, 3, 21}[:testkit.Rounds(3, 5)] {
		at := number(n)
		count := -1
		for events := byte(8); events < 40 && count < 0; events++ {
			at[4] = events
			if bytes.Contains(data, at) {
				count = int(events)
			}
		}
		if count < 0 {
			continue
		}
		for _, other := range []byte{0, 1, n - 1, n + 5, 200} {
			to := slices.Clone(at)
			to[0] = other
			swap(fmt.Sprintf("number %d.%d %d", i, n, other), at, to, 1)
			swap(fmt.Sprintf("numbers %d.%d %d", i, n, other), at, to, -1)
		}
	}
	for _, to := range []byte{0, 1, 3} {
		swap(fmt.Sprintf("thread 4 is %d", to), append([]byte{4, 0, 8, 0}, "Thread E"...), append([]byte{to, 0, 8, 0}, "Thread E"...), 1)
		swap(fmt.Sprintf("thread 4 is %d, same name", to), append([]byte{4, 0, 8, 0}, "Thread E"...), append([]byte{to, 0, 8, 0}, fmt.Sprintf("Thread %c", 'A'+to)...), 1)
	}
}

func TestWorkersOnBrokenFiles(t *testing.T) {
	data := madeSession(t, 4, nil)
	for at := 8; at < len(data); at += testkit.Rounds(1487, 487) {
		compareWorkers(t, fmt.Sprintf("cut at %d", at), data[:at], 0, 2)
	}
	for at := 20; at < len(data)-4; at += testkit.Rounds(1499, 499) {
		broken := slices.Clone(data)
		copy(broken[at:], "\xff\xff\xff\x7f")
		compareWorkers(t, fmt.Sprintf("broken at %d", at), broken, 0, 2)
	}
	for at := 20; at < len(data)-400; at += 1999 {
		hole := slices.Clone(data)
		clear(hole[at : at+400])
		c := compareWorkers(t, fmt.Sprintf("NULs at %d", at), hole, 0, 2)
		if !slices.ContainsFunc(c.Losses, func(l string) bool { return strings.Contains(l, "NULs in place of data") }) {
			t.Errorf("NULs at %d: lost %q", at, c.Losses)
		}
	}
}

func TestWorkersStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made")
	testkit.OK(t, os.WriteFile(path, madeSession(t, 6, nil), 0o600))
	for _, workers := range []int{1, 3} {
		for _, stopAt := range []int{1, 2, 50, 200} {
			c := newContent()
			c.stopAt = stopAt
			if err := openFile(context.Background(), path, c, workers, 0); err != nil || c.End != "loading was cancelled" {
				t.Errorf("%d workers, refused at batch %d: error %v, end %q", workers, stopAt, err, c.End)
			}
			testkit.That(t, c.count == stopAt,
				"%d workers published %d batches after batch %d was refused", workers, c.count-stopAt, stopAt)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		c := newContent()
		if err := openFile(ctx, path, c, workers, 0); err != context.Canceled || c.End != "loading was cancelled" {
			t.Errorf("%d workers, context done: error %v, end %q", workers, err, c.End)
		}
	}
}

// compareContent returns what differs, apart from what only the test uses.
func compareContent(want, got *content) string {
	return cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { s := p.Last().String(); return s != "" && s[0] == '.' && s[1] >= 'a' }, cmp.Ignore()))
}

func FuzzWorkers(f *testing.F) {
	f.Add(pstatstest.Constructed(f))
	f.Add(madeSession(f, 4, nil))
	f.Add(pstatstest.Bytes(f, "fragmented.pstats"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !sessionfile.Sniff(data) {
			return
		}
		one, many := newContent(), newContent()
		d := New(one, Options{File: true})
		_, wantErr := sessionfile.Read(bytes.NewReader(data), "fuzz", int64(len(data)), d, nil)
		d.Close("done")
		shared := &sharedSink{sink: many}
		d = New(shared, Options{File: true})
		err := readParallel(bytes.NewReader(data), "fuzz", int64(len(data)), d, shared, nil, 2)
		d.Close("done")
		testkit.MustThat(t, fmt.Sprint(err) == fmt.Sprint(wantErr), "error %v, want %v", err, wantErr)
		testkit.MustEqual(t, compareContent(one, many), "", "(- one thread after another):\n")
	})
}

// TestOpenFile checks what a sink gets in the end: an End always, a loss for a cut, nothing more
// after cancelling.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	data := pstatstest.Bytes(t, "nested.pstats")
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		testkit.OK(t, os.WriteFile(path, data, 0o644))
		return path
	}
	last := func(s *pstatstest.Sink) string {
		end, ok := s.Changes[len(s.Changes)-1].(model.End)
		testkit.MustThat(t, ok, "the last change is %#v", s.Changes[len(s.Changes)-1])
		return end.Reason
	}
	registry := feed.Registry{Source{}}

	s := &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("whole", data), s); err != nil || last(s) != "end of file" || s.Count != 200 {
		t.Errorf("whole: %v, %q, %d frames", err, last(s), s.Count)
	}
	s = &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("cut", data[:len(data)/2]), s); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(last(s), "cut off") || s.Count == 0 || s.Losses()[model.LossTruncated] != 1 {
		t.Errorf("cut: %v, %q, %d frames, losses %v", err, last(s), s.Count, s.Losses())
	}
	broken := bytes.Clone(data)
	copy(broken[len(broken)/2:], bytes.Repeat([]byte{0xee}, 100))
	s = &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("broken", broken), s); err == nil || s.Count == 0 || s.Losses()[model.LossMalformed] == 0 {
		t.Errorf("broken: %v, %q, %d frames, losses %v", err, last(s), s.Count, s.Losses())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = &pstatstest.Sink{}
	if err := registry.Open(ctx, write("again", data), s); !errors.Is(err, context.Canceled) || s.Count > 1 || !strings.Contains(last(s), "cancelled") {
		t.Errorf("cancelled: %v, %q, %d frames", err, last(s), s.Count)
	}
	err := (Source{}).OpenFile(context.Background(), filepath.Join(dir, "none"), &pstatstest.Sink{})
	testkit.That(t, errors.Is(err, os.ErrNotExist), "no file: %v", err)
}

// One damaged number in a file makes no gap of two thousand million frames; a real jump stays.
func TestAWildNumberInAFile(t *testing.T) {
	const all = 20 // frames of the first thread
	for _, real := range []bool{false, true} {
		data := madeSession(t, 2, func(thread int, f *pstats.Frame) {
			if thread == 0 && (f.Number == 9 || real && f.Number > 9) {
				f.Number += 2_000_000_000
			}
		})
		if !real { // the writer sorts by number: put the wild frame back to where it was
			data = wildInPlace(t)
		}
		c := compareWorkers(t, fmt.Sprintf("real=%v", real), data)
		want, losses := all, 0
		if !real {
			want, losses = all-1, 1
		}
		testkit.That(t, len(c.Frames["0.1"]) == want && len(c.Losses) == losses,
			"real=%v: %d frames, losses %q", real, len(c.Frames["0.1"]), c.Losses)
	}
}

// lossSink keeps what is told of losses.
type lossSink struct {
	*pstatstest.Sink
	losses []model.Loss
}

func (k *lossSink) Define(c model.Change) {
	if l, ok := c.(model.Loss); ok {
		k.losses = append(k.losses, l)
	}
	k.Sink.Define(c)
}

// Numbers of a file that can't be are losses of the file, of a live program those of its thread.
func TestImpossibleLevels(t *testing.T) {
	frame := &pstats.Frame{Levels: []pstats.Level{{Collector: 1, Value: -1.7e38}}}
	for _, file := range []bool{false, true} {
		k := &lossSink{Sink: &pstatstest.Sink{Session: store.NewSession()}}
		d := New(k, Options{File: file})
		d.Frame(frame, 0)
		d.Close("")
		testkit.That(t, len(k.losses) == 1 && k.losses[0].Reason == model.LossMalformed &&
			(k.losses[0].Track == model.NoTrack) == file, "file=%v: %+v", file, k.losses)
	}
}

// wildInPlace is a made session whose first thread has a frame in the middle with a damaged number.
func wildInPlace(t *testing.T) []byte {
	data := madeSession(t, 2, nil)
	raw, _, err := pstatstest.ReadRaw(data)
	testkit.OK(t, err)
	frame := pstats.AppendFrame(nil, sessionfile.FrameVersion, raw.FrameOf(0, 9))[3:]
	at := bytes.Index(data, frame)
	testkit.MustThat(t, at >= 0, "the frame is not in the file")
	binary.LittleEndian.PutUint32(data[at:], math.MaxInt32)
	return data
}
