package trace

import (
	"reflect"
	"strings"
	"testing"

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
		if !got.Told || got.Kind != want || got.Name != "n" {
			t.Errorf("%s: %+v", k, got)
		}
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
	if n != mostFlows || all != `ab\"` {
		t.Errorf("%d, %q", n, all)
	}
}

func TestReadGroup(t *testing.T) {
	cat, path, ok := ReadGroup([]byte(`{"cat":"a:b","path":["a","b"]}`))
	if !ok || string(cat) != "a:b" || len(path) != 2 || string(path[1]) != "b" {
		t.Errorf("%q, %q", cat, path)
	}
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
