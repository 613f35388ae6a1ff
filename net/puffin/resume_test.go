package puffin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// readFrames returns the numbers of the frames that can be read, and how many records and stretches can't be.
func readFrames(t *testing.T, data []byte, step int) (numbers []int64, bad int64, c *cutter) {
	t.Helper()
	var x frameReader
	c = &cutter{take: func(rec *record) error {
		f, err := x.read(rec)
		if err != nil {
			bad++
		}
		if f != nil {
			numbers = append(numbers, f.number)
		}
		return nil
	}}
	for part := range slices.Chunk(data, step) {
		testkit.OK(t, c.write(part))
	}
	c.end()
	return numbers, bad + c.bad.Count(trace.Gap) + c.bad.Count(trace.Cut), c
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

// TestResumed says what is lost, and what of it is no damage.
func TestResumed(t *testing.T) {
	r := recordsOf(random(5, 4), '4', packedLZ4)
	newer := []byte("PFD5" + strings.Repeat("x", 40))
	for name, c := range map[string]struct {
		data       []byte
		frames     int
		gaps, cuts int64
	}{
		"nothing":             {file(r...), 4, 0, 0},
		"the end":             {file(r[0], make([]byte, 4)), 1, 0, 0},
		"a cut":               {file(r[0], r[1][:30]), 1, 0, 1},
		"bytes between":       {file(r[0], []byte("garbage"), r[1], r[2]), 3, 1, 0},
		"zeros between":       {file(r[0], make([]byte, 9), r[1]), 2, 1, 0},
		"zeros behind":        {file(r[0], make([]byte, 999)), 1, 1, 0},
		"garbage behind":      {file(r[0], make([]byte, 4), []byte("PFDxPFD4")), 1, 1, 0},
		"garbage at the end":  {file(r[0], []byte("????PFD4")), 1, 1, 0},
		"damage at the begin": {file([]byte("?"), r[0], r[1]), 2, 1, 0},
		"newer frames":        {file(r[0], newer, r[1]), 2, 1, 0},
	} {
		got, _, cut := readFrames(t, c.data, len(c.data))
		gaps, cuts := cut.bad.Count(trace.Gap), cut.bad.Count(trace.Cut)
		testkit.That(t, len(got) == c.frames && gaps == c.gaps && cuts == c.cuts,
			"%s: %d frames, %d gaps, %d cuts", name, len(got), gaps, cuts)
	}
	_, err := feedtest.Load(t, Source{}, feedtest.File(t, "made.puffin", file(newer)))
	testkit.Fails(t, err, "newer puffin")
}

// TestResumeForgets looks for a frame in bytes without end, and keeps none of them.
func TestResumeForgets(t *testing.T) {
	f := random(5, 1)[0]
	c := cutter{take: func(*record) error { return nil }}
	for i, part := range [][]byte{file(f.record('4', packedLZ4)), bytes.Repeat([]byte("PFD"), 1<<16), bytes.Repeat([]byte("PFD4"), 1<<16)} {
		if err := c.write(part); err != nil || i > 0 && len(c.buf)-c.from > mostHead {
			t.Errorf("%v, %d bytes are kept", err, len(c.buf)-c.from)
		}
	}
}
