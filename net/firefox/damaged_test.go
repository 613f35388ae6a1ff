package firefox

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/trace/tracetest"
)

// kindsOf are the kinds of diagnostics, each with how many there are.
func kindsOf(k *tracetest.Sink) string {
	var kinds []string
	for _, l := range k.Losses {
		if l.Kind != "" {
			kinds = append(kinds, fmt.Sprintf("%s %d", l.Kind, l.N))
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, ", ")
}

// TestDamagedValues tells of entries of lists that are not there, of values that are none of their column's kind, with
// the byte, and of rows that tables have not; null is none of these.
func TestDamagedValues(t *testing.T) {
	samples := `"stack":[0,1,3],"time":[0,1,2],"threadCPUDelta":[null,5,6],"weight":[1,1,1]`
	good := profile(threadOf(samples, `"name":[5],"startTime":[1],"endTime":[null],"phase":[0],"category":[0]`))
	for _, c := range []struct{ text, from, to, want string }{
		{good, "", "", ""},
		{shared(), `"func":[`, `"func":[,`, "bad-reference 1, control-bytes 1"},
		{good, `"stack":[0,1,3]`, `"stack":[0,,1,3]`, "bad-event 1, control-bytes 1"},
		{good, `{"name":"lib"},`, `{"name":"lib"},,`, "control-bytes 1"},
		{good, `"resource":[-1,0,`, `"resource":[-1,1e15,`, "bad-number 1"},
		{good, `"resource":[-1,0,`, `"resource":[-1,"x",`, "bad-number 1"},
		{good, `"resource":[-1,0,`, `"resource":[-1,-7,`, "bad-number 1"},
		{good, `"resource":[-1,0,`, `"resource":[-1,77,`, "bad-reference 1"},
		{good, `"lib":[0,1]`, `"lib":[77,1]`, "bad-reference 1"},
		{good, `"fileName":[null,null,null,4]`, `"fileName":[null,null,null,44]`, "bad-reference 1"},
		{good, `"category":[0,0,0,1]`, `"category":[0,0,0,9]`, "bad-reference 1"},
		{good, `"prefix":[null,0,1,0]`, `"prefix":[null,0,1,9]`, "bad-reference 1"},
		{good, `"func":[0,1,2,3]`, `"func":[0,9,2,3]`, "bad-reference 1"},
		{good, `"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,99999999999999999999999999,`, "bad-number 1"},
		{good, `"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,-5,`, "bad-number 1"},
		{good, `"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,1e999,`, "bad-number 1"},
		{good, `"weight":[1,`, `"weight":["x",`, "bad-number 1"},
		{good, `"time":[0,1,2]`, `"time":[0,1e30,2]`, "bad-number 1, bad-time 1"},
		{good, `"time":[0,1,2]`, `"timeDeltas":[0,"x",2]`, "bad-number 1"},
		{good, `"endTime":[null]`, `"endTime":["x"]`, "bad-number 1"},
		{good, `"interval":1`, `"interval":"x"`, "bad-number 1"},
		{good, `"stringArray":["a",`, `"stringArray":[1,`, "bad-number 1"},
	} {
		k := testkit.Must(opened(t, strings.Replace(c.text, c.from, c.to, 1), ""))(t)
		testkit.Equal(t, kindsOf(k), c.want, "%s", c.to)
	}
	// A place in a list costs its rows alone: the others are those of the lists beside it.
	nuls := strings.Replace(good, `"stack":[0,1,3]`, "\"stack\":[0,\x00\x00,3]", 1)
	k := testkit.Must(opened(t, nuls, ""))(t)
	testkit.Equal(t, spansOf(k, 0), "a 0-1000, a 2000-3000, a;c 2000-3000", "%s", "behind NULs")
	nuls = strings.Replace(good, `["a","b"`, "[\"a\x00\x00\"b\"", 1)
	k = testkit.Must(opened(t, nuls, ""))(t)
	testkit.Equal(t, spansOf(k, 0), "(unknown) 0-3000, (unknown);(unknown) 1000-3000", "%s", "names of unknown places")
	k, _ = opened(t, strings.Replace(good, `"weight":[1,`, `"weight":["x",`, 1), "")
	testkit.Equal(t, k.Losses[0].Place, fmt.Sprint("byte ", strings.Index(good, `"weight":[1,`)+10), "place")
}
