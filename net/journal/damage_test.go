package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/journaltest"
	"framescope/net/journal/disk"
)

// TestDamage cuts and damages a session at every kind of place: all that can be told from garbage is
// read, and what is not is told with its place.
func TestDamage(t *testing.T) {
	whole := anySession(t)
	ends := records(whole)[1:] // a Meta, a definition, data 0 to 19, a hole, a mark, the end
	first, last := ends[1], ends[21]
	flip := func(at int) []byte {
		b := slices.Clone(whole)
		b[at] ^= 1
		return b
	}
	until := func(n int) (out []int) {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	for _, c := range []struct {
		name   string
		data   []byte
		want   []int
		damage int
		offset int
	}{
		{"whole", whole, until(20), 0, 0},
		{"cut in a payload", whole[:last-5], until(19), 1, ends[20]},
		{"cut in a head", whole[:ends[20]+3], until(19), 1, ends[20]},
		{"cut between records", whole[:ends[20]], until(19), 0, 0},
		{"a damaged payload", flip(ends[10] + 20), append(until(9), until(20)[10:]...), 1, ends[10]},
		{"a damaged length", flip(ends[10]), append(until(9), until(20)[10:]...), 1, ends[10]},
		{"a length beyond the end", flip(ends[10] + 2), append(until(9), until(20)[10:]...), 1, ends[10]},
		{"a length beyond all bounds", append(slices.Clone(whole[:last]), 255, 255, 255, 255, 0, 0, 0, 0), until(20), 1, last},
		{
			"two damaged records", func() []byte { b := flip(ends[10] + 20); b[ends[11]+20] ^= 1; return b }(),
			append(until(9), until(20)[11:]...), 1, ends[10],
		},
		{"nothing but zeros in the middle", func() []byte {
			b := slices.Clone(whole)
			clear(b[ends[10]+5 : ends[14]+20])
			return b
		}(), append(until(9), until(20)[14:]...), 1, ends[10]},
		{"a piece that is missing", slices.Delete(slices.Clone(whole), ends[10]+5, ends[12]+7), append(until(9), until(20)[12:]...), 1, ends[10]},
		{"a piece twice", slices.Insert(slices.Clone(whole), ends[10]+5, whole[ends[4]:ends[6]+3]...),
			append(append(until(9), 3, 4), until(20)[10:]...), 2, ends[10]},
		{"the last one damaged", flip(len(whole) - 1), until(20), 1, ends[23]},
		{"a damaged head", flip(20), until(20), 1, 0},
		{"only a head", whole[:segmentHead], nil, 0, 0},
		{"cut in the first definition", whole[:first-1], nil, 1, ends[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run")
			testkit.OK(t, os.WriteFile(path, c.data, 0o600))
			got := readAll(t, disk.System, path)
			testkit.That(t, slices.Equal(got.data, c.want), "records %v, want %v", got.data, c.want)
			if len(got.damage) != c.damage || c.damage > 0 && (got.damage[0].Offset != int64(c.offset) || got.damage[0].File != path || got.damage[0].Bytes <= 0) {
				t.Errorf("damage %+v, want %d at %d", got.damage, c.damage, c.offset)
			}
		})
	}
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("a text that is no session at all, but long enough"), "cut in the head": whole[:20]} {
		path := filepath.Join(t.TempDir(), "run")
		os.WriteFile(path, data, 0o600)
		r, err := Open(path)
		if (err == nil) != (name == "cut in the head") { // that is what a crash at the beginning leaves
			t.Errorf("%s: %v", name, err)
		}
		if r != nil {
			r.Close()
		}
	}
}

// Damage in one segment takes nothing from the next ones; one that is missing is told.
func TestDamagedSegments(t *testing.T) {
	root := OpenRoot(t.TempDir(), RootOptions{})
	defer root.Close()
	w := root.Create(Meta{Source: "test", Program: "game"}, Options{SegmentBytes: 1 << 10, Flush: time.Microsecond})
	for i := range 100 {
		w.Data(number(i))
		w.Flush()
	}
	finish(t, w)
	list, err := listSegments(disk.System, w.Path())
	testkit.MustThat(t, err == nil && len(list) >= 5, "%v %v", list, err)
	second := list[1].path(w.Path())
	data := testkit.Must(os.ReadFile(second))(t)
	os.WriteFile(second, data[:len(data)-3], 0o600)
	os.Remove(list[3].path(w.Path()))
	os.Truncate(list[5].path(w.Path()), 0)
	os.Remove(filepath.Join(w.Path(), sessionFile))
	got := readAll(t, disk.System, w.Path())
	testkit.That(t, len(got.damage) == 3 && got.damage[0].File == second && got.damage[1].File == list[4].path(w.Path()) &&
		got.damage[2].File == list[5].path(w.Path()) && got.end != nil, "damage %v", got.damage)
	if n := len(got.data); n < 45 || n > 90 || got.data[0] != 0 || got.data[n-1] != 99 || !slices.IsSorted(got.data) {
		t.Errorf("records %v", got.data)
	}
	if info, err := ReadInfo(w.Path()); err != nil || info.Program != "game" || info.Running {
		t.Errorf("without its description: %+v, %v", info, err)
	}
}

// Behind zeros, however many they are, the next record is found, also where its size begins with some.
func TestRecordsBehindZeros(t *testing.T) {
	for _, size := range []int{100, 256, 65536} {
		rec := appendRecord(nil, KindData, 7, "", make([]byte, size-bodyHead))
		for n := range 40 {
			found := splitter{lost: true, passed: 1}
			got, skip, length, ok := found.next(append(make([]byte, n), rec...), int64(n+len(rec)))
			testkit.That(t, ok && skip == n && length == len(rec) && got.Time == 7 && found.passed == int64(n+1),
				"%d zeros, a record of %d bytes: %v, %d passed over, length %d", n, size, ok, skip, length)
		}
	}
}

// What bytes claim about lengths does not make the work grow faster than their number: each place
// of these begins a record that reaches nearly to the end, were it not for its checksum.
func TestWorkOfSearching(t *testing.T) {
	const size = 1 << 20
	data := make([]byte, 0, size)
	for len(data) < size-leastBytes {
		data = binary.LittleEndian.AppendUint32(data, uint32(size-len(data)-recordHead-len(data)%7))
		data = append(data, 1, 2, 3, 4, byte(KindData), 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	good := appendRecord(nil, KindData, 1, "", number(1))
	data = append(data, good...)
	s := splitter{spent: mostSpent - size} // little credit is left
	rec, skip, n, ok := s.next(data, int64(len(data)))
	testkit.That(t, ok && n == len(good) && skip == len(data)-n && bytes.Equal(rec.Payload, number(1)),
		"the record at the end is not found: %v, %d bytes at %d", ok, n, skip)
	if most := int64(size + earned*len(data)); s.checked > most {
		t.Errorf("%d bytes of checksums for %d bytes, %d are the most", s.checked, len(data), most)
	}
	d, _ := s.damage("x", int64(skip), true)
	testkit.That(t, d.Bytes == int64(skip) && d.Offset == 0 && d.Records < 0, "damage %+v", d)
}

// Whoever follows a session meets the first bytes of a record that its writer then gives up, and reads what is
// written in their place.
func TestFollowedRecordThatIsGivenUp(t *testing.T) {
	fsys := journaltest.NewMemory()
	w := CreateFileOn(fsys, "/run", Meta{Source: "test"}, Options{})
	w.Data(number(0))
	testkit.OK(t, w.Flush())
	f := testkit.Must(fsys.OpenFile("/run", os.O_RDWR, 0))(t)
	st, _ := f.Stat()
	f.WriteAt(appendRecord(nil, KindData, 0, "", number(1))[:20], st.Size())
	r := testkit.Must(OpenOn(fsys, "/run"))(t)
	defer r.Close()
	var got read
	follow := func() { each(r, func(rec *Record) { got.take(t, rec) }) }
	follow()
	f.Truncate(st.Size())
	w.Data(number(2))
	finish(t, w)
	follow()
	if damage, _ := r.Damage(); fmt.Sprint(got.data) != "[0 2]" || got.end == nil || len(damage) > 0 {
		t.Errorf("%+v, damage %v", got, damage)
	}
}

// anySession makes a session of all kinds of records, in one file, and returns its bytes.
func anySession(t testing.TB) []byte {
	fsys := journaltest.NewMemory()
	w := CreateFileOn(fsys, "/x", Meta{Source: "test", Program: "game"}, Options{})
	w.Define("a", []byte("1"))
	for i := range 20 {
		w.Data(number(i))
	}
	w.append(KindHole, "", []byte(`{"records":3,"reason":"full"}`))
	w.Mark([]byte("id"))
	w.Close("done")
	testkit.OK(t, w.Wait(time.Minute))
	return testkit.Must(readFile(fsys, "/x", 1<<20))(t)
}

// drain reads all records of a session and writes them down, as far as it can be read.
func drain(fsys disk.FS, path string) (out []byte, n int) {
	r, err := OpenOn(fsys, path)
	if err != nil {
		return nil, 0
	}
	defer r.Close()
	r.Finish()
	r.Size()
	each(r, func(rec *Record) {
		if again, err := r.At(rec.Pos); err != nil || !bytes.Equal(again.Payload, rec.Payload) {
			panic("a record is not where it says that it is")
		}
		out = appendRecord(out, rec.Kind, rec.Time, string(rec.Key), rec.Payload)
		n++
	})
	r.Damage()
	return out, n
}

// FuzzReader reads anything as a file, as the segments and the descriptions of a session, and as a
// stream: nothing panics, all three read the same, and what stands before damage is there.
func FuzzReader(f *testing.F) {
	whole := anySession(f)
	f.Add(whole, uint16(0), []byte(nil))
	f.Add(whole, uint16(200), []byte{1, 2, 3})
	f.Add(whole[:100], uint16(44), bytes.Repeat([]byte{0xff}, 30))
	f.Add(whole, uint16(len(whole)/2), make([]byte, 200))
	f.Add(whole, uint16(records(whole)[7]), []byte{0, 0, 1, 0})
	f.Add(append(slices.Clone(whole[:len(whole)/2]), whole[len(whole)/3:]...), uint16(7), []byte(nil))
	f.Add(append(slices.Clone(whole), bytes.Repeat([]byte{18, 0, 0, 0, 1, 2, 3, 4, 3, 0}, 50)...), uint16(30), []byte{255})
	f.Add([]byte(magic), uint16(0), []byte(`{"format":1,"source":"test"}`))
	f.Fuzz(func(t *testing.T, file []byte, at uint16, patch []byte) {
		fsys := journaltest.NewMemory()
		write := func(path string, data []byte) {
			file := testkit.Must(fsys.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600))(t)
			file.WriteAt(data, 0)
		}
		write("/file", file)
		drain(fsys, "/file")
		ReadInfoOn(fsys, "/file")
		fsys.MkdirAll("/dir", 0o700)
		for i, name := range []string{"base.seg", "00000001.seg", "00000002.seg", "session.json", "user.json"} {
			switch i {
			case 3, 4:
				write("/dir/"+name, patch)
			default:
				write("/dir/"+name, file)
			}
		}
		drain(fsys, "/dir")
		ReadInfoOn(fsys, "/dir")
		OpenRoot("/", RootOptions{FS: fsys}).List()

		var streamed []byte
		p := NewStream("/file")
		for rest, bad := file, false; !bad; {
			n := min(len(rest), 1+int(at)%100)
			p.Write(rest[:n])
			if rest = rest[n:]; n == 0 {
				p.Finish()
				bad = true
			}
			for {
				r, err := p.Next()
				if err != nil {
					bad = bad || !errors.Is(err, io.EOF)
					break
				}
				streamed = appendRecord(streamed, r.Kind, r.Time, string(r.Key), r.Payload)
			}
		}
		if read, _ := drain(fsys, "/file"); !bytes.Equal(read, streamed) {
			t.Fatalf("a stream gives %d bytes of records, the file %d", len(streamed), len(read))
		}

		// Damage somewhere in a good session takes nothing from what is before it.
		bad := append([]byte(nil), whole...)
		from := int(at) % len(bad)
		copy(bad[from:], patch)
		if len(patch) == 0 {
			bad = bad[:from]
		}
		write("/bad", bad)
		all := records(whole)
		before := 0
		for before < len(all) && all[before] <= from {
			before++
		}
		if _, got := drain(fsys, "/bad"); got < before-1 { // the first is the Meta
			t.Fatalf("%d records are read, %d stand before the damage at %d", got, before-1, from)
		}
	})
}

// records returns where the records of a file end.
func records(file []byte) (ends []int) {
	for at := segmentHead; at < len(file); {
		at += recordSize(file[at:])
		ends = append(ends, at)
	}
	return ends
}

// FuzzSegmentNames reads anything as the name of a segment: what is taken is what we would write.
func FuzzSegmentNames(f *testing.F) {
	for _, s := range []string{"base.seg", "00000001.seg", "99999999.seg", "100000000.seg", "+0000001.seg", ".seg"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		n, ok := segmentNumber(name)
		testkit.MustThat(t, !ok || segmentName(n) == name, "%q is taken for segment %d", name, n)
	})
}

// Who asks for room loses nothing to a disk that is slow.
func TestRoomIsAwaited(t *testing.T) {
	t.Parallel()
	const records, size = 500, 1000
	memory := journaltest.NewMemory()
	memory.MkdirAll("/", 0o700)
	gate := make(chan struct{})
	o := Options{QueueBytes: 16 * size, Flush: time.Microsecond}
	w := CreateFileOn(gated(memory, gate), "/run", Meta{Source: "test"}, o)
	var given atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		pace := Pace{Patience: time.Hour}
		for range records {
			pace.Await(nil, func() (bool, int64) { return w.Room(size) })
			w.Data(make([]byte, size))
			given.Add(1)
		}
	}()
	for asked := 0; ; asked++ {
		select {
		case gate <- struct{}{}:
			ahead := given.Load() - w.Stats().Records
			testkit.MustThat(t, asked <= 0 || ahead <= 40, "%d records wait", ahead)
			continue
		case <-done:
		}
		break
	}
	close(gate)
	w.Close("")
	testkit.OK(t, w.Wait(20*time.Second))
	s := w.Stats()
	testkit.That(t, s.Records == records && s.Refused == 0 && s.Holes == 0, "%+v", s)
}

// A disk that takes nothing is waited for once, until it takes something again.
func TestPatienceEnds(t *testing.T) {
	var fits bool
	var taken, asked int64
	room := func() (bool, int64) { asked++; return fits, taken }
	p := Pace{Patience: 20 * time.Millisecond}
	p.Await(nil, room)
	testkit.That(t, asked >= 2, "nobody waited")
	asked = 0
	p.Await(nil, room)
	testkit.That(t, asked == 1, "it was waited for again: asked %d times", asked)
	taken, asked = 5, 0
	p.Await(nil, room)
	testkit.That(t, asked >= 2, "it takes something, and nobody waited")
	fits = true
	p.Await(nil, room)
	stop := make(chan struct{})
	close(stop)
	fits = false
	p.Patience = time.Hour
	taken = 6
	p.Await(stop, room) // or this test never ends
}

// What became of the writing is told in the order in which it happened: trouble before its end.
func TestTroubleIsToldInOrder(t *testing.T) {
	memory := journaltest.NewMemory()
	memory.MkdirAll("/", 0o700)
	gate := make(chan struct{})
	var mu sync.Mutex
	var told []bool
	o := Options{QueueBytes: 8 << 10, Flush: time.Microsecond, Changed: func(s Stats) {
		mu.Lock()
		defer mu.Unlock()
		testkit.That(t, s.Trouble == nil || s.Trouble.Record != 0 && s.Trouble.AtNs != 0, "trouble %+v", s.Trouble)
		told = append(told, s.Trouble != nil)
	}}
	w := CreateFileOn(gated(memory, gate), "/run", Meta{Source: "test"}, o)
	for w.Data(make([]byte, 1000)) {
	}
	close(gate)
	for round := range 4 {
		w.Flush()
		for w.Data(make([]byte, 1000)) && round > 0 {
		}
	}
	w.Close("")
	testkit.OK(t, w.Wait(20*time.Second))
	mu.Lock()
	defer mu.Unlock()
	for i, trouble := range told[:len(told)-1] { // the last is the end
		testkit.MustThat(t, trouble == (i%2 == 0), "told %v", told)
	}
	testkit.That(t, len(told) >= 3, "told %v", told)
}

// A stream of bytes comes out as it went in; when its oldest part has left, its head still comes
// first.
func TestBytes(t *testing.T) {
	t.Parallel()
	testkit.OneGoroutine(t)
	for _, c := range []struct {
		limit int64
		all   bool
		lines int // that come at once
	}{{1 << 30, true, 1}, {1 << 20, false, 1}, {1 << 30, true, 2000}, {1 << 20, false, 2000}} {
		root := OpenRoot(filepath.Join(t.TempDir(), "s"), RootOptions{Limit: c.limit})
		w := root.Create(Meta{Source: "profilelib"}, Options{})
		b := ByteTape{Tape: w}
		var sent, some []byte
		for n := range 40_000 {
			some = fmt.Appendf(some, "line %08d of a stream that is long enough\n", n)
			if (n+1)%c.lines > 0 {
				continue
			}
			sent = append(sent, some...)
			testkit.MustThat(t, b.Write(some), "refused")
			if some = some[:0]; n%500 == 0 || c.lines > 500 {
				w.Flush()
			}
		}
		w.Close("")
		<-w.Done()
		r := testkit.Must(Open(w.Path()))(t)
		var got []byte
		holes := []string{}
		err := EachPiece(r, func(p []byte) error { got = append(got, p...); return nil },
			func(reason string, _ Hole) error { holes = append(holes, reason); return nil })
		r.Close()
		root.Close()
		switch {
		case err != nil:
			t.Error(err)
		case c.all && (!bytes.Equal(got, sent) || len(holes) > 0):
			t.Errorf("%d of %d bytes came back, holes %q", len(got), len(sent), holes)
		case !c.all && (!bytes.HasPrefix(got, sent[:HeadBytes]) || !bytes.HasSuffix(sent, got[HeadBytes:]) || len(got) < 300_000):
			t.Errorf("%d of %d bytes came back, not the first and the last ones", len(got), len(sent))
		case !c.all && (len(holes) == 0 || !strings.Contains(holes[0], "room")):
			t.Errorf("holes %q", holes)
		}
	}
}
