// Flame graphs and flame charts as SVG text, for the API that sends them to web pages. Source: FORMAT.md of
// net/flare, section "API".

package flare

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"framescope/assets"
)

// Box is one bar of a flame picture: a call, from Begin to End on an axis of any unit.
type Box struct {
	Depth      int // 0: the outermost
	Begin, End int64
	Label      string
	Tooltip    string
	Key        string // decides the color; bars of the same key have the same color
}

// Picture describes a flame picture as text in the format SVG 1.1, for programs that show pictures:
// a bar for each box with the name in it, as far as there is room, and a tooltip.
type Picture struct {
	Title   string
	WidthPx int   // of the whole picture, at least MinWidthPx
	End     int64 // of the axis, which begins at 0
	Theme   assets.Theme
}

// Sizes of a flame picture in pixels.
const (
	// MinWidthPx is the least width of a picture: narrower ones have no room for bars.
	MinWidthPx = 60
	svgPadX    = 10
	svgTop     = 36
	svgBottom  = 34
	svgBar     = 16
	svgFont    = 12
	// svgGlyph is the width of a letter as a share of its height.
	svgGlyph = 0.59
	// svgLeast is the share of the axis below which a bar is left out.
	svgLeast = 0.001
)

// Append appends the picture to b. It leaves out boxes outside the axis, and those of less than a thousandth of
// it, and draws the rest in the order given. The picture depends on the arguments alone.
func (f *Picture) Append(b []byte, boxes []Box) []byte {
	width := max(f.WidthPx, MinWidthPx)
	total := float64(f.End)
	shown := func(x *Box) bool {
		return x.Depth >= 0 && x.End > x.Begin && x.Begin < f.End && x.End > 0 && float64(x.End-x.Begin) >= svgLeast*total
	}
	deepest := 0
	for i := range boxes {
		if shown(&boxes[i]) {
			deepest = max(deepest, boxes[i].Depth)
		}
	}
	height := (deepest+1)*svgBar + svgTop + svgBottom
	t := &f.Theme
	b = fmt.Appendf(b, `<?xml version="1.0" encoding="UTF-8"?>`+
		`<svg version="1.1" width="%d" height="%d" viewBox="0 0 %d %d" xmlns="http://www.w3.org/2000/svg">`, width, height,
		width, height)
	b = fmt.Appendf(b, `<style type="text/css">text { font-family:Verdana,sans-serif; font-size:%dpx; } `+
		`#title { text-anchor:middle; font-size:17px; fill:%s; } #frames rect { stroke:%s; stroke-width:0.5; } `+
		`#frames g:hover rect { stroke:%s; }</style>`, svgFont, hexColor(t.Text), hexColor(t.Ground), hexColor(t.Text))
	b = fmt.Appendf(b, `<rect x="0" y="0" width="100%%" height="%d" fill="%s"/>`, height, hexColor(t.Ground))
	b = fmt.Appendf(b, `<text id="title" x="50.0000%%" y="24.00">%s</text>`, textXML(f.Title))
	b = fmt.Appendf(b, `<svg id="frames" x="%d" width="%d">`, svgPadX, width-2*svgPadX)
	for i := range boxes {
		if x := &boxes[i]; shown(x) {
			b = f.appendBox(b, x, float64(width), total)
		}
	}
	return append(b, "</svg></svg>"...)
}

// appendBox appends one bar of a picture that is so many pixels wide.
func (f *Picture) appendBox(b []byte, x *Box, width, total float64) []byte {
	begin, end := max(x.Begin, 0), min(x.End, f.End)
	left, share := 100*float64(begin)/total, 100*float64(end-begin)/total
	fill := f.Theme.NameColor(x.Key)
	y := svgTop + svgBar*x.Depth
	b = fmt.Appendf(b, `<g><title>%s</title><rect x="%.4f%%" y="%d" width="%.4f%%" height="%d" fill="rgb(%d,%d,%d)"/>`,
		textXML(x.Tooltip), left, y, share, svgBar-1, fill.R, fill.G, fill.B)
	if label := cutLabel(x.Label, int(share/100*width/(svgFont*svgGlyph))); label != "" {
		b = fmt.Appendf(b, `<text x="%.4f%%" y="%.2f" fill="%s">%s</text>`,
			left+100*3/width, float64(y)+10.5, hexColor(assets.TextOn(fill.R, fill.G, fill.B)), textXML(label))
	}
	return append(b, "</g>"...)
}

// cutLabel cuts a text to a number of letters, and replaces the last two by dots; less than three letters are none
// at all.
func cutLabel(s string, letters int) string {
	if letters < 3 {
		return ""
	}
	if utf8.RuneCountInString(s) <= letters {
		return s
	}
	return string([]rune(s)[:letters-2]) + ".."
}

func hexColor(c assets.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// textXML returns a text so that it can stand between tags and in attributes. What XML has no way to write becomes
// U+FFFD.
func textXML(s string) string {
	var out strings.Builder
	xml.EscapeText(&out, []byte(s)) // a Builder takes everything
	return out.String()
}

// Tip is the usual tooltip of a bar: "name (1,234 ms, 12.34%)", the share being that of total.
func Tip(name string, value int64, unit string, total int64) string {
	share := 0.0
	if total > 0 {
		share = 100 * float64(value) / float64(total)
	}
	return name + " (" + commas(value) + " " + unit + ", " + strconv.FormatFloat(share, 'f', 2, 64) + "%)"
}

// commas writes a number with a comma before each third digit.
func commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// FlameMerged lays a merged call tree out as boxes: the children of a node stand side by side, in order of their
// names, and the node's self value is the rest at the right. Values below zero count as zero, and children that
// have more than their parent are cut. shown is what stands in the bar of a name.
func FlameMerged(root *Node, m Measure, shown func(name string) string) []Box {
	var out []Box
	total := max(m.Value(root), 0)
	var place func(n *Node, depth int, begin, end int64)
	place = func(n *Node, depth int, begin, end int64) {
		out = append(out, Box{
			Depth: depth, Begin: begin, End: end, Label: shown(n.Label), Tooltip: Tip(n.Label, end-begin, m.Unit(), total),
			Key: n.Label,
		})
		children := slices.Clone(n.Children)
		slices.SortStableFunc(children, func(a, b *Node) int { return cmp.Compare(a.Label, b.Label) })
		at := begin
		for _, c := range children {
			if v := min(m.Value(c), end-at); v > 0 {
				place(c, depth+1, at, at+v)
				at += v
			}
		}
	}
	if total > 0 {
		place(root, 0, 0, total)
	}
	return out
}
