package flare

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/assets"
	"framescope/internal/testkit"
)

// TestFindStopsExactly: with room for n hits there are n, and it tells that there are more.
func TestFindStopsExactly(t *testing.T) {
	rec := readDir(t, find(t, minutes[0]))
	const price = 140335000000024
	count := func(most int) (n int, limited bool) {
		groups, limited, err := Find(t.Context(), rec, Search{Methods: []MethodID{price}, MinMs: 100, MaxHits: most, StartMs: -1, EndMs: -1}, nil)
		testkit.OK(t, err)
		for _, g := range groups {
			n += len(g.Calls)
		}
		return n, limited
	}
	for most, want := range map[int]int{0: 0, 1: 1, 49: 49, 50: 50, 1000: 50} {
		n, limited := count(most)
		testkit.That(t, n == want && limited == (most < 50), "%d hits of at most %d, limited %v", n, most, limited)
	}
}

// deep is a recording with stacks of many frames.
func deep(frames, records int) *Recording {
	stack := make([]MethodID, frames)
	for i := range stack {
		stack[i] = MethodID(i + 1)
	}
	th := &Thread{ID: 1 << 40, Name: "deep"}
	for i := range records {
		th.Add(Record{TimeMs: int64(1000 + 10*i), CPUNs: int64(i) * 1e6, Stack: stack}, "deep")
	}
	return &Recording{Methods: map[MethodID]string{}, Threads: []*Thread{th}}
}

func TestTreesAreBounded(t *testing.T) {
	defer func(most int) { maxNodes = most }(maxNodes)
	maxNodes = 1 << 14
	// Each sample has another stack: nothing merges.
	th := &Thread{ID: 1}
	for i := range maxNodes/1000 + 10 {
		stack := make([]MethodID, 1000)
		for k := range stack {
			stack[k] = MethodID(i*1000 + k)
		}
		th.Records = append(th.Records, Record{TimeMs: int64(i), Stack: stack})
	}
	rec := &Recording{Methods: map[MethodID]string{}, Threads: []*Thread{th}}
	_, err := Sequenced(t.Context(), false, rec, th, -1, -1)
	testkit.That(t, errors.Is(err, ErrTooLarge), "error %v", err)
	_, err = Merged(t.Context(), rec, rec.Threads, -1, -1)
	testkit.That(t, errors.Is(err, ErrTooLarge), "error %v", err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Sequenced(ctx, false, deep(1, 10_000), deep(1, 10_000).Threads[0], -1, -1)
	testkit.That(t, errors.Is(err, context.Canceled), "error %v", err)
	_, _, err = Find(ctx, rec, Search{MaxHits: 1}, nil)
	testkit.That(t, errors.Is(err, context.Canceled), "error %v", err)
}

func TestBucketsOfAnySeries(t *testing.T) {
	for _, s := range []Series{{}, {BeginMs: 5, StepMs: 20}, {BeginMs: 1 << 53, StepMs: 1<<31 - 1, Values: []int64{1, 2, 3}}, {BeginMs: 0, StepMs: 1, Values: []int64{1, 2, 3}}, {StepMs: -1, Values: []int64{1}}} {
		for _, start := range []int64{-1, 0, 1, 2, 1 << 53} {
			for _, end := range []int64{-1, 0, 2, 3, 1 << 53} {
				for _, unit := range []int64{0, 1, 2, 1 << 53} {
					for _, compat := range []bool{false, true} {
						got := SumCPU(&s, start, end, unit, compat)
						var total int64
						for _, v := range got.Us {
							total += v
						}
						if total != got.TotalUs || !compat && int64(len(got.Us)) > Buckets(&s, start, end, unit) {
							t.Errorf("%+v %d %d %d: %+v, at most %d buckets", s, start, end, unit, got, Buckets(&s, start, end, unit))
						}
					}
				}
			}
		}
	}
}

func TestCollapsedEscapes(t *testing.T) {
	root := &Node{Children: []*Node{{Label: "a;b\nc", Ms: 10, Children: []*Node{{Label: "d", Ms: 4}, {Label: "e", Ms: 0}}}}}
	got := Collapsed(root, Duration)
	testkit.That(t, slices.Equal(got, []string{"a_b_c 6", "a_b_c;d 4"}), "%q", got)
}

func TestMatchMethods(t *testing.T) {
	rec := readDir(t, find(t, minutes[1]))
	got := MatchMethods(rec, func(name string) bool { return strings.Contains(name, "Workload") })
	want := 0
	for _, name := range slices.Collect(maps.Values(rec.Methods)) {
		if strings.Contains(name, "Workload") {
			want++
		}
	}
	if len(got) != want || want == 0 || !slices.IsSortedFunc(got, func(a, b MethodID) int { return strings.Compare(rec.Methods[a], rec.Methods[b]) }) {
		t.Errorf("%d methods of %d: %v", len(got), want, got)
	}
}

// svgTexts reads a picture as XML and returns what stands in elements of a name.
func svgTexts(t interface{ Fatalf(string, ...any) }, svg []byte, element string) (out []string) {
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	inside := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			if x.Name.Local == element {
				inside++
				out = append(out, "")
			}
		case xml.EndElement:
			if x.Name.Local == element {
				inside--
			}
		case xml.CharData:
			if inside > 0 {
				out[len(out)-1] += string(x)
			}
		}
	}
}

func TestPicture(t *testing.T) {
	tree := Node{Label: "root", Ms: 2000, Children: []*Node{
		{Label: "z.Late.run()", Ms: 500},
		{Label: `a.<init>() & "quoted"`, Ms: 1400, Children: []*Node{{Label: "a.Tiny.run()", Ms: 1}, {Label: "a.Inner.run()", Ms: 900}}},
	}}
	boxes := FlameMerged(&tree, Duration, func(name string) string { return name })
	f := Picture{Title: "Flame <Graph>", WidthPx: 900, End: 2000, Theme: assets.Light()}
	svg := f.Append(nil, boxes)
	want := []string{"root (2,000 ms, 100.00%)", `a.<init>() & "quoted" (1,400 ms, 70.00%)`, "a.Inner.run() (900 ms, 45.00%)", "z.Late.run() (500 ms, 25.00%)"}
	testkit.EqualSlices(t, svgTexts(t, svg, "title"), want, "bars")
	if got := svgTexts(t, svg, "text"); !slices.Equal(got, []string{"Flame <Graph>", "root", `a.<init>() & "quoted"`, "a.Inner.run()", "z.Late.run()"}) {
		t.Errorf("texts %q", got)
	}
	for _, part := range []string{`height="118"`, `<rect x="70.0000%" y="52" width="25.0000%" height="15"`, `<rect x="0.0000%" y="68" width="45.0000%"`} {
		testkit.That(t, strings.Contains(string(svg), part), "%s is missing in\n%s", part, svg)
	}
	testkit.That(t, string(f.Append(nil, boxes)) == string(svg), "the picture is another one the second time")
}

func TestFlameLabelsAreCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		letters int
		want    string
	}{{"com.acme.Job", 12, "com.acme.Job"}, {"com.acme.Job", 11, "com.acme...."[:9] + ".."}, {"监控线程池", 4, "监控.."}, {"abc", 2, ""}, {"", 9, ""}} {
		testkit.Equal(t, cutLabel(c.text, c.letters), c.want, "%q in %d letters", c.text, c.letters)
	}
}

// TestAnyFlameIsXML: whatever names and numbers come, the picture is well-formed and every bar lies
// within its axis.
func TestAnyFlameIsXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var boxes []Box
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			begin := rapid.Int64Range(-50, 150).Draw(t, "begin")
			boxes = append(boxes, Box{Depth: rapid.IntRange(-1, 30).Draw(t, "depth"), Begin: begin, End: begin + rapid.Int64Range(-5, 100).Draw(t, "width"),
				Label: string(rapid.SliceOf(rapid.Byte()).Draw(t, "label")), Tooltip: rapid.String().Draw(t, "tip"), Key: rapid.String().Draw(t, "key")})
		}
		f := Picture{Title: rapid.String().Draw(t, "title"), WidthPx: rapid.IntRange(-10, 2000).Draw(t, "width"), End: 100, Theme: assets.Dark()}
		svg := f.Append(nil, boxes)
		shown := 0
		for _, x := range boxes {
			if x.Depth >= 0 && x.End > x.Begin && x.Begin < 100 && x.End > 0 {
				shown++
			}
		}
		testkit.MustEqual(t, len(svgTexts(t, svg, "title")), shown, "bars")
	})
}
