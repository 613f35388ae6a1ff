package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
	"framescope/net/journal/journaltest"
)

// TestDamage cuts and damages a session at every kind of place: all that can be told from garbage is
// read, and what is not is told with its place.
func TestDamage(t *testing.T) {
	whole := anySession(t)
	ends := records(whole) // the Meta, a definition, data 0 to 19, a hole, a mark, the end
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
	if err != nil || len(list) < 5 {
		t.Fatal(list, err)
	}
	second := list[1].path(w.Path())
	data := testkit.Must(os.ReadFile(second))(t)
	os.WriteFile(second, data[:len(data)-3], 0o600)
	os.Remove(list[3].path(w.Path()))
	os.Remove(filepath.Join(w.Path(), sessionFile))
	got := readAll(t, disk.System, w.Path())
	if len(got.damage) != 2 || got.damage[0].File != second || got.damage[1].File != list[4].path(w.Path()) || got.end == nil {
		t.Errorf("damage %v", got.damage)
	}
	if n := len(got.data); n < 60 || n > 90 || got.data[0] != 0 || got.data[n-1] != 99 || !slices.IsSorted(got.data) {
		t.Errorf("records %v", got.data)
	}
	if info, err := ReadInfo(w.Path()); err != nil || info.Program != "game" || info.Running {
		t.Errorf("without its description: %+v, %v", info, err)
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
