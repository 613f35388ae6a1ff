package puffin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/trace"
)

// writer writes what bincode does.
type writer struct{ b []byte }

func (w *writer) uint(n uint64) *writer {
	switch {
	case n <= 250:
		w.b = append(w.b, byte(n))
	case n < 1<<16:
		w.b = binary.LittleEndian.AppendUint16(append(w.b, 251), uint16(n))
	case n < 1<<32:
		w.b = binary.LittleEndian.AppendUint32(append(w.b, 252), uint32(n))
	default:
		w.b = binary.LittleEndian.AppendUint64(append(w.b, 253), n)
	}
	return w
}

func (w *writer) int(n int64) *writer { return w.uint(uint64(n<<1) ^ uint64(n>>63)) }

func (w *writer) text(s string) *writer {
	w.uint(uint64(len(s)))
	w.b = append(w.b, s...)
	return w
}

// made is a scope of made data.
type made struct {
	id          uint32
	name, place string // of old records
	data        string
	begin, stop int64
	inner       []made
}

func (m *made) append(b []byte, numbered bool) []byte {
	if b = append(b, '('); numbered {
		b = binary.LittleEndian.AppendUint32(b, m.id)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(m.begin))
	texts := []string{m.name, m.place, m.data}
	if numbered {
		texts = texts[2:]
	}
	for _, s := range texts {
		b = append(append(b, byte(len(s))), s...)
	}
	var inner []byte
	for i := range m.inner {
		inner = m.inner[i].append(inner, numbered)
	}
	b = append(binary.LittleEndian.AppendUint64(b, uint64(len(inner))), inner...)
	return binary.LittleEndian.AppendUint64(append(b, ')'), uint64(m.stop))
}

func scopesIn(list []made) (n int64) {
	for _, m := range list {
		n += 1 + scopesIn(m.inner)
	}
	return n
}

// madeThread is what a thread closed in a frame.
type madeThread struct {
	start  int64
	name   string
	scopes []made
	raw    []byte // instead
}

// madeFrame is a frame of made data.
type madeFrame struct {
	number  uint64
	threads []madeThread
	defs    []scopeDef
}

// record returns the frame as puffin of a version writes it, '1' to '4'.
func (f *madeFrame) record(version, packing byte) []byte {
	var streams, meta, defs writer
	begin, end, n := int64(0), int64(0), int64(0)
	streams.uint(uint64(len(f.threads)))
	for _, th := range f.threads {
		raw := th.raw
		for i := range th.scopes {
			raw = th.scopes[i].append(raw, version == '4')
			begin, end = min(begin, th.scopes[i].begin), max(end, th.scopes[i].stop)
		}
		n += scopesIn(th.scopes)
		streams.b = append(streams.b, 1)
		streams.int(th.start).text(th.name).text(string(raw)).uint(uint64(scopesIn(th.scopes))).uint(1).int(0).int(0)
	}
	meta.int(begin).int(end).uint(0).uint(uint64(n))
	var number writer
	number.uint(f.number)
	if version <= '1' {
		plain := append(append(number.b, streams.b...), meta.b...)
		packed := pack(packedZstd, plain)
		return append(binary.LittleEndian.AppendUint32([]byte("PFD1"), uint32(len(packed))), packed...)
	}
	meta.b = append(number.b, meta.b...)
	packed := pack(packing, streams.b)
	b := append([]byte("PFD"), version)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(meta.b))), meta.b...)
	if b = binary.LittleEndian.AppendUint32(b, uint32(len(packed))); version != '2' {
		b = append(b, packing)
	}
	if b = append(b, packed...); version != '4' {
		return b
	}
	defs.uint(uint64(len(f.defs)))
	for _, d := range f.defs {
		defs.b = append(defs.b, 1)
		defs.uint(uint64(d.id))
		if d.name == nil {
			defs.b = append(defs.b, 0)
		} else {
			defs.b = append(defs.b, 1)
			defs.text(string(d.name))
		}
		defs.text(string(d.function)).text(string(d.file)).uint(d.line)
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(defs.b))), defs.b...)
}

// zstdWriter is the one encoder of all tests: it is large.
var zstdWriter = sync.OnceValue(func() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return w
})

func pack(packing byte, b []byte) []byte {
	switch packing {
	case packedLZ4:
		out := make([]byte, lz4.CompressBlockBound(len(b)))
		n, err := lz4.CompressBlock(b, out, nil)
		if err != nil {
			panic(err)
		}
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), out[:n]...)
	case packedZstd:
		var out bytes.Buffer
		w := zstdWriter()
		w.Reset(&out)
		io.Copy(w, bytes.NewReader(b))
		w.Close()
		return out.Bytes()
	}
	return b
}

// recordsOf returns frames as puffin of a version writes them.
func recordsOf(frames []madeFrame, version, packing byte) (records [][]byte) {
	for i := range frames {
		records = append(records, frames[i].record(version, packing))
	}
	return records
}

// file writes frames to a file.
func file(frames ...[]byte) []byte { return append([]byte(fileMagic), bytes.Join(frames, nil)...) }

// picture is a session in words: of each thread its frames, and its scopes.
func picture(s *store.Session) string {
	var b strings.Builder
	for _, tr := range feedtest.Tracks(s) {
		fmt.Fprintf(&b, "%s:", tr.Title())
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			fmt.Fprintf(&b, " #%d %d-%d", f.Number, f.Begin, f.End)
		}
		for lane := range tr.Lanes() {
			b.WriteString(" |")
			for _, x := range feedtest.Bars(s, tr.Def.ID, lane) {
				fmt.Fprintf(&b, " %s %d-%d", s.Collector(x.Collector).Name, x.Begin, x.End)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// faults are the kinds of what is wrong with a session, and how often.
func faults(s *store.Session) string {
	var list []string
	for _, x := range s.Diagnostics() {
		list = append(list, fmt.Sprint(x.Kind, " ", x.N))
	}
	return strings.Join(list, ", ")
}

// one is a scope.
func one(id uint32, begin, stop int64, inner ...made) made {
	return made{id: id, name: fmt.Sprint("s", id), place: fmt.Sprintf("src/a.rs:%d", id), begin: begin, stop: stop, inner: inner}
}

// The rules of names, frames and threads.
func TestRules(t *testing.T) {
	def := func(id uint32, name, function string, line uint64) scopeDef {
		d := scopeDef{id: id, function: []byte(function), file: []byte("src/a.rs"), line: line}
		if name != "" {
			d.name = []byte(name)
		}
		return d
	}
	main := func(scopes ...made) madeThread { return madeThread{start: 5, name: "main", scopes: scopes} }
	other := func(name string, start int64, scopes ...made) madeThread {
		return madeThread{start: start, name: name, scopes: scopes}
	}
	var told [][2]string
	for _, c := range []struct {
		name   string
		frames []madeFrame
	}{
		{"a frame ends where the next begins, but before a gap and at the end", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 100, 110))}},
			{number: 1, threads: []madeThread{main(one(1, 120, 130), one(1, 132, 140))}},
			{number: 4, threads: []madeThread{main(one(1, 200, 210))}},
		}},
		{"names may come later, functions are names, the first definition counts", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 0, 9, one(2, 1, 2), one(3, 3, 4)))}},
			{number: 1, threads: []madeThread{main(one(1, 10, 12))}, defs: []scopeDef{def(1, "frame", "game::run", 1), def(2, "", "game::ai", 2)}},
			{number: 2, threads: []madeThread{main(one(2, 20, 22))}, defs: []scopeDef{def(1, "other", "x", 1)}},
		}},
		{"scopes of one name tell where they are", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 0, 9, one(2, 1, 2), one(3, 3, 4)))},
				defs: []scopeDef{def(1, "job", "x", 1), def(2, "job", "x", 2), def(3, "job", "x", 2)}},
		}},
		{"threads of one name are told apart, one without a name has a number; theirs is what they closed", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 10, 14)), other("w", 7, one(1, 11, 12)), other("", 9, one(1, 12, 15))}},
			{number: 1, threads: []madeThread{main(one(1, 20, 24)), other("w", 8, one(1, 21, 22))}},
			{number: 2, threads: []madeThread{main(one(1, 30, 34)), other("w", 7, one(1, 13, 32))}},
		}},
		{"frames in which the main thread closed nothing", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 0, 5))}},
			{number: 1, threads: []madeThread{other("w", 7, one(1, 1, 8))}},
			{number: 2, threads: []madeThread{main(one(1, 20, 25))}},
		}},
		{"one that never ended, and what follows it", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 0, 5)), {start: 7, name: "w", raw: []byte("(\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")}}},
			{number: 1, threads: []madeThread{main(one(1, 6, 9)), other("w", 7, one(1, 7, 8), one(1, 9, 8), one(1, 11, 12))}},
		}},
		{"time that goes back, and a callee beside its caller", []madeFrame{
			{number: 0, threads: []madeThread{main(one(1, 0, 50)), other("w", 7, one(1, 10, 20, one(2, 11, 21)), one(1, 30, 31))}},
			{number: 1, threads: []madeThread{main(one(1, 40, 45), one(1, 60, 65))}},
		}},
		{"numbers that begin anew", []madeFrame{
			{number: 7, threads: []madeThread{main(one(1, 0, 5))}},
			{number: 0, threads: []madeThread{main(one(1, 6, 7))}},
			{number: 1, threads: []madeThread{main(one(1, 8, 9))}},
		}},
		{"scopes of no length stand in order", []madeFrame{{number: 0, threads: []madeThread{main(one(1, 0, 0, one(2, 0, 0)), one(3, 0, 4))}}}},
	} {
		var records [][]byte
		for i := range c.frames {
			records = append(records, c.frames[i].record('4', byte(i%3)))
		}
		s := feedtest.Made(t, Source{}, "made.puffin", file(records...))
		told = append(told, [2]string{c.name, picture(s) + strings.Join(append(s.Warnings(), faults(s)), "\n")})
	}
	testkit.Named(t, "testdata/rules.txt", "What becomes of the frames that TestRules makes.", told)
}

// random returns frames of some threads, with scopes that lie in each other as a program's do.
func random(seed uint64, frames int) (out []madeFrame) {
	r := rand.New(rand.NewPCG(seed, 1))
	at := make([]int64, 4)
	var calls func(begin, room int64, depth int) []made
	calls = func(begin, room int64, depth int) (list []made) {
		for n := r.IntN(4); n > 0 && room > 2 && depth < 6; n-- {
			begin += r.Int64N(room / 2)
			room /= 2
			long := 1 + r.Int64N(max(room, 1))
			list = append(list, one(1+r.Uint32N(9), begin, begin+long, calls(begin, long, depth+1)...))
			begin, room = begin+long, room-long
		}
		return list
	}
	for i := range frames {
		f := madeFrame{number: uint64(i)}
		for th := range at {
			at[th] = max(at[th], int64(i)*1000+r.Int64N(100))
			name := []string{"main", "render", "w", "w"}[th]
			if th > 0 && r.IntN(3) == 0 {
				continue
			}
			x := madeThread{start: int64(th), name: name}
			if x.scopes = calls(at[th], 900, 0); len(x.scopes) > 0 {
				at[th] = x.scopes[len(x.scopes)-1].stop
				f.threads = append(f.threads, x)
			}
		}
		out = append(out, f)
	}
	return out
}

// The same frames as each version of puffin writes them are the same session, but for names.
func TestVersions(t *testing.T) {
	for seed := range uint64(testkit.Rounds(3, 10)) {
		frames := random(seed, 30)
		for i := range frames {
			frames[i].defs = nil
			for id := range uint32(9) {
				m := one(id+1, 0, 0)
				frames[i].defs = append(frames[i].defs, scopeDef{id: id + 1, name: []byte(m.name), file: []byte("src/a.rs"), line: uint64(id + 1)})
			}
		}
		want := ""
		for _, version := range []byte{'4', '3', '2', '1'} {
			for _, packing := range []byte{packedNot, packedLZ4, packedZstd} {
				if version == '2' && packing != packedZstd {
					continue
				}
				data := file(recordsOf(frames, version, packing)...)
				s := feedtest.Made(t, Source{}, "made.puffin", append(data, 0, 0, 0, 0))
				got := picture(s)
				if want == "" {
					want = got
					n := strings.Count(got, "-")
					testkit.MustThat(t, n >= 100, "only %d things in\n%s", n, got)
				}
				testkit.That(t, got == want,
					"seed %d, version %q, packed %d: got\n%swant\n%s", seed, version, packing, got, want)
				n, lines := s.Losses()
				testkit.That(t, len(lines) <= 0, "seed %d: losses %v %q", seed, n, lines)
			}
		}
	}
}

// TestNamesThatNeverRepeat sends scopes with names that never repeat, of each kind, and threads
// without end: that must not cost more memory than is allowed, and what there is no room for is
// counted.
func TestNamesThatNeverRepeat(t *testing.T) {
	const frames, scopes = 60, 1000
	for name, c := range map[string]struct {
		version byte
		make    func(frame, i int, m *made, f *madeFrame)
	}{
		"names": {'3', func(frame, i int, m *made, _ *madeFrame) {
			m.name, m.place = strings.Repeat("n", 100), fmt.Sprint(frame, ":", i)
		}},
		"numbers": {'4', func(frame, i int, m *made, _ *madeFrame) { m.id = uint32(frame*scopes + i + 1) }},
		"definitions": {'4', func(frame, i int, m *made, f *madeFrame) {
			m.id = uint32(frame*scopes + i + 1)
			f.defs = append(f.defs, scopeDef{id: m.id, name: fmt.Append(nil, "scope of ", frame, " and ", i)})
		}},
		"threads": {'4', func(frame, i int, m *made, f *madeFrame) {
			m.id = 1
			f.threads = append(f.threads, madeThread{start: int64(frame*scopes + i), name: "w", scopes: []made{*m}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			v := feedtest.New(t, 16<<20)
			s := v.Run(func(sink feed.Sink) {
				st := Source{}.NewStream(sink, feed.StreamOptions{})
				st.Write([]byte(fileMagic))
				for frame := range frames {
					f := madeFrame{number: uint64(frame)}
					th := madeThread{start: -1, name: "main"}
					for i := range scopes {
						at := int64(frame*scopes+i) * 10
						m := made{id: 1, name: "x", begin: at, stop: at + 5}
						c.make(frame, i, &m, &f)
						th.scopes = append(th.scopes, m)
					}
					f.threads = append(f.threads, th)
					_, err := st.Write(f.record(c.version, packedNot))
					testkit.That(t, err == nil, "%v", err)
				}
				st.Close("")
			})
			v.Check(t)
			losses, lines := s.Losses()
			testkit.That(t, losses[model.LossLimit] != 0, "nothing is beyond a limit: %q", lines)
			if name != "threads" {
				v.CheckMore(t, s)
			}
			n := s.Track(s.MainTrack()).NumFrames()
			testkit.That(t, n != 0 && len(lines) <= 9, "%d frames, losses %q", n, lines)
		})
	}
}

// What claims to be larger than it can be is refused before there is room for it.
func TestClaims(t *testing.T) {
	var u unpacker
	_, err := u.unpack(packedLZ4, binary.LittleEndian.AppendUint32(nil, maxUnpacked))
	testkit.That(t, err != nil && len(u.room) == 0, "%v, room for %d", err, len(u.room))
	bomb := pack(packedZstd, make([]byte, maxUnpacked+1))
	testkit.Refused(u.unpack(packedZstd, bomb))(t, "exceed")
	for _, packing := range []byte{3, 255} {
		_, err := u.unpack(packing, nil)
		testkit.That(t, err != nil, "packed %d is taken", packing)
	}
	for _, b := range []string{"", "\x00\x00\x00\x00\xff", "\x04\x00\x00\x00\x01\x02\x03\x04\xff\xff\xff\xff\xff"} {
		var empty unpacker // with no room yet
		_, err := empty.unpack(packedLZ4, []byte(b))
		testkit.That(t, err != nil || len(b) != 0, "%q is taken", b)
	}
	// One that comes after is read all the same.
	if out, err := u.unpack(packedLZ4, pack(packedLZ4, []byte(strings.Repeat("abc", 100)))); err != nil || len(out) != 300 {
		t.Errorf("%q, %v", out, err)
	}
	deep := one(1, 0, 5000)
	for i := range int64(trace.MaxDepth + 200) {
		deep = one(1, 0, 5000+i, deep)
	}
	f := madeFrame{threads: []madeThread{{name: "main", scopes: []made{deep}}}}
	s := feedtest.Made(t, Source{}, "made.puffin", file(f.record('4', packedLZ4)))
	testkit.That(t, s.Track(0).Lanes() == trace.MaxDepth && faults(s) == "deep-stack 1",
		"%d deep, %q", s.Track(0).Lanes(), faults(s))
}

// framesAt returns frames of a scope of 5 ms each, which begin at times.
func framesAt(times []int64) (out [][]byte) {
	for i, at := range times {
		f := madeFrame{number: uint64(i), threads: []madeThread{{start: -1, name: "main", scopes: []made{one(1, at, at+5e6)}}}}
		out = append(out, f.record('4', packedNot))
	}
	return out
}

// One time that is garbage, wherever it stands, costs its own frame alone.
func TestGarbageTimes(t *testing.T) {
	const n, epoch, ms = 20, int64(1_790_000_000e9), int64(1e6)
	for _, base := range []int64{0, epoch} {
		for _, garbage := range []int64{math.MinInt64 + 10, math.MaxInt64 - 10*ms, base + 1<<62, base - 1<<62} {
			for _, at := range []int{0, 1, 10, n - 1} {
				times := make([]int64, n)
				for i := range times {
					times[i] = base + int64(i)*10*ms
				}
				times[at] = garbage
				s := feedtest.Made(t, Source{}, "made.puffin", file(framesAt(times)...))
				main := s.Track(s.MainTrack())
				begin, end, _ := main.FrameTimes(0, main.NumFrames()-1)
				testkit.That(t, main.NumSpans() == n-1 && faults(s) == "bad-time 1",
					"%d at %d: %d scopes, %q", garbage, at, main.NumSpans(), faults(s))
				testkit.That(t, begin >= 0 && end <= n*10*ms,
					"%d at %d: the frames are from %d to %d", garbage, at, begin, end)
			}
		}
	}
}

// readFrames returns the numbers of the frames that can be read, and how many records and stretches can't be.
func readFrames(t *testing.T, data []byte, step int) (numbers []int64, bad int64, c *cutter) {
	t.Helper()
	var x frameReader
	c = newCutter(func(rec *record) error {
		f, err := x.read(rec)
		if err != nil {
			bad++
		}
		if f != nil {
			numbers = append(numbers, f.number)
		}
		return nil
	})
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
	testkit.That(t, slices.Equal(others, want) && (len(got) != len(want) || bad != 0 || at <= 0),
		"%s: frames %d, %d damaged places", what, got, bad)
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

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"pfd1.puffin", "pfd2.puffin", "http_join_late.puffinstream", "broken-cut.puffin"} {
		data := recordings.Read(f, recordings.Puffin, name)
		f.Add(uint8(5), data[:min(len(data), 5000)])
	}
	frames := random(1, 4)
	for i, version := range []byte{'4', '3', '2', '1'} {
		var records [][]byte
		for k := range frames {
			records = append(records, frames[k].record(version, byte(k%3)))
		}
		f.Add(uint8(i), file(records...))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int, idle bool) (string, string) {
			k := feedtest.NewRuled(t)
			k.Also = func(b *model.Batch) {
				for _, sp := range b.Spans {
					testkit.MustThat(t, b.HasFrame && sp.End <= b.End,
						"a span %+v in the frame from %d to %d", sp, b.Begin, b.End)
				}
				if slices.ContainsFunc(b.Self, func(a model.CollectorTime) bool { return a.Count < 1 }) {
					t.Fatalf("alone: %+v", b.Self)
				}
			}
			err := feedtest.Stream(Source{}, k, data, feedtest.Steps(step), idle)
			n := k.Session.Limits()
			testkit.That(t, len(n) == 0 || len(data) >= 1<<16, "limits: %v", n)
			feedtest.Unrefused(t, k.Session)
			total := 0
			for _, tr := range feedtest.Tracks(k.Session) {
				total += int(tr.NumSpans())
			}
			testkit.That(t, idle || total == k.Spans, "%d spans in the session, of %d", total, k.Spans)
			return picture(k.Session) + feedtest.Losses(k.Session), fmt.Sprint(err)
		}
		want, wantErr := read(max(len(data), 1), false)
		if got, err := read(1+int(step), false); got != want || err != wantErr {
			t.Fatalf("pieces of %d: %s\n%s\nwhole: %s\n%s", step, err, got, wantErr, want)
		}
		read(1+int(step), true)
		var m Messages
		for i := range 2 {
			m.Connected()
			m.Write(data[i*len(data)/2:], func(b []byte, _ bool) error {
				testkit.MustThat(t, len(b) >= 6, "a message of %d bytes", len(b))
				return nil
			})
		}
	})
}

// bigFile returns a recording of a game with some 600 scopes a frame, as puffin packs it.
func bigFile(frames int) []byte {
	data := []byte(fileMagic)
	for i := range frames {
		f := madeFrame{number: uint64(i)}
		for th, name := range []string{"main", "render", "worker", "worker", "audio", "loader"} {
			x := madeThread{start: int64(th), name: name}
			at := int64(i)*16e6 + int64(th)*1000
			for k := range 5 {
				m := made{id: uint32(1 + k), begin: at, stop: at + 2e6}
				for j := range int64(19) {
					m.inner = append(m.inner, one(uint32(10+j*3+int64(k)), at+j*1e5, at+j*1e5+7e4+int64(i*31%977)))
				}
				x.scopes = append(x.scopes, m)
				at += 3e6
			}
			f.threads = append(f.threads, x)
		}
		data = append(data, f.record('4', packedLZ4)...)
	}
	return data
}

// BenchmarkOpen reads a recording of a million scopes. Bytes are those of the file, which is packed.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "big.puffin", bigFile(1700)) }
