package profilelib

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// picture describes all that a session holds, by thread id, so that two can be compared.
func picture(s *store.Session) string {
	var parts []string
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		var b strings.Builder
		fmt.Fprintf(&b, "thread %d: %d frames", uint32(tr.Def.Index), tr.NumFrames())
		h := fnv.New64a()
		for f := range tr.NumFrames() {
			fr := tr.Frame(f)
			fmt.Fprint(h, fr.Number, fr.Begin, fr.End, fr.Missing)
			for _, a := range s.Frames().Alone(id, f, nil) {
				fmt.Fprint(h, s.Collector(a.Collector).Name, a.Ns, a.Count)
			}
		}
		fmt.Fprintf(&b, " %x", h.Sum64())
		for lane := range tr.Lanes() {
			h.Reset()
			spans := spansOf(s, id, lane)
			for _, sp := range spans {
				_, c := s.Path(sp.Path)
				fmt.Fprint(h, sp.Begin, sp.End, s.Collector(c).Name, s.Paths().Depth(sp.Path))
			}
			fmt.Fprintf(&b, "; row %d: %d blocks %x", lane, len(spans), h.Sum64())
		}
		h.Reset()
		messages, locks := s.Messages().Of(id, minTime, maxTime, nil), s.Locks().Events(id, minTime, maxTime, nil)
		for _, m := range messages {
			fmt.Fprint(h, m.Time, m.Text, m.Severity, m.Category)
		}
		for _, l := range locks {
			fmt.Fprint(h, l.Time, l.Kind, s.Collector(l.Lock).Name)
		}
		fmt.Fprintf(&b, "; %d messages, %d steps of locks %x", len(messages), len(locks), h.Sum64())
		for i := range s.Series().Len() {
			if sr := s.Series().ByID(model.SeriesID(i)); sr.Def.Track == id {
				n := len(sr.Samples(minTime, maxTime, 0, nil))
				fmt.Fprintf(&b, "; %d samples", n)
			}
		}
		parts = append(parts, b.String())
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
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
	return d.Err()
}

// A stream gives the same session however it arrives: as a file, in pieces of any size, live, with
// idle moments anywhere.
func TestFeeding(t *testing.T) {
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			path := capture(t, name)
			file := load(t, path, Options{})
			want := picture(file.s)
			data := readFile(t, path)
			main := uint32(mainOf(file.s).Def.Index)
			r := rand.New(rand.NewPCG(3, uint64(len(data))))
			cases := []struct {
				what string
				o    Options
				next func() int
				idle func() bool
			}{
				{"pieces of 1 byte", Options{}, func() int { return 1 }, nil},
				{"records", Options{}, func() int { return 64 }, nil},
				{"pieces of 1000 bytes, live", Options{Rate: 1e9, MainThread: &main}, func() int { return 1000 }, nil},
				{"pieces of any size", Options{}, func() int { return 1 + r.IntN(5000) }, func() bool { return r.IntN(3) == 0 }},
				{"live, idle now and then", Options{Rate: 1e9, MainThread: &main}, func() int { return 1 + r.IntN(3000) }, func() bool { return r.IntN(4) == 0 }},
				{"live, always idle", Options{Rate: 1e9, MainThread: &main}, func() int { return 1 + r.IntN(400) }, func() bool { return true }},
				{"live, ahead of the frames", Options{Rate: 1e9, MainThread: &main, lagNs: 1e6}, func() int { return 1 + r.IntN(3000) }, func() bool { return r.IntN(4) == 0 }},
				{"live, idle after each record", Options{Rate: 1e9, MainThread: &main}, func() int { return 72 }, func() bool { return true }},
			}
			if name == "game-600f" {
				cases = cases[:6]
			}
			for _, c := range cases {
				k := newSink()
				testkit.OK(t, feedParts(NewDecoder(k, c.o), data, c.next, c.idle))
				if got := picture(k.s); got != want {
					t.Errorf("%s:\n%s\nwant\n%s", c.what, got, want)
				}
			}
		})
	}
}

// What is known is shown while the stream goes on: an idle moment after each flush shows all frames
// but the newest.
func TestIdleShows(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	k := newSink()
	d := NewDecoder(k, Options{Rate: 1e9})
	half := len(data) / 2 / 64 * 64
	_, _ = d.Write(data[:half])
	before := 0
	for _, tr := range feedtest.Tracks(k.s) {
		before += tr.NumFrames()
	}
	d.Idle()
	after, least := 0, math.MaxInt
	for i := range k.s.NumTracks() {
		n := k.s.Track(model.TrackID(i)).NumFrames()
		after += n
		if uint32(k.s.Track(model.TrackID(i)).Def.Index) != 31119 { // the profiler's own
			least = min(least, n)
		}
	}
	if after <= before || least < 20 {
		t.Errorf("%d frames before an idle moment, %d after, %d of the slowest thread", before, after, least)
	}
}

// Every layout and byte order gives the same session, and a file that is compressed, too.
func TestLayouts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"small-clean", "truncated", "locks-waits-logs"} {
		path := capture(t, name)
		want := picture(load(t, path, Options{}).s)
		data := readFile(t, path)
		write := func(base string, data []byte) string {
			p := filepath.Join(dir, base)
			testkit.OK(t, os.WriteFile(p, data, 0o600))
			return p
		}
		for _, l := range AllRecords() {
			if l.Variant < V3 {
				continue // less room for names, fewer kinds
			}
			k := newSink()
			testkit.OK(t, OpenFile(context.Background(), write(l.String(), convert(data, Current, l)), k, Options{}))
			if got := picture(k.s); got != want {
				t.Errorf("%s as %v:\n%s\nwant\n%s", name, l, got, want)
			}
			if k.s.Info().Version != "profile_lib "+l.String() {
				t.Errorf("%s as %v: %q", name, l, k.s.Info().Version)
			}
		}
		var zipped strings.Builder
		w := gzip.NewWriter(&zipped)
		testkit.Must(w.Write(data))(t)
		testkit.OK(t, w.Close())
		k := load(t, write("a.prof.gz", []byte(zipped.String())), Options{})
		if got := picture(k.s); got != want {
			t.Errorf("%s compressed:\n%s\nwant\n%s", name, got, want)
		}
		// Half of a compressed file is damage, and what it holds is shown.
		k = newSink()
		err := OpenFile(context.Background(), write("half.gz", []byte(zipped.String()[:zipped.Len()/2])), k, Options{})
		if err == nil || k.s.NumTracks() == 0 || k.lost(model.LossTruncated) == 0 {
			t.Errorf("half of a compressed file: %v, %d tracks, %v", err, k.s.NumTracks(), k.losses)
		}
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
	worker := uint32(31120)
	k := load(t, path, Options{MainThread: &worker})
	if got := mainOf(k.s); got != nil {
		t.Errorf("thread %d has frames, though another was asked for", got.Def.Index)
	}
	k = load(t, path, Options{Rate: 1e8})
	begin, end, _ := k.s.Bounds()
	k2 := load(t, path, Options{})
	begin2, end2, _ := k2.s.Bounds()
	if begin != 10*begin2 || end != 10*end2 || k.s.Info().Clock.StepNs != 10 {
		t.Errorf("at a tenth of the rate the session goes from %d to %d, not ten times %d to %d", begin, end, begin2, end2)
	}
	wrong := Layout{Variant: V3}
	k = newSink()
	if err := OpenFile(context.Background(), path, k, Options{Layout: &wrong}); err != nil {
		t.Error(err)
	}
	if k.lost(model.LossMalformed) == 0 {
		t.Error("a wrong layout is not told")
	}
	if !(Source{}).Sniff(readFile(t, path), "") || (Source{}).Name() == "" {
		t.Error("not recognised")
	}
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
		if !errors.Is(d.Err(), ErrNotStream) {
			t.Errorf("%s: %v", what, d.Err())
		}
		if _, over := k.s.Ended(); !over || k.s.NumTracks() > 0 {
			t.Errorf("%s: ended %v, %d tracks", what, over, k.s.NumTracks())
		}
	}
}

// A file stops loading when the sink wants no more, or the context is done.
func TestCancel(t *testing.T) {
	path := capture(t, "locks-waits-logs")
	k := newSink()
	k.stopAt = 10
	if err := OpenFile(context.Background(), path, k, Options{}); err == nil || k.batches != 10 {
		t.Errorf("%v after %d batches", err, k.batches)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k = newSink()
	if err := OpenFile(ctx, path, k, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, over := k.s.Ended(); !over {
		t.Error("the session goes on")
	}
}
