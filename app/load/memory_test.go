package load

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"framescope/app/memory"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

// A file that does not fit into the memory leaves out the same each time it is read, and of all of its
// threads, which lie one after another in it, what is before about the same time.
func TestTheSameLeavesEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.pstats")
	f, err := os.Create(path)
	testkit.NoErr(t, err)
	made, err := gen.New(gen.Options{Spans: 1_500_000})
	testkit.NoErr(t, err)
	testkit.NoErr(t, made.Write(t.Context(), f, nil))
	f.Close()
	keeper := memory.Keep(16<<20, 0, 0)
	defer keeper.Stop()
	var first string
	for i := range 3 {
		rec, err := File(t.Context(), path, Options{Memory: keeper})
		testkit.NoErr(t, err)
		testkit.MustThat(t, rec.Left != 0, "all of it fits: the test shows nothing")
		got := fmt.Sprintln(rec.Left)
		for id := range model.TrackID(rec.Session.NumTracks()) {
			tr := rec.Session.Track(id)
			got += fmt.Sprintln(tr.Def, tr.NumFrames(), tr.Frame(0), tr.NumSpans(), tr.Evicted())
		}
		if i == 0 {
			first = got
			beginsTogether(t, rec)
		} else if got != first {
			t.Fatalf("read again, it is another session:\n%sbut it was\n%s", got, first)
		}
	}
}

// beginsTogether demands that what is left of all threads begins at about the same time, and that all
// frames are told.
func beginsTogether(t *testing.T, rec *Recording) {
	t.Helper()
	earliest, latest, left := int64(model.MaxTime), int64(model.MinTime), int64(0)
	for id := range model.TrackID(rec.Session.NumTracks()) {
		tr := rec.Session.Track(id)
		begin := tr.Frame(0).Begin
		earliest, latest = min(earliest, begin), max(latest, begin)
		left += tr.Evicted()
		testkit.That(t, tr.NumFrames() >= 30 && tr.Evicted() != 0,
			"%s: %d frames, %d left", tr.Title(), tr.NumFrames(), tr.Evicted())
	}
	if _, end, _ := rec.Session.Bounds(); latest-earliest > (end-earliest)/8 || left != rec.Left {
		t.Errorf("threads begin between %d and %d ns and end at %d; %d left, %d are told", earliest, latest, end, left, rec.Left)
	}
}

// A file whose events are gathered before they are shown is not cut where what it takes fits into the
// memory: its events are reckoned by what they take, and not against the room for names.
func TestGatheredFits(t *testing.T) {
	const events, limit = 250_000, 64 << 20
	trace := []byte("[")
	for i := range events {
		trace = fmt.Appendf(trace, `{"ph":"X","pid":1,"tid":1,"name":"N%d","ts":%d,"dur":1},`+"\n", i%7, 2*i)
	}
	path := filepath.Join(t.TempDir(), "large.json")
	testkit.NoErr(t, os.WriteFile(path, append(trace, "{}]"...), 0o600))
	keeper := memory.Keep(limit, 0, 0)
	defer keeper.Stop()
	rec, err := File(t.Context(), path, Options{Memory: keeper})
	testkit.NoErr(t, err)
	losses, lines := rec.Session.Losses()
	if n := rec.Session.Track(0).NumSpans(); n != events || rec.Left != 0 || losses[model.LossLimit] != 0 {
		t.Errorf("%d of %d calls, %d left: %q", n, events, rec.Left, lines)
	}
}

// bomb is a recording that is small as long as it is packed.
type bomb struct {
	name, head string
	each       func(i int) string // nil: unit
	unit       string
	n          int
	tail       string
}

// text is what a bomb becomes, which is nowhere as a whole.
func (b *bomb) write(w io.Writer) {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(b.head)
	for i := range b.n {
		if b.each != nil {
			out.WriteString(b.each(i))
		} else {
			out.WriteString(b.unit)
		}
	}
	out.WriteString(b.tail)
	out.Flush()
}

const (
	v8Node     = `{"id":1,"callFrame":{"functionName":"a"}`
	v8Samples  = `{"nodes":[` + v8Node + `,"hitCount":1}],"startTime":0,"endTime":9,`
	scopeHead  = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[`
	scopeBegin = scopeHead + `{"type":"sampled","name":"t","unit":"microseconds","startValue":0,"endValue":1,`
	foxBegin   = `{"meta":{"interval":1,"startTime":0,"processType":0,"preprocessedProfileVersion":50},"threads":[{"name":"t","pid":"1","tid":1,`
	foxTables  = `"frameTable":{"func":[0]},"funcTable":{"name":[0]}`
)

// bombs are recordings of which each value takes more in memory than in its file, of all places where a reader
// keeps what it can't publish yet.
var bombs = []bomb{
	{name: "children.cpuprofile", head: `{"nodes":[` + v8Node + `,"children":[`, unit: "1,", n: 2e6, tail: `1]}],"samples":[1],"timeDeltas":[1]}`},
	{name: "parents.cpuprofile", head: `{"nodes":[` + v8Node + `}`, unit: `,{"id":1,"parent":1}`, n: 25e4, tail: `],"samples":[1],"timeDeltas":[1]}`},
	{name: "samples.cpuprofile", head: v8Samples + `"samples":[`, unit: "1,", n: 2e6, tail: `1],"timeDeltas":[1,1,1]}`},
	{name: "deltas.cpuprofile", head: v8Samples + `"timeDeltas":[`, unit: "1,", n: 2e6, tail: `1],"samples":[1,1,1]}`},
	{name: "samples.speedscope.json", head: scopeBegin + `"samples":[`, unit: "[0],", n: 15e5, tail: `[0]],"weights":[1,1,1]}]}`},
	{name: "weights.speedscope.json", head: scopeBegin + `"weights":[`, unit: "1,", n: 2e6, tail: `1],"samples":[[0],[0]]}]}`},
	{name: "deep.speedscope.json", head: scopeBegin + `"samples":[`, unit: "[" + strings.Repeat("0,", 900) + "0],", n: 4e3, tail: `[0]],"weights":[1]}]}`},
	{name: "gaps.speedscope.json", head: scopeBegin + `"gaps":[`, unit: "7,", n: 2e6, tail: `9],"samples":[[0]],"weights":[1]}]}`},
	{name: "stacks.profile.json", head: foxBegin + `"stackTable":{"frame":[`, unit: "0,", n: 2e6, tail: `0],"prefix":[null]},` + foxTables +
		`,"stringArray":["a"],"samples":{"stack":[0],"time":[1],"length":1}}]}`},
	{name: "times.profile.json", head: foxBegin + `"samples":{"stack":[0],"time":[`, unit: "1,", n: 2e6, tail: `1]},"stackTable":{"frame":[0],"prefix":[null]},` +
		foxTables + `,"stringArray":["a"]}]}`},
	{name: "strings.profile.json", head: foxBegin + `"stringArray":[`, unit: `"",`, n: 2e6, tail: `"a"],"samples":{"stack":[0],"time":[1]},` +
		`"stackTable":{"frame":[0],"prefix":[null]},` + foxTables + `}]}`},
	{name: "spans.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"X","ts":1,"dur":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "begins.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"B","ts":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "instants.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"i","ts":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "counters.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"C","ts":1,"args":{"a":1,"b":2,"c":3}},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "arguments.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"X","ts":1,"dur":1,"args":{"a":1,"b":2,"c":3}},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "flows.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"s","ts":1,"id":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "pairs.folded", each: func(i int) string { return fmt.Sprintf("process %d/Thread %d;f%d 1\n", i&63, i&63, i>>6) }, n: 3e4},
	{name: "samples.txt", each: func(i int) string {
		return fmt.Sprintf("game 1/1 %d.%06d: cycles:\n\tab1 f%d (/b)\n\n", i/1e6, i%1e6, i&7)
	}, n: 25e4},
	{name: "frames.csv", head: "Application,ProcessID,SwapChainAddress,MsBetweenPresents,TimeInSeconds\n",
		each: func(i int) string { return fmt.Sprintf("game.exe,1,0x1,1,%d.%03d\n", i/1000, i%1000) }, n: 25e4},
}

// heapWatch sees how much of the heap was in use at each collection of garbage while a recording is read.
type heapWatch struct{ before, most int64 }

func (w *heapWatch) look(int64, int64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	w.most = max(w.most, int64(s[0].Value.Uint64())-w.before)
}

// What is read keeps to its limit, whatever the values of a file become in memory, and who reads is told of what
// is left out, and how to allow more: where the oldest may leave, and where all is to be kept.
func TestBombsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("20 files of many values")
	}
	const limit = 8 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	for i := range bombs {
		b := &bombs[i]
		path := filepath.Join(t.TempDir(), b.name+".gz")
		f, err := os.Create(path)
		testkit.NoErr(t, err)
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		b.write(z)
		testkit.MustThat(t, z.Close() == nil && f.Close() == nil, "can't write")
		for _, leaves := range []bool{false, true} {
			if leaves != (i%2 == 0) && !testkit.Long {
				continue
			}
			t.Run(fmt.Sprintf("%s, leaves=%t", b.name, leaves), func(t *testing.T) {
				runtime.GC()
				w := &heapWatch{}
				w.look(0, 0)
				w.before, w.most = w.most, 0
				o := Options{Limit: limit, Progress: w.look}
				if leaves {
					o.Memory = memory.Keep(limit, 0, 0)
					defer o.Memory.Stop()
				} else {
					defer debug.SetMemoryLimit(debug.SetMemoryLimit(w.before + limit))
					feed.SetMemory(limit)
					defer feed.SetMemory(0)
				}
				rec, err := File(t.Context(), path, o)
				w.look(0, 0)
				testkit.MustThat(t, rec != nil, "%v", err)
				losses, lines := rec.Session.Losses()
				told := strings.Join(lines, "\n")
				if err != nil {
					told += err.Error()
				}
				testkit.That(t, strings.Contains(told, "--memory") || leaves && losses[model.LossEvicted] != 0,
					"%v; told %q", err, lines)
				testkit.That(t, w.most <= limit+limit/2, "%d KiB in the heap with a limit of %d", w.most>>10, limit>>10)
				testkit.That(t, rec.Session.NumTracks() != 0, "nothing is shown of what came before")
				t.Logf("%d KiB, %q", w.most>>10, told[:min(len(told), 300)])
			})
		}
		os.Remove(path)
	}
}
