package chrometrace

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// pieces reads a trace that comes in pieces.
func pieces(text string, size func(i int) int) (*feedtest.Kept, error) {
	k := &feedtest.Kept{}
	d := newDecoder(k, nil, "trace.json", "")
	_ = feedtest.Pieces([]byte(text), size, func(b []byte) error { d.scan.write(b); return nil })
	return k, d.finish(nil)
}

// read reads a file.
func read(t testing.TB, text string) (*feedtest.Kept, error) {
	t.Helper()
	k := &feedtest.Kept{}
	return k, Source{}.OpenFile(t.Context(), feedtest.File(t, "trace.json", text), k)
}

// rules returns the cases in testdata/rules.txt: what each is about, a trace, and what must become of it.
func rules(t testing.TB) (list [][3]string) {
	t.Helper()
	text := string(testkit.Must(os.ReadFile("testdata/rules.txt"))(t))
	text = strings.NewReplacer("␀", "\x00", "␛", "\x1b").Replace(text)
	for _, block := range strings.Split(text, "\n\n")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		n := len(lines) - 1
		list = append(list, [3]string{lines[0], strings.Join(lines[1:n], "\n"), lines[n]})
	}
	return list
}

// TestRules says what becomes of events, and of damage.
func TestRules(t *testing.T) {
	for _, c := range rules(t) {
		k := testkit.Must(read(t, c[1]))(t, c[0])
		testkit.Equal(t, k.Words(), c[2], "%s", c[0])
	}
}

// TestPieces reads each trace cut at each of its bytes, and in small pieces: it is the same as the whole.
func TestPieces(t *testing.T) {
	for _, c := range rules(t) {
		want := testkit.Must(pieces(c[1], feedtest.Steps(1<<20)))(t, c[0])
		for at := 1; at < len(c[1]); at++ {
			got, err := pieces(c[1], func(i int) int { return []int{at, 1 << 20}[min(i, 1)] })
			testkit.MustThat(t, err == nil, "cut at byte %d: %v", at, err)
			testkit.MustSame(t, got, want, "%s: cut at byte %d", c[0], at)
		}
		for n := 1; n < 9; n++ {
			testkit.MustSame(t, testkit.Must(pieces(c[1], feedtest.Steps(n)))(t), want, "%s: pieces of %d bytes", c[0], n)
		}
	}
}

// TestNoEvents says why a trace has no events.
func TestNoEvents(t *testing.T) {
	const meta = `{"traceEvents":[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"x"}}`
	for text, want := range map[string]string{
		meta + `,{"ph":"M","pi`: "; the file ends inside the event at byte 85",
		meta + `,`:              "; the file ends at byte 85, before the object does in which the events are",
		meta + `]`:              "; the file ends at byte 85, before",
		meta + `],"a":"`:        "; the file ends inside",
		meta + `]}`:             "", "": "", "[]": "", `{"traceEvents":[]}`: "", "no": "; byte 0: the file begins with 'n'",
	} {
		_, err := pieces(text, feedtest.Steps(1<<20))
		testkit.Fails(t, err, "no events: ", want)
		testkit.That(t, want != "" || err == errNoEvents, "%s: %v", text, err)
	}
}

// TestWarnings tells what is not shown, and hides threads that have nothing but what clang writes of how long all of a
// name took.
func TestWarnings(t *testing.T) {
	text := `[{"ph":"X","ts":0,"dur":1,"tid":6,"name":"Total War"},{"ph":"X","ts":3,"dur":1,"tid":5,"name":"x"}`
	for tid, name := range []string{"Source", "Total Source", "Total Parse", "Total Late", "", "Total Busy"} {
		text += fmt.Sprintf(`,{"ph":"X","ts":%d,"dur":9,"tid":%d,"name":%q,"args":{"count":2,"avg ms":4}}`, tid/3, tid, name)
	}
	for _, ph := range "PNODvVc()P" {
		text += fmt.Sprintf(`,{"ph":"%c","ts":1}`, ph)
	}
	k := testkit.Must(read(t, text+"]"))(t)
	hidden := ""
	for _, d := range k.Tracks {
		if d.Sums {
			hidden += fmt.Sprint(d.Index, " ")
		}
	}
	testkit.Equal(t, hidden, "1 2 ", "threads that are hidden")
	testkit.Contains(t, strings.Join(k.Warnings, "\n"), "2 spans “Total …” are sums",
		"Not shown from the file: 2 samples, 3 events of objects, 2 memory dumps, 1 clock sync, 2 changes of context.")
}

// TestLimits leaves out events that are too large or too deep, and reads on.
func TestLimits(t *testing.T) {
	text := `[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","ts":2,"args":"` + strings.Repeat("x", mostEvent) +
		`"},{"ph":"X","ts":3,"args":` + strings.Repeat("[", trace.MaxDeep+1) + strings.Repeat("]", trace.MaxDeep+1) +
		`},{"ph":"X","ts":3,"dur":1,"name":"b"}]`
	k := testkit.Must(pieces(text, feedtest.Steps(256<<10)))(t)
	testkit.Equal(t, k.Words(), "0.0 a 0-1000, 0.0 b 2000-3000, big-event×1@38, deep-event×1@16777282", "session")
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"ph":"X"}]`: true, "\xef\xbb\xbf [\n, {\"name\":\"x\",\"ph\":\"B\",\"ts\":": true, `[{"frame":1}]`: false,
		`{"otherData":{"]":"}"},"traceEvents":[`: true, `{"displayTimeUnit":"ns","x":`: true, `[{},{"ph":"X"}]`: true,
		`[{"name":"x"},{"pid":1,"args":{"a":"`: true, `[{"name":"x"},{"args":{"a":"`: false, `[1,2]`: false, `[`: false,
		`{"$schema":"x","profiles":[]}`: false, `{"meta":{},"threads":[]}`: false, `# calls`: false, ``: false,
		`{"nodes":[{"traceEvents":1}]}`: false, `{"name":"\"traceEvents\":["}`: false,
	} {
		testkit.Equal(t, (Source{}).Sniff([]byte(text), ""), want, "%s", text)
	}
}

// FuzzDecoder reads anything, in pieces of any size, and demands what the store relies on.
func FuzzDecoder(f *testing.F) {
	for i, c := range rules(f) {
		f.Add([]byte(c[1]), uint8(i))
	}
	f.Add(traceOf(40), uint8(99))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		k, err := pieces(string(text), feedtest.Steps(int(step)+1))
		again, err2 := pieces(string(text), feedtest.Steps(1<<30))
		testkit.MustEqual(t, err == nil, err2 == nil, "pieces of %d bytes: %v, %v", int(step)+1, err, err2)
		testkit.MustSame(t, k, again, "pieces of %d bytes", int(step)+1)
		r := feedtest.NewRuled(t)
		for _, c := range k.Changes {
			r.Define(c)
		}
		for i := range k.Batches {
			r.Publish(&k.Batches[i])
		}
		feedtest.Unrefused(t, r.Session)
	})
}

// traceOf returns a trace of so many events, as programs write them: frames, spans of three depths on
// four threads, counters, arguments.
func traceOf(events int) []byte {
	b := []byte("[\n")
	names := []string{"Update", "Physics::Step", "Collide", "Render", "Cull", "Submit draw calls", "Audio mix"}
	for i := range events {
		ts, tid, name := float64(i/8)*10+float64(i%8)*0.125, i%4, names[i/8%7]
		line := fmt.Sprintf(`{"ph":"E","pid":4711,"tid":%d,"ts":%.3f},`, tid, ts)
		switch {
		case i%400 == 0:
			line = fmt.Sprintf(`{"ph":"i","pid":4711,"tid":1,"ts":%.3f,"name":"frame","s":"t","args":{"n":%d}},`, ts, i/400)
		case i%50 == 7:
			line = fmt.Sprintf(`{"ph":"C","pid":4711,"ts":%.3f,"name":"memory","args":{"heap":%d,"gpu":%d.5}},`, ts, i, i%99)
		case tid < 2:
			line = fmt.Sprintf(`{"ph":"X","pid":4711,"tid":%d,"ts":%.3f,"dur":3.141,"name":%q,"cat":"engine",`+
				`"args":{"index":%d}},`, tid, ts, name, i)
		case i%8 < 4:
			line = fmt.Sprintf(`{"ph":"B","pid":4711,"tid":%d,"ts":%.3f,"name":%q,"cat":"engine"},`, tid, ts, name)
		}
		b = append(append(b, line...), '\n')
	}
	return append(b, `{"ph":"M","pid":4711,"name":"process_name","args":{"name":"game"}}]`...)
}

// BenchmarkScan reads events without keeping them.
func BenchmarkScan(b *testing.B) {
	text, events := traceOf(200_000), 0
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := scanner{take: func(*event, int64) { events++ }}
		s.write(text)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "trace.json", traceOf(2_000_000)) }
