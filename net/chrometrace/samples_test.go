package chrometrace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/trace/tracetest"
)

// sampledText has a CPU profile in two parts, its tree by parents and by children, and samples beside the events.
const sampledText = `{"traceEvents":[
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Main"}},
{"ph":"P","name":"Profile","id":"0x1","pid":1,"tid":2,"ts":100,"args":{"data":{"startTime":100}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":400,"args":{"data":{"cpuProfile":{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"tick"}},
{"id":3,"parent":1,"callFrame":{"functionName":"(idle)"}}],"samples":[2,2,3]},"timeDeltas":[10,10,10]}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":500,"args":{"data":{"cpuProfile":{"nodes":[
{"id":4,"parent":2,"callFrame":{"functionName":""}}],"samples":[4]},"timeDeltas":[10]}}},
{"ph":"I","name":"CpuProfile","id":"0x2","pid":7,"ts":0,"args":{"data":{"cpuProfile":{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"old"}}],
"samples":[2],"timeDeltas":[5]}}}}],
"stackFrames":{"1":{"name":"outer"},"2":{"name":"inner","parent":1}},
"samples":[{"pid":3,"tid":4,"ts":120.5,"name":"cycles","sf":2},{"pid":3,"tid":4,"ts":121,"sf":1}]}`

func TestSamples(t *testing.T) {
	k, err := tracetest.Text(t, Source{}, "x.json", sampledText)
	testkit.That(t, err == nil && len(k.Losses) == 0, "%v, %v", err, k.Losses)
	got := map[string]string{}
	for _, def := range k.Tracks {
		var list []string
		for _, s := range k.Samples[def.ID] {
			stack := "idle"
			if s.Value != 0 {
				stack = k.Stack(model.PathID(s.Value))
			}
			list = append(list, fmt.Sprintf("%d %s", s.Time/100, stack))
		}
		if len(list) > 0 {
			got[def.Process+": "+def.Name] = strings.Join(list, ", ")
		}
	}
	want := map[string]string{
		"process 1: Samples of Main": "1050 tick, 1150 tick, 1250 idle, 1350 tick;(anonymous)",
		"process 7: Samples of 7":    "0 old",
		"process 3: Samples of 4":    "1155 outer;inner, 1160 outer",
	}
	for track, list := range want {
		testkit.That(t, got[track] == list, "%s: %q, want %q", track, got[track], list)
	}
	testkit.That(t, len(got) == len(want), "%v", got)
}

// A thread without a number is that of its process, a whole span without a length went on, and events are found again
// behind what can't be read.
func TestGapsAndOpenSpans(t *testing.T) {
	text := `[{"ph":"X","name":"Parent","pid":5,"ts":0,"dur":10},{"ph":"X","name":"Child","pid":5,"tid":5,"ts":2,"dur":3},
{"ph":"X","name":"Task","pid":6,"tid":6,"ts":4},{"ph":"X","na` + "\x00\x00" + `me":"Lost","pid":5,"ts":"args":{"a":{"b":1}}},
{"ph":"X","name":"Found","pid":6,"tid":6,"ts":5,"dur":1},{"ph":"X","name":"End","pid":5,"tid":5,"ts":19,"dur":1}]`
	k, err := tracetest.Text(t, Source{}, "x.json", text)
	testkit.NoErr(t, err)
	testkit.That(t, k.Runs(0, 1000) == "Parent 0-10, Parent;Child 2-5, End 19-20", "%s", k.Runs(0, 1000))
	testkit.That(t, k.Runs(1, 1000) == "Task 4-20+, Task;Found 5-6", "%s", k.Runs(1, 1000))
	gaps := int64(0)
	for _, l := range k.Losses {
		if l.Kind == "gap" {
			gaps = l.N
		}
	}
	testkit.That(t, gaps == 1, "%+v", k.Losses)
}
