package puffin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model/store"
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
