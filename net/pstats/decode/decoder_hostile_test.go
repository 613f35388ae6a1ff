package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// TestHostileFrames sends what no sane client sends (PROTOCOL.md section 10): nothing breaks, what
// can be kept is kept, and what is dropped is counted.
func TestHostileFrames(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	start := func(c uint16, at float32) pstats.Event { return pstats.Event{Word: c, Time: at} }
	stop := func(c uint16, at float32) pstats.Event { return pstats.Event{Word: c | pstats.StopBit, Time: at} }
	many := func(n int, e ...pstats.Event) (out []pstats.Event) {
		for range n {
			out = append(out, e...)
		}
		return out
	}
	type loss map[model.LossReason]int64
	cases := []struct {
		name   string
		frames []*pstats.Frame
		spans  int
		stored int // frames
		tracks int
		losses loss
	}{
		{"NaN, infinite, negative and huge times", []*pstats.Frame{{Events: []pstats.Event{start(0, 1), start(1, nan), start(2, inf), start(3, -inf), start(4, -1), start(5, 2e9), stop(0, 2)}}}, 1, 1, 1, loss{model.LossMalformed: 5}},
		{"nothing but NaN", []*pstats.Frame{{Events: many(10, start(1, nan))}}, 0, 1, 1, loss{model.LossMalformed: 10}},
		{"negative zero", []*pstats.Frame{{Events: []pstats.Event{start(0, float32(math.Copysign(0, -1))), stop(0, 1)}}}, 1, 1, 1, loss{}},
		{"levels that are no number", []*pstats.Frame{{Levels: []pstats.Level{{Collector: 1, Value: nan}, {Collector: 2, Value: 1}, {Collector: 3, Value: inf}}}}, 0, 1, 1, loss{model.LossMalformed: 2}},
		{"levels that can't be", []*pstats.Frame{{Levels: []pstats.Level{{Collector: 1, Value: -1.7e38}, {Collector: 2, Value: 1e20}}}}, 0, 1, 1, loss{model.LossMalformed: 1}},
		{"an empty frame", []*pstats.Frame{{Number: 7}}, 0, 1, 1, loss{}},
		{"starts without stops, nested without end", []*pstats.Frame{{Events: append(many(100000, start(1, 1)), stop(0, 2))}}, pstats.MaxDepth, 1, 1, loss{model.LossLimit: 100000 - pstats.MaxDepth + 1}},
		{"stops without starts", []*pstats.Frame{{Events: append([]pstats.Event{start(0, 1)}, many(100000, stop(1, 2))...)}}, pstats.MaxDepth, 1, 1, loss{model.LossLimit: 100000 - pstats.MaxDepth + 1}},
		{"times that fall for ever", []*pstats.Frame{{Events: falling(10000)}}, -1, 1, 1, nil},
		{"the greatest indices", []*pstats.Frame{{Thread: 65535, Number: 1<<32 - 1, Events: []pstats.Event{start(32767, 1), stop(32767, 2)}, Levels: []pstats.Level{{Collector: 32767, Value: 1}, {Collector: 32768, Value: 1}, {Collector: 65535, Value: 1}}}}, 1, 1, 1, loss{model.LossMalformed: 2}},
		{"numbers that jump by 2^31", []*pstats.Frame{{Number: 0, Events: pstatstest.Events("+F@0 -F@1")}, {Number: 1 << 31, Events: pstatstest.Events("+F@1 -F@2")}, {Number: 1<<32 - 1, Events: pstatstest.Events("+F@2 -F@3")}}, 3, 3, 1, loss{}},
		{"all collectors at once", []*pstats.Frame{{Events: allCollectors()}}, 32768, 1, 1, loss{}},
		{"an index used again", []*pstats.Frame{{Number: 5, Events: pstatstest.Events("+F@0 -F@1")}, {Number: 6, Events: pstatstest.Events("+F@1 -F@2")}, {Number: 0, Events: pstatstest.Events("+F@9 -F@10")}, {Number: 1, Events: pstatstest.Events("+F@10 -F@11")}}, 4, 4, 2, loss{}},
		{"one frame again and again, each time another", repeated(200), -1, 1, 1, loss{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := &pstatstest.Sink{Session: store.NewSession()}
			d := New(checkedSink{s, t}, Options{})
			for _, f := range c.frames {
				d.Frame(f, 0)
			}
			d.Close("")
			checkLanes(t, s.Session)
			spans, stored := 0, 0
			for i := range s.Session.NumTracks() {
				spans += int(s.Session.Track(model.TrackID(i)).NumSpans())
				stored += s.Session.Track(model.TrackID(i)).NumFrames()
			}
			if c.spans >= 0 && spans != c.spans || stored != c.stored || s.Session.NumTracks() != c.tracks {
				t.Errorf("%d spans in %d frames of %d tracks, want %d, %d, %d", spans, stored, s.Session.NumTracks(), c.spans, c.stored, c.tracks)
			}
			for reason, n := range s.Losses() {
				testkit.That(t, c.losses == nil || n == c.losses[model.LossReason(reason)],
					"loss %d: %d, want %d", reason, n, c.losses[model.LossReason(reason)])
			}
			testkit.That(t, len(s.Changes) <= len(c.frames)*3+pstats.MaxDepth+33000,
				"%d definitions and losses", len(s.Changes))
		})
	}
}

// falling returns n pairs whose times fall: each span overlaps the one before without nesting.
func falling(n int) (out []pstats.Event) {
	for i := range n {
		at := float32(n-i) / 64
		out = append(out, pstats.Event{Word: 1, Time: at}, pstats.Event{Word: 1 | pstats.StopBit, Time: at + 100})
	}
	return out
}

func allCollectors() (out []pstats.Event) {
	for c := range uint16(32768) {
		out = append(out, pstats.Event{Word: c, Time: 1}, pstats.Event{Word: c | pstats.StopBit, Time: 1})
	}
	return out
}

func repeated(n int) (out []*pstats.Frame) {
	for i := range n {
		out = append(out, bare(0, 1, 1, 2+float32(i)/64))
	}
	return out
}

// Frames without events have no time in any collector: why one is long is not known.
func TestFramesWithoutEvents(t *testing.T) {
	s, d := decoding()
	for i := range 200 {
		d.Frame(&pstats.Frame{Number: uint32(i)}, 20)
	}
	testkit.MustEqual(t, s.Session.Track(0).NumFrames(), 200, "frames")
	e, out := why.NewEngine(s.Session), why.Answer{}
	e.Frame(0, 150, &out)
	parts, _ := e.Parts(0, 150, nil)
	testkit.That(t, len(out.Chain) == 0 && len(parts) == 0, "chain %+v, parts %+v", out.Chain, parts)
}

// TestHostileDefinitions sends definitions that make no sense, and floods of them.
func TestHostileDefinitions(t *testing.T) {
	s, d := decoding()
	d.Collectors([]pstats.CollectorDef{
		{Index: -1, Name: "negative"}, {Index: -32768, Name: "negative"}, {Index: 1, Parent: 1, Name: "itself"}, {Index: 2, Parent: 3, Name: "ring"}, {Index: 3, Parent: 2, Name: "ring"},
		{Index: 4, Parent: 9999, Name: "orphan"}, {Index: 5, Parent: -7, Name: "negative parent"}, {Index: 6, Name: "", R: float32(math.NaN()), Scale: float32(math.Inf(1)), Factor: float32(math.NaN())},
		{Index: 32767, Parent: 4, Name: strings.Repeat("x", 65535)},
	})
	for i := range 6 {
		testkit.That(t, s.Session.Collector(model.CollectorID(i+1)).FullName != "" || i == 5,
			"collector %d has no name", i+1)
	}
	c := s.Session.Collector(6)
	testkit.That(t, c.Scale == 0 && c.Factor == 0, "%+v", c)
	testkit.Equal(t, len(s.Session.Collector(32767).Name), pstats.MaxName, "a name of 65535 bytes takes")
	testkit.That(t, s.Losses()[model.LossMalformed] != 0, "negative indices were not counted")
	before := len(s.Changes)
	for range 1000 { // the same again and again says nothing new
		d.Collectors([]pstats.CollectorDef{{Index: 1, Parent: 1, Name: "itself"}})
		d.Threads(0, []string{"Main"})
		d.Expire(0)
		d.Expire(12345)
	}
	n := len(s.Changes) - before
	testkit.That(t, n <= 2, "%d changes of repetitions", n)
	d.Threads(65530, []string{"a", "b", "c", "d", "e", "f", "g", "h"})
	d.Threads(-3, []string{"a"})
	testkit.That(t, s.Session.NumTracks() == 1+6, "%d tracks", s.Session.NumTracks())
	d.Threads(0, []string{"Another"}) // the index had expired
	if n := s.Session.NumTracks(); n != 1+6+1 || s.Session.Track(7).Def.Name != "Another" || s.Session.Track(0).Def.Name != "Main" {
		t.Errorf("%d tracks", n)
	}
}

// TestHostileMemory floods the decoder: what it keeps stays within bounds.
func TestHostileMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	d := New(&pstatstest.Sink{}, Options{})
	f := pstatstest.Frame(2000)
	for i := range f.Events {
		f.Events[i].Time = float32(i) / 1e6
	}
	for i := range 4500 { // 72 MB of frames of 2,000 threads
		f.Thread, f.Number = uint16(i%2000), uint32(i)
		d.Frame(f, 0)
	}
	testkit.That(t, d.window.total <= windowTotalBytes+windowBytes && d.window.freeB() <= windowFreeBytes,
		"windows hold %d bytes, %d free", d.window.total, d.window.freeB())
	var sum int64
	for _, th := range d.threads {
		sum += th.window.bytes
	}
	testkit.That(t, sum == d.window.total, "windows hold %d bytes, counted were %d", sum, d.window.total)
	runtime.KeepAlive(d)
	// Call paths without end: each frame nests other collectors.
	d = New(&pstatstest.Sink{}, Options{})
	for i := range 300 {
		f = &pstats.Frame{Number: uint32(i)}
		for k := range 999 {
			f.Events = append(f.Events, pstats.Event{Word: uint16((i*31 + k*k*7) % 32768), Time: float32(i)})
		}
		d.Frame(f, 0)
	}
	testkit.That(t, d.nest.paths.n <= maxPaths+32768, "%d paths", d.nest.paths.n)
}

// TestTracks checks how threads become tracks.
func TestTracks(t *testing.T) {
	s, d := decoding()
	frame := func(thread uint16, number uint32, at float32) {
		d.Frame(bare(int(thread), int(number), at, at+0.01), 0)
	}
	d.Threads(0, []string{"Main", "", "GPU", "NVIDIA GeForce RTX 3060/PCIe/SSE2", "worker"})
	testkit.Equal(t, s.Session.NumTracks(), 4, "tracks: a thread without name or data is not shown")
	for i := range 3 {
		frame(0, uint32(i), 100+float32(i))
		frame(2, uint32(i), 100+float32(i))
		frame(3, uint32(i), 5000+float32(i)) // the driver's own epoch
		frame(4, uint32(i), 5000+float32(i)) // strange, but no GPU
	}
	frame(1, 0, 101)
	got := ""
	for _, tr := range feedtest.Tracks(s.Session) {
		got += fmt.Sprintf("%d %q kind %d own %v; ", tr.Def.Index, tr.Def.Name, tr.Def.Kind, tr.Def.OwnClock)
	}
	want := `0 "Main" kind 0 own false; 2 "GPU" kind 1 own false; 3 "NVIDIA GeForce RTX 3060/PCIe/SSE2" kind 1 own false; 4 "worker" kind 0 own false; 1 "" kind 0 own false; `
	testkit.That(t, got == want, "tracks\n%s, want\n%s", got, want)
	d.Expire(4)
	testkit.That(t, !s.Session.Track(3).Alive && s.Session.Track(0).Alive,
		"the expired thread is alive, or another is not")
	frame(4, 3, 5003) // late, still its own
	if n := s.Session.NumTracks(); n != 5 || s.Session.Track(3).NumFrames() != 4 {
		t.Errorf("%d tracks, %d frames", n, s.Session.Track(3).NumFrames())
	}
}

// TestShowCodeIgnored leaves out the collector of 1.10 clients that is started and stopped inside
// out.
func TestShowCodeIgnored(t *testing.T) {
	s, d := keeping()
	d.Collectors([]pstats.CollectorDef{{Index: 0, Name: "Frame"}, {Index: 1, Name: "App"}, {Index: 2, Name: "Show code", Parent: 1}, {Index: 3, Name: "General", Parent: 2}})
	d.Frame(&pstats.Frame{Number: 1, Events: pstatstest.Events("+F@0 +C@1 +D@2 -C@3 +A@4 -A@5 -D@6 -C@7 -F@10")}, 0) // C is General
	want := []string{"1: F/0@0-10 FD/1@2-6 FDA/2@4-5"}
	got := spansOf(s)
	testkit.That(t, got[0] == want[0], "%v, want %v", got, want)
	testkit.That(t, len(s.Batches[0].Self) == 3, "exclusive times of %d collectors, want 3", len(s.Batches[0].Self))
}

// oddTimes are what a time can be on the wire.
var oddTimes = []float32{0, 1, 1e-9, 0.001, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -1, float32(math.Copysign(0, -1)), 1e9, 2e9, 3.4e38, 1e-45, 86400, 0.0005, 1000}

// feedBytes makes calls of a handler out of bytes: the first of each says which.
func feedBytes(data []byte, h pstats.Handler) (frames int) {
	take := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	now := float32(1)
	var f pstats.Frame
	for len(data) > 0 {
		switch op := take(); {
		case op < 200: // a frame of so many events and a few levels
			f = pstats.Frame{Thread: uint16(take() % 4), Number: f.Number + uint32(take()%5) - 1}
			for range op % 40 {
				word, dt := take(), take()
				e := pstats.Event{Word: uint16(word&15) | uint16(word>>7)<<15}
				switch {
				case dt < 200:
					now += float32(dt) / 256
				case dt < 220:
					now -= float32(dt-200) / 64
				}
				e.Time = now
				if dt >= 240 {
					e.Time = oddTimes[dt-240]
				}
				if word&0x70 == 0x70 {
					e.Word |= 0x0300 // not higher: tables of collectors would be all the work
				}
				f.Events = append(f.Events, e)
			}
			for range op / 40 {
				f.Levels = append(f.Levels, pstats.Level{Collector: uint16(take()) << uint(op%3), Value: oddTimes[take()%16]})
			}
			h.Frame(&f, 11)
			frames++
		case op < 215:
			h.Collectors([]pstats.CollectorDef{{Index: int16(int8(take())), Parent: int16(int8(take())), Name: "c", R: oddTimes[take()%16], Scale: oddTimes[take()%16]}})
		case op < 225:
			h.Threads(take()%5-1, []string{strings.Repeat("n", take()%3), "GPU", "llvmpipe"})
		case op < 235:
			h.Expire(take()%6 - 1)
		case op < 245:
			f.Number = binary.LittleEndian.Uint32([]byte{byte(take()), 0, 0, byte(take())})
		case op < 250:
			now = oddTimes[take()%16]
		default:
			h.Hello(pstats.ClientHello{Program: "p", PID: -1})
		}
	}
	h.Close("end")
	return frames
}

// checkLanes demands that spans of a lane follow each other without overlap, and frames ascend.
func checkLanes(t testing.TB, s *store.Session) {
	t.Helper()
	var bars []spans.Bar
	for _, tr := range feedtest.Tracks(s) {
		for lane := range tr.Lanes() {
			bars = s.Spans().Visible(tr.Def.ID, lane, math.MinInt64/2, math.MaxInt64/2, 0, bars[:0])
			for k, b := range bars {
				testkit.MustThat(t, b.End >= b.Begin && (k <= 0 || b.Begin >= bars[k-1].End),
					"track %d lane %d: %+v after %+v", tr.Def.ID, lane, b, bars[max(k-1, 0)])
			}
		}
		for k := 1; k < tr.NumFrames(); k++ {
			testkit.MustThat(t, tr.Frame(k).Number > tr.Frame(k-1).Number,
				"track %d: frame %+v after %+v", tr.Def.ID, tr.Frame(k), tr.Frame(k-1))
		}
	}
}

// checkedSink checks every batch before it goes to the session.
type checkedSink struct {
	*pstatstest.Sink
	t testing.TB
}

func (c checkedSink) Publish(b *model.Batch) bool {
	testkit.MustThat(c.t, b.End >= b.Begin, "frame %d ends before it begins: %d, %d", b.Number, b.End, b.Begin)
	for i, s := range b.Spans {
		testkit.MustThat(c.t, s.End >= s.Begin && s.Begin >= 0 && s.Path != model.PathRoot && int(s.Lane) < maxLanes,
			"frame %d: span %+v", b.Number, s)
		if i > 0 && orderOfSpans(b.Spans[i-1], s) > 0 {
			c.t.Fatalf("frame %d: span %+v after %+v", b.Number, s, b.Spans[i-1])
		}
	}
	for i, a := range b.Self {
		testkit.MustThat(c.t, a.Ns >= 0, "frame %d: collector %d ran for %d ns", b.Number, a.Collector, a.Ns)
		testkit.MustThat(c.t, i <= 0 || a.Collector > b.Self[i-1].Collector, "frame %d: %v", b.Number, b.Self)
	}
	for i, l := range b.Levels {
		testkit.MustThat(c.t, (i <= 0 || l.Collector > b.Levels[i-1].Collector) && l.Value-l.Value == 0,
			"frame %d: %v", b.Number, b.Levels)
	}
	return c.Sink.Publish(b)
}

// frameChecker holds the sum of the exclusive times against the frame's length, for frames that
// collector 0 encloses.
type frameChecker struct {
	*Decoder
	s *pstatstest.Sink
	t testing.TB
}

func (c frameChecker) Frame(f *pstats.Frame, n int) {
	before := len(c.s.Batches)
	c.Decoder.Frame(f, n)
	if len(c.s.Batches) == before || len(f.Events) == 0 || f.Events[0].Word != 0 {
		return
	}
	depth := 0
	for i, e := range f.Events {
		if _, ok := pstats.Nanoseconds(e.Time); !ok {
			return
		}
		if e.Word == 0 {
			depth++
		} else if e.Word == pstats.StopBit {
			depth--
		}
		if depth <= 0 && i < len(f.Events)-1 {
			return // something else may run, or nothing
		}
	}
	// Late frames of the same thread, or of the one that had its index before, may be published with
	// it.
	at := len(c.s.Batches) - 1
	for at >= before && c.s.Batches[at].Number != int64(f.Number) {
		at--
	}
	if at < before {
		if c.Decoder.threads[f.Thread].dirty == noneDirty {
			c.t.Fatalf("frame %d was neither published nor kept for later, but %d was", f.Number, c.s.Batches[before].Number)
		}
		return
	}
	b := c.s.Batches[at]
	var sum int64
	for _, a := range b.Self {
		sum += a.Ns
	}
	testkit.MustThat(c.t, sum == b.End-b.Begin,
		"frame %d: exclusive times sum up to %d ns, the frame has %d", f.Number, sum, b.End-b.Begin)
}

func FuzzDecoderFrames(f *testing.F) {
	f.Add([]byte{6, 0, 2, 0, 10, 1, 10, 2, 10, 0x82, 10, 0x81, 10, 0x80, 10})
	f.Add([]byte{4, 0, 2, 0, 10, 1, 10, 0x80, 10, 1, 0, 4, 0, 2, 0, 10, 0x81, 10, 2, 10, 0x80, 10})
	f.Add([]byte{46, 0, 2, 0, 10, 1, 250, 1, 244, 0x82, 210, 0x81, 10, 0x80, 10, 3, 4, 230, 1, 216, 1, 1, 6, 0, 0, 0, 10, 1, 10, 2, 10, 0x82, 10, 0x81, 10, 0x80, 10})
	f.Add(bytes.Repeat([]byte{39, 1, 2, 1, 2, 3, 4, 5, 0x85, 0x83, 0x72, 255, 0x80, 0}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &pstatstest.Sink{Session: store.NewSession(), Keep: true}
		d := New(checkedSink{s, t}, Options{})
		feedBytes(data, frameChecker{d, s, t})
		checkLanes(t, s.Session)
		// The plain computation may not fail on anything either.
		raw := sessionfile.NewRaw()
		feedBytes(data, raw)
		for _, levels := range []bool{false, true} {
			v := NewView(raw, levels)
			for _, frame := range framesOf(raw) {
				v.Update(frame)
				stripOf(v, 0, nil)
			}
		}
	})
}

// leftOut counts the frames that a reader leaves out: written anew, threads that shared an index have
// one each, and a number that was near those of all of them may be far from those of its own.
type leftOut struct {
	*sessionfile.Raw
	n int64
}

func (l *leftOut) Lost(loss model.Loss) {
	if loss.Reason == model.LossImplausible {
		l.n += loss.N
	}
	l.Raw.Lost(loss)
}

// FuzzSessionFile begins with the layouts that were ever written, too: they lie in testdata.
func FuzzSessionFile(f *testing.F) {
	good := pstatstest.Constructed(f)
	f.Add(good)
	for _, cut := range []int{12, 60, 170, 200, 290} {
		f.Add(good[:cut])
	}
	f.Add(pstatstest.Bytes(f, "fragmented.pstats"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &pstatstest.Sink{Session: store.NewSession()}
		raw := sessionfile.NewRaw()
		d := New(checkedSink{s, t}, Options{File: true})
		_, err := sessionfile.Read(bytes.NewReader(data), "fuzz", int64(len(data)), pstats.Tee(d, raw), nil)
		d.Close("")
		checkLanes(t, s.Session)
		if err != nil {
			return
		}
		// What can be read can be written, and then says the same.
		var b bytes.Buffer
		testkit.OK(t, raw.WriteSession(&b))
		again := leftOut{Raw: sessionfile.NewRaw()}
		testkit.Must(sessionfile.Read(bytes.NewReader(b.Bytes()), "again", 0, &again, nil))(t)
		for _, thread := range raw.ThreadIndices() {
			got, want := len(again.Numbers(thread)), len(raw.Numbers(thread))
			testkit.MustThat(t, got <= want,
				"thread %d: %d frames after writing and reading, %d before", thread, got, want)
			again.n -= int64(want - got)
		}
		testkit.MustThat(t, again.n == 0, "%d more frames were told as left out than are missing", again.n)
	})
}

// What all decoders of a hub hold back is bounded, however many there are; frames in order come
// through all the same, and a decoder that is closed holds nothing.
func TestDecodersHoldBackTogether(t *testing.T) {
	const clients, frames = 20, 400
	hub := feed.NewHub()
	hub.SetLimit(1 << 20)
	var st store.Store
	var decoders []*Decoder
	for range clients {
		d := New(hub.NewFeed(feed.Options{Live: true}), Options{Peer: "test"})
		d.Hello(pstats.ClientHello{Version: pstats.Newest()})
		decoders = append(decoders, d)
	}
	for n := range frames {
		for _, d := range decoders {
			f := pstats.Frame{Thread: 0, Number: uint32(n)}
			at := float32(n)
			for i := range 50 {
				f.Events = append(f.Events, pstats.Event{Word: uint16(i + 1), Time: at + float32(i)/100})
				f.Events = append(f.Events, pstats.Event{Word: uint16(i+1) | 0x8000, Time: at + float32(i)/100})
			}
			d.Frame(&f, 100)
		}
		for hub.Poll(&st, 1e9).More {
		}
		if held := hub.Stats().HeldBytes; held > 1<<19+clients*(windowLeast+8<<10) {
			t.Fatalf("after %d frames %d bytes are held back", n, held)
		}
	}
	for _, e := range hub.Entries() {
		testkit.MustEqual(t, e.Session.Track(0).NumFrames(), frames, "frames of %d", frames)
	}
	for _, d := range decoders {
		d.Close("gone")
	}
	testkit.Equal(t, hub.Stats().HeldBytes, 0, "bytes are held back by decoders that are closed")
}
