package profilelib

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
)

// spansNow returns how many blocks a session shows.
func spansNow(s *store.Session) (n int64) {
	for _, tr := range feedtest.Tracks(s) {
		n += tr.NumSpans()
	}
	return n
}

// atOnce are options for a stream of the current layout with a rate of 1e9, that is not held back.
func atOnce() Options {
	layout := Current
	s := newSurvey(&layout)
	s.rates = []rateAt{{math.MaxInt64, 1e9}}
	return Options{survey: s}
}

// A live stream without frames shows what came when it is silent, and more when it goes on.
func TestLiveWithoutFrames(t *testing.T) {
	var s written
	for i := range int64(100) {
		s.block(1, uint32(200+i), 0, i*1000, i*1000+500, "work")
	}
	k := newSink()
	d := NewDecoder(k, atOnce())
	_, _ = d.Write(s.data[:80*64])
	testkit.Equal(t, spansNow(k.Session), 79, "blocks shown, want all but the newest of 80")
	for range sureIdles {
		d.Idle()
	}
	testkit.Equal(t, spansNow(k.Session), 80, "blocks shown after a silence")
	_, _ = d.Write(s.data[80*64:])
	d.Close("end")
	if n := count(t, k); n != 100 || k.Session.Track(0).NumFrames() != 0 || len(k.Losses) > 0 {
		t.Errorf("%d blocks in %d frames, %v", n, k.Session.Track(0).NumFrames(), k.Losses)
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
	d := NewDecoder(k, atOnce())
	_, _ = d.Write(s.data[:at])
	n := spansNow(k.Session)
	testkit.That(t, n >= 190, "%d blocks of 200 are shown while the frame goes on", n)
	_, _ = d.Write(s.data[at:])
	d.Close("end")
	testkit.Equal(t, count(t, k), 200, "blocks")
	checkFrames(t, k.Session)
	tr := k.Session.Track(1)
	alone := k.Session.Frames().Self(1, tr.NumFrames()-1, nil)
	if f := tr.Frame(tr.NumFrames() - 1); f.Number != 3 || len(alone) != 1 || alone[0].Ns != 200*5e6 || alone[0].Count != 200 {
		t.Errorf("frame %+v has %v", f, alone)
	}
}

// Frames that never come do not make the decoder keep everything.
func TestNoFrameComes(t *testing.T) {
	const most = 1 << 15
	const blocks = most + most/4
	k := newSink()
	o := atOnce()
	o.survey.frames, o.survey.first = map[uint32]int{1: 1}, []uint32{1}
	d := NewDecoder(k, o)
	testkit.Equal(t, d.mostPending, maxPending, "blocks that wait")
	d.mostPending = most
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
	n := spansNow(k.Session)
	testkit.That(t, n == blocks && k.lost(model.LossUnframed) != 0, "%d blocks of %d, %v", n, blocks, k.Losses)
}

// The early layouts differ in the ids of few records; what comes later decides.
func TestLiveOldLayout(t *testing.T) {
	path := capture(t, "layout-2013-01")
	k := newSink()
	d := NewDecoder(k, Options{})
	data := readFile(t, path)
	testkit.OK(t, feedParts(d, data, func() int { return 500 }, nil))
	testkit.That(t, d.frm.layout == V1, "layout %v", d.frm.layout)
	got, want := picture(k.Session), picture(load(t, path, Options{}).Session)
	testkit.That(t, got == want, "got\n%s\nwant\n%s", got, want)
}

// Where profiling was off, a remark says so, frames leave the time out, and processors are not
// known.
func TestPauses(t *testing.T) {
	k := load(t, capture(t, "restarts"), Options{})
	off := 0
	for _, r := range remarks(k.Session) {
		if strings.HasPrefix(r, "profiling was off for ") {
			off++
		}
	}
	testkit.That(t, off >= 3 && off <= 4, "remarks %q", remarks(k.Session))
	main := mainOf(k.Session)
	for _, n := range []int{40, 80, 120} {
		before, after := main.Frame(n-1), main.Frame(n)
		if after.Number != int64(n) || after.Missing != 0 || after.Begin-before.End < 1e6 || after.End-after.Begin > 20e6 {
			t.Errorf("frame %d goes from %d to %d, behind one that ended at %d", n, after.Begin, after.End, before.End)
		}
	}
	gaps := int64(0)
	for i := range k.Session.Series().Len() {
		gaps += k.Session.Series().ByID(model.SeriesID(i)).Stats(minTime, maxTime).Gaps
	}
	testkit.That(t, gaps >= 12, "%d gaps in processors", gaps)
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
	got, notes := count(t, k), fmt.Sprint(remarks(k.Session))
	testkit.That(t, got == 460 && !strings.Contains(notes, "new run"), "%d blocks, want 460: %s", got, notes)
	testkit.Equal(t, k.lost(model.LossMalformed), 0, "malformed: %v", k.Losses)
}

// picture says what a session holds, in an order that does not depend on how it came: two can be compared.
func picture(s *store.Session) string {
	lines := strings.Split(feedtest.Outline(s), "\n")
	slices.Sort(lines[1:])
	return strings.Join(lines[1:], "\n")
}

// feedParts writes data in pieces of the sizes that next gives, and calls idle between.
func feedParts(d *Decoder, data []byte, next func() int, idle func() bool) error {
	for len(data) > 0 {
		n := min(next(), len(data))
		if _, err := d.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
		if idle != nil && idle() {
			d.Idle()
		}
	}
	d.Close("end of file")
	return d.err
}

// A stream gives the same session however it arrives: as a file, in pieces of any size, live, with
// idle moments anywhere.
func TestFeeding(t *testing.T) {
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			path := capture(t, name)
			file := load(t, path, Options{})
			want := picture(file.Session)
			data := readFile(t, path)
			now, soon := Options{}, Options{lagNs: 1e6}
			testkit.OK(t, look(t.Context(), path, &now))
			soon.survey = now.survey
			r := rand.New(rand.NewPCG(3, uint64(len(data))))
			cases := []struct {
				what string
				o    Options
				next func() int
				idle func() bool
			}{
				{"pieces of 1 byte", Options{}, func() int { return 1 }, nil},
				{"records", Options{}, func() int { return 64 }, nil},
				{"pieces of 1000 bytes, live", now, func() int { return 1000 }, nil},
				{"pieces of any size", Options{}, func() int { return 1 + r.IntN(5000) }, func() bool { return r.IntN(3) == 0 }},
				{"live, idle now and then", now, func() int { return 1 + r.IntN(3000) }, func() bool { return r.IntN(4) == 0 }},
				{"live, always idle", now, func() int { return 1 + r.IntN(400) }, func() bool { return true }},
				{"live, ahead of the frames", soon, func() int { return 1 + r.IntN(3000) }, func() bool { return r.IntN(4) == 0 }},
				{"live, idle after each record", now, func() int { return 72 }, func() bool { return true }},
			}
			switch {
			case len(data) > 50_000 && !testkit.Long:
				cases = cases[3:6]
			case name == "game-600f":
				cases = cases[:6]
			}
			for _, c := range cases {
				k := newSink()
				testkit.OK(t, feedParts(NewDecoder(k, c.o), data, c.next, c.idle))
				got := picture(k.Session)
				testkit.That(t, got == want, "%s:\n%s\nwant\n%s", c.what, got, want)
			}
		})
	}
}

// A silence ends a flush: all that came is shown then.
func TestIdleShows(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	more := 0
	for at := 100; at < 1800; at += 100 {
		k := newSink()
		d := NewDecoder(k, atOnce())
		_, _ = d.Write(data[:at*RecordSize])
		before := spansNow(k.Session)
		for range sureIdles {
			d.Idle()
		}
		if spansNow(k.Session) > before {
			more++
		}
	}
	testkit.That(t, more >= 3, "a silence showed more in %d of 17 places", more)
}

// Every layout and byte order gives the same session, and a file that is compressed, too.
func TestLayouts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"small-clean", "truncated", "locks-waits-logs"} {
		path := capture(t, name)
		want := picture(load(t, path, Options{}).Session)
		data := readFile(t, path)
		write := func(base string, data []byte) string {
			p := filepath.Join(dir, base)
			testkit.OK(t, os.WriteFile(p, data, 0o600))
			return p
		}
		for _, l := range allLayouts() {
			if l < V3 {
				continue // less room for names, fewer kinds
			}
			k := newSink()
			testkit.OK(t, Source{}.OpenFile(context.Background(), write(l.String(), convert(data, Current, l)), k))
			got := strings.ReplaceAll(picture(k.Session), "byte 108000", "byte 96000") // where the truncated one is cut
			testkit.That(t, got == want, "%s as %v:\n%s\nwant\n%s", name, l, got, want)
			testkit.Equal(t, k.Session.Info().Version, "profile_lib "+l.String(), "%s as %v", name, l)
		}
		var zipped strings.Builder
		w := gzip.NewWriter(&zipped)
		testkit.Must(w.Write(data))(t)
		testkit.OK(t, w.Close())
		k := load(t, write("a.prof.gz", []byte(zipped.String())), Options{})
		got := picture(k.Session)
		testkit.That(t, got == want, "%s compressed:\n%s\nwant\n%s", name, got, want)
		// Half of a compressed file is damage, and what it holds is shown.
		k = newSink()
		err := Source{}.OpenFile(context.Background(), write("half.gz", []byte(zipped.String()[:zipped.Len()/2])), k)
		testkit.That(t, err != nil && k.Session.NumTracks() != 0 && k.lost(model.LossTruncated) != 0,
			"half of a compressed file: %v, %d tracks, %v", err, k.Session.NumTracks(), k.Losses)
	}
}

// convert writes a stream in another layout; a kind that it lacks is left out, a rest of less than a record
// is kept.
func convert(data []byte, from, to Layout) []byte {
	var out []byte
	var r Record
	for ; len(data) >= from.Stride(); data = data[from.Stride():] {
		_ = from.Decode(data, &r)
		known := true
		if kind := from.Kind(r.ID, r.Parent); kind != Block {
			r.ID, known = to.ID(kind)
		}
		if known {
			out = to.Encode(&r, out)
		}
	}
	return append(out, data...)
}

// An option overrides what would be found out.
func TestOptions(t *testing.T) {
	path := capture(t, "small-clean")
	wrong := Layout(V3)
	k := newSink()
	err := Source{Options{Layout: &wrong}}.OpenFile(context.Background(), path, k)
	testkit.That(t, err == nil, "%v", err)
	testkit.That(t, k.lost(model.LossMalformed) != 0, "a wrong layout is not told")
	testkit.That(t, (Source{}).Sniff(readFile(t, path), "") && (Source{}).Name() != "", "not recognised")
}

// What is no stream is refused, in words.
func TestRefused(t *testing.T) {
	for what, data := range map[string][]byte{"text": []byte(strings.Repeat("hello world\n", 4000)), "nothing": nil, "zeros": make([]byte, 300<<10), "one record": make([]byte, 64)} {
		k := newSink()
		d := NewDecoder(k, Options{})
		var err error
		for p := data; len(p) > 0 && err == nil; p = p[min(1000, len(p)):] {
			_, err = d.Write(p[:min(1000, len(p))])
		}
		d.Idle()
		d.Close("end")
		testkit.That(t, errors.Is(d.err, ErrNotStream), "%s: %v", what, d.err)
		_, over := k.Session.Ended()
		testkit.That(t, over && k.Session.NumTracks() <= 0, "%s: ended %v, %d tracks", what, over, k.Session.NumTracks())
	}
}

// A file stops loading when the sink wants no more, or the context is done.
func TestCancel(t *testing.T) {
	path := capture(t, "locks-waits-logs")
	k := newSink()
	k.StopAt = 10
	err := Source{}.OpenFile(context.Background(), path, k)
	testkit.That(t, err != nil && k.Batches == 10, "%v after %d batches", err, k.Batches)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k = newSink()
	err = Source{}.OpenFile(ctx, path, k)
	testkit.That(t, errors.Is(err, context.Canceled), "%v", err)
	_, over := k.Session.Ended()
	testkit.That(t, over, "the session goes on")
}
