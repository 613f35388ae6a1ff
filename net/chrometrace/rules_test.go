package chrometrace

import (
	"fmt"
	"math/big"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// read decodes a trace that comes in pieces that cut returns the lengths of.
func read(text string, cut func() int) (*taken, error) {
	k := &taken{}
	d := newDecoder(k, "trace.json", "")
	_ = feedtest.Pieces([]byte(text), func(int) int { return cut() }, func(b []byte) error { d.scan.write(b); return nil })
	return k, d.finish(nil)
}

func whole1() int { return 1 << 30 }

// must decodes a trace that has events.
func must(t *testing.T, text string) *taken {
	t.Helper()
	k := testkit.Must(read(text, whole1))(t)
	return k
}

// lines returns the spans of all tracks, a line each: track, row, name, time.
func (k *taken) lines() (out []string) {
	for tr, s := range k.Spans() {
		out = append(out, fmt.Sprintf("%s %d %s %d %d", tr.Name, s.Lane, k.Name(s.Path), s.Begin, s.End))
	}
	return out
}

// TestTimes reads numbers as exact decimals, whatever they look like.
func TestTimes(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "1849.364", "1795299712238323.068", "2603.4430000000002", "2.2e+01", "2.2E1", "1e-3", "5e-4", "4.9999e-4",
		"-1.5", "-0.0005", "-0.00051", "0.0005", "0.00049999", "123456789012345.6785", "1e15", "0.0e5", "000012.5", "100000e-2", "0.00012e4",
		"12345678901234567e-3", "1234567890.1234567890123456789", "2305843009213693",
	} {
		got, ok := trace.ParseTime([]byte(text), 3)
		want, _ := new(big.Rat).SetString(text)
		want.Mul(want, big.NewRat(1000, 1)).Add(want, big.NewRat(1, 2))
		floor := new(big.Int).Div(want.Num(), want.Denom())
		if !ok || got.Round() != floor.Int64() {
			t.Errorf("%s µs are %d ns, %v; want %s", text, got.Round(), ok, floor)
		}
	}
	for _, text := range []string{
		"", "-", ".5", "1.2.3", "1e", "1e+", "abc", "12x", "1e400", "99999999999999999", "2305843009213694", "NaN", "--1", "1 2", "0x10",
	} {
		if got, ok := trace.ParseTime([]byte(text), 3); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	// Both are rounded together, so that children end with their parents.
	a, _ := trace.ParseTime([]byte("0.0004"), 3)
	b, _ := trace.ParseTime([]byte("0.0004"), 3)
	if got := a.Plus(b).Round(); got != 1 {
		t.Errorf("0.4 ns and 0.4 ns are %d ns", got)
	}
}

func TestTexts(t *testing.T) {
	for raw, want := range map[string]string{
		`plain`: "plain", `a\"b\\c\/d\n\t`: "a\"b\\c/d\n\t", `\u00fc\ud83c\udfae!`: "ü🎮!", `\ud83c x`: "� x", `\udfae`: "�", `\uZZ`: `\uZZ`,
		"bad \xff\xfe": "bad �", `end\`: `end\`, `\u12`: `\u12`,
	} {
		if got := trace.JSONText([]byte(raw)); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
	long := trace.JSONText([]byte(strings.Repeat("ü", trace.MaxText)))
	if len(long) > trace.MaxText+3 || !strings.HasSuffix(long, "ü…") {
		t.Errorf("a long text ends in %q and has %d bytes", long[len(long)-8:], len(long))
	}
}

func TestFrameNames(t *testing.T) {
	for name, want := range map[string]string{"frame": "", "Frame 12 of 30": "12", "FRAME_7": "7", "frame #0": "0", "frame: x": ""} {
		if got, ok := trace.Frame([]byte(name)); !ok || string(got) != want {
			t.Errorf("%q: %q %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "fram", "frames", "FrameLoader:created", "framé", "my frame"} {
		if _, ok := trace.Frame([]byte(name)); ok {
			t.Errorf("%q is a frame", name)
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"ph":"X"}]`: true, "\xef\xbb\xbf [\n, {\"name\":\"x\",\"ph\":\"B\",\"ts\":": true, `{"otherData":{"]":"}"},"traceEvents":[`: true,
		`{"displayTimeUnit":"ns","x":`: true, `[{"frame":1}]`: false, `[{},{"ph":"X"}]`: true,
		`[{"name":"x"},{"pid":1,"args":{"a":"`: true, `[{"name":"x"},{"args":{"a":"`: false, `[1,2]`: false, `{"$schema":"x","profiles":[]}`: false, `{"meta":{},"threads":[]}`: false,
		`{"nodes":[{"traceEvents":1}]}`: false, ``: false, `[`: false, `# calls`: false, `{"name":"\"traceEvents\":["}`: false,
	} {
		if got := (Source{}).Sniff([]byte(text), ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestRules reads spans that are odd in one way each.
func TestRules(t *testing.T) {
	for _, c := range []struct{ what, text, want, lost string }{
		{"callers after callees, one that sticks out",
			`[{"ph":"X","ts":1,"dur":2,"name":"in"},{"ph":"X","ts":0,"dur":4,"name":"out"},{"ph":"X","ts":3.5,"dur":1,"name":"over"}]`,
			"0 out 0 4000|1 in 1000 3000|2 over 3500 4500", ""},
		{"an end with the name of an outer one, one of none, one too many",
			`[{"ph":"B","ts":0,"name":"a"},{"ph":"B","ts":1,"name":"b"},{"ph":"E","ts":2,"name":"x"},{"ph":"E","ts":3,"name":"a"},{"ph":"E","ts":4}]`,
			"0 a 0 3000|1 b 1000 3000", "ends of spans that never began are left out ×2; ends of spans are missing: they end with the span around them ×1"},
		{"lengths that are none, a time that is none, no phase, a phase that nobody knows",
			`[{"ph":"X","ts":"1","dur":-2,"name":"a"},{"ph":"X","ts":3,"name":"b"},{"ph":"B","name":"c"},{"ts":1},{"ph":"?","ts":1}]`,
			"0 a 0 0|0 b 2000 2000", "events without a phase (ph) are left out ×1; events of an unknown phase are left out ×1; events without a valid time (ts) are left out ×1; spans without a valid length (dur) are shown with none ×1; spans with a negative length (dur) are shown with none ×1"},
		{"no end, commas, NULs",
			"[,,{\"ph\":\"X\",\"ts\":5,\"dur\":1,\"name\":\"a\"},,\n\x00\x00\x00", "0 a 0 1000", "byte 42: NULs in place of data, 3 bytes ×1"},
		{"values of counters that are not numbers",
			`[{"ph":"X","ts":5,"dur":1,"name":"a"},{"ph":"C","ts":5,"args":{"a":NaN,"b":"inf","c":{},"d":"x","e":true}}]`,
			"0 a 0 1000", "values of counters that are not numbers are left out ×5"},
		{"values of counters that lose digits",
			`[{"ph":"X","ts":5,"dur":1,"name":"a"},{"ph":"C","ts":5,"args":{"a":9007199254740993,"b":-9007199254740992,"c":1e300,"d":99999999999999999999}}]`,
			"0 a 0 1000", "whole numbers of more than 2^53 are shown without their last digits ×2"},
		{"two arrays", `[{"ph":"X","ts":5,"dur":1,"name":"a"}] [{"ph":"X","ts":6,"dur":1,"name":"b"}]`, "0 a 0 1000",
			"byte 39: there are data after the end of the trace, which is left out ×1"},
		{"cut", `{"x":"]}","traceEvents":[{"ph":"X","ts":5,"dur":1,"name":"a"},{"ph":"X","ts`, "0 a 0 1000", "the file ends inside the event at byte 62 ×1"},
		{"garbage", `[{"ph":"X","ts":5,"dur":1,"name":"a"},{"ph":"X"!`, "0 a 0 1000", "byte 47: '!' does not belong into an event; the rest of the file is left out ×1"},
		{"no object", `[{"ph":"X","ts":5,"dur":1,"name":"a"},7]`, "0 a 0 1000", "byte 38: '7' where an event should be; the rest of the file is left out ×1"},
		{"deep", `[{"ph":"X","ts":5,"dur":1,"name":"a"},{"ph":"X","ts":5,"dur":1,"name":"b","args":` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}]`,
			"0 a 0 1000", "events with more than 100 values inside each other are left out ×1"},
		{"two keys of asynchronous spans overlap, ends from another thread",
			`[{"ph":"b","id":1,"ts":0,"name":"a","tid":1},{"ph":"b","id":2,"ts":1,"name":"a"},{"ph":"b","id":1,"ts":2,"name":"in"},` +
				`{"ph":"e","id":1,"ts":3,"tid":7},{"ph":"e","id":1,"ts":4},{"ph":"e","id":2,"ts":5},{"ph":"b","id":3,"ts":6,"name":"a"},{"ph":"e","id":3,"ts":7}]`,
			"a 0 a 0 4000|a 2 a 1000 5000|a 1 in 2000 3000|a 0 a 6000 7000", ""},
	} {
		k := must(t, c.text)
		if got := strings.TrimSpace(strings.Join(k.lines(), "|")); strings.ReplaceAll(got, "| ", "|") != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		var lost []string
		for _, l := range k.Losses {
			detail, _, _ := strings.Cut(l.Detail, "; the first is")
			lost = append(lost, fmt.Sprintf("%s ×%d", detail, l.N))
		}
		if got := strings.Join(lost, "; "); got != c.lost {
			t.Errorf("%s: lost %s, want %s", c.what, got, c.lost)
		}
	}
	for _, text := range []string{"", "[]", `{"traceEvents":[]}`, `[{"ph":"M","name":"process_name","args":{"name":"x"}}]`, "no"} {
		if _, err := read(text, whole1); err == nil {
			t.Errorf("%q has events", text)
		}
	}
}

// TestCharged demands that the times of names alone, over all frames of a thread, are the self times
// of its spans, cut at frames and with spans that overlap.
func TestCharged(t *testing.T) {
	k := must(t, `[{"ph":"i","ts":0,"name":"frame"},{"ph":"i","ts":10,"name":"frame"},{"ph":"i","ts":20,"name":"frame"},
{"ph":"X","ts":1,"dur":27,"name":"long"},{"ph":"X","ts":2,"dur":3,"name":"in"},{"ph":"X","ts":8,"dur":4,"name":"in"},
{"ph":"X","ts":25,"dur":5,"name":"over"},{"ph":"X","ts":30,"dur":0,"name":"last"},{"ph":"i","ts":31,"name":"frame"}]`)
	var got []string
	for _, b := range k.Batches {
		if b.HasFrame {
			line := fmt.Sprintf("#%d %d-%d:", b.Number, b.Begin, b.End)
			for _, a := range b.Self {
				line += fmt.Sprintf(" %s %d/%d", k.Names[a.Collector], a.Ns, a.Count)
			}
			got = append(got, line)
		}
	}
	want := []string{"#0 0-10000: long 4000/1 in 5000/2", "#1 10000-20000: long 8000/0 in 2000/0", "#2 20000-31000: long 5000/0 over 5000/1 last 0/1"}
	testkit.That(t, reflect.DeepEqual(got, want), "%q, want %q", got, want)
}

// TestTotals tells threads that have nothing but what clang writes of how long all of a name took from those that do
// something.
func TestTotals(t *testing.T) {
	total := func(tid int, name string, ts int) string {
		return fmt.Sprintf(`{"ph":"X","ts":%d,"dur":9,"tid":%d,"name":%q,"args":{"count":2,"avg ms":4}},`, ts, tid, name)
	}
	k := must(t, "["+total(1, "Total Source", 0)+total(2, "Total Parse", 0)+total(3, "Source", 0)+total(4, "Total Late", 1)+
		total(5, "Total Busy", 0)+`{"ph":"X","ts":3,"dur":1,"tid":5,"name":"x"},{"ph":"X","ts":0,"dur":1,"tid":6,"name":"Total War"}]`)
	var sums []int
	for _, d := range k.Tracks {
		if d.Sums {
			sums = append(sums, d.Index)
		}
	}
	if !slices.Equal(sums, []int{1, 2}) || len(k.Warnings) != 1 || !strings.HasPrefix(k.Warnings[0], "2 spans “Total …” are sums") {
		t.Errorf("%d, %q", sums, k.Warnings)
	}
}

// TestNoUTF8 keeps names apart that are shown alike since they are no UTF-8, and not those that are the same.
func TestNoUTF8(t *testing.T) {
	k := must(t, "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"a\xff\"},{\"ph\":\"X\",\"ts\":3,\"dur\":1,\"name\":\"a\xfe\"},"+
		"{\"ph\":\"X\",\"ts\":5,\"dur\":1,\"name\":\"a\xff\"},{\"ph\":\"X\",\"ts\":7,\"dur\":1,\"name\":\"ü\"},{\"ph\":\"X\",\"ts\":9,\"dur\":1,\"name\":\"\\u00fc\"}]")
	got := slices.DeleteFunc(slices.Clone(k.Names), func(s string) bool { return s != "a\ufffd" && s != "ü" })
	if slices.Sort(got); !slices.Equal(got, []string{"a\ufffd", "a\ufffd", "ü"}) {
		t.Errorf("%q", k.Names)
	}
}

// TestPieces reads a trace that was cut at each of its bytes, and in small pieces, and demands the
// same as of the whole.
func TestPieces(t *testing.T) {
	text := `{"otherData":{"]":"}\\\"{"},"n":12.5,"s":"traceEvents","traceEvents":[` +
		`{"ph":"M","pid":1,"name":"process_name","args":{"name":"a \"b\" \\"}},{"ph":"B","pid":1,"tid":"T","ts":1.25,"name":"x\\"},` + "\n" +
		`{"ph":"C","pid":1,"ts":2,"name":"m","args":{"k":1,"l":"2.5","z":[1]}},{"ph":"E","pid":1,"tid":"T","ts":3,"args":{"}":[{"]":1}]}},,` +
		`{"ph":"i","pid":1,"tid":"T","ts":4e0,"name":"log","args":{"message":"said"}}],"after":[[]],"x":null} `
	want := must(t, text)
	if len(want.lines()) != 1 || len(want.Series) != 2 || want.Info.Program != `a "b" \` {
		t.Fatalf("%q, %v, %+v", want.lines(), want.Series, want.Info)
	}
	for at := 1; at < len(text); at++ {
		step := at
		got, err := read(text, func() int { n := step; step = len(text); return n })
		testkit.MustThat(t, err == nil && reflect.DeepEqual(got, want), "cut at byte %d: %v", at, err)
	}
	for n := 1; n < 9; n++ {
		if got, err := read(text, func() int { return n }); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("in pieces of %d bytes: %v", n, err)
		}
	}
}

// TestHugeEvent skips an event that is larger than any may be, and reads on.
func TestHugeEvent(t *testing.T) {
	text := `[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","ts":2,"args":"` + strings.Repeat("x", mostEvent) +
		`"},{"ph":"X","ts":3,"dur":1,"name":"b"}]`
	k, err := read(text, func() int { return 256 << 10 })
	if err != nil || len(k.lines()) != 2 || k.Lost("MiB are left out") != 1 {
		t.Errorf("%q %v, lost %v", k.lines(), err, k.Losses)
	}
}

// TestMemory reads traces of names, threads and events without end, and demands that memory stays
// within its limit and that what is missing is told.
func TestMemory(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"names":   func(i int) string { return fmt.Sprintf(`{"ph":"X","ts":%d,"dur":1,"name":"name %d"},`, i, i) },
		"threads": func(i int) string { return fmt.Sprintf(`{"ph":"X","ts":%d,"dur":1,"tid":%d,"name":"x"},`, i, i) },
		"keys":    func(i int) string { return fmt.Sprintf(`{"ph":"b","ts":%d,"id":%d,"name":"x"},`, i, i) },
		"series":  func(i int) string { return fmt.Sprintf(`{"ph":"C","ts":%d,"name":"x","args":{"%d":1}},`, i, i) },
		"spans":   func(i int) string { return fmt.Sprintf(`{"ph":"X","ts":%d,"dur":1,"name":"x"},`, i) },
		"paths":   func(i int) string { return fmt.Sprintf(`{"ph":"B","ts":%d,"name":"%d"},`, i, i%50) },
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte("[")
			for i := range 80_000 {
				text = append(text, line(i)...)
			}
			path := feedtest.File(t, "trace.json", text)
			v := feedtest.New(t, 8<<20)
			s := v.Run(func(sink feedSink) { _ = Source{}.OpenFile(t.Context(), path, sink) })
			v.Check(t)
			losses, lines := s.Losses()
			testkit.That(t, losses[model.LossLimit] != 0 && len(lines) != 0,
				"nothing is told of what is missing: %v %q", losses, lines)
			if name == "names" {
				v.CheckMore(t, s)
			}
		})
	}
}

// TestPySpy compares with what a Python program counted in a trace by py-spy.
func TestPySpy(t *testing.T) {
	var k taken
	dir := folder(t, "chrometrace")
	testkit.OK(t, (Source{}).OpenFile(t.Context(), filepath.Join(dir, "game-threads.chrometrace.json"), &k))
	want := pySpyTruth(t, dir)
	got := map[int]map[string]pySpySum{}
	for i := range k.Tracks {
		of := map[string]pySpySum{}
		for name, x := range k.Sums(func(d *model.TrackDef) bool { return d == &k.Tracks[i] }) {
			of[name] = pySpySum{x.Count, x.Total / 1000, x.Self / 1000}
		}
		if len(of) > 0 {
			got[k.Tracks[i].Index] = of
		}
	}
	testkit.That(t, reflect.DeepEqual(got, want), "%v\nwant %v", got, want)
}

// FuzzDecoder reads anything, in pieces of any size, and demands what the store relies on.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte(`[{"ph":"X","ts":1,"dur":2,"name":"in"},{"ph":"X","ts":0,"dur":4,"name":"out"},{"ph":"X","ts":3.5,"dur":1}]`), uint8(7))
	f.Add([]byte(`{"a":{},"traceEvents":[{"ph":"B","ts":"1e0","name":"a"},{"ph":"E","ts":2},{"ph":"i","ts":1,"name":"frame 1"},{"ph":"i","ts":3,"name":"frame 2"}]}`), uint8(200))
	f.Add([]byte(`[{"ph":"b","id":1,"ts":0,"name":"a"},{"ph":"e","id2":{"local":1},"ts":3},{"ph":"C","ts":1,"args":{"x":1}},{"ph":"s","bind_id":1,"ts":2}`), uint8(1))
	f.Add([]byte("[{\"ph\":\"S\",\"ts\":-1.5,\"name\":\"\\ud83c\"},{\"ph\":\"F\",\"ts\":1},{\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"x\"}}\x00"), uint8(3))
	f.Add(traceOf(40), uint8(99))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		k, err := read(string(text), func() int { return int(step) + 1 })
		if err == nil {
			sound(t, k)
		}
		again, err2 := read(string(text), whole1)
		if (err == nil) != (err2 == nil) || !reflect.DeepEqual(k, again) {
			t.Fatalf("pieces of %d bytes make a difference: %v, %v", int(step)+1, err, err2)
		}
	})
}

// sound checks what the store relies on: order, no overlap within a row, paths that are defined.
func sound(t *testing.T, k *taken) {
	t.Helper()
	type row struct {
		track model.TrackID
		lane  uint16
	}
	ends, begins, number := map[row]int64{}, map[model.TrackID]int64{}, map[model.TrackID]int64{}
	for _, b := range k.Batches {
		if b.Track != model.NoTrack && int(b.Track) >= len(k.Tracks) {
			t.Fatalf("track %d is not defined", b.Track)
		}
		if b.HasFrame {
			if last, ok := number[b.Track]; ok && b.Number <= last || b.End < b.Begin {
				t.Fatalf("frame %d after %d, %d to %d", b.Number, last, b.Begin, b.End)
			}
			number[b.Track] = b.Number
		}
		for _, s := range b.Spans {
			at := row{b.Track, s.Lane}
			if end, ok := ends[at]; ok && s.Begin < end || s.End < s.Begin || s.Begin < begins[b.Track] {
				t.Fatalf("span %+v of track %d after %d, row up to %d", s, b.Track, begins[b.Track], end)
			}
			ends[at], begins[b.Track] = s.End, s.Begin
			if s.Path == 0 || int(s.Path) >= len(k.Owner) || s.Lane >= mostRows || s.Flags&isSpilled != 0 {
				t.Fatalf("span %+v", s)
			}
		}
		for _, s := range b.Samples {
			testkit.MustThat(t, int(s.Series) < len(k.Series), "series %d is not defined", s.Series)
		}
	}
}
