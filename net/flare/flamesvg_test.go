package flare

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"

	"pgregory.net/rapid"

	"framescope/assets"
)

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
	tree := FlameNode{Label: "root", Value: 2000, Children: []FlameNode{
		{Label: "z.Late.run()", Value: 500},
		{Label: `a.<init>() & "quoted"`, Value: 1400, Children: []FlameNode{{Label: "a.Tiny.run()", Value: 1}, {Label: "a.Inner.run()", Value: 900}}},
	}}
	boxes := FlameMerged(tree, "ms")
	f := Picture{Title: "Flame <Graph>", WidthPx: 900, End: 2000, Theme: assets.Light()}
	svg := f.Append(nil, boxes)
	want := []string{"root (2,000 ms, 100.00%)", `a.<init>() & "quoted" (1,400 ms, 70.00%)`, "a.Inner.run() (900 ms, 45.00%)", "z.Late.run() (500 ms, 25.00%)"}
	got := svgTexts(t, svg, "title")
	testkit.That(t, slices.Equal(got, want), "bars %q, want %q", got, want)
	if got := svgTexts(t, svg, "text"); !slices.Equal(got, []string{"Flame <Graph>", "root", `a.<init>() & "quoted"`, "a.Inner.run()", "z.Late.run()"}) {
		t.Errorf("texts %q", got)
	}
	for _, part := range []string{`height="118"`, `<rect x="70.0000%" y="52" width="25.0000%" height="15"`, `<rect x="0.0000%" y="68" width="45.0000%"`} {
		testkit.That(t, strings.Contains(string(svg), part), "%s is missing in\n%s", part, svg)
	}
	again := f.Append(nil, boxes)
	testkit.That(t, string(again) == string(svg), "the picture is another one the second time")
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
