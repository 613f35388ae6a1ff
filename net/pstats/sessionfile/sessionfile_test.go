package sessionfile_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

func TestConstructedSession(t *testing.T) {
	raw, info, err := pstatstest.ReadRaw(pstatstest.Constructed(t))
	testkit.OK(t, err)
	testkit.Equal(t, info, sessionfile.Info{Frames: 1}, "info")
	wantFrame := &pstats.Frame{Number: 5, Events: []pstats.Event{{Word: 0, Time: 1}, {Word: 1, Time: 1.25}, {Word: 1 | pstats.StopBit, Time: 1.5}, {Word: pstats.StopBit, Time: 2}}, Levels: []pstats.Level{{Collector: 2, Value: 2.5}}}
	testkit.NoDiff(t, cmp.Diff(wantFrame, raw.FrameOf(0, 5)), "frame (-want +got)")
	def, _ := raw.Collector(2)
	testkit.That(t, def.Name == "Tris" && def.Units == "K" && def.Sort == -1 && def.Scale == 10, "%+v", def)
}

// TestSessionRoundTrip reads files that the official viewer wrote and writes them again: but for colors and graphs, not
// a byte may differ.
func TestSessionRoundTrip(t *testing.T) {
	files := map[string][]byte{"constructed": pstatstest.Constructed(t)}
	for _, name := range pstatstest.Captures {
		if recordings.Here(t, recordings.PStats, name) {
			files[name] = pstatstest.Bytes(t, name+".pstats")
		}
	}
	for name, data := range files {
		raw, _, err := pstatstest.ReadRaw(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at, got := 12, content(t, raw) // behind the length
		for at < len(got) && at < len(data) && got[at] == data[at] {
			at++
		}
		testkit.Equal(t, at, len(got), "%s: the first difference is at", name)
	}
}

// content is a session as it is written, up to colors and graphs.
func content(t *testing.T, raw *sessionfile.Raw) []byte {
	got := pstatstest.Written(t, raw.WriteSession)
	return got[:len(got)-len(sessionfile.FileTail())]
}

// variant writes a session in one of the layouts of section 12.5, with the 64-bit length form if
// long.
func variant(raw *sessionfile.Raw, narrow, wideColors, long bool) []byte {
	le := binary.LittleEndian
	body := sessionfile.FileHead(&raw.Definitions)
	version := pstats.Version{Major: 3, Minor: 2}
	if narrow {
		version.Minor = 1
	}
	for _, thread := range raw.ThreadIndices() {
		body = le.AppendUint16(body, uint16(thread))
		body = pstats.AppendString(body, raw.ThreadName(thread))
		for _, n := range raw.Numbers(thread) {
			body = append(body, pstats.AppendFrame(nil, version, raw.FrameOf(thread, n))[3:]...)
		}
		body = append(body, 255, 255, 255, 255)
	}
	body = append(body, 255, 255)
	if wideColors {
		body = append(append(body, 1), make([]byte, 3+4+24-4)...)
	}
	body = append(body, sessionfile.FileTail()...)
	out := sessionfile.FileMagic[:]
	if long {
		out = le.AppendUint64(append(out, 255, 255, 255, 255), uint64(len(body)))
	} else {
		out = le.AppendUint32(out, uint32(len(body)))
	}
	return append(out, body...)
}

// TestSessionVariants reads every layout that was ever written under the same version number, plain
// and compressed.
func TestSessionVariants(t *testing.T) {
	for _, name := range []string{"constructed", "nested", "levels", "late", "bigframes"} {
		var data []byte
		if name == "constructed" {
			data = pstatstest.Constructed(t)
		} else if !recordings.Here(t, recordings.PStats, name) {
			continue
		} else {
			data = pstatstest.Bytes(t, name+".pstats")
		}
		raw, info, err := pstatstest.ReadRaw(data)
		testkit.OK(t, err)
		for bits := range 16 {
			narrow, wide, long := bits&1 != 0, bits&2 != 0, bits&4 != 0
			encoded := variant(raw, narrow, wide, long)
			if bits&8 != 0 {
				encoded = append(encoded, "something of somebody else's"...)
				// behind the reserved field, still inside the datagram
				if long {
					binary.LittleEndian.PutUint64(encoded[12:], uint64(len(encoded)-20))
				} else {
					binary.LittleEndian.PutUint32(encoded[8:], uint32(len(encoded)-12))
				}
			}
			for _, pack := range []string{"", "gzip", "zlib"} {
				if pack != "" && bits != 3 && name != "constructed" {
					continue
				}
				var b bytes.Buffer
				var w io.WriteCloser
				switch pack {
				case "gzip":
					w = gzip.NewWriter(&b)
				case "zlib":
					w = zlib.NewWriter(&b)
				}
				if w != nil {
					w.Write(encoded)
					w.Close()
				} else {
					b.Write(encoded)
				}
				again, got, err := pstatstest.ReadRaw(b.Bytes())
				if err != nil {
					t.Errorf("%s narrow %v wide %v long %v %s: %v", name, narrow, wide, long, pack, err)
					continue
				}
				testkit.That(t, got.NarrowCounts == narrow && got.Frames == info.Frames && bytes.Equal(content(t, again), content(t, raw)),
					"%s narrow %v wide %v long %v %s: %+v, or the content differs", name, narrow, wide, long, pack, got)
			}
		}
	}
}

// lossCounter counts what is lost and the frames.
type lossCounter struct {
	*sessionfile.Raw
	lost   map[model.LossReason]int64
	frames int
}

func (c *lossCounter) Lost(l model.Loss)            { c.lost[l.Reason] += l.N }
func (c *lossCounter) Frame(f *pstats.Frame, n int) { c.frames++; c.Raw.Frame(f, n) }

// TestSessionTruncated cuts a file at every byte: no cut is fatal, what was whole is delivered, and
// the error says that the file is cut off.
func TestSessionTruncated(t *testing.T) {
	for name, data := range map[string][]byte{"constructed": pstatstest.Constructed(t), "fragmented": pstatstest.Bytes(t, "fragmented.pstats")} {
		_, info, err := pstatstest.ReadRaw(data)
		testkit.OK(t, err)
		step := 1
		if len(data) > 1000 {
			step = testkit.Rounds(149, 37)
		}
		frames := 0
		for cut := 0; cut < len(data); cut++ {
			if cut%step != 0 && cut < len(data)-50 {
				continue
			}
			c := &lossCounter{Raw: sessionfile.NewRaw(), lost: map[model.LossReason]int64{}}
			_, err := sessionfile.Read(bytes.NewReader(data[:cut]), "cut.pstats", int64(cut), c, nil)
			var fe *sessionfile.Error
			testkit.MustThat(t, errors.As(err, &fe) && fe.Truncated && fe.Name == "cut.pstats" &&
				fe.Offset <= int64(cut) && errors.Is(err, io.ErrUnexpectedEOF), "%s cut at %d: %v", name, cut, err)
			testkit.MustThat(t, c.lost[model.LossTruncated] == 1, "%s cut at %d: losses %v", name, cut, c.lost)
			testkit.MustThat(t, c.frames >= frames,
				"%s cut at %d: %d frames, a shorter cut gave %d", name, cut, c.frames, frames)
			frames = c.frames
		}
		testkit.That(t, int64(frames) == info.Frames,
			"%s: the longest cut gave %d frames of %d", name, frames, info.Frames)
	}
}

// TestSessionHostile reads files that announce too much or make no sense: a clear error, and memory
// by what is there, not by what is announced.
func TestSessionHostile(t *testing.T) {
	good := pstatstest.Constructed(t)
	patch := func(at int, with ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], with)
		return b
	}
	cases := []struct {
		name, reason string
		data         []byte
	}{
		{"empty", "cut off", nil},
		{"other magic", "not a PStats session", patch(0, 'P')},
		{"layout file", "not a PStats session", patch(0, 'p', 's', 'l', 'y', 't')},
		{"version 2", "version 2.1 is not known", patch(12, 2)},
		{"event count 2^32-1", "4294967295 events", patch(0xab, 255, 255, 255, 255)},
		{"level count 2^31", "2147483648 levels", patch(0xc7, 0, 0, 0, 128)},
		{"length too short", "the session ends", patch(8, 0x40, 0)},
		{"level bits", "words of level bits", patch(0x90, 255, 255, 255, 255)},
		{"long length beyond all bounds", "cut off", append(bytes.Clone(sessionfile.FileMagic[:]), bytes.Repeat([]byte{255}, 12)...)},
		{"damaged gzip", "not a whole compressed file", []byte{0x1f, 0x8b, 8}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := pstatstest.ReadRaw(c.data)
			runtime.ReadMemStats(&after)
			testkit.That(t, err != nil && strings.Contains(err.Error(), c.reason) &&
				strings.Contains(err.Error(), "test.pstats"), "error %v, want %q", err, c.reason)
			used := after.TotalAlloc - before.TotalAlloc
			testkit.That(t, used <= 8<<20, "%d bytes were allocated", used)
		})
	}
}

// counter counts frames.
type counter struct {
	pstatstest.Nothing
	frames int
}

func (h *counter) Frame(*pstats.Frame, int) { h.frames++ }

// What a file of three times as many frames takes to read is not more memory.
func TestFramesAllocateNothing(t *testing.T) {
	allocs := func(frames int) float64 {
		raw := sessionfile.NewRaw()
		f := pstatstest.Frame(20)
		for n := range frames {
			f.Number = uint32(n)
			for i := range f.Events {
				f.Events[i].Time = (float32(n) + float32(i)/float32(len(f.Events)-1)) / 64
			}
			raw.Frame(f, 0)
		}
		data := pstatstest.Written(t, raw.WriteSession)
		return testing.AllocsPerRun(3, func() {
			var h counter
			_, err := sessionfile.Read(bytes.NewReader(data), "", 0, &h, nil)
			testkit.MustThat(t, err == nil && h.frames == frames, "%v %v", h.frames, err)
		})
	}
	few, many := allocs(500), allocs(1500)
	testkit.That(t, many <= few+20, "%v allocations for 500 frames, %v for 1,500", few, many)
}

func compareRawFrames(t *testing.T, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "frames"}
	var got []string
	for _, thread := range raw.ThreadIndices() {
		for _, n := range raw.Numbers(thread) {
			f := raw.FrameOf(thread, n)
			begin, end := float32(0), float32(0)
			if k := len(f.Events); k > 0 {
				begin, end = f.Events[0].Time, f.Events[k-1].Time
			}
			got = append(got, fmt.Sprint(thread, n, begin, end, len(f.Events), len(f.Levels)))
		}
	}
	for i, row := range pstatstest.Rows(t, name+".frames.tsv") {
		want := fmt.Sprint(row[0], " ", row[1], " ", float32(pstatstest.Atof(t, row[2])), float32(pstatstest.Atof(t, row[3])), " ", row[4], " ", row[5])
		if i >= len(got) {
			c.Check(false, "%s is missing", want)
			continue
		}
		c.Check(strings.ReplaceAll(got[i], " ", "") == strings.ReplaceAll(want, " ", ""), "got %s, want %s", got[i], want)
	}
	c.Check(len(got) == c.Same+c.Differ, "%d frames, want %d", len(got), c.Same+c.Differ)
	c.Same--
	return c.String()
}

func compareRawDefs(t *testing.T, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "definitions"}
	want := pstatstest.LoadDefs(t, name)
	c.Check(raw.Client().Host == want.Host && raw.Client().Program == want.Program && raw.Client().PID == want.PID, "client %+v", raw.Client())
	levels := raw.AllLevelThreads()
	for _, w := range want.Collectors {
		got, ok := raw.Collector(w.Index)
		c.Check(ok && got.Name == w.Name && int(got.Parent) == w.Parent && int(got.Sort) == w.Sort && got.Units == w.Units && pstatstest.Near6(float64(got.Scale), w.Scale) && pstatstest.Near6(float64(got.Factor), w.Factor) &&
			pstatstest.Near6(float64(got.R), w.Color[0]) && pstatstest.Near6(float64(got.G), w.Color[1]) && pstatstest.Near6(float64(got.B), w.Color[2]), "collector %+v, want %+v", got, w)
		var threads []int
		for i := range levels[w.Index] {
			for b := range 32 {
				if levels[w.Index][i]&(1<<b) != 0 {
					threads = append(threads, 32*i+b)
				}
			}
		}
		c.Check(slices.Equal(threads, w.LevelThreads), "level threads of %s: %v, want %v", w.Fullname, threads, w.LevelThreads)
	}
	for _, w := range want.Threads {
		c.Check(raw.ThreadName(w.Index) == w.Name && len(raw.Numbers(w.Index)) == w.Frames, "thread %d: %q with %d frames, want %+v", w.Index, raw.ThreadName(w.Index), len(raw.Numbers(w.Index)), w)
	}
	return c.String()
}

// TestOracleRaw holds what is kept of a client, from its file and from its recorded connection,
// against what the official code kept.
func TestOracleRaw(t *testing.T) {
	for _, name := range pstatstest.Captures {
		for _, from := range []string{"pstats", "pscap"} {
			t.Run(name+"/"+from, func(t *testing.T) {
				raw, _ := pstatstest.Raw(t, name, from == "pstats")
				t.Logf("%-14s %s: %s; %s", name, from, compareRawFrames(t, raw, name), compareRawDefs(t, raw, name))
			})
		}
	}
}

// arrivals notes the frames that a file's reader lets through.
type arrivals struct {
	*sessionfile.Raw
	numbers []int64
	left    int64
}

func (a *arrivals) Lost(l model.Loss) {
	if l.Reason == model.LossImplausible {
		a.left += l.N
	}
}

func (a *arrivals) Frame(f *pstats.Frame, _ int) { a.numbers = append(a.numbers, int64(f.Number)) }

// A frame of a file whose number or time jumps enters if a neighbour confirms it, as one of a live
// client does; else it is counted and left out, and what comes after is as if it had not been there.
func TestJumps(t *testing.T) {
	at := func(number uint32, sec float32) pstats.Frame {
		return pstats.Frame{Number: number, Events: []pstats.Event{{Time: sec}, {Word: pstats.StopBit, Time: sec + 0.016}}}
	}
	const top = 1<<31 - 1
	for name, c := range map[string]struct {
		frames []pstats.Frame
		left   []int // by index
	}{
		"numbers that jump": {[]pstats.Frame{at(0, 0), at(1, 0.02), at(2, 0.04), at(top, 0.06), at(top-1, 0.08), at(5, 0.1),
			at(6, 0.12), at(top-4, 0.14)}, []int{3, 4, 7}},
		"a time that jumps":       {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 9e6), at(3, 1.06), at(4, 1.08)}, []int{2}},
		"a last time that jumps":  {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 9e6)}, []int{2}},
		"a time that jumps back":  {[]pstats.Frame{at(7, 900), at(8, 900.02), at(9, 3), at(10, 900.06)}, []int{2}},
		"another program's count": {[]pstats.Frame{at(0, 1), at(1, 1.02), at(9e8, 1.04), at(9e8+1, 1.06)}, nil},
		"a pause":                 {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 300), at(3, 300.02)}, nil},
		"a pause before the last": {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 300)}, nil},
		"a frame in five minutes": {[]pstats.Frame{at(0, 1), at(1, 301), at(2, 601), at(3, 901), at(4, 1201), at(5, 1501)}, nil},
		"a clock that went back":  {[]pstats.Frame{at(7, 900), at(8, 900.02), at(9, 3), at(10, 3.02)}, nil},
		"numbers that count down": {[]pstats.Frame{at(9, 1), at(8, 1.02), at(7, 1.04), at(6, 1.06)}, nil},
		"one number":              {[]pstats.Frame{at(1, 1), at(1, 1.02), at(1, 1.04)}, nil},
		"a number that is off":    {[]pstats.Frame{at(46, 0.85), at(137, 0.87), at(48, 0.89), at(49, 0.91), at(60, 1.1)}, nil},
		"a file by number":        {[]pstats.Frame{at(46, 0.85), at(48, 0.89), at(49, 0.91), at(60, 1.1), at(137, 0.87)}, nil},
		"numbers that are far":    {[]pstats.Frame{at(0, 1), at(3000, 51), at(6000, 101)}, nil},
	} {
		in, want := &arrivals{Raw: sessionfile.NewRaw()}, []int64(nil)
		for i := range c.frames {
			if !slices.Contains(c.left, i) {
				want = append(want, int64(c.frames[i].Number))
			}
		}
		data := fileOf(c.frames)
		_, err := sessionfile.Read(bytes.NewReader(data), "test.pstats", int64(len(data)), in, nil)
		testkit.MustThat(t, err == nil, "%v %v", name, err)
		testkit.That(t, slices.Equal(in.numbers, want) && in.left == int64(len(c.left)),
			"%s: frames %v, not %v; %d were left out", name, in.numbers, want, in.left)
		// What entered does so again, in the order in which it is written.
		var b bytes.Buffer
		if err := in.WriteSession(&b); err != nil {
			t.Fatal(name, err)
		}
		again := &arrivals{Raw: sessionfile.NewRaw()}
		if _, err := sessionfile.Read(&b, "again.pstats", 0, again, nil); err != nil {
			t.Fatal(name, err)
		}
		testkit.That(t, again.left == 0,
			"%s: written and read again, %d of %v are left out", name, again.left, in.numbers)
	}
}

// fileOf writes a session file with these frames of one thread, in this order.
func fileOf(frames []pstats.Frame) []byte {
	none := sessionfile.NewDefinitions()
	le := binary.LittleEndian
	body := append(sessionfile.FileHead(&none), 0, 0)
	body = pstats.AppendString(body, "Main")
	for i := range frames {
		body = append(body, pstats.AppendFrame(nil, sessionfile.FrameVersion, &frames[i])[3:]...)
	}
	body = append(body, 255, 255, 255, 255, 255, 255)
	body = append(body, sessionfile.FileTail()...)
	return append(le.AppendUint32(sessionfile.FileMagic[:], uint32(len(body))), body...)
}

// Reading reports a file that goes on behind its session, and a wrong or missing checksum, and keeps the frames.
func TestBehindTheSession(t *testing.T) {
	whole := pstatstest.Constructed(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(whole)
	z.Close()
	wrong := bytes.Clone(packed.Bytes())
	wrong[len(wrong)-8] ^= 1
	for _, c := range []struct {
		name   string
		data   []byte
		reason string
	}{
		{"joined", append(bytes.Clone(whole), whole...), "the file goes on"},
		{"a byte more", append(bytes.Clone(whole), 0), "the file goes on"},
		{"checksum", wrong, "checksum"},
		{"no checksum", packed.Bytes()[:packed.Len()-8], "unexpected EOF"},
	} {
		_, info, err := pstatstest.ReadRaw(c.data)
		testkit.Equal(t, info.Frames, 1, "%s: frames", c.name)
		testkit.Fails(t, err, c.reason)
	}
	_, _, err := pstatstest.ReadRaw(packed.Bytes())
	testkit.OK(t, err)
}
