package profilelib

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// decode reads a stream as a file.
func decode(t testing.TB, data []byte) *sink {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.prof")
	testkit.OK(t, os.WriteFile(path, data, 0o600))
	return load(t, path, Options{})
}

// count returns how many blocks a session has, and checks what must hold of every session.
func count(t testing.TB, k *sink) (n int64) {
	t.Helper()
	check(t, k)
	_, sums := blocks(k.Session)
	for _, s := range sums {
		n += s.Count
	}
	return n
}

// check demands what must hold of every session, whatever the stream: the store had nothing to
// mend.
func check(t testing.TB, k *sink) {
	t.Helper()
	_, over := k.Session.Ended()
	testkit.That(t, over, "the session has no end")
	_, lines := k.Session.Losses()
	for _, l := range lines {
		for _, bad := range []string{"overlapped in a lane", "undefined call paths", "ended before they began", "a frame came after a later one", "out of bounds", "defined twice", "not defined"} {
			testkit.That(t, !strings.Contains(l, bad), "the store had to mend: %s", l)
		}
	}
	for _, tr := range feedtest.Tracks(k.Session) {
		id := tr.Def.ID
		for lane := range tr.Lanes() {
			last := int64(math.MinInt64)
			for _, b := range spansOf(k.Session, id, lane) {
				if b.Begin < last || b.End < b.Begin {
					t.Fatalf("row %d of thread %d: a block from %d to %d behind one that ends at %d", lane, tr.Def.Index, b.Begin, b.End, last)
				}
				last = b.End
			}
		}
		for f := range tr.NumFrames() {
			fr := tr.Frame(f)
			sum := int64(0)
			for _, a := range k.Session.Frames().Self(id, f, nil) {
				sum += a.Ns
				testkit.MustThat(t, a.Ns >= 0, "frame %d of thread %d: %d ns alone", fr.Number, tr.Def.Index, a.Ns)
			}
			testkit.MustThat(t, sum <= fr.End-fr.Begin,
				"frame %d of thread %d: %d ns in %d", fr.Number, tr.Def.Index, sum, fr.End-fr.Begin)
		}
	}
}

// remarks returns our remarks in a session.
func remarks(s *store.Session) (out []string) {
	for i := range s.NumTracks() {
		for _, m := range s.Messages().Of(model.TrackID(i), minTime, maxTime, nil) {
			if m.Category == noteCategory {
				out = append(out, m.Text)
			}
		}
	}
	return out
}

// A stream that is joined anywhere gives all blocks behind, and of the first tree what came of it.
func TestLateJoin(t *testing.T) {
	for _, name := range []string{"small-clean", "truncated", "layout-2014-03-72byte", "layout-2013-10", "layout-2013-01"} {
		data := readFile(t, capture(t, name))
		st := layoutOf(name).Stride()
		r := rand.New(rand.NewPCG(5, 5))
		for range 12 {
			cut := r.IntN(len(data) * 3 / 4)
			k := decode(t, data[cut:])
			want := 0
			var rec Record
			for i := (cut + st - 1) / st * st; i+st <= len(data); i += st {
				_ = layoutOf(name).Decode(data[i:], &rec)
				if rec.ID >= FirstBlock {
					want++
				}
			}
			if got := count(t, k); got != int64(want) {
				t.Errorf("%s from byte %d: %d blocks, want %d; %v", name, cut, got, want, k.Losses)
			}
		}
	}
}

// Damaged records are skipped one by one; bytes that are missing or too many cost the records that
// they hit.
func TestDamage(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	whole := count(t, decode(t, data))
	r := rand.New(rand.NewPCG(9, 9))
	garbage := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for round := range testkit.Rounds(8, 30) {
		at := 64 * (100 + r.IntN(len(data)/64-300))
		cases := []struct {
			what string
			data []byte
			lost int64 // blocks at most
			note bool
		}{
			{"a record of garbage", slices.Concat(data[:at], garbage(64), data[at+64:]), 1, true},
			{"three records of garbage", slices.Concat(data[:at], garbage(192), data[at+192:]), 3, true},
			{"40 records of garbage", slices.Concat(data[:at], garbage(40*64), data[at+40*64:]), 40, true},
			{"37 bytes inserted", slices.Concat(data[:at], garbage(37), data[at:]), 1, true},
			{"37 bytes missing", slices.Concat(data[:at], data[at+37:]), 2, true},
			{"1000 bytes inserted", slices.Concat(data[:at+13], garbage(1000), data[at+13:]), 2, true},
			{"zeros", slices.Concat(data[:at], make([]byte, 20*64), data[at+20*64:]), 20, true},
			{"a record missing", slices.Concat(data[:at], data[at+64:]), 1, false},
			{"20 records missing", slices.Concat(data[:at], data[at+20*64:]), 20, false},
			{"cut", data[:at+5], int64(len(data)-at) / 64, false},
		}
		for _, c := range cases {
			k := decode(t, c.data)
			if got := count(t, k); got < whole-c.lost || got > whole {
				t.Errorf("round %d, %s at byte %d: %d blocks of %d; %v", round, c.what, at, got, whole, k.Losses)
			}
			testkit.That(t, !c.note || k.lost(model.LossMalformed) != 0,
				"round %d, %s at byte %d: not told", round, c.what, at)
		}
	}
}

// written holds records for tests.
type written struct {
	data []byte
}

func (s *written) add(r Record) { s.data = Current.Encode(&r, s.data) }

func (s *written) block(thread uint32, id, parent uint32, start, end int64, name string) {
	s.add(Record{ID: id, Parent: parent, Thread: thread, Start: start, End: end, Name: []byte(name)})
}

// The order of records may be anything; blocks are where their time is.
func TestOrder(t *testing.T) {
	var s written
	for i := range int64(20) { // enough to be recognised
		s.block(1, uint32(1000+i), 0, i*1000, i*1000+500, "warm up")
	}
	s.block(1, 2002, 2001, 50100, 50200, "child before its parent")
	s.block(1, 2001, 0, 50000, 51000, "parent")
	s.block(1, 2004, 4000, 60000, 60500, "parent never comes")
	s.block(1, 2006, 2005, 70200, 70300, "grandchild")
	s.block(1, 2007, 0, 70000, 71000, "grandparent")
	k := decode(t, s.data)
	testkit.Equal(t, count(t, k), 25, "blocks of 25; %v", k.Losses)
	depth := map[string]int{}
	for lane := range k.Session.Track(0).Lanes() {
		for _, b := range spansOf(k.Session, 0, lane) {
			up, c := k.Session.Path(b.Path)
			n := 0
			for ; up != model.PathRoot; n++ {
				up, _ = k.Session.Path(up)
			}
			depth[k.Session.Collector(c).Name] = n
		}
	}
	for name, want := range map[string]int{"parent": 0, "child before its parent": 1, "parent never comes": 0, "grandchild": 1, "grandparent": 0} {
		got, ok := depth[name]
		testkit.That(t, ok && got == want, "%q at depth %d, want %d", name, got, want)
	}
	testkit.That(t, k.lost(model.LossMalformed) != 0, "missing parents are not told")
}

// Two recordings in one file are two runs; one that is repeated in part is not counted twice.
func TestRuns(t *testing.T) {
	a, b := readFile(t, capture(t, "small-clean")), readFile(t, capture(t, "no-sysinfo"))
	whole := count(t, decode(t, a)) + count(t, decode(t, b))
	for what, data := range map[string][]byte{"two runs": slices.Concat(a, b)} {
		k := decode(t, data)
		testkit.Equal(t, count(t, k), whole, "%s: blocks, want %d; %v", what, whole, k.Losses)
		testkit.That(t, strings.Contains(fmt.Sprint(remarks(k.Session)), "a new run"), "%s: not told: %v", what, remarks(k.Session))
	}
	k := decode(t, slices.Concat(b, a, b, b))
	testkit.Equal(t, count(t, k), whole+2*148, "four runs: blocks, want %d; %v", whole+2*148, k.Losses)
	// The same run twice: its frames are numbered on.
	k = decode(t, slices.Concat(a, a))
	got, n := count(t, k), mainOf(k.Session).NumFrames()
	testkit.That(t, got == 2*1779 && n == 120, "a run twice: %d blocks in %d frames; %v", got, n, k.Losses)
	// Ten records that come twice are damage.
	k = decode(t, slices.Concat(a[:640*64], a[600*64:]))
	got = count(t, k)
	testkit.That(t, got > 1700 && got <= 1779 && k.lost(model.LossLate) > 0, "40 records twice: %d blocks, %v", got, k.Losses)
}

// 2^16 threads and more are no trouble, nor are many frames of each.
func TestManyThreads(t *testing.T) {
	var s written
	id := uint32(200)
	for i := range maxThreads + 1000 {
		id++
		s.block(uint32(i+1), id, 0, int64(i)*100, int64(i)*100+50, "once")
		if i%1000 == 0 {
			s.add(Record{ID: uint32(Frame), Thread: 1 << 20, Start: int64(i)*100 + 60, End: int64(i / 1000)})
		}
	}
	k := newSink()
	layout := Current
	d := NewDecoder(k, Options{Layout: &layout, File: true})
	_, _ = d.Write(s.data)
	d.Close("end")
	testkit.That(t, k.Session.NumTracks() == maxThreads && k.lost(model.LossLimit) != 0 && k.Batches <= 400_000,
		"%d tracks, %d batches, %v", k.Session.NumTracks(), k.Batches, k.Losses)
}

// Nesting that is deeper than rows can be drawn, frames that count anything, clocks that fall back,
// texts that are none.
func TestOdd(t *testing.T) {
	var s written
	for i := range int64(50) {
		s.block(1, uint32(1000+i), 0, i*1000, i*1000+500, "warm up")
		counter := []int64{0, 1, 1, 0, -5, math.MaxInt64, math.MinInt64, 7, 1 << 62, 100, 5}[i%11]
		s.add(Record{ID: uint32(Frame), Thread: 1, Start: i*1000 + 600, End: counter})
	}
	for i := range int64(20) { // the clock falls back
		s.block(1, uint32(3000+i), 0, 20000-i*1000, 20000-i*1000+500, "back")
	}
	for i := range 6000 {
		s.add(Record{ID: uint32(10000 + i), Parent: parentOf(i), Thread: 1, Start: int64(100000 + i), End: int64(200000 - i), Name: []byte("deep"), Child: 1})
	}
	number := uint32(50000)
	for i := range 3000 { // a message without end
		r := Record{ID: uint32(Log), Thread: 1, Start: 300000, End: int64(number + 1), Name: []byte("\xff\xfe\xfdabcdefghijklmnopqrstuv")}
		if i > 0 {
			r.ID, r.Parent = uint32(LogMore), number
		}
		number++
		s.add(r)
	}
	s.add(Record{ID: uint32(LogMore), Parent: 12345, Thread: 1, Start: 400000, End: 123456, Name: []byte("no beginning")})
	s.add(Record{ID: uint32(Wait), Thread: 1, Start: 400001, End: 123457, Name: []byte("never woken")})
	k := decode(t, s.data)
	count(t, k)
	testkit.That(t, k.lost(model.LossLate) != 0 && k.lost(model.LossLimit) != 0 && k.lost(model.LossMalformed) != 0,
		"losses %v", k.Losses)
	testkit.Equal(t, k.Session.Track(0).NumFrames(), 50, "frames of 50")
	lanes := k.Session.Track(0).Lanes()
	testkit.That(t, lanes >= 3000 && lanes <= maxDepth+1, "%d rows", lanes)
	testkit.That(t, strings.Contains(fmt.Sprint(k.Session.Warnings()), "frame counter fell back"), "warnings %q", k.Session.Warnings())
	err := Source{}.OpenFile(context.Background(), filepath.Join(t.TempDir(), "none"), newSink())
	testkit.That(t, err != nil, "a file that is not there is read")
}

func parentOf(i int) uint32 {
	if i == 0 {
		return 0
	}
	return uint32(9999 + i)
}

// A tick rate that arrives late, live: what was shown stays, and the rest is right.
func TestLateRate(t *testing.T) {
	var s written
	for i := range int64(100) {
		s.block(1, uint32(1000+i), 0, i*1000, i*1000+500, "before")
	}
	s.add(Record{ID: uint32(SysInfo), Start: 1e7, Name: []byte("sysinfo")})
	for i := int64(100); i < 200; i++ {
		s.block(1, uint32(1000+i), 0, i*1000, i*1000+500, "after")
	}
	for _, early := range []bool{false, true} {
		k := newSink()
		d := NewDecoder(k, Options{})
		_, _ = d.Write(s.data[:90*64])
		for range 2 * holdIdles {
			if early {
				d.Idle()
			}
		}
		_, _ = d.Write(s.data[90*64:])
		d.Close("end")
		testkit.Equal(t, count(t, k), 200, "blocks of 200")
		for lane, want := range map[string]int64{"before": 50000, "after": 50000} {
			_, sums := blocks(k.Session)
			if early && lane == "before" {
				want = 500
			}
			testkit.Equal(t, sums[lane].Ns/100, want, "early %v, %q: ns", early, lane)
		}
		if k.Session.Info().Clock.StepNs != 100 || early != strings.Contains(fmt.Sprint(remarks(k.Session)), "ticks a second") {
			t.Errorf("early %v: %+v, %v", early, k.Session.Info(), remarks(k.Session))
		}
	}
}

// timesOf returns where the times of a record lie: of what is no block, the other one is a number, and
// some have none.
func timesOf(rec []byte) []int {
	switch id := binary.LittleEndian.Uint32(rec); {
	case id >= FirstBlock:
		return []int{AtStart, AtEnd}
	case id > 1:
		return []int{AtStart}
	}
	return nil
}

// shift adds to a time of a record.
func shift(rec []byte, at int, by uint64) {
	binary.LittleEndian.PutUint64(rec[at:], binary.LittleEndian.Uint64(rec[at:])+by)
}

// A damaged bit in a time costs the record that has it: neither is the session longer for it, nor
// comes what follows too late.
func TestRecordsThatLeapAhead(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	whole := decode(t, data)
	blocks := count(t, whole)
	begin, end, _ := whole.Session.Bounds()
	told := 0
	for n := 0; n < len(data)/RecordSize; n += testkit.Rounds(397, 97) {
		for _, bit := range []int{42, 47, 51} {
			for _, fields := range [][]int{{AtEnd}, {AtStart, AtEnd}} {
				damaged := slices.Clone(data)
				rec := damaged[n*RecordSize:]
				if binary.LittleEndian.Uint32(rec) == uint32(EndOfStream) {
					continue
				}
				if binary.LittleEndian.Uint32(rec) < FirstBlock {
					fields = []int{AtStart} // the other one is a number
				}
				for _, at := range fields {
					rec[at+bit/8] ^= 1 << (bit % 8)
				}
				k := decode(t, damaged)
				got := count(t, k)
				b, e, _ := k.Session.Bounds()
				losses, _ := k.Session.Losses()
				if b < begin || e > end || got < blocks-2 || losses[model.LossLate] > 0 {
					t.Errorf("record %d, fields at %v: the session is from %v to %v with %d blocks, %v lost; was %v to %v, %d", n, fields,
						time.Duration(b), time.Duration(e), got, losses, time.Duration(begin), time.Duration(end), blocks)
				}
				if losses[model.LossMalformed] > 0 {
					told++
				}
			}
		}
	}
	testkit.That(t, told >= testkit.Rounds(12, 50), "only %d were told", told)
}

// A program that stood still for hours is believed when it goes on.
func TestClockThatLeapsAheadForGood(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	whole := decode(t, data)
	_, end, _ := whole.Session.Bounds()
	const hours = uint64(5 * time.Hour)
	half := uint64(end / 2)
	moved := slices.Clone(data)
	for at := 0; at+RecordSize <= len(moved); at += RecordSize {
		rec := moved[at:]
		for _, field := range timesOf(rec) {
			if binary.LittleEndian.Uint64(rec[field:]) > half {
				shift(rec, field, hours)
			}
		}
	}
	k := decode(t, moved)
	got, want := count(t, k), count(t, whole)
	testkit.That(t, got == want, "%d blocks, want %d", got, want)
	_, e, _ := k.Session.Bounds()
	testkit.That(t, e == end+int64(hours), "it ends at %v, want %v", time.Duration(e), time.Duration(end+int64(hours)))
}

// Where the first record's time is damaged, it costs itself and is told, however far it lies before or
// behind the others; where it is right, or nothing tells, it stays.
func TestFirstRecordThatLeaps(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	const day = uint64(24 * time.Hour)
	clean := slices.Clone(data)
	var at []int // the records that have times
	for n := 0; n+RecordSize <= len(clean); n += RecordSize {
		rec := clean[n:]
		if len(timesOf(rec)) > 0 {
			at = append(at, n)
		}
		for _, field := range timesOf(rec) {
			shift(rec, field, 100*day)
		}
	}
	whole := decode(t, clean)
	begin, end, _ := whole.Session.Bounds()
	blocks := count(t, whole)
	for name, by := range map[string]uint64{"behind": 5 * day, "before": ^(50*day - 1)} {
		damaged := slices.Clone(clean)
		rec := damaged[at[0]:]
		for _, field := range timesOf(rec) {
			shift(rec, field, by)
		}
		k := decode(t, damaged)
		b, e, _ := k.Session.Bounds()
		losses, _ := k.Session.Losses()
		if b < begin || e > end || count(t, k) < blocks-2 || losses[model.LossMalformed] == 0 || losses[model.LossLate] > 0 {
			t.Errorf("%s: from %v to %v with %d blocks, lost %v; was %v to %v, %d", name, time.Duration(b), time.Duration(e),
				count(t, k), losses, time.Duration(begin), time.Duration(end), blocks)
		}
	}
}

// storm sends so many blocks, of which each has another of so many names. With frames, every
// hundredth ends one.
func storm(d *Decoder, n, names int, frames bool) {
	send := func(r Record) { d.Write(Current.Encode(&r, nil)) }
	send(Record{ID: uint32(SysInfo), Start: 1e9})
	for i := range n {
		at := int64(1000 * (i + 1))
		send(Record{
			ID: uint32(FirstBlock + i), Processor: 1, Thread: 7, Start: at, End: at + 500,
			Name: fmt.Appendf(nil, "N%020d", i%names),
		})
		if frames && i%100 == 99 {
			send(Record{ID: uint32(Frame), Thread: 7, Start: at + 600, End: int64(i / 100)})
		}
	}
	d.Close("end")
}

// TestNamesThatNeverRepeat sends 50,000 blocks, once with two names, once with names that never
// repeat: that must not cost more memory than is allowed, and every block is there.
func TestNamesThatNeverRepeat(t *testing.T) {
	const blocks = 50_000
	for _, frames := range []bool{false, true} {
		for _, names := range []int{2, blocks} {
			v := feedtest.New(t, 16<<20)
			s := v.Run(func(sink feed.Sink) { storm(NewDecoder(sink, Options{}), blocks, names, frames) })
			v.Check(t)
			lost, lines := s.Losses()
			testkit.That(t, s.Track(0).NumSpans() != 0, "no blocks")
			if names == 2 {
				testkit.That(t, lost[model.LossLimit]+lost[model.LossMalformed] == 0 && s.Collectors().Len() == 4,
					"%v lost, %d collectors: %q", lost, s.Collectors().Len(), lines)
				continue
			}
			v.CheckMore(t, s)
			if shown := int64(s.Collectors().Len()) - 2; shown < 1000 || shown+lost[model.LossLimit] < blocks {
				t.Errorf("%d names and %d beyond the limit, of %d", shown, lost[model.LossLimit], blocks)
			}
		}
	}
}
