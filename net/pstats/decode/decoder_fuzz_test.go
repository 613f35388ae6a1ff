package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

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
	for i := range s.NumTracks() {
		tr := s.Track(model.TrackID(i))
		for lane := range tr.Lanes() {
			bars = s.Spans().Visible(tr.Def.ID, lane, math.MinInt64/2, math.MaxInt64/2, 0, bars[:0])
			for k, b := range bars {
				if b.End < b.Begin || k > 0 && b.Begin < bars[k-1].End {
					t.Fatalf("track %d lane %d: %+v after %+v", i, lane, b, bars[max(k-1, 0)])
				}
			}
		}
		for k := 1; k < tr.NumFrames(); k++ {
			if tr.Frame(k).Number <= tr.Frame(k-1).Number {
				t.Fatalf("track %d: frame %+v after %+v", i, tr.Frame(k), tr.Frame(k-1))
			}
		}
	}
}

// checkedSink checks every batch before it goes to the session.
type checkedSink struct {
	*pstatstest.Sink
	t testing.TB
}

func (c checkedSink) Publish(b *model.Batch) bool {
	if b.End < b.Begin {
		c.t.Fatalf("frame %d ends before it begins: %d, %d", b.Number, b.End, b.Begin)
	}
	for i, s := range b.Spans {
		if s.End < s.Begin || s.Begin < 0 || s.Path == model.PathRoot || int(s.Lane) >= maxLanes {
			c.t.Fatalf("frame %d: span %+v", b.Number, s)
		}
		if i > 0 && orderOfSpans(b.Spans[i-1], s) > 0 {
			c.t.Fatalf("frame %d: span %+v after %+v", b.Number, s, b.Spans[i-1])
		}
	}
	for i, a := range b.Alone {
		if a.Ns < 0 {
			c.t.Fatalf("frame %d: collector %d ran for %d ns", b.Number, a.Collector, a.Ns)
		}
		if i > 0 && a.Collector <= b.Alone[i-1].Collector {
			c.t.Fatalf("frame %d: %v", b.Number, b.Alone)
		}
	}
	for i, l := range b.Levels {
		if i > 0 && l.Collector <= b.Levels[i-1].Collector || l.Value-l.Value != 0 {
			c.t.Fatalf("frame %d: %v", b.Number, b.Levels)
		}
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
	for _, a := range b.Alone {
		sum += a.Ns
	}
	if sum != b.End-b.Begin {
		c.t.Fatalf("frame %d: exclusive times sum up to %d ns, the frame has %d", f.Number, sum, b.End-b.Begin)
	}
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
		Timeline(raw)
		for _, levels := range []bool{false, true} {
			v := NewView(raw, levels)
			for _, frame := range framesOf(raw) {
				v.Update(frame)
				v.Strip(0, nil)
				Flame(frame, 1000)
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
		info, err := sessionfile.Read(bytes.NewReader(data), "fuzz", int64(len(data)), pstats.Tee(d, raw), nil)
		d.Close("")
		checkLanes(t, s.Session)
		if err != nil {
			return
		}
		// What can be read can be written, and then says the same.
		var b bytes.Buffer
		testkit.OK(t, raw.WriteSession(&b, &info))
		again := leftOut{Raw: sessionfile.NewRaw()}
		testkit.Must(sessionfile.Read(bytes.NewReader(b.Bytes()), "again", 0, &again, nil))(t)
		for _, thread := range raw.ThreadIndices() {
			got, want := len(again.Numbers(thread)), len(raw.Numbers(thread))
			if got > want {
				t.Fatalf("thread %d: %d frames after writing and reading, %d before", thread, got, want)
			}
			again.n -= int64(want - got)
		}
		if again.n != 0 {
			t.Fatalf("%d more frames were told as left out than are missing", again.n)
		}
	})
}
