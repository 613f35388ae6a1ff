package client

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// rec is a record as a reader sees it.
type rec struct {
	id, parent, cpu, thread uint32
	start, end              int64
	name                    string
	prev, sibling, child    uint16
}

func parse(t testing.TB, data []byte) []rec {
	t.Helper()
	testkit.MustThat(t, len(data)%RecordSize == 0, "%d bytes are no whole records", len(data))
	var out []rec
	for ; len(data) > 0; data = data[RecordSize:] {
		le := binary.LittleEndian
		name, rest, ok := bytes.Cut(data[32:58], []byte{0})
		testkit.MustThat(t, ok && len(bytes.Trim(rest, "\x00")) == 0, "name field % x", data[32:58])
		out = append(out, rec{le.Uint32(data), le.Uint32(data[4:]), le.Uint32(data[8:]), le.Uint32(data[12:]),
			int64(le.Uint64(data[16:])), int64(le.Uint64(data[24:])), string(name), le.Uint16(data[58:]), le.Uint16(data[60:]), le.Uint16(data[62:])})
	}
	return out
}

// check holds records against what FORMAT.md promises of an undamaged stream: links give the same
// parents as numbers, children lie within their block, no number is missing or used twice. It
// returns how often each block name occurs.
func check(t testing.TB, recs []rec) map[string]int {
	t.Helper()
	blocks := map[string]int{}
	seen := map[uint32]bool{}
	var highest uint32
	number := func(n uint32) {
		testkit.MustThat(t, n >= firstBlock && !seen[n], "number %d is used twice, or reserved", n)
		seen[n] = true
		highest = max(highest, n)
	}
	type open struct {
		r       rec
		sibling bool // what comes next is r's sibling, its children have been
	}
	var stack []open
	for i, r := range recs {
		var inside *rec
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if !top.sibling && top.r.child != 0 {
				inside, top.sibling = &top.r, true
				break
			}
			if top.r.sibling != 0 {
				stack = stack[:len(stack)-1]
				testkit.MustThat(t, len(stack) != 0, "record %d: a root has a sibling", i)
				inside = &stack[len(stack)-1].r
				break
			}
			stack = stack[:len(stack)-1]
		}
		if r.id >= firstBlock {
			number(r.id)
			blocks[r.name]++
			want := uint32(0)
			if inside != nil {
				want = inside.id
			}
			testkit.MustThat(t, r.parent == want, "record %d: parent %d by number, %d by links", i, r.parent, want)
			testkit.MustThat(t, r.start <= r.end && (inside == nil || r.start >= inside.start && r.end <= inside.end),
				"record %d: [%d, %d] does not lie in its block", i, r.start, r.end)
		} else if r.id != kindFrame && r.id != kindSystemInfo && r.id != kindEndOfStream {
			number(uint32(r.end))
			if inside != nil && (r.start < inside.start || inside.id >= firstBlock && r.start > inside.end) {
				t.Fatalf("record %d: message at %d outside its block", i, r.start)
			}
		}
		if r.id != kindEndOfStream && r.id != kindSystemInfo {
			stack = append(stack, open{r: r})
		} else if inside != nil {
			t.Fatalf("record %d lies in a tree", i)
		}
	}
	for n := uint32(firstBlock); n <= highest; n++ {
		testkit.MustThat(t, seen[n], "number %d is missing", n)
	}
	return blocks
}

func collect(t testing.TB, slots int, o Options) (*Profiler, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	o.Output = func(r []byte) { out.Write(r) }
	if o.Wait == 0 {
		o.Wait = time.Hour // flushes come when the test says so
	}
	p := testkit.Must(New(make([]Slot, slots), o))(t)
	return p, &out
}

func TestOneThread(t *testing.T) {
	p, out := collect(t, 64, Options{})
	p.Enable(true)
	m := p.Thread()
	m.BeginBlock("Frame")
	m.BeginBlock("Update")
	m.EndBlock()
	m.BeginBlock("A block name that is far too long")
	m.Log("a log line of exactly 50 bytes is cut into 2 parts")
	m.EndBlock()
	m.EndBlock()
	m.EndFrame(7)
	m.Log("")
	m.TryLock("mutex")
	m.Lock("mutex")
	m.Unlock("mutex")
	m.Wait("a condition with a long name")
	m.Signal("a condition with a long name")
	m.EndBlock() // of nothing
	p.Enable(false)
	recs := parse(t, out.Bytes())
	check(t, recs)
	var got []string
	for _, r := range recs {
		got = append(got, fmt.Sprintf("%d:%s", min(r.id, firstBlock), r.name))
	}
	want := []string{
		"12:a condition with a long n", "13:ame", "11:a condition with a long n", "12:ame", "9:mutex", "7:mutex", "5:mutex", "2:", "4:",
		"129:Frame", "129:A block name that is far ", "2:a log line of exactly 50 ", "3:bytes is cut into 2 parts", "129:Update", "0:",
	}
	testkit.That(t, slices.Equal(got, want), "records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	testkit.That(t, recs[8].end == 7 && recs[8].parent == 0, "frame record %+v", recs[8])
	testkit.That(t, int64(recs[1].parent) == recs[0].end && recs[1].start == recs[0].start,
		"continuation %+v of %+v", recs[1], recs[0])
	testkit.That(t, p.Dropped() == 0, "%d dropped", p.Dropped())
}

func TestWhatDoesNotFitIsCounted(t *testing.T) {
	p, out := collect(t, 4, Options{}) // room for three
	p.Enable(true)
	m := p.Thread()
	m.BeginBlock("a")
	m.BeginBlock("b")
	m.BeginBlock("c")
	m.BeginBlock("d") // no room
	m.BeginBlock("e") // nor inside it
	m.EndBlock()
	m.EndBlock()
	m.Log("no room for this")
	m.EndBlock()
	m.EndBlock()
	m.EndBlock()
	p.Enable(false)
	recs := parse(t, out.Bytes())
	got := check(t, recs)
	testkit.That(t, got["a"] == 1 && got["b"] == 1 && got["c"] == 1 && len(got) == 3, "blocks %v", got)
	testkit.That(t, p.Dropped() == 2, "%d dropped, want 2: a block and a line", p.Dropped())
	// The room is free again.
	p.Enable(true)
	m.BeginBlock("f")
	m.EndBlock()
	p.Enable(false)
	got = check(t, parse(t, out.Bytes()))
	testkit.That(t, got["f"] == 1, "after the flush: %v", got)
}

func TestStoppedCallsDoNothing(t *testing.T) {
	p, out := collect(t, 64, Options{})
	m := p.Thread()
	m.BeginBlock("before")
	m.Log("before")
	p.Enable(true)
	m.BeginBlock("inside what was not taken")
	m.EndBlock()
	m.EndBlock()
	m.BeginBlock("taken")
	p.Enable(false)
	m.EndBlock()
	p.Enable(true)
	m.BeginBlock("later")
	m.EndBlock()
	p.Close()
	got := check(t, parse(t, out.Bytes()))
	testkit.That(t, len(got) == 2 && got["taken"] == 1 && got["later"] == 1, "blocks %v", got)
}

func TestBlocksAreSplitWhereTheThreadMoved(t *testing.T) {
	cpu := uint32(0)
	p, out := collect(t, 64, Options{Processor: func() uint32 { return cpu }})
	p.Enable(true)
	m := p.Thread()
	m.BeginBlock("outer") // on 0
	cpu = 1
	m.BeginBlock("middle") // on 1
	m.BeginBlock("inner")  // on 1
	cpu = 2
	m.UpdateBlock() // all three
	m.UpdateBlock()
	m.EndBlock()
	m.EndBlock()
	m.EndBlock()
	p.Close()
	recs := parse(t, out.Bytes())
	got := check(t, recs)
	testkit.That(t, got["outer"] == 2 && got["middle"] == 2 && got["inner"] == 2, "blocks %v", got)
	for _, r := range recs {
		if r.name == "outer" && r.cpu != 0 && r.cpu != 2 || r.name == "inner" && r.cpu != 1 && r.cpu != 2 {
			t.Errorf("%+v", r)
		}
	}

	// A block that began on the processor that the thread came back to is whole.
	out.Reset()
	p, out = collect(t, 64, Options{Processor: func() uint32 { return cpu }})
	p.Enable(true)
	m = p.Thread()
	m.BeginBlock("outer")
	cpu = 5
	m.BeginBlock("inner")
	cpu = 2
	m.UpdateBlock()
	m.EndBlock()
	m.EndBlock()
	p.Close()
	got = check(t, parse(t, out.Bytes()))
	testkit.That(t, got["outer"] == 1 && got["inner"] == 2, "blocks %v", got)
}

// TestSixteenThreads lets goroutines write into few slots while the output goroutine empties them:
// what arrives is whole, and what arrives and what was dropped are together what was made.
func TestSixteenThreads(t *testing.T) {
	var out bytes.Buffer
	o := Options{Wait: time.Millisecond, Output: func(r []byte) { out.Write(r) }}
	p := testkit.Must(New(make([]Slot, 512), o))(t)
	p.Enable(true)
	const threads, rounds = 16, 2000
	var wg sync.WaitGroup
	for n := range threads {
		wg.Add(1)
		m := p.Thread()
		go func() {
			defer wg.Done()
			name := fmt.Sprintf("thread %d", n)
			for i := range rounds {
				m.BeginBlock(name)
				m.BeginBlock("inner")
				m.Lock("shared lock")
				m.Log("a line that needs more than one record to hold it")
				m.Unlock("shared lock")
				m.EndBlock()
				m.EndBlock()
				if n == 0 {
					m.EndFrame(uint64(i))
				}
			}
		}()
	}
	wg.Wait()
	p.Close()
	recs := parse(t, out.Bytes())
	blocks := check(t, recs)
	made := int64(threads*rounds*5 + rounds)
	var came int64
	for _, r := range recs {
		switch {
		case r.id >= firstBlock && r.name != "profile_io" && r.name != "process", r.id == kindLog, r.id == kindLock, r.id == kindUnlock, r.id == kindFrame:
			came++
		}
	}
	// What a block without room would have held is not counted as dropped where it was another block.
	testkit.That(t, came+p.Dropped() <= made && came != 0, "%d came, %d dropped, %d were made", came, p.Dropped(), made)
	testkit.That(t, p.Dropped() != 0 || came == made, "nothing was dropped, but %d of %d came", came, made)
	testkit.That(t, blocks["inner"] != 0 && recs[len(recs)-1].id == kindEndOfStream, "blocks %v", blocks)
	// Every slot is free again.
	n := 0
	for p.acquire() != 0 {
		n++
	}
	testkit.That(t, n == 511, "%d slots are free at the end, want 511", n)
}

func TestSystemInfoComesWithTheTwelfthFlush(t *testing.T) {
	p, out := collect(t, 64, Options{})
	p.enabled.Store(true) // without the output goroutine
	m := p.Thread()
	for range 24 {
		m.BeginBlock("x")
		m.EndBlock()
		p.flush()
	}
	n := 0
	for _, r := range parse(t, out.Bytes()) {
		if r.id == kindSystemInfo {
			n++
			testkit.That(t, r.start == 1e9 && r.name == "sysinfo" && r.thread == 0, "%+v", r)
		}
	}
	testkit.That(t, n == 2, "%d system information records, want 2", n)
}

func TestNothingIsAllocated(t *testing.T) {
	p, _ := collect(t, 4096, Options{Processor: CurrentProcessor})
	p.enabled.Store(true)
	m := p.Thread()
	n := testing.AllocsPerRun(500, func() {
		m.BeginBlock("Frame")
		m.BeginBlock("Update")
		m.Log("a line that is longer than one record can hold")
		m.UpdateBlock()
		m.EndBlock()
		m.EndBlock()
		m.EndFrame(1)
		p.flush()
	})
	testkit.That(t, n == 0, "%v allocations", n)
}

func TestTooFewSlots(t *testing.T) {
	_, err := New(make([]Slot, 1), Options{})
	testkit.That(t, err != nil, "a profiler without room")
}
