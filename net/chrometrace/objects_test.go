package chrometrace

import (
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
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
	if n := k.Lost("metadata of the session (object_info)"); n != 2 {
		t.Errorf("%d are lost", n)
	}
	kinds := map[string]model.TrackKind{}
	for _, d := range k.Tracks {
		kinds[d.Name] = d.Kind
	}
	testkit.That(t, kinds["queue"] == model.TrackElement && kinds["way"] == model.TrackAsync, "%v", kinds)
	if flow := k.Series[0]; flow.Role != model.RoleFlow || flow.Object != 2 || flow.Peer != 1 || k.Series[1].Object != model.NoObject {
		t.Errorf("%+v", k.Series)
	}
	for _, b := range k.Batches {
		for _, a := range b.Args {
			testkit.That(t, a.Key == "n", "%q is an argument", a.Key)
		}
	}
}

// soundObjects checks that what is of objects is of some that are defined.
func (k *taken) soundObjects(t *testing.T) {
	t.Helper()
	in := func(what string, ids ...model.ObjectID) {
		for _, id := range ids {
			testkit.MustThat(t, id >= model.NoObject && int(id) < len(k.Objects),
				"%s of object %d of %d", what, id, len(k.Objects))
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

// What is asynchronous, or a counter, tells the program, and which process it is of, also where there are no threads.
func TestAsyncAlone(t *testing.T) {
	const name = `{"ph":"M","pid":4,"name":"process_name","args":{"name":"Game"}},`
	const job = `{"ph":"b","pid":4,"id":1,"ts":0,"name":"load"},{"ph":"e","pid":4,"id":1,"ts":5},`
	titles := func(k *taken) (list []string) {
		for _, d := range k.Tracks {
			list = append(list, d.Process+": "+d.Name)
		}
		return list
	}
	k := must(t, "["+name+job+"]")
	if got := titles(k); k.Info.Program != "Game" || k.Info.PID != 4 || !slices.Equal(got, []string{": load"}) {
		t.Errorf("%+v, %q", k.Info, got)
	}
	if k := must(t, "["+name+`{"ph":"C","pid":4,"ts":0,"name":"c","args":{"x":1}}]`); k.Info.Program != "Game" || k.Info.PID != 4 {
		t.Errorf("%+v", k.Info)
	}
	k = must(t, "["+name+job+`{"ph":"b","pid":5,"id":1,"ts":0,"name":"load"},{"ph":"X","pid":4,"ts":0,"dur":1,"name":"x"}]`)
	if got := titles(k); !slices.Equal(got, []string{"Game: ", "Game: load (Game)", "process 5: load (process 5)"}) || k.Info.Program != "Game" {
		t.Errorf("%+v, %q", k.Info, got)
	}
}

// Arrows go between neighbours in time; an end belongs to the next span unless it says otherwise; ids
// that two processes use at the same time stay apart, those of one lead from process to process.
func TestFlows(t *testing.T) {
	for _, x := range []struct {
		name, events string
		want         []string
	}{
		{"next span, the outermost", `{"ph":"s","tid":1,"ts":5,"id":1},{"ph":"f","tid":2,"ts":15,"id":1},
			{"ph":"X","tid":2,"ts":20,"dur":5},{"ph":"X","tid":2,"ts":20,"dur":2},{"ph":"X","tid":2,"ts":10,"dur":8}`,
			[]string{"0>1 5000 20000 lane 0 chain 1"}},
		{"span around", `{"ph":"s","tid":1,"ts":5,"id":1},{"ph":"f","bp":"e","tid":2,"ts":15,"id":1},{"ph":"X","tid":2,"ts":10,"dur":8}`,
			[]string{"0>1 5000 15000 lane -1 chain 1"}},
		{"chain, and again", `{"ph":"f","bp":"e","tid":1,"ts":9,"id":1},{"ph":"s","tid":1,"ts":5,"id":1},{"ph":"t","tid":2,"ts":7,"id":1},
			{"ph":"s","tid":2,"ts":11,"id":1},{"ph":"f","bp":"e","tid":1,"ts":12,"id":1},{"ph":"X","tid":2,"ts":5,"dur":8}`,
			[]string{"1>0 7000 9000 lane -1 chain 1", "1>0 11000 12000 lane -1 chain 2", "0>1 5000 7000 lane -1 chain 1"}},
		{"two processes", `{"ph":"s","pid":1,"ts":5,"id":1},{"ph":"s","pid":2,"ts":6,"id":1},{"ph":"f","bp":"e","pid":1,"ts":7,"id":1},
			{"ph":"f","bp":"e","pid":2,"ts":8,"id":1},{"ph":"X","pid":2,"ts":5,"dur":8},{"ph":"X","pid":1,"ts":5,"dur":8}`,
			[]string{"1>1 5000 7000 lane -1 chain 1", "2>2 6000 8000 lane -1 chain 2"}},
		{"version 2", `{"ph":"X","tid":1,"ts":1,"dur":1,"bind_id":"7","flow_out":true},{"ph":"X","tid":2,"ts":3,"dur":1,"bind_id":"7","flow_in":true}`,
			[]string{"0>1 1000 3000 lane -1 chain 1"}},
		{"version 2 of one moment, the end first", `{"ph":"X","tid":2,"ts":1,"dur":1,"bind_id":"7","flow_in":true},
			{"ph":"X","tid":1,"ts":1,"dur":1,"bind_id":"7","flow_out":true}`, []string{"0>1 1000 1000 lane -1 chain 1"}},
		{"version 2, an end that comes before, a step, two ends, and again", `{"ph":"X","tid":2,"ts":0,"dur":1,"bind_id":7,"flow_in":true},
			{"ph":"X","tid":1,"ts":1,"dur":1,"bind_id":7,"flow_out":true},{"ph":"X","tid":2,"ts":3,"dur":1,"bind_id":"7","flow_in":true,"flow_out":true},
			{"ph":"X","tid":2,"ts":5,"dur":1,"bind_id":7,"flow_in":true},{"ph":"X","tid":1,"ts":7,"dur":1,"bind_id":7,"flow_in":true},
			{"ph":"X","tid":1,"ts":9,"dur":1,"bind_id":7,"flow_out":true},{"ph":"X","tid":2,"ts":11,"dur":1,"bind_id":7,"flow_in":true,"flow_out":false}`,
			[]string{"1>0 5000 7000 lane -1 chain 1", "0>1 1000 3000 lane -1 chain 1", "1>1 3000 5000 lane -1 chain 1", "0>1 9000 11000 lane -1 chain 2"}},
	} {
		k := must(t, `[{"ph":"X","tid":1,"ts":0,"dur":100},`+x.events+`]`)
		var got []string
		for _, b := range k.Batches {
			for _, f := range b.Flows {
				got = append(got, fmt.Sprintf("%d>%d %d %d lane %d chain %d", f.FromTrack, b.Track, f.From, f.To, int16(f.ToLane), f.Chain))
			}
		}
		if diff := gocmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s: %s", x.name, diff)
		}
	}
	k := must(t, `[{"ph":"X","ts":0,"dur":9},{"ph":"f","ts":1,"id":3},{"ph":"s","ts":2,"id":4}]`)
	if l := must(t, `[{"ph":"X","pid":1,"ts":0,"dur":9},{"ph":"s","pid":1,"ts":2,"id":4},{"ph":"f","pid":2,"ts":3,"id":4}]`); l.Lost("begin or end on") != 1 {
		t.Error("an arrow to a thread without spans is not counted")
	}
	testkit.That(t, k.Lost("steps and ends of flow arrows") == 1 && k.Lost("lead nowhere") == 1,
		"an end and a begin that are alone are not counted")
}
