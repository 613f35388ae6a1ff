package chrometrace

import (
	"slices"
	"testing"
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
