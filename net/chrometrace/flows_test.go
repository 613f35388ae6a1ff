package chrometrace

import (
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
)

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
