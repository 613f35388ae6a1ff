package trace

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

func TestReadSeries(t *testing.T) {
	for text, want := range map[string]SeriesInfo{
		``:                               {Kind: model.SeriesGauge},
		`[1]`:                            {Kind: model.SeriesGauge},
		`{"kind":"nothing","unit":"ns"}`: {Kind: model.SeriesGauge, Unit: "ns"},
		`{"unit":"` + strings.Repeat("x", mostUnit+1) + `","kind":"event"}`: {Kind: model.SeriesEvent},
		`{"kind":"state","group":"g","name":"a\"b","states":["on","off"],"alone":true}`: {
			Kind: model.SeriesState, Named: true, Group: "g", Name: `a"b`, States: []string{"on", "off"}, Alone: true,
		},
		`{"kind":"value","states":"on","name":""`: {Kind: model.SeriesValue, Named: true},
	} {
		want.object, want.peer = model.NoObject, model.NoObject
		want.Bad = text == "" || text[0] == '[' || strings.Contains(text, "nothing")
		if got := ReadSeries([]byte(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	many := ReadSeries([]byte(`{"states":[` + strings.Repeat(`"a",`, 1000) + `"b"]}`))
	def := model.SeriesDef{Name: "n", States: []string{"mine"}}
	if many.Define(&def, &Topology{}); len(many.States) != mostStates || def.Name != "n" || def.States[0] != "mine" {
		t.Errorf("%d states, %+v", len(many.States), def)
	}
}

// Kinds of tracks come back; what is not known is a task.
func TestReadTrack(t *testing.T) {
	for k, want := range map[model.TrackKind]model.TrackKind{
		model.TrackThread: model.TrackThread, model.TrackGPU: model.TrackGPU, model.TrackOutput: model.TrackOutput,
		model.TrackAsync: model.TrackAsync, model.TrackStream: model.TrackStream, model.TrackElement: model.TrackElement, 99: model.TrackAsync,
	} {
		got := ReadTrack([]byte(`{"of":"` + KindWord(k) + `","name":"n"}`))
		testkit.That(t, got.Told && got.Kind == want && got.Name == "n", "%s: %+v", k, got)
	}
}

func TestReadZero(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-5": true, "": false, "1.5": false, "2305843009213693952": true, "2305843009213693953": false, "x": false,
	} {
		if _, ok := ReadZero([]byte(text)); ok != want {
			t.Errorf("%q: %t", text, ok)
		}
	}
}

func TestReadFlows(t *testing.T) {
	n, all := 0, ""
	ReadFlows([]byte(`["a","b\"",`+strings.Repeat(`"",`, 1<<17)), func(name []byte) { n, all = n+1, all+string(name) })
	testkit.That(t, n == mostFlows && all == `ab\"`, "%d, %q", n, all)
}

func TestReadGroup(t *testing.T) {
	cat, path, ok := ReadGroup([]byte(`{"cat":"a:b","path":["a","b"]}`))
	testkit.That(t, ok && string(cat) == "a:b" && len(path) == 2 && string(path[1]) == "b", "%q, %q", cat, path)
	if _, path, ok = ReadGroup([]byte(`{"path":[` + strings.Repeat(`"x",`, 1000))); ok || len(path) > mostPath {
		t.Errorf("%d deep", len(path))
	}
}

// What is not told of a session stays as the file has it.
func TestFill(t *testing.T) {
	for text, want := range map[string]model.Info{
		`{}`:                      {Program: "p", Host: "h", PID: 1},
		`{"pid":4711}`:            {Program: "p", Host: "h", PID: 4711},
		`{"pid":-5,"program":""}`: {Host: "h", PID: -1},
		`{"pid":"x","host":"\n"}`: {Program: "p", Host: "\n", PID: 1},
		`{"pid":1e99}`:            {Program: "p", Host: "h", PID: 1},
	} {
		info, got := ReadSession([]byte(text)), model.Info{Program: "p", Host: "h", PID: 1}
		if info.Fill(&got); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestReadFlowTimes(t *testing.T) {
	for text, want := range map[string][]int64{
		"": {7}, "1500 0 20": {7, 1500, 0, 20}, "3 -1 2": {7, 3}, "1e3": {7}, "9223372036854775807 9223372036854775808": {7, 1<<63 - 1},
	} {
		if got := ReadFlowTimes([]int64{7}, []byte(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if n := len(ReadFlowTimes(nil, []byte(strings.Repeat("1 ", 1<<17)))); n != mostFlows {
		t.Errorf("%d times", n)
	}
}

// Objects and links come back in the order of their numbers, what is not told of them, or can't be, as not known.
func TestTopology(t *testing.T) {
	var x Topology
	for _, c := range []struct {
		word, text string
		ok         bool
	}{
		{Object, `{"n":1}`, false}, // not the next one
		{Object, `{"n":0,"of":"bin","name":"all","type":"T","color":"#0102ff","created":100,"gone":900}`, true},
		{Object, `{"n":0}`, false},
		{Object, `{"n":1,"in":0,"of":"pad","direction":"sink","name":"a\"b"}`, true},
		{Object, `{"n":2,"in":7,"of":"nothing","direction":"up","created":"x","gone":9223372036854775807}`, true},
		{Object, `[3]`, false},
		{Object, ``, false},
		{Link, `{"n":0,"from":1,"to":2,"since":150,"media":"m","flow":true}`, true},
		{Link, `{"n":1,"from":-1,"to":3}`, true},
		{Link, `{"n":2,"from":1,"to":2}`, true},
		{Link, `{"n":-1}`, false},
		{Link, `{"n":4294967298}`, false},
	} {
		if ok := x.Take(c.word, []byte(c.text)); ok != c.ok {
			t.Errorf("%s %s: %t", c.word, c.text, ok)
		}
	}
	x.Flow(&model.SeriesDef{ID: 5, Role: model.RoleFlow, Object: 1, Peer: 2})
	x.Flow(&model.SeriesDef{ID: 6, Role: model.RoleFlow, Object: model.NoObject, Peer: model.NoObject})
	x.Flow(&model.SeriesDef{ID: 7, Role: model.RoleLatency, Object: 1, Peer: 2})
	var got []model.Change
	var bad Unread
	x.Objects(100, func(c model.Change) { got = append(got, c) }, &bad)
	x.Links(100, func(c model.Change) { got = append(got, c) }, &bad)
	no := model.TimeUnknown
	want := []model.Change{
		model.ObjectDef{
			Parent: -1, Kind: model.ObjectBin, Name: "all", Type: "T", Color: model.RGB{R: 1, G: 2, B: 255, Set: true}, Gone: 800,
		},
		model.ObjectDef{ID: 1, Kind: model.ObjectPad, Direction: model.PadSink, Name: `a"b`, Created: no, Gone: no},
		model.ObjectDef{ID: 2, Parent: -1, Kind: model.ObjectOther, Created: no, Gone: no},
		model.LinkDef{From: 1, To: 2, Since: 50, Until: no, Flow: 5, Media: "m"},
		model.LinkDef{ID: 1, From: -1, To: -1, Since: no, Until: no, Flow: model.NoSeries},
		model.LinkDef{ID: 2, From: 1, To: 2, Since: no, Until: no, Flow: model.NoSeries},
	}
	var losses []string
	bad.Tell(func(c model.Change) {
		losses = append(losses, fmt.Sprint(c.(model.Loss).N, " ", c.(model.Loss).Detail))
	})
	if len(losses) != 2 || !strings.HasPrefix(losses[0], "1 invalid metadata of the session (object_info)") ||
		!strings.HasPrefix(losses[1], "1 invalid metadata of the session (link_info)") {
		t.Errorf("%q", losses)
	}
	testkit.That(t, reflect.DeepEqual(got, want), "got\n%+v, want\n%+v", got, want)
}

// Series and tracks are of objects that are told; what has none is a task.
func TestOfObjects(t *testing.T) {
	var in Topology
	in.Take(Object, []byte(`{"n":0}`))
	for text, want := range map[string]model.TrackDef{
		`{"of":"element","object":0}`:           {Kind: model.TrackElement, Object: 0, Peer: -1},
		`{"of":"element","object":1}`:           {Kind: model.TrackAsync, Object: -1, Peer: -1},
		`{"of":"path","object":0}`:              {Kind: model.TrackAsync, Object: -1, Peer: -1},
		`{"of":"path","object":0,"peer":0}`:     {Kind: model.TrackStream, Object: 0, Peer: 0},
		`{"of":"task","object":0}`:              {Kind: model.TrackAsync, Object: -1, Peer: -1},
		`{"of":"thread","kin":"k","object":-5}`: {Kind: model.TrackThread, Kin: "k", Object: -1, Peer: -1},
	} {
		var got model.TrackDef
		if info := ReadTrack([]byte(text)); true {
			info.Define(&got, &in)
		}
		testkit.That(t, got == want, "%s: %+v, want %+v", text, got, want)
	}
	s := ReadSeries([]byte(`{"role":"level","object":0,"peer":1}`))
	var def model.SeriesDef
	if s.Define(&def, &in); def.Role != model.RoleLevel || def.Object != 0 || def.Peer != model.NoObject {
		t.Errorf("%+v", def)
	}
}

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
	testkit.That(t, fmt.Sprint(got) == "[false true false]", "%v", got)
}

func TestReadCollector(t *testing.T) {
	c, ok := ReadCollector([]byte(`{"n":2,"in":1,"name":"Draw","color":"#ff8000","sort":3,"scale":0.5,"factor":"x","unit":"MB"}`))
	want := model.CollectorDef{Color: model.RGB{R: 255, G: 128, Set: true}, Sort: 3, Scale: .5, Unit: "MB"}
	testkit.That(t, ok && c.N == 2 && c.In == 1 && string(c.Name) == "Draw" && c.Def == want, "%+v %t", c, ok)
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
	testkit.That(t, fmt.Sprint(def) == fmt.Sprint(want), "%+v", def)
	info = ReadSeries([]byte(`{"kind":"value","role":"stack","range":"5 NaN"}`))
	info.Define(&def, &Topology{})
	testkit.That(t, def.Role == model.RoleNone && !def.HasRange, "%+v", def)
}

func TestReadGaps(t *testing.T) {
	var got []int64
	if ok := ReadGaps([]byte("5 -7 x 9223372036854775808"), func(ns int64) { got = append(got, ns) }); ok || fmt.Sprint(got) != "[5 -7]" {
		t.Errorf("%v %t", got, ok)
	}
}
