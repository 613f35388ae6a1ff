package profilelib

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// What is encoded is decoded as it was, in every layout, and means the same in the current one.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(allLayouts()).Draw(t, "layout")
		kind := Kind(rapid.IntRange(int(SysInfo), int(Block)).Draw(t, "kind"))
		r := Record{
			Processor: rapid.Uint32().Draw(t, "processor"), Thread: rapid.Uint32().Draw(t, "thread"),
			Start: rapid.Int64Range(0, MaxTicks).Draw(t, "start"),
			Name:  rapid.SliceOfN(rapid.ByteRange(0x20, 0x7e), 0, l.NameSize()-1).Draw(t, "name"),
		}
		link := rapid.Uint32Range(0, 0xffff)
		r.Previous, r.Sibling, r.Child = link.Draw(t, "previous"), link.Draw(t, "sibling"), link.Draw(t, "child")
		if id, ok := l.ID(kind); kind == Block {
			r.ID = rapid.Uint32Min(FirstBlock).Draw(t, "id")
		} else if !ok {
			t.Skip("no such kind")
		} else {
			r.ID = id
		}
		if kind.More() {
			r.Parent = rapid.Uint32Min(FirstBlock).Draw(t, "parent")
		}
		r.End = rapid.Int64Range(FirstBlock, 1<<32-1).Draw(t, "end")
		switch kind {
		case Block:
			r.End += r.Start
		case SysInfo:
			r.Start, r.End = 1e7, 0
		case Frame:
			r.Name = nil
		}
		raw := l.Encode(&r, []byte("before"))
		testkit.MustThat(t, len(raw) == 6+l.Stride() && string(raw[:6]) == "before", "%d bytes", len(raw))
		var got Record
		testkit.OK(t, l.Decode(raw[6:], &got))
		same(t, got, r)
		testkit.MustEqual(t, l.Kind(got.ID, got.Parent), kind, "kind")
		var cur [RecordSize]byte
		l.ToCurrent(raw[6:], &cur)
		testkit.OK(t, Current.Decode(cur[:], &got))
		r.ID, _ = Current.ID(kind)
		if kind == Block {
			r.ID = got.ID
		}
		same(t, got, r)
		f := CheckRecord(cur[:])
		testkit.MustThat(t, f == NoFault || r.End > MaxTicks || r.Parent == r.ID, "%v: %v", kind, f)
	})
}

func same(t *rapid.T, a, b Record) {
	testkit.MustThat(t, bytes.Equal(a.Name, b.Name), "name %q, want %q", a.Name, b.Name)
	a.Name, b.Name = nil, nil
	testkit.MustThat(t, reflect.DeepEqual(a, b), "%+v, want %+v", a, b)
}

func TestLayoutNames(t *testing.T) {
	for _, l := range allLayouts() {
		got, err := ParseRecord(l.String())
		testkit.That(t, err == nil && got == l, "%v is read as %v: %v", l, got, err)
	}
	for in, want := range map[string]Layout{"V3-72": V3, " v4 ": Current, "v2": V2} {
		got, err := ParseRecord(in)
		testkit.That(t, err == nil && got == want, "%q is read as %v: %v", in, got, err)
	}
	for _, bad := range []string{"", "v5", "4", "v3-64", "v4-be-le"} {
		l, err := ParseRecord(bad)
		testkit.That(t, err != nil, "%q is read as %v", bad, l)
	}
}

// The worked example of the format's description.
func TestExample(t *testing.T) {
	raw := readFile(t, "../../testdata/profilelib/small-clean.prof")
	var r Record
	testkit.OK(t, Current.Decode(raw[:64], &r))
	if r.ID != 219 || r.Thread != 31120 || r.Start != 19640789 || r.End != 19757432 || string(r.Name) != "Job" || r.Child != 96 {
		t.Errorf("first record: %+v", r)
	}
	testkit.OK(t, Current.Decode(raw[64:], &r))
	testkit.That(t, r.ID == 222 && r.Parent == 219 && r.Start == 19721909 &&
		string(r.Name) == "Skinning of character wit" && r.Sibling == 94, "second record: %+v", r)
	testkit.That(t, Current.Decode(raw[:63], &r) != nil, "63 bytes are taken for a record")
}

// captures returns the recordings that are there, with their layouts.
func captures(t testing.TB) map[string]Layout {
	all := map[string]Layout{}
	for _, dir := range []string{"../../testdata/profilelib", "../../../shared/captures/profilelib"} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.prof"))
		for _, f := range files {
			all[f] = layoutOf(f)
		}
	}
	testkit.MustThat(t, len(all) >= 5, "only %d captures are there", len(all))
	return all
}

func expect(t *testing.T, what string, head []byte, want Layout, phase int) {
	t.Helper()
	d, ok := Detect(head)
	if !ok || d.Layout != want || d.Phase != phase {
		t.Errorf("%s: %v from byte %d, %v, confidence %.2f, want %v from byte %d; %q", what, d.Layout, d.Phase, ok, d.Confidence, want, phase, d.Why)
	}
}

func TestDetectCaptures(t *testing.T) {
	for name, want := range captures(t) {
		data := readFile(t, name)
		base := filepath.Base(name)
		expect(t, base, data[:min(len(data), 64<<10)], want, 0)
		testkit.That(t, Sniff(data[:min(len(data), 64<<10)]), "%s: not recognised", base)
		st := want.Stride()
		for cut := 0; cut < 3*st; cut += testkit.Rounds(11, 1) { // 11 and the size of a record share no divisor
			expect(t, base+" cut at its begin", data[cut:min(len(data), 32<<10)], want, (st-cut%st)%st)
		}
		r := rand.New(rand.NewPCG(1, uint64(len(data))))
		for range testkit.Rounds(20, 150) {
			cut := r.IntN(len(data) - 40*st)
			expect(t, base+" cut anywhere", data[cut:min(len(data), cut+16<<10)], want, (st-cut%st)%st)
		}
	}
}

// Each capture written in every other layout is recognised as that one.
func TestDetectConverted(t *testing.T) {
	for name, from := range captures(t) {
		data := readFile(t, name)
		for _, to := range allLayouts() {
			got, ok := Detect(convert(data, from, to))
			testkit.That(t, ok && got.Layout == to && got.Phase == 0,
				"%s as %v: %v %v; %q", filepath.Base(name), to, got.Layout, ok, got.Why)
		}
	}
}

func TestDetectRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	random := make([]byte, 256<<10)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	smooth := make([]byte, 64<<10) // an image: small numbers side by side
	for i := range smooth {
		smooth[i] = byte(i/977 + i%3)
	}
	counting := make([]byte, 64<<10)
	for i := 0; i < len(counting); i += 8 {
		binary.LittleEndian.PutUint64(counting[i:], uint64(i))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(readFile(t, "../../testdata/profilelib/small-clean.prof"))
	_ = w.Close()
	cases := map[string][]byte{
		"nothing": nil, "zeros": make([]byte, 64<<10), "ones": bytes.Repeat([]byte{1}, 64<<10), "0xff": bytes.Repeat([]byte{0xff}, 64<<10),
		"random": random, "image": smooth, "counting": counting, "gzip": zipped.Bytes(), "short": make([]byte, 63),
		"text":  []byte(strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 1000)),
		"utf16": bytes.Repeat([]byte{'a', 0, 'b', 0, ' ', 0}, 10000),
	}
	for _, pattern := range []string{"../pstats/testdata/*", "../../testdata/*/*", "../../testdata/*", "../../assets/*", "../*.go", "../../docs/*"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if st, err := os.Stat(f); err != nil || st.IsDir() || strings.HasSuffix(f, ".prof") {
				continue
			}
			data := readFile(t, f)
			cases[f] = data[:min(len(data), 64<<10)]
		}
	}
	for name, data := range cases {
		d, ok := Detect(data)
		testkit.That(t, !ok && !Sniff(data), "%s is taken for a profile stream: %v, %q", name, d.Layout, d.Why)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add(readFile(f, "../../testdata/profilelib/no-sysinfo.prof"))
	f.Add(make([]byte, 640))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, ok := Detect(data)
		if ok && (d.Phase < 0 || d.Phase >= d.Layout.Stride() || d.records*d.Layout.Stride() > len(data) || d.Confidence < 0 || d.Confidence > 1) {
			t.Fatalf("impossible answer %+v", d)
		}
		testkit.MustThat(t, ok || d.Why != "", "no reason given")
	})
}

// NULs that were written into a file hide neither what it is nor how its records lie.
func TestNULsHideNoLayout(t *testing.T) {
	for name, layout := range captures(t) {
		data := readFile(t, name)
		if !Sniff(data) {
			continue // too little of it
		}
		for _, at := range []int{4096, len(data) / 2, len(data) * 3 / 4} {
			for _, n := range []int{100, 1000, 4999, 5000, 20000} {
				if at < sureBytes || at > len(data) {
					continue
				}
				damaged := append(append(append([]byte(nil), data[:at]...), make([]byte, n)...), data[at:]...)
				if d, ok := Detect(damaged); !Sniff(damaged) || !ok || d.Layout.Stride() != layout.Stride() {
					t.Errorf("%s with %d NULs at %d: %+v", filepath.Base(name), n, at, d)
				}
			}
		}
	}
}

// allLayouts returns every layout, the likeliest first.
func allLayouts() []Layout { return []Layout{V4, V3, V2, V1} }

// header has the library's prototypes that the page uses, as the library declares them.
const header = `#include <stdbool.h>
#include <stddef.h>
typedef void (*profile_write_fn)(void* buffer, size_t size);
extern int profile_initialize(const char* identifier, size_t length, void* buffer, size_t size);
extern void profile_set_output(profile_write_fn writer);
extern void profile_enable(bool enable);
#define STRING_CONST(s) (s), (sizeof((s)) - 1)
`

// TestRealCompiler: what docs/sources/profile-lib.md tells C programmers to write goes through a compiler
// that is strict.
func TestRealCompiler(t *testing.T) {
	gcc := testkit.Program(t, "gcc")
	text := string(readFile(t, filepath.Join(recordings.Root(t), "docs/sources/profile-lib.md")))
	_, code, inC := strings.Cut(text, "```c\n")
	code, _, closed := strings.Cut(code, "```")
	testkit.MustThat(t, inC && closed && strings.Contains(code, "profile_set_output"),
		"docs/sources/profile-lib.md has no C lines")
	compile := func(code string) (string, error) {
		dir := t.TempDir()
		for name, text := range map[string]string{"foundation/foundation.h": header, "viewer.c": code} {
			path := filepath.Join(dir, name)
			testkit.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
			testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		}
		cmd := exec.CommandContext(t.Context(), gcc, "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-I.", "-c", "viewer.c", "-o", "viewer.o")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := compile("#include <sys/socket.h>\n#ifndef AF_INET\n#error none\n#endif\n"); err != nil {
		t.Skipf("no sockets as Unix has them: %s", out)
	}
	if out, err := compile(code); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
	// The check can fail: this is how the lines once were.
	if _, err := compile(strings.Replace(code, "(void* record", "(const void* record", 1)); err == nil {
		t.Error("a writer of another type compiles, too")
	}
}

// library acts as the profiling library does on one thread: on a virtual clock, and on virtual
// processors that change while the program works. It splits blocks by the library's rule.
type library struct {
	written
	r       *rand.Rand
	now     int64
	cpu     uint32
	moves   float64 // chance that the thread moves while it works
	delayed float64 // chance that it loses the processor within a split, for up to a millisecond
	open    []*libraryBlock
	done    []*libraryBlock // roots, and messages outside of them, since the last flush
	calls   map[string]int64
	next    uint32
	split   int
}

// libraryBlock is a block, or a message, which has no end of its own.
type libraryBlock struct {
	r        Record
	children []*libraryBlock
}

func newLibrary(seed uint64) *library {
	return &library{r: rand.New(rand.NewPCG(seed, 1)), now: 1e6, calls: map[string]int64{}, next: 129}
}

// work lets time pass, within which the thread may move.
func (l *library) work(ns int64) {
	l.now += ns/2 + l.r.Int64N(ns/2+1)
	if l.r.Float64() < l.moves {
		l.cpu = (l.cpu + 1 + uint32(l.r.IntN(3))) % 4
	}
	l.now += ns / 2
}

func (l *library) begin(name string) {
	l.calls[name]++
	l.beginRecord(name)
}

func (l *library) beginRecord(name string) {
	b := &libraryBlock{r: Record{ID: l.next, Processor: l.cpu, Thread: 7, Name: []byte(name)}}
	l.next++
	l.now += 40
	b.r.Start = l.now
	if n := len(l.open); n > 0 {
		b.r.Parent = l.open[n-1].r.ID
		l.open[n-1].children = append(l.open[n-1].children, b)
	}
	l.open = append(l.open, b)
}

func (l *library) end() {
	n := len(l.open) - 1
	b := l.open[n]
	l.now += 40
	b.r.End = l.now
	l.open = l.open[:n]
	if n == 0 {
		l.done = append(l.done, b)
		return
	}
	l.update()
}

// update is what the library does at the end of a call, and when it is asked to: it splits the
// innermost block if the thread has moved.
func (l *library) update() {
	if n := len(l.open); n > 0 && l.open[n-1].r.Processor != l.cpu {
		name := string(l.open[n-1].r.Name)
		l.end()
		l.split++
		if l.now += 100 + l.r.Int64N(900); l.r.Float64() < l.delayed {
			l.now += l.r.Int64N(1e6)
		}
		l.beginRecord(name)
	}
}

func (l *library) message(kind Kind, number int64) {
	l.now += 40
	b := &libraryBlock{r: Record{ID: uint32(kind), Processor: l.cpu, Thread: 7, Start: l.now, End: number}}
	if kind != Frame {
		b.r.End = int64(l.next)
		l.next++
		b.r.Name = []byte("a message")
	}
	if n := len(l.open); n > 0 {
		l.open[n-1].children = append(l.open[n-1].children, b)
		return
	}
	l.done = append(l.done, b)
}

// flush writes what is done as the library does: the newest first, with its links.
func (l *library) flush() {
	slots := uint32(0)
	var write func(b *libraryBlock, slot, sibling uint32)
	write = func(b *libraryBlock, slot, sibling uint32) {
		n := len(b.children)
		first := slots + 1
		slots += uint32(n)
		if b.r.Sibling = sibling; n > 0 {
			b.r.Child = first
		}
		l.add(b.r)
		for k := range n {
			next := uint32(0)
			if k+1 < n {
				next = first + uint32(k) + 1
			}
			write(b.children[n-1-k], first+uint32(k), next)
		}
	}
	for k := len(l.done) - 1; k >= 0; k-- {
		slots++
		write(l.done[k], slots, 0)
	}
	l.done = l.done[:0]
}

// frame is one of a game: leaves that follow each other at once, one that looks where it runs, and
// pauses.
func (l *library) frame(n int64) {
	leaf := func(name string, ns int64) { l.begin(name); l.work(ns); l.end() }
	l.begin("Frame")
	l.begin("Update")
	l.begin("Physics")
	for range 3 {
		leaf("Substep", 60e3)
	}
	l.end()
	l.begin("AI")
	for range 4 {
		l.work(20e3)
		l.update()
	}
	l.end()
	l.end()
	l.begin("Render")
	leaf("Cull", 50e3)
	l.message(Log, 0)
	leaf("Submit", 80e3)
	l.end()
	l.end()
	l.message(Frame, n)
	for range l.r.IntN(3) {
		l.begin("Job")
		leaf("Skin", 30e3)
		leaf("Blend", 40e3)
		l.end()
		l.work(300e3)
	}
	if n%6 == 5 {
		l.flush()
	}
}

// TestCallsOfAThreadThatMoves: whatever the system takes from a thread within a split, calls are
// counted as the program made them.
func TestCallsOfAThreadThatMoves(t *testing.T) {
	made, wrong, splits := int64(0), int64(0), 0
	for seed := range uint64(6) {
		l := newLibrary(seed)
		l.moves, l.delayed = 0.02, 0.03
		for n := range int64(400) {
			l.frame(n)
		}
		l.flush()
		k := decode(t, l.data)
		check(t, k)
		_, sums := blocks(k.Session)
		for name, want := range l.calls {
			if d := sums[name].Count - want; d != 0 {
				wrong += max(d, -d)
			}
			made += want
		}
		splits += l.split
	}
	testkit.That(t, splits >= 500 && wrong*2000 <= made, "%d of %d calls are counted wrong", wrong, made)
}

// FuzzDecoder writes anything, in pieces and with idle moments that the first bytes choose.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"no-sysinfo", "exhausted"} {
		data := readFile(f, capture(f, name))
		f.Add(uint8(0), uint8(200), data[:min(len(data), 150*64)])
		f.Add(uint8(7), uint8(77), data[:min(len(data), 60*64)])
		f.Add(uint8(1), uint8(63), slices.Concat(data[:20*64], data[10*64:60*64], data[:30*64+7], make([]byte, 64*3), data[:20*64]))
	}
	f.Fuzz(func(t *testing.T, how, step uint8, data []byte) {
		o := Options{File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&8 == 0 {
			l := allLayouts()[how>>4%4]
			o.Layout = &l
		}
		k := newSink()
		d := NewDecoder(k, o)
		n := 0
		_ = feedParts(d, data, func() int { return int(step) + 1 }, func() bool { n++; return n%int(how%5+1) == 0 })
		check(t, k)
	})
}

// recordsOf makes records out of bytes that are each plausible, but hardly their order.
func recordsOf(data []byte) []byte {
	take := func() int64 {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int64(b)
	}
	var out []byte
	var open []uint32 // ids that may be parents
	id, now := uint32(128), int64(1000)
	names := []string{"Frame", "Update", "profile_io", "", "Job"}
	for len(data) > 0 {
		op, x := take(), take()
		now += x * 10
		r := Record{Thread: uint32(op % 3), Processor: uint32(x % 2), Start: now, End: now}
		id++
		r.ID = id
		switch kind := op % 20; {
		case kind < 9:
			r.Name = []byte(names[x%5])
			if y := take(); y < 128 {
				r.Start -= y * 20
			} else {
				r.Start -= (y - 128) / 8
			}
			r.Start = max(r.Start, 0)
			if n := len(open); n > 0 && op >= 100 {
				r.Parent = open[(n-1)-int(x)%n]
			}
			if op >= 180 {
				r.Child = uint32(x % 2)
				r.Sibling = uint32(x / 2 % 2)
			}
			open = append(open, id)
			if len(open) > 4 {
				open = open[1:]
			}
		case kind < 12:
			r.ID, r.End = uint32(Frame), x-60
			id--
		case kind == 12:
			r.ID, r.Start, r.End, r.Parent = uint32(SysInfo), 1e7*(1+x%2*99), 0, 0
			r.Thread, r.Processor, r.Name = 0, 0, []byte("sysinfo")
			id--
		case kind == 13:
			r = Record{}
			id--
		case kind == 14:
			now -= min(now, take()*100)
			id -= uint32(min(int64(id-128), take()))
			continue
		case kind == 15:
			out = append(out, make([]byte, x)...)
			continue
		default:
			r.ID, r.End, r.Name = uint32(Log)+uint32(x%12), int64(id), []byte("lock")
			if r.ID == uint32(Frame) {
				r.Name = nil
			}
			if k := Kind(r.ID); k.More() || k == Signal && x > 128 {
				r.Parent = id - 1
				if r.Parent < FirstBlock {
					r.Parent = FirstBlock
				}
			}
		}
		out = Current.Encode(&r, out)
	}
	return out
}

// FuzzRecords writes plausible records in any order, so that everything behind their decoding is
// reached. Idle moments must change nothing in the end but numbers of frames whose counter fell
// back.
func FuzzRecords(f *testing.F) {
	f.Add(uint8(0), []byte("\x00\x10\x05\x64\x20\x05\x09\x10\x00\x10\x05\x0d\x00\x00\x10\x05\x09\x22"))
	f.Add(uint8(9), []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
	f.Fuzz(func(t *testing.T, how uint8, data []byte) {
		stream := recordsOf(data)
		l := Current
		o := Options{Layout: &l, File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.survey = atOnce().survey
		}
		if how&16 != 0 {
			o.lagNs = 500
		}
		k := newSink()
		n := 0
		_ = feedParts(NewDecoder(k, o), stream, func() int { return 64 * (1 + int(how>>5)) }, func() bool { n++; return n%int(how/8%4+1) == 0 })
		check(t, k)
	})
}
