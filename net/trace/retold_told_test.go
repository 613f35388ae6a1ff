package trace

import (
	"fmt"
	"testing"

	"framescope/model"
)

// Places are read as they were written, and what is none is not.
func TestPlace(t *testing.T) {
	for _, p := range []SpanPlace{
		{Row: 3, Caller: -1}, {Row: 0, Caller: 2, Flags: model.SpanMoves | model.SpanOpenEnd}, {Row: 9, Caller: 1, Below: []int{17, 0}},
		{Row: 1, Caller: -1, Below: []int{4}, Flags: model.SpanUncertain},
	} {
		text := p.Append(nil)
		if got, ok := ReadPlace(text, 10); !ok || fmt.Sprint(got) != fmt.Sprint(p) {
			t.Errorf("%s is %+v, not %+v", text, got, p)
		}
	}
	for _, text := range []string{"", "1", "x 2", "10 1", "1 10", "-1 1", "1 -2", "1 1/", "1 1/x", "1 1/-4"} {
		if p, ok := ReadPlace([]byte(text), 10); ok {
			t.Errorf("%q is %+v", text, p)
		}
	}
}

// Marks are read as they were written, and letters of none are passed over.
func TestMarks(t *testing.T) {
	for _, flags := range []model.SpanFlags{0, model.SpanOpenBegin, Open, Open | model.SpanUncertain} {
		if text := AppendMarks(nil, flags); ReadMarks(text) != flags {
			t.Errorf("%q is %d, not %d", text, ReadMarks(text), flags)
		}
	}
	if flags := ReadMarks([]byte("x, end")); flags != model.SpanOpenEnd {
		t.Errorf("%d", flags)
	}
}

// The clock of a recording, and what it is called, come as they were told, and no step that can't be.
func TestRecordingTold(t *testing.T) {
	for text, want := range map[string]model.Info{
		`{"program":"p","origin":"puffin: it began at noon","step_ns":100}`: {Program: "p", Origin: "puffin: it began at noon", Clock: model.Clock{StepNs: 100}},
		`{"program":"p","float32_seconds":true,"step_ns":-1}`:               {Program: "p", Detail: "own", Clock: model.Clock{Float32Seconds: true}},
		`{"program":"p","step_ns":9223372036854775807}`:                     {Program: "p", Detail: "own"},
		`{"step_ns":7}`: {Program: "q", Detail: "own", Clock: model.Clock{StepNs: 3}},
	} {
		info, got := ReadSession([]byte(text)), model.Info{Program: "q", Detail: "own", Clock: model.Clock{StepNs: 3}}
		if info.Fill(&got); got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// What goes on in a row is what ended there just then; anything else is a call of its own.
func TestRowed(t *testing.T) {
	var r Rowed
	next := model.PathID(0)
	path := func(model.PathID, int) model.PathID { next++; return next }
	moves := SpanPlace{Caller: -1, Flags: model.SpanMoves}
	var got []bool
	for _, at := range [][2]int64{{0, 5}, {5, 9}, {10, 12}} {
		_, flags := r.Put(moves, at[0], at[1], path)
		got = append(got, flags&model.SpanMoves != 0)
	}
	if fmt.Sprint(got) != "[false true false]" {
		t.Errorf("%v", got)
	}
}

func TestReadCollector(t *testing.T) {
	c, ok := ReadCollector([]byte(`{"n":2,"in":1,"name":"Draw","color":"#ff8000","sort":3,"scale":0.5,"factor":"x","unit":"MB"}`))
	want := model.CollectorDef{Color: model.RGB{R: 255, G: 128, Set: true}, Sort: 3, Scale: .5, Unit: "MB"}
	if !ok || c.N != 2 || c.In != 1 || string(c.Name) != "Draw" || c.Def != want {
		t.Errorf("%+v %t", c, ok)
	}
	for _, text := range []string{"", "{}", `{"n":-1}`, `{"n":1,"in":-4}`, `{"n":4e9}`} {
		if c, ok := ReadCollector([]byte(text)); ok {
			t.Errorf("%q is %+v", text, c)
		}
	}
}

// What is told of a series is what it was, and what makes no sense is nothing.
func TestReadSeriesRole(t *testing.T) {
	var def model.SeriesDef
	info := ReadSeries([]byte(`{"kind":"value","unit":"%","role":"cpu_load","description":"of it","range":"0 100"}`))
	info.Define(&def, &Topology{})
	want := model.SeriesDef{Kind: model.SeriesValue, Unit: "%", Role: model.RoleCPULoad, Description: "of it", Max: 100, HasRange: true}
	want.Object, want.Peer = model.NoObject, model.NoObject
	if fmt.Sprint(def) != fmt.Sprint(want) {
		t.Errorf("%+v", def)
	}
	info = ReadSeries([]byte(`{"kind":"value","role":"stack","range":"5 NaN"}`))
	info.Define(&def, &Topology{})
	if def.Role != model.RoleNone || def.HasRange {
		t.Errorf("%+v", def)
	}
}

func TestReadGaps(t *testing.T) {
	var got []int64
	if ok := ReadGaps([]byte("5 -7 x 9223372036854775808"), func(ns int64) { got = append(got, ns) }); ok || fmt.Sprint(got) != "[5 -7]" {
		t.Errorf("%v %t", got, ok)
	}
}
