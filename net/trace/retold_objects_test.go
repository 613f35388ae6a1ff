package trace

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"framescope/model"
)

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
	if len(losses) != 2 || !strings.HasPrefix(losses[0], "1 what is told of the session (object_info) can't") ||
		!strings.HasPrefix(losses[1], "1 what is told of the session (link_info) can't") {
		t.Errorf("%q", losses)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
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
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	s := ReadSeries([]byte(`{"role":"level","object":0,"peer":1}`))
	var def model.SeriesDef
	if s.Define(&def, &in); def.Role != model.RoleLevel || def.Object != 0 || def.Peer != model.NoObject {
		t.Errorf("%+v", def)
	}
}
