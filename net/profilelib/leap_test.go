package profilelib

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"framescope/model"
)

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
	begin, end, _ := whole.s.Bounds()
	told := 0
	for n := 0; n < len(data)/RecordSize; n += 97 {
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
				b, e, _ := k.s.Bounds()
				losses, _ := k.s.Losses()
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
	if told < 50 {
		t.Errorf("only %d were told", told)
	}
}

// A program that stood still for hours is believed when it goes on.
func TestClockThatLeapsAheadForGood(t *testing.T) {
	data := readFile(t, capture(t, "small-clean"))
	whole := decode(t, data)
	_, end, _ := whole.s.Bounds()
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
	if got, want := count(t, k), count(t, whole); got != want {
		t.Errorf("%d blocks, want %d", got, want)
	}
	if _, e, _ := k.s.Bounds(); e != end+int64(hours) {
		t.Errorf("it ends at %v, want %v", time.Duration(e), time.Duration(end+int64(hours)))
	}
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
	begin, end, _ := whole.s.Bounds()
	blocks := count(t, whole)
	for name, by := range map[string]uint64{"behind": 5 * day, "before": ^(50*day - 1)} {
		damaged := slices.Clone(clean)
		rec := damaged[at[0]:]
		for _, field := range timesOf(rec) {
			shift(rec, field, by)
		}
		k := decode(t, damaged)
		b, e, _ := k.s.Bounds()
		losses, _ := k.s.Losses()
		if b < begin || e > end || count(t, k) < blocks-2 || losses[model.LossMalformed] == 0 || losses[model.LossLate] > 0 {
			t.Errorf("%s: from %v to %v with %d blocks, lost %v; was %v to %v, %d", name, time.Duration(b), time.Duration(e),
				count(t, k), losses, time.Duration(begin), time.Duration(end), blocks)
		}
	}
}
