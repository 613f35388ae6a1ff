package draw_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"framescope/charts/draw"
)

// widthOf is the room for as many letters of a font of equal widths.
func widthOf(a *draw.Atlas, letters int) float32 {
	return a.Measure(draw.Mono, strings.Repeat("x", letters))
}

func TestNamesLoseWhatTellsLeast(t *testing.T) {
	a := draw.NewAtlas(1)
	for _, c := range []struct {
		name    string
		letters int
		want    string
	}{
		{"collide", 10, "collide"},
		{"a plain sentence of words", 12, "a plain sen…"},
		{"PrimitiveAssembly", 10, "Primitive…"},
		{"com.example.shop.PriceRules.match", 18, "…PriceRules.match"},
		{"com.example.shop.PriceRules.match", 16, "…riceRules.match"}, // the method alone would leave most empty
		{"com.example.shop.PriceRules.match", 8, "…match"},
		{"com.example.shop.PriceRules.matchEverything", 8, "matchEv…"},
		{"shopapp:Workload$OrderService.priceLine()", 28, "…OrderService.priceLine()"},
		{"shopapp:Workload$OrderService.priceLine()", 14, "…priceLine()"},
		{"Workload.lambda$main$0(java.lang.String)", 34, "…lambda$main$0(java.lang.String)"},
		{"Workload$$Lambda$1.0x00007f4cf8000a08.run()", 30, "…da$1.0x00007f4cf8000a08.run()"},
		{"std::vector::push_back", 15, "…push_back"},
		{"App:Show:Set State", 14, "…Set State"},
		{"App:Show:Draw", 10, "…Show:Draw"},
		{"/usr/lib/libc.so.6", 12, "…libc.so.6"},
		{"videotestsrc0.src", 12, "…estsrc0.src"},
		{"videosink.sink", 9, "vide…sink"}, // not "…sink", as all of them are
		{"audiosink.sink", 9, "audi…sink"},
		{"audiosink0.sink", 9, "au…0.sink"},
		{"recording.log", 7, "rec…log"},
		{"audiotestsrc0.src → fakesink0.sink", 20, "…fakesink0.sink"},
		{"queue12", 6, "que…12"},
		{"order-worker-1", 10, "order-wo…1"},
		{"queue2", 3, ""},
	} {
		if got := a.ShortName(draw.Mono, c.name, widthOf(a, c.letters)); got != c.want {
			t.Errorf("%q in %d letters: %q, want %q", c.name, c.letters, got, c.want)
		}
	}
}

// Names that differ are shown differently wherever there is room for what differs.
func TestNamesOfAListDiffer(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	for _, c := range []struct {
		letters int
		names   string
	}{
		{11, "queue level buffers|queue level bytes|queue level time"},
		{8, "queue0|queue1|queue2|queue10|queue11|queue100"},
		{4, "queue0|queue1|queue2"},
		{12, "query videoscale0.src latency|query videotestsrc0.src latency|query queue1.src latency|query queue10.src latency"},
		{14, "Workload$OrderService.priceCart()|Workload$OrderService.priceLine()|Workload$ReportJob.run()|Workload.run()|java.lang:Thread.run()"},
		{9, "a.b.C.run|a.b.D.run|a.c.C.run"},
		{12, "videotestsrc0.src → fakesink0.sink|videotestsrc0.src → fakesink1.sink|audiotestsrc0.src → fakesink0.sink"},
		{10, "the very long same begin A and the same end|the very long same begin B and the same end"},
	} {
		var n draw.Names
		l.Reset(draw.Rect{X1: 1000, Y1: 1000})
		names := strings.Split(c.names, "|")
		for i, name := range names {
			y := float32(20 * i)
			n.Add(0, draw.Mono, draw.Rect{Y0: y, X1: widthOf(l.Atlas(), c.letters), Y1: y + 20}, draw.Left, name, white)
		}
		shown := draw.ShownNames(&n, l.Atlas())
		t.Logf("%d letters: %q", c.letters, shown)
		for i, s := range shown {
			if s == "" || slices.Contains(shown[:i], s) {
				t.Errorf("%d letters: %q, shown as %q", c.letters, names, shown)
				break
			}
		}
	}
}

// Of names that begin alike and fit nowhere the parts that differ are seen, also where a number or the
// room of one makes them look different.
func TestNamesShowWhatDiffers(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	names := []string{
		"PresentBench.exe 0x2A70D2CAC00", "dwm.exe 0x19D7EF5E390", "dwm.exe 0x19D7EF5E390 GPU", "dwm.exe 0x19D7F1BA8F0",
		"dwm.exe 0x19D7F1BA8F0 GPU", "PresentBench.exe 0x2A70D2CAC00 GPU", "worker", "worker of the pool of the renderer",
	}
	for letters := 14; letters < 34; letters++ {
		var n draw.Names
		l.Reset(draw.Rect{X1: 1000, Y1: 1000})
		for i, name := range names {
			y := float32(20 * i)
			n.Add(0, draw.Mono, draw.Rect{Y0: y, X1: widthOf(l.Atlas(), letters), Y1: y + 20}, draw.Left, name, white)
		}
		for i, s := range draw.ShownNames(&n, l.Atlas()) {
			if strings.HasSuffix(names[i], " GPU") != strings.Contains(s, " G") || i < 6 && strings.HasSuffix(s, "…") && !strings.HasSuffix(s, " G…") {
				t.Errorf("%d letters: %q is shown as %q", letters, names[i], s)
			}
		}
	}
}

// Whatever the names are: what is shown fits, is whole or has the mark, is the same for equal
// names, and drawing them twice allocates nothing.
func TestNamesFit(t *testing.T) {
	l := draw.NewList(draw.NewAtlas(1))
	rapid.Check(t, func(t *rapid.T) {
		var n draw.Names
		names := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab.:$/ →0(é")))).Draw(t, "names")
		room := float32(rapid.IntRange(0, 120).Draw(t, "room"))
		for _, s := range names {
			n.Add(0, draw.Regular, draw.Rect{X1: room, Y1: 20}, draw.Left, s, white)
		}
		for i, s := range draw.ShownNames(&n, l.Atlas()) {
			switch {
			case l.Atlas().Measure(draw.Regular, s) > room || !utf8.ValidString(s):
				t.Fatalf("%q does not fit %v", s, room)
			case s != "" && s != names[i] && !strings.Contains(s, "…"):
				t.Fatalf("%q is cut to %q without a mark", names[i], s)
			}
		}
	})
	var n draw.Names
	if allocs := testing.AllocsPerRun(10, func() {
		l.Reset(draw.Rect{X1: 1000, Y1: 1000})
		for i := range 40 {
			r := draw.Rect{Y0: float32(20 * i), X1: 60, Y1: float32(20*i + 20)}
			n.Add(0, draw.Regular, r, draw.Left, "query queue"+"0123456789"[i%10:]+".src latency", white)
		}
		n.Draw(l)
	}); allocs > 40 { // the names that are made here
		t.Errorf("%v allocations", allocs)
	}
}

// A sentence about a file has both of its ends, and fits.
func TestCutMiddle(t *testing.T) {
	a := draw.NewAtlas(1)
	const text = "Delete “demo 2026-11-23 14.50.12 Wait disk on Main, frame 65123.pstats” from the disk?"
	for room := float32(80); room < 700; room += 7 {
		got := a.CutMiddle(draw.Medium, text, room)
		head, tail, cut := strings.Cut(got, "…")
		if w := a.Measure(draw.Medium, got); w > room || cut == (got == text) || cut && (!strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || tail == "") {
			t.Errorf("in %v px: %q, %v px", room, got, w)
		}
	}
}
