package gsttrace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
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
	testkit.That(t, err == feed.ErrCancelled && dec.Cancelled(), "error %v", err)
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
	before := dec.Counts()
	testkit.MustThat(t, before.Unreadable == 0 && before.Records == 300*50*6, "%+v", before)
	data := []byte(text)
	n := testing.AllocsPerRun(50, func() { dec.Write(data) })
	testkit.That(t, n <= 1, "%v allocations for 300 records", n)
}
