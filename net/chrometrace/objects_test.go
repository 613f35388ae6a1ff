package chrometrace

import (
	"testing"

	"framescope/model"
)

// madeTrace tells what a program is made of, of which tracks and counters are.
const madeTrace = `[{"ph":"M","name":"session_info","args":{"program":"p","pid":7,"root":"all","each":true,"unframed":1}},
{"ph":"M","name":"session_zero","args":{"ns":1000}},
{"ph":"M","name":"object_info","args":{"n":0,"of":"bin","name":"pipe","created":2000}},
{"ph":"M","name":"object_info","args":{"n":1,"in":0,"of":"element","name":"queue","color":"#0102ff"}},
{"ph":"M","name":"object_info","args":{"n":2,"in":1,"of":"pad","direction":"source","name":"src","gone":9000}},
{"ph":"M","name":"object_info","args":{"n":3,"in":9,"of":"x","direction":"y"}},
{"ph":"M","name":"object_info","args":{"n":7}},
{"ph":"M","name":"link_info","args":{"n":0,"from":2,"to":1,"since":1500,"flow":true,"media":"m"}},
{"ph":"M","name":"link_info","args":{"n":1,"from":2,"to":8,"flow":true}},
{"ph":"M","tid":5,"name":"track_info","args":{"of":"element","object":1,"name":"queue"}},
{"ph":"M","tid":6,"name":"track_info","args":{"of":"path","object":1,"peer":4,"name":"way"}},
{"ph":"M","name":"group_info","args":{"cat":"a:b","path":["a","b"]}},
{"ph":"M","name":"counter_info","args":{"counter":"buffers","key":"src","kind":"event","role":"flow","object":2,"peer":1}},
{"ph":"M","name":"counter_info","args":{"counter":"level","key":"q","kind":"value","role":"level","object":4}},
{"ph":"b","tid":5,"ts":2,"id":1,"cat":"queue","name":"in","args":{"span_group":"a:b","n":1}},
{"ph":"e","tid":5,"ts":4,"id":1,"cat":"queue","name":"in","args":{"span_group":"a:b"}},
{"ph":"b","tid":6,"ts":2,"id":2,"cat":"way","name":"on"},{"ph":"e","tid":6,"ts":5,"id":2,"cat":"way","name":"on"},
{"ph":"C","ts":3,"name":"buffers","args":{"src":512}},{"ph":"C","ts":3,"name":"level","args":{"q":2}}]`

// TestMade: what a program is made of comes as it is told, and what can't be is left out, or belongs to nothing.
func TestMade(t *testing.T) {
	k := must(t, madeTrace)
	sound(t, k)
	if len(k.Objects) != 4 || k.Objects[0].Created != 1000 || k.Objects[2].Gone != 8000 || k.Objects[3].Parent != model.NoObject {
		t.Errorf("objects: %+v", k.Objects)
	}
	if len(k.Links) != 2 || k.Links[0].Flow == model.NoSeries || k.Links[0].Since != 500 || k.Links[1].To != model.NoObject {
		t.Errorf("links: %+v", k.Links)
	}
	if n := k.Lost("what is told of the session (object_info)"); n != 2 {
		t.Errorf("%d are lost", n)
	}
	kinds := map[string]model.TrackKind{}
	for _, d := range k.Tracks {
		kinds[d.Name] = d.Kind
	}
	if kinds["queue"] != model.TrackElement || kinds["way"] != model.TrackAsync {
		t.Errorf("%v", kinds)
	}
	if flow := k.Series[0]; flow.Role != model.RoleFlow || flow.Object != 2 || flow.Peer != 1 || k.Series[1].Object != model.NoObject {
		t.Errorf("%+v", k.Series)
	}
	for _, b := range k.Batches {
		for _, a := range b.Args {
			if a.Key != "n" {
				t.Errorf("%q is an argument", a.Key)
			}
		}
	}
}

// soundObjects checks that what is of objects is of some that are defined.
func (k *taken) soundObjects(t *testing.T) {
	t.Helper()
	in := func(what string, ids ...model.ObjectID) {
		for _, id := range ids {
			if id < model.NoObject || int(id) >= len(k.Objects) {
				t.Fatalf("%s of object %d of %d", what, id, len(k.Objects))
			}
		}
	}
	for i, o := range k.Objects {
		if in("an object", o.Parent); int(o.ID) != i {
			t.Fatalf("object %d is the %d.", o.ID, i)
		}
	}
	for _, l := range k.Links {
		if in("a link", l.From, l.To); l.Flow != model.NoSeries && int(l.Flow) >= len(k.Series) {
			t.Fatalf("series %d of a link is not defined", l.Flow)
		}
	}
	for _, d := range k.Tracks {
		in("a track", d.Object, d.Peer)
	}
	for _, d := range k.Series {
		in("a series", d.Object, d.Peer)
	}
}
