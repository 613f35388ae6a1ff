package puffin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// readFrames returns the numbers of the frames that can be read, and how many records and stretches can't be.
func readFrames(t *testing.T, data []byte, step int) (numbers []int64, bad int64, c *cutter) {
	t.Helper()
	c = &cutter{patient: true}
	var x frameReader
	for len(data) > 0 {
		n := min(step, len(data))
		err := c.write(data[:n], func(rec *record) error {
			f, err := x.read(rec)
			if err != nil {
				bad++
			}
			if f != nil {
				numbers = append(numbers, f.number)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	c.end()
	return numbers, bad + c.lost.N, c
}

// inMessages puts a protocol version before each record.
func inMessages(records [][]byte) (out [][]byte) {
	for _, r := range records {
		out = append(out, append([]byte{2, 0}, r...))
	}
	return out
}

// TestEachByte damages each byte of a frame in all ways that matter, and demands that no other frame is lost, and that
// what is lost is told.
func TestEachByte(t *testing.T) {
	const damaged = 3
	var frames []madeFrame
	for i := range int64(7) {
		frames = append(frames, madeFrame{number: uint64(i), threads: []madeThread{{name: "main", scopes: []made{one(9, i*10, i*10+9)}}},
			defs: []scopeDef{{id: 9, function: []byte("f"), file: []byte("a.rs"), line: 3}}})
	}
	for _, version := range []byte("1234") {
		for packing := range byte(packedZstd + 1) {
			if version <= '2' && packing != packedZstd {
				continue
			}
			records := recordsOf(frames, version, packing)
			for _, messages := range []bool{false, true} {
				list, begin := records, []byte(fileMagic)
				if messages {
					list, begin = inMessages(records), nil
				}
				before := slices.Concat(begin, bytes.Join(list[:damaged], nil))
				behind := bytes.Join(list[damaged+1:], nil)
				for at := range list[damaged] {
					for how, rec := range harmed(list[damaged], at) {
						what := fmt.Sprintf("PFD%c, packed %d, messages %t, byte %d %s", version, packing, messages, at, how)
						checkFrames(t, what, slices.Concat(before, rec, behind), damaged, at)
					}
				}
			}
		}
	}
}

// harmed returns a record with a byte that is another, is gone or is one too many, and cut off there.
func harmed(rec []byte, at int) map[string][]byte {
	out := map[string][]byte{
		"gone": slices.Delete(slices.Clone(rec), at, at+1), "twice": slices.Insert(slices.Clone(rec), at, rec[at]), "cut": rec[:at],
		"zeros": append(slices.Clone(rec[:at]), make([]byte, len(rec)-at)...),
	}
	for _, flip := range []byte{1, 0x80, 0xff} {
		x := slices.Clone(rec)
		x[at] ^= flip
		out[fmt.Sprint("flipped by ", flip)] = x
	}
	return out
}

// checkFrames demands all frames but the damaged one, which may be there.
func checkFrames(t *testing.T, what string, data []byte, damaged, at int) {
	t.Helper()
	got, bad, _ := readFrames(t, data, len(data))
	var want []int64
	for i := range int64(7) {
		if int(i) != damaged {
			want = append(want, i)
		}
	}
	others := slices.Clone(got)
	if len(got) > len(want) {
		others = slices.Delete(others, damaged, damaged+1)
	}
	if !slices.Equal(others, want) || len(got) == len(want) && bad == 0 && at > 0 {
		t.Errorf("%s: frames %d, %d damaged places", what, got, bad)
	}
	if pieces, n, _ := readFrames(t, data, 1+at%9); !slices.Equal(pieces, got) || n != bad {
		t.Errorf("%s: in pieces %d, %d, whole %d, %d", what, pieces, n, got, bad)
	}
}

// TestResumed says what is lost, where, and what of it is no damage.
func TestResumed(t *testing.T) {
	frames := random(5, 4)
	r := recordsOf(frames, '4', packedLZ4)
	first := 4 + len(r[0])
	for name, c := range map[string]struct {
		data   []byte
		frames int
		told   string
	}{
		"nothing":             {file(r...), 4, ""},
		"bytes between":       {file(r[0], []byte("garbage"), r[1], r[2]), 3, fmt.Sprintf("byte %d: 67 61 72 62 is not the beginning of a frame; what can't be read is left out, 7 bytes in all", first)},
		"zeros between":       {file(r[0], make([]byte, 9), r[1]), 2, fmt.Sprintf("byte %d: NULs, as at the end, and frames after them; what can't be read is left out, 9 bytes in all", first)},
		"zeros behind":        {file(r[0], make([]byte, 999)), 1, fmt.Sprintf("byte %d: NULs, as at the end, and 995 bytes after them; what can't be read is left out, 995 bytes in all", first)},
		"garbage behind":      {file(r[0], make([]byte, 4), []byte("PFDxPFD4")), 1, fmt.Sprintf("byte %d: NULs, as at the end, and 8 bytes after them; what can't be read is left out, 8 bytes in all", first)},
		"garbage at the end":  {file(r[0], []byte("????PFD4")), 1, fmt.Sprintf("byte %d: 3f 3f 3f 3f is not the beginning of a frame; what can't be read is left out, 8 bytes in all", first)},
		"damage at the begin": {file([]byte("?"), r[0], r[1]), 2, "byte 4: 3f 50 46 44 is not the beginning of a frame; what can't be read is left out, 1 byte in all"},
		"newer frames":        {file(r[0], []byte("PFD5"+strings.Repeat("x", 40)), r[1]), 2, fmt.Sprintf("byte %d: a frame \"PFD5\": written by a newer puffin; Framescope reads PFD1 to PFD4; what can't be read is left out, 44 bytes in all", first)},
	} {
		got, n, cut := readFrames(t, c.data, len(c.data))
		told := ""
		if n > 0 {
			told = cut.lost.Words()
		}
		if left, _ := cut.left(); len(got) != c.frames || told != c.told || left > 0 {
			t.Errorf("%s: %d frames, %q, %d left; want %d, %q", name, len(got), told, left, c.frames, c.told)
		}
	}
	if _, err := opened(t, file([]byte("PFD5"), bytes.Repeat([]byte("x"), 99))); err == nil || !strings.Contains(err.Error(), "newer puffin") {
		t.Errorf("nothing but newer frames: %v", err)
	}
}

// TestResumeForgets looks for a frame in bytes without end, and keeps none of them.
func TestResumeForgets(t *testing.T) {
	f := random(5, 1)[0]
	c := cutter{patient: true}
	for i, part := range [][]byte{file(f.record('4', packedLZ4)), bytes.Repeat([]byte("PFD"), 1<<16), bytes.Repeat([]byte("PFD4"), 1<<16)} {
		if err := c.write(part, func(*record) error { return nil }); err != nil || i > 0 && len(c.buf)-c.from > mostHead {
			t.Errorf("%v, %d bytes are kept", err, len(c.buf)-c.from)
		}
	}
}
