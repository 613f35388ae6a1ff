package chrometrace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

const rules = "testdata/rules.txt"

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

// TestRules says what becomes of events, and of damage.
func TestRules(t *testing.T) {
	testkit.Blocks(t, rules, func(about, text string) string {
		return strings.ReplaceAll(testkit.Must(read(t, text))(t, about).Words(), "\x1b", "␛")
	})
}

// TestPieces reads each trace cut at each of its bytes, and in small pieces: it is the same as the whole.
func TestPieces(t *testing.T) {
	for _, text := range testkit.BlockTexts(t, rules) {
		want := testkit.Must(pieces(text, feedtest.Steps(1<<20)))(t, text)
		for at := 1; at < len(text); at++ {
			got, err := pieces(text, func(i int) int { return []int{at, 1 << 20}[min(i, 1)] })
			testkit.MustThat(t, err == nil, "cut at byte %d: %v", at, err)
			testkit.MustSame(t, got, want, "%s: cut at byte %d", text, at)
		}
		for n := 1; n < 9; n++ {
			testkit.MustSame(t, testkit.Must(pieces(text, feedtest.Steps(n)))(t), want, "%s: pieces of %d bytes", text, n)
		}
	}
}

// TestLimits leaves out events that are too large or too deep, and reads on.
func TestLimits(t *testing.T) {
	text := `[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","ts":2,"args":"` + strings.Repeat("x", mostEvent) +
		`"},{"ph":"X","ts":3,"args":` + strings.Repeat("[", trace.MaxDeep+1) + strings.Repeat("]", trace.MaxDeep+1) +
		`},{"ph":"X","ts":3,"dur":1,"name":"b"}]`
	k := testkit.Must(pieces(text, feedtest.Steps(256<<10)))(t)
	testkit.Equal(t, k.Words(), "0.0 a 0-1000, 0.0 b 2000-3000, big-event×1@38, deep-event×1@16777282", "session")
}

// FuzzDecoder reads anything, in pieces of any size, and demands what the store relies on.
func FuzzDecoder(f *testing.F) {
	for i, text := range testkit.BlockTexts(f, rules) {
		f.Add([]byte(text), uint8(i))
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

// TestCases reads traces with other things than spans, and what can't be read.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "trace.json") }

// argsOf returns the arguments of each span, by its name and begin.
func argsOf(k *feedtest.Kept) map[string][]map[string]string {
	out := map[string][]map[string]string{}
	for _, b := range k.Batches {
		has := make([]map[string]string, len(b.Spans))
		for _, a := range b.Args {
			if has[a.Span] == nil {
				has[a.Span] = map[string]string{}
			}
			has[a.Span][a.Key] = a.Value.String()
		}
		for i, s := range b.Spans {
			key := fmt.Sprint(k.Name(s.Path), " ", s.Begin)
			out[key] = append(out[key], has[i])
		}
	}
	return out
}

// flatten adds the values of an object under their keys, as the standard library reads it.
func flatten(out map[string]string, key string, v any) {
	inside := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		out[key] = "{}"
		for k, x := range v {
			inside[strings.TrimPrefix(key+"."+k, ".")] = x
		}
	case []any:
		out[key] = "[]"
		for i, x := range v {
			inside[fmt.Sprintf("%s[%d]", key, i)] = x
		}
	case nil:
		out[key] = "null"
	case json.Number:
		f, _ := v.Float64()
		out[key] = model.FloatArg(f).String()
		if i, err := v.Int64(); err == nil {
			out[key] = model.IntArg(i).String()
		}
	default:
		out[key] = fmt.Sprint(v)
	}
	if len(inside) > 0 || key == "" {
		delete(out, key)
	}
	for k, x := range inside {
		flatten(out, k, x)
	}
}

// eventsIn reads the events of a file by the standard library.
func eventsIn(t *testing.T, path string) (events []map[string]any) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	text, _ := io.ReadAll(testkit.Must(feed.Uncompressed(f))(t))
	text = text[max(bytes.Index(text, []byte(`"traceEvents"`)), 0):]
	d := json.NewDecoder(bytes.NewReader(text[bytes.IndexByte(text, '['):]))
	d.UseNumber()
	testkit.Must(d.Token())(t)
	for d.More() {
		var ev map[string]any
		if d.Decode(&ev) != nil {
			break // the file is cut off
		}
		events = append(events, ev)
	}
	return events
}

// compareArgs demands that each span has the arguments of its begin, but for what an end says otherwise. first is the
// session's time 0.
func compareArgs(t *testing.T, k *feedtest.Kept, path string, first int64) {
	t.Helper()
	spans, compared := argsOf(k), 0
	for _, ev := range eventsIn(t, path) {
		ph, _ := ev["ph"].(string)
		args, _ := ev["args"].(map[string]any)
		us, ok := new(big.Rat).SetString(fmt.Sprint(ev["ts"]))
		if !ok || len(args) == 0 || !strings.Contains("BXbS", ph) {
			continue
		}
		ns := us.Mul(us, big.NewRat(1000, 1)).Add(us, big.NewRat(1, 2))
		at := new(big.Int).Div(ns.Num(), ns.Denom()).Int64() - first
		want := map[string]string{}
		flatten(want, "", args)
		name, _ := ev["name"].(string)
		has := spans[fmt.Sprint(strings.ToValidUTF8(cmp.Or(name, "(unnamed)"), "�"), " ", at)]
		if !slices.ContainsFunc(has, func(got map[string]string) bool {
			for key, v := range want {
				if _, ok := got[key]; !ok || got[key] != v && ph == "X" {
					return false
				}
			}
			return len(got) == len(want) || ph != "X" && len(got) >= len(want)
		}) {
			t.Fatalf("no span %q at %d ns has %.300v; there are %.300v", name, at, fmt.Sprint(want), fmt.Sprint(has))
		}
		compared++
	}
	with := 0
	for _, list := range maps.All(spans) {
		for _, a := range list {
			with += min(len(a), 1)
		}
	}
	testkit.That(t, with >= compared, "%d spans have arguments, of %d begins", with, compared)
}
