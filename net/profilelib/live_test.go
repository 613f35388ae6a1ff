package profilelib

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// spansNow returns how many blocks a session shows.
func spansNow(s *store.Session) (n int64) {
	for _, tr := range feedtest.Tracks(s) {
		n += tr.NumSpans()
	}
	return n
}

// A live stream without frames shows what came when it is silent, and more when it goes on.
func TestLiveWithoutFrames(t *testing.T) {
	var s written
	for i := range int64(100) {
		s.block(1, uint32(200+i), 0, i*1000, i*1000+500, "work")
	}
	k := newSink()
	d := NewDecoder(k, Options{Rate: 1e9})
	_, _ = d.Write(s.data[:80*64])
	if n := spansNow(k.s); n != 79 {
		t.Errorf("%d blocks shown, want all but the newest of 80", n)
	}
	for range sureIdles {
		d.Idle()
	}
	if n := spansNow(k.s); n != 80 {
		t.Errorf("%d blocks shown after a silence, want 80", n)
	}
	_, _ = d.Write(s.data[80*64:])
	d.Close("end")
	if n := count(t, k); n != 100 || k.s.Track(0).NumFrames() != 0 || len(k.losses) > 0 {
		t.Errorf("%d blocks in %d frames, %v", n, k.s.Track(0).NumFrames(), k.losses)
	}
}

// A live view shows other threads while the main thread's frame goes on, and counts their time in
// the frame when it comes.
func TestLiveLongFrame(t *testing.T) {
	var s written
	for i := range int64(3) {
		s.add(Record{ID: uint32(Frame), Thread: 1, Start: 1e6 * (i + 1), End: i})
	}
	for i := range int64(200) { // two seconds
		s.block(2, uint32(200+i), 0, 3e6+i*1e7, 3e6+i*1e7+5e6, "load")
	}
	at := len(s.data)
	s.add(Record{ID: uint32(Frame), Thread: 1, Start: 3e9, End: 3})
	k := newSink()
	l := Current
	d := NewDecoder(k, Options{Rate: 1e9, Layout: &l})
	_, _ = d.Write(s.data[:at])
	if n := spansNow(k.s); n < 190 {
		t.Errorf("%d blocks of 200 are shown while the frame goes on", n)
	}
	_, _ = d.Write(s.data[at:])
	d.Close("end")
	if n := count(t, k); n != 200 {
		t.Errorf("%d blocks", n)
	}
	checkFrames(t, k.s)
	tr := k.s.Track(1)
	alone := k.s.Frames().Alone(1, tr.NumFrames()-1, nil)
	if f := tr.Frame(tr.NumFrames() - 1); f.Number != 3 || len(alone) != 1 || alone[0].Ns != 200*5e6 || alone[0].Count != 200 {
		t.Errorf("frame %+v has %v", f, alone)
	}
}

// Frames that never come do not make the decoder keep everything.
func TestNoFrameComes(t *testing.T) {
	if testing.Short() {
		t.Skip("two million blocks")
	}
	const blocks = maxPending + maxPending/4
	main := uint32(1)
	k := newSink()
	l := Current
	d := NewDecoder(k, Options{File: true, Layout: &l, Rate: 1e9, MainThread: &main})
	var s written
	for i := range int64(blocks) {
		s.block(uint32(2+i%3), uint32(200+i), 0, i*100, i*100+50, "work")
		if len(s.data) >= 256<<10 {
			_, _ = d.Write(s.data)
			s.data = s.data[:0]
		}
	}
	_, _ = d.Write(s.data)
	d.Close("end")
	if n := spansNow(k.s); n != blocks || k.lost(model.LossLimit) == 0 {
		t.Errorf("%d blocks of %d, %v", n, blocks, k.losses)
	}
}

// The early layouts differ in the ids of few records; what comes later decides.
func TestLiveOldLayout(t *testing.T) {
	path := capture(t, "layout-2013-01")
	k := newSink()
	d := NewDecoder(k, Options{})
	data := readFile(t, path)
	testkit.OK(t, feedParts(d, data, func() int { return 500 }, nil))
	if l, _ := d.Layout(); l.Variant != V1 {
		t.Errorf("layout %v", l)
	}
	if got, want := picture(k.s), picture(load(t, path, Options{}).s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Where profiling was off, a remark says so, frames leave the time out, and processors are not
// known.
func TestPauses(t *testing.T) {
	k := load(t, capture(t, "restarts"), Options{})
	off := 0
	for _, r := range remarks(k.s) {
		if strings.HasPrefix(r, "profiling was off for ") {
			off++
		}
	}
	if off < 3 || off > 4 {
		t.Errorf("remarks %q", remarks(k.s))
	}
	main := mainOf(k.s)
	for _, n := range []int{40, 80, 120} {
		before, after := main.Frame(n-1), main.Frame(n)
		if after.Number != int64(n) || after.Missing != 0 || after.Begin-before.End < 1e6 || after.End-after.Begin > 20e6 {
			t.Errorf("frame %d goes from %d to %d, behind one that ended at %d", n, after.Begin, after.End, before.End)
		}
	}
	gaps := int64(0)
	for i := range k.s.Series().Len() {
		gaps += k.s.Series().ByID(model.SeriesID(i)).Stats(minTime, maxTime).Gaps
	}
	if gaps < 12 {
		t.Errorf("%d gaps in processors", gaps)
	}
}

// What is shown early is taken back, also where the frames that come have other numbers.
func TestTakenBack(t *testing.T) {
	var s written
	frame := func(start, counter int64) {
		s.add(Record{ID: uint32(Frame), Thread: 1, Start: start, End: counter})
	}
	frame(1000, 10)
	frame(2000, 11)
	at := len(s.data)
	// A flush of three frames, the newest first. The counter falls back in it.
	frame(5000, 3)
	early := len(s.data)
	frame(4000, 60)
	frame(3000, 50)
	frame(6000, 61)
	k := newSink()
	l := Current
	d := NewDecoder(k, Options{Rate: 1e9, Layout: &l})
	_, _ = d.Write(s.data[:at])
	_, _ = d.Write(s.data[at:early])
	d.Idle()
	if n := k.s.Track(0).NumFrames(); n != 3 {
		t.Errorf("%d frames shown early, want 3", n)
	}
	_, _ = d.Write(s.data[early:])
	d.Close("end")
	check(t, k)
	var got []int64
	for i := range k.s.Track(0).NumFrames() {
		got = append(got, k.s.Track(0).Frame(i).Number)
	}
	if want := []int64{10, 11, 50, 60, 61, 119}; !slices.Equal(got, want) {
		t.Errorf("frames %v, want %v", got, want)
	}
}

// A thread that did not get to run for long sends what it did in the first half of the run when
// others are far ahead: its numbers are new, so it is no new run.
func TestLateThread(t *testing.T) {
	var s written
	for i := range int64(400) { // four seconds
		s.block(1, uint32(129+2*i), 0, 1e7*i, 1e7*i+5e6, "busy")
	}
	for i := range int64(60) {
		s.block(2, uint32(130+2*i), 0, 1e7*i, 1e7*i+5e6, "late")
	}
	k := decode(t, s.data)
	if got, notes := count(t, k), fmt.Sprint(remarks(k.s)); got != 460 || strings.Contains(notes, "new run") {
		t.Errorf("%d blocks, want 460: %s", got, notes)
	}
	if lost := k.lost(model.LossMalformed); lost != 0 {
		t.Errorf("%d malformed: %v", lost, k.losses)
	}
}
