package gsttrace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// capturePath returns the path of a capture. The test is skipped where it is absent.
func capturePath(t testing.TB, name string) string {
	t.Helper()
	return recordings.File(t, recordings.GStreamer, name+".log")
}

// captureText is the text of a capture.
func captureText(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name+".log")
}

// loaded holds the sessions that load has read.
var loaded = map[string]*store.Session{}

// load returns the session of a capture, read as a file once for all tests: they only ask it.
func load(t testing.TB, name string) *store.Session {
	t.Helper()
	if s := loaded[name]; s != nil {
		return s
	}
	d := &feedtest.Into{Session: store.NewSession()}
	testkit.OK(t, (Source{}).OpenFile(t.Context(), capturePath(t, name), d))
	testkit.That(t, d.Ends == 1, "%s: %d ends", name, d.Ends)
	loaded[name] = d.Session
	return d.Session
}

// decode reads a text in one piece.
func decode(text []byte) *store.Session {
	d := &feedtest.Into{Session: store.NewSession()}
	dec := NewDecoder(d, Options{Peer: "test", File: true})
	dec.Write(text)
	dec.Close("end")
	return d.Session
}

// samples is how many samples the series of a group have that pass.
func samples(s *store.Session, group string, pass func(*spans.Series) bool) (n int64) {
	for _, x := range allSeries(s) {
		if x.Def.Group == group && (pass == nil || pass(x)) {
			n += x.Len()
		}
	}
	return n
}

func seriesNamed(t testing.TB, s *store.Session, group, name string) *spans.Series {
	t.Helper()
	for _, x := range allSeries(s) {
		if x.Def.Group == group && x.Def.Name == name {
			return x
		}
	}
	t.Fatalf("no series %q in group %q", name, group)
	return nil
}

func trackNamed(t testing.TB, s *store.Session, name string) *store.Track {
	t.Helper()
	for _, x := range feedtest.Tracks(s) {
		if x.Title() == name {
			return x
		}
	}
	t.Fatalf("no track %q; choose one of %q", name, trackNames(s))
	return nil
}

func trackNames(s *store.Session) (names []string) {
	for id := range s.NumTracks() {
		names = append(names, s.Track(model.TrackID(id)).Title())
	}
	return names
}

// spansBelow counts the spans whose outermost collector's group is group.
func spansBelow(s *store.Session, group string) (n int) {
	for id := range s.NumTracks() {
		for _, x := range spansOf(s, model.TrackID(id)) {
			if inGroup(s, x.Path, group) {
				n++
			}
		}
	}
	return n
}

func inGroup(s *store.Session, path model.PathID, group string) bool {
	_, c := s.Path(path)
	return s.Collector(s.Collector(c).Parent).Name == group
}

func messages(s *store.Session, category string) (out []model.Message) {
	for id := range s.NumTracks() {
		for _, m := range s.Messages().Of(model.TrackID(id), -1<<60, 1<<60, nil) {
			if m.Category == category {
				out = append(out, m)
			}
		}
	}
	return out
}

func lossOf(s *store.Session, reason model.LossReason) int64 {
	n, _ := s.Losses()
	return n[reason]
}

func has(list []string, sub string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, sub) })
}

// allSeries lists the series of a session.
func allSeries(s *store.Session) (all []*spans.Series) {
	for id := range s.Series().Len() {
		all = append(all, s.Series().ByID(model.SeriesID(id)))
	}
	return all
}

func spansOf(s *store.Session, id model.TrackID) (out []spans.Bar) {
	for lane := range s.Track(id).Lanes() {
		for _, b := range s.Spans().Visible(id, lane, -1<<60, 1<<60, 0, nil) {
			b.Ref.Index = 0
			out = append(out, b)
		}
	}
	return out
}

// TestIdlePublishesWhatIsComplete: nothing waits for a batch to be full.
func TestIdlePublishesWhatIsComplete(t *testing.T) {
	text := captureText(t, "latency-pipeline-only")
	d := &feedtest.Into{Session: store.NewSession()}
	dec := NewDecoder(d, Options{})
	dec.Write(text)
	dec.Idle()
	n := trackNamed(t, d.Session, "audiotestsrc0.src → fakesink0.sink").NumSpans()
	testkit.That(t, n >= 59, "%d spans after the first Idle", n)
	dec.Idle()
	testkit.Equal(t, samples(d.Session, "latency", nil), 60, "samples after silence")
	_, ended := d.Session.Ended()
	testkit.That(t, !ended, "the session has ended")
	dec.Close("gone")
	dec.Close("twice")
	reason, ended := d.Session.Ended()
	testkit.That(t, ended && reason == "gone" && d.Ends == 1, "ended %v %q, %d times", ended, reason, d.Ends)
}

func TestCancelled(t *testing.T) {
	text := captureText(t, "all-audio-chain")
	d := &feedtest.Into{Session: store.NewSession(), StopAt: 3}
	dec := NewDecoder(d, Options{})
	var err error
	for at := 0; at < len(text) && err == nil; at += 4096 {
		_, err = dec.Write(text[at:min(at+4096, len(text))])
		dec.Idle()
	}
	testkit.That(t, err == feed.ErrCancelled && dec.out.cancelled, "error %v", err)
	dec.Close("cancelled")
	testkit.That(t, d.Ends == 1, "%d ends", d.Ends)
}

// TestLiveLogsShowWhileTheyGrow: a log that never falls silent is published all the same, every 30
// ms.
func TestLiveLogsShowWhileTheyGrow(t *testing.T) {
	text := captureText(t, "latency-pipeline-only")
	d := &feedtest.Into{Session: store.NewSession()}
	dec, ok := Source{}.NewStream(d, feed.StreamOptions{Name: "pipe", Program: "player"}).(*Decoder)
	testkit.MustThat(t, ok, "not a decoder")
	clock := time.Unix(1, 0)
	dec.now = func() time.Time { return clock }
	for at := 0; at < len(text); at += 100 {
		clock = clock.Add(time.Millisecond)
		dec.Write(text[at:min(at+100, len(text))])
	}
	want := len(text) / 100 / 30
	testkit.That(t, d.Batches >= want && d.Batches <= 8*want, "%d batches in %d ms", d.Batches, len(text)/100)
	n := trackNamed(t, d.Session, "audiotestsrc0.src → fakesink0.sink").NumSpans()
	testkit.That(t, n >= 50, "%d spans", n)
	i := d.Session.Info()
	testkit.That(t, i.Program == "player" && i.Peer == "pipe" && !i.File, "info %+v", i)
}

// TestNoAllocationInSteadyState: records of known kinds and places allocate nothing.
func TestNoAllocationInSteadyState(t *testing.T) {
	text := ""
	for i := range 50 {
		ns := int64(1000 * (i + 1))
		text += record(ns, "thread-rusage, thread-id=(guint64)4096, ts=(guint64)900, average-cpuload=(uint)696, current-cpuload=(uint)696, time=(guint64)11378821") +
			record(ns, "proc-rusage, process-id=(guint64)7000, ts=(guint64)900, average-cpuload=(uint)696, current-cpuload=(uint)696, time=(guint64)11378821") +
			record(ns, "latency, src-element-id=(string)0x1, src-element=(string)a, src=(string)src, sink-element-id=(string)0x2, sink-element=(string)b, sink=(string)sink, time=(guint64)10, ts=(guint64)900") +
			record(ns, "element-latency, element-id=(string)0x3, element=(string)q, src=(string)src, time=(guint64)10, ts=(guint64)900") +
			record(ns, "event, thread-id=(guint64)4096, ts=(guint64)900, pad-ix=(uint)1, element-ix=(uint)1, name=(string)eos") +
			record(ns, "buffer, thread-id=(guint64)4096, ts=(guint64)900, pad-ix=(uint)1, element-ix=(uint)1, peer-pad-ix=(uint)2, peer-element-ix=(uint)2, buffer-size=(uint)7, have-buffer-pts=(boolean)1, buffer-pts=(guint64)0, have-buffer-dts=(boolean)0, buffer-dts=(guint64)18446744073709551615, have-buffer-duration=(boolean)1, buffer-duration=(guint64)5, buffer-flags=(GstBufferFlags)64")
	}
	dec := NewDecoder(&tracetest.Nowhere{}, Options{File: true})
	for range 300 {
		dec.Write([]byte(text))
	}
	before := dec.reader.Counts()
	testkit.MustThat(t, before.Unreadable == 0 && before.Records == 300*50*6, "%+v", before)
	data := []byte(text)
	n := testing.AllocsPerRun(50, func() { dec.Write(data) })
	testkit.That(t, n <= 1, "%v allocations for 300 records", n)
}

// levelOf returns the series of a queue's level.
func levelOf(t *testing.T, s *store.Session, queue, what string) *spans.Series {
	t.Helper()
	return seriesNamed(t, s, "queue level "+what, queue)
}

// A queue holds what went in less what came out, at any time: as many buffers as flows over its
// pads say, and in the middle between two of them as many as the latency tracer says are in it.
func TestQueueLevels(t *testing.T) {
	s := load(t, "medium-av")
	for _, queue := range []string{"queue0", "queue1", "queue2"} {
		type flow struct {
			at       int64
			n, bytes float64
		}
		var flows []flow
		var element model.ObjectID
		for _, l := range s.Topology().Links() {
			for i, pad := range [...]model.ObjectID{l.From, l.To} {
				o, _ := s.Topology().Object(pad)
				q, _ := s.Topology().Object(o.Parent)
				if q.Name != queue {
					continue
				}
				element = q.ID
				for _, v := range s.Series().ByID(l.Flow).Samples(-1<<60, 1<<60, 0, nil) {
					sign := float64(2*i - 1)
					flows = append(flows, flow{at: v.Time, n: sign, bytes: sign * v.Value})
				}
			}
		}
		slices.SortStableFunc(flows, func(a, b flow) int { return int(a.at - b.at) })
		buffers, bytes := levelOf(t, s, queue, "buffers"), levelOf(t, s, queue, "bytes")
		testkit.MustThat(t, buffers.Def.Object == element && buffers.Len() == int64(len(flows)),
			"%s: %d levels for %d flows, %+v", queue, buffers.Len(), len(flows), buffers.Def)
		n, b := 0.0, 0.0
		levels, sizes := values(buffers), values(bytes)
		inside := trackNamed(t, s, queue)
		for i, f := range flows {
			n, b = n+f.n, b+f.bytes
			testkit.MustThat(t, levels[i] == n && sizes[i] == b && n >= 0 && b >= 0,
				"%s: at %d %v buffers and %v bytes, want %v and %v", queue, f.at, levels[i], sizes[i], n, b)
			if i+1 == len(flows) || flows[i+1].at-f.at < 2 {
				continue
			}
			spans, mid := 0, (f.at+flows[i+1].at)/2
			for lane := range inside.Lanes() {
				if _, ok := s.Spans().At(inside.Def.ID, lane, mid, 0); ok {
					spans++
				}
			}
			testkit.MustThat(t, spans == int(n), "%s: at %d %v buffers, %d spans", queue, mid, n, spans)
		}
		testkit.That(t, n == 0, "%s: %v buffers at the end", queue, n)
		if most := slices.Max(values(levelOf(t, s, queue, "time"))); most <= 0 || most > 1e9+67e6 {
			t.Errorf("%s: %v ns at most, though it takes a second and the one that waits", queue, most)
		}
	}
}

// A queue that leaks drops what never comes out: its level goes down with the next buffer that
// does, and is never below zero. Two buffers of one time and size are two.
func TestQueueThatLeaks(t *testing.T) {
	var f Fill
	x := func(pts uint64) Buffer { return Buffer{PTS: pts, Duration: 10, Size: 4} }
	level := func(want int, bytes, ns uint64) {
		t.Helper()
		if got, ok := f.Span(); len(f.inside) != want || f.Bytes != bytes || !ok || got != ns {
			t.Errorf("%d buffers, %d bytes, %d ns; want %d, %d, %d", len(f.inside), f.Bytes, got, want, bytes, ns)
		}
	}
	f.Take(x(5)) // went in before the log began
	level(0, 0, 0)
	for i := range uint64(5) {
		f.Put(x(10 * i))
	}
	level(5, 20, 50)
	f.Take(x(20))
	level(2, 8, 20)
	f.Put(x(40))
	level(3, 12, 20)
	f.Take(x(30))
	f.Take(x(40))
	f.Take(x(40))
	f.Take(x(40))
	level(0, 0, 0)
	for range MaxQueued + 1 {
		f.Put(x(1))
	}
	testkit.That(t, f.Lost, "it takes any number")
}

// The intervals at a pad are the distances of the buffers that went over it, and their spread is
// the jitter.
func TestIntervalsAreThoseOfTheBuffers(t *testing.T) {
	for _, capture := range []string{"medium-av", "all-audio-chain", "stats-mux"} {
		s, compared := load(t, capture), 0
		for _, l := range s.Topology().Links() {
			flow := s.Series().ByID(l.Flow)
			if flow == nil || flow.Len() < 2 {
				continue
			}
			var want []float64
			last := int64(-1)
			for _, v := range flow.Samples(-1<<60, 1<<60, 0, nil) {
				if last >= 0 && v.Time > last {
					want = append(want, float64(v.Time-last))
				}
				last = v.Time
			}
			got := values(seriesNamed(t, s, "buffer interval", flow.Def.Name))
			testkit.That(t, slices.Equal(got, want), "%s: %s: intervals %v, want %v", capture, flow.Def.Name, got, want)
			compared++
		}
		testkit.That(t, compared != 0, "%s: no link", capture)
	}
}

// A pipeline whose buffers last less than half of the time that they take is told to be slow, once;
// one that keeps pace, is faster, stands still for a while, jumps, or whose buffers tell no time is
// not.
func TestPace(t *testing.T) {
	const second = int64(1e9)
	element := func(ix int, name string) string {
		return record(1, fmt.Sprintf("new-element, thread-id=(guint64)4096, ts=(guint64)1, ix=(uint)%d, parent-ix=(uint)4294967295, name=(string)%s, type=(string)T, is-bin=(boolean)0", ix, name))
	}
	pad := func(ix, parent, direction int, name string) string {
		return record(1, fmt.Sprintf("new-pad, thread-id=(guint64)4096, ix=(uint)%d, parent-ix=(uint)%d, name=(string)%s, type=(string)GstPad, is-ghostpad=(boolean)0, pad-direction=(GstPadDirection)%d", ix, parent, name, direction))
	}
	const none = -1
	for name, c := range map[string]struct {
		n    int
		at   func(i int64) (ts, pts int64)
		slow bool
	}{
		"real time":       {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 10 }, false},
		"faster":          {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second }, false},
		"two thirds":      {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 15 }, false},
		"a third":         {100, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 30 }, true},
		"too short":       {15, func(i int64) (ts, pts int64) { return i * second / 10, i * second / 30 }, false},
		"pauses":          {100, func(i int64) (ts, pts int64) { return i*second/10 + i/10*5*second, i * second / 10 }, false},
		"from zero again": {100, func(i int64) (ts, pts int64) { return i * second / 10, i % 10 * second / 10 }, false},
		"no time":         {100, func(i int64) (ts, pts int64) { return i * second / 10, none }, false},
	} {
		text := element(0, "src") + element(1, "sink") + pad(0, 0, 1, "src") + pad(1, 1, 2, "sink")
		for i := range int64(c.n) {
			ts, pts := c.at(i)
			have := 1
			if pts == none {
				have = 0
			}
			text += record(ts+2, fmt.Sprintf("buffer, thread-id=(guint64)4096, ts=(guint64)%d, pad-ix=(uint)0, element-ix=(uint)0, peer-pad-ix=(uint)1, peer-element-ix=(uint)1, buffer-size=(uint)10, "+
				"have-buffer-pts=(boolean)%d, buffer-pts=(guint64)%d, have-buffer-dts=(boolean)0, buffer-dts=(guint64)0, have-buffer-duration=(boolean)0, buffer-duration=(guint64)0, buffer-flags=(GstBufferFlags)0", ts+2, have, max(pts, 0)))
		}
		got := decode([]byte(text)).Warnings()
		slow := len(got) == 1 && strings.Contains(got[0], "sink gets 0.33 s of buffers")
		testkit.That(t, slow == c.slow && len(got) <= 1, "%s: told %q, want %v", name, got, c.slow)
	}
}

// In a real pipeline with a queue that leaks, the level is back at zero when the last buffer has
// come out, though many never did.
func TestRealQueueThatLeaks(t *testing.T) {
	launch := testkit.Program(t, "gst-launch-1.0")
	log := filepath.Join(t.TempDir(), "leaky.log")
	cmd := exec.Command(launch, strings.Fields("audiotestsrc num-buffers=200 samplesperbuffer=50 "+
		"! queue leaky=downstream max-size-buffers=5 ! identity sleep-time=1000 ! fakesink")...)
	cmd.Env = append(cmd.Environ(), "GST_TRACERS=stats", "GST_DEBUG=GST_TRACER:7", "GST_DEBUG_NO_COLOR=1", "GST_DEBUG_FILE="+log)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text := testkit.Must(os.ReadFile(log))(t)
	s := decode(text)
	buffers, bytes := values(levelOf(t, s, "queue0", "buffers")), values(levelOf(t, s, "queue0", "bytes"))
	in, out := 0, 0
	for i, v := range buffers {
		switch before := append([]float64{0}, buffers...)[i]; {
		case v > before:
			in++
		case v < before:
			out++
		}
	}
	testkit.MustThat(t, in == 200 && out < in, "%d went in, %d came out", in, out)
	if n := len(buffers); slices.Min(buffers) < 0 || slices.Min(bytes) < 0 || buffers[n-1] != 0 || bytes[n-1] != 0 {
		t.Errorf("at the end %v buffers with %v bytes", buffers[n-1], bytes[n-1])
	}
}
