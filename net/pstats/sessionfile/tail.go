package sessionfile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// tail reads fields 11 to 21: colors, which some builds wrote with 64 bits, and graphs. They are
// few, so all of it is read and then tried both ways.
func (r *reader) tail() {
	if r.err != nil {
		return
	}
	start := r.off
	var data []byte
	for r.err == nil && r.off < r.end && len(data) < maxFileTail {
		n := min(r.end-r.off, 4096)
		if b := r.nextAny(int(n), "colors and graphs"); b != nil {
			data = append(data, b...)
		} else if buffered, _ := r.br.Peek(r.br.Buffered()); len(buffered) > 0 {
			data = append(data, buffered...)
			break
		}
	}
	// The right reading ends with the reserved field, exactly at the end; only a foreign program may
	// have appended something. 64-bit colors read as 32-bit ones may by chance make sense, but then
	// something is left.
	usual, wide := r.info, r.info
	wide.WideColors = true
	at, reason := parseTail(data, &usual)
	r.info = usual
	if reason != "" || len(data)-at > 2 {
		if wideAt, wideReason := parseTail(data, &wide); wideReason == "" && (reason != "" || len(data)-wideAt <= 2) {
			r.info, reason = wide, ""
		}
	}
	if reason != "" && r.err == nil {
		r.err = &Error{Name: r.name, Offset: start + int64(at), Reason: reason}
	}
}

// parseTail decodes the fields behind the threads, up to the reserved one, which it leaves. reason
// is empty if they are all there.
func parseTail(data []byte, info *Info) (at int, reason string) {
	t := tailReader{data: data}
	colorSize := 16
	if info.WideColors {
		colorSize = 28
	}
	n := t.u32("colors")
	if t.bad == "" && int64(n)*int64(colorSize) > int64(len(data)-t.at) {
		t.fail("%d colors, but %d bytes remain", n, len(data)-t.at)
	}
	for i := uint32(0); i < n && t.bad == ""; i++ {
		c := Color{Collector: int32(t.u32("a color"))}
		for _, v := range []*float32{&c.R, &c.G, &c.B} {
			if info.WideColors {
				*v = float32(t.f64("a color"))
			} else {
				*v = math.Float32frombits(t.u32("a color"))
			}
		}
		info.Colors = append(info.Colors, c)
	}
	for i := t.u16("timelines"); i > 0 && t.bad == ""; i-- {
		info.Timelines = append(info.Timelines, Timeline{
			t.f64("a timeline"), t.f64("a timeline"), t.f64("a timeline"), t.f64("a timeline"), t.window(),
		})
	}
	for i := t.u16("strip charts"); i > 0 && t.bad == ""; i-- {
		info.StripCharts = append(info.StripCharts, StripChart{t.i16("a strip chart"), t.i16("a strip chart"), t.bool("a strip chart"), t.bool("a strip chart"), t.bool("a strip chart"),
			t.f64("a strip chart"), t.f64("a strip chart"), t.f64("a strip chart"), t.window()})
	}
	for i := t.u16("flame graphs"); i > 0 && t.bad == ""; i-- {
		info.FlameGraphs = append(info.FlameGraphs, FlameGraph{
			t.i16("a flame graph"), t.i16("a flame graph"), t.i16("a flame graph"), t.f64("a flame graph"),
			t.bool("a flame graph"), t.window(),
		})
	}
	for i := t.u16("piano rolls"); i > 0 && t.bad == ""; i-- {
		info.PianoRolls = append(info.PianoRolls, PianoRoll{
			t.i16("a piano roll"), t.f64("a piano roll"), t.f64("a piano roll"), t.window(),
		})
	}
	if t.bad != "" {
		info.Colors, info.Timelines, info.StripCharts, info.FlameGraphs, info.PianoRolls = nil, nil, nil, nil, nil
	}
	return t.at, t.bad
}

// tailReader reads fields of a byte slice; the first failure sticks.
type tailReader struct {
	data []byte
	at   int
	bad  string
}

func (t *tailReader) fail(format string, args ...any) {
	if t.bad == "" {
		t.bad = fmt.Sprintf(format, args...)
	}
}

func (t *tailReader) next(n int, what string) []byte {
	if t.bad == "" && n > len(t.data)-t.at {
		t.fail("%s: %d bytes missing", what, n-(len(t.data)-t.at))
	}
	if t.bad != "" {
		return make([]byte, n)
	}
	t.at += n
	return t.data[t.at-n : t.at]
}

func (t *tailReader) u16(what string) uint16 { return binary.LittleEndian.Uint16(t.next(2, what)) }
func (t *tailReader) i16(what string) int16  { return int16(t.u16(what)) }
func (t *tailReader) u32(what string) uint32 { return binary.LittleEndian.Uint32(t.next(4, what)) }
func (t *tailReader) f64(what string) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(t.next(8, what)))
}

// bool reads a boolean; a value other than 0 and 1 proves that the assumed layout is wrong.
func (t *tailReader) bool(what string) bool {
	v := t.next(1, what)[0]
	if v > 1 {
		t.fail("%s: %d is neither true nor false", what, v)
	}
	return v == 1
}

func (t *tailReader) window() (w Window) {
	if w.Present = t.bool("a window"); !w.Present {
		return w
	}
	for _, v := range []*int32{&w.X, &w.Y, &w.W, &w.H} {
		*v = int32(t.u32("a window"))
	}
	w.Maximized, w.Minimized = t.bool("a window"), t.bool("a window")
	return w
}
