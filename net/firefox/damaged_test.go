package firefox

import (
	"fmt"
	"strings"
	"testing"
)

// TestCommas tells of entries of lists that are not there, with the byte: of samples, and of tables that all
// threads share, which only the first reading reads.
func TestCommas(t *testing.T) {
	thread := profile(threadOf(`"stack":[0,1,1],"time":[0,1,2]`, ""))
	for _, c := range [][3]string{{thread, `"stack":[0,1,1]`, `"stack":[0,,1]`}, {thread, `{"name":"lib"},`, `{"name":"lib"},,`},
		{shared(), `"func":[`, `"func":[,`}} {
		k, err := opened(t, strings.Replace(c[0], c[1], c[2], 1), "")
		if err != nil || k.Lost("the text is no JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
			t.Errorf("%s: %v, %v", c[2], err, k.Losses)
		}
	}
}

// TestDamagedValues tells of values that are none of their column's kind, with the byte, and of rows that
// tables have not; null is none of these.
func TestDamagedValues(t *testing.T) {
	samples := `"stack":[0,1,3],"time":[0,1,2],"threadCPUDelta":[null,5,6],"weight":[1,1,1]`
	good := profile(threadOf(samples, `"name":[5],"startTime":[1],"endTime":[null],"phase":[0],"category":[0]`))
	if k, err := opened(t, good, ""); err != nil || len(k.Losses) > 0 {
		t.Errorf("%v, %v", err, k.Losses)
	}
	const (
		kind  = "values of tables or of the profile are none of their kind"
		cpu   = "CPU times of samples are less than 0, or can't be"
		place = "that are not in their tables: they are shown without them"
	)
	for _, c := range []struct {
		from, to, told string
		at             int // behind where from is; 0: it is told in which thread
	}{
		{`"resource":[-1,0,`, `"resource":[-1,1e15,`, kind, 15}, {`"resource":[-1,0,`, `"resource":[-1,"x",`, kind, 15},
		{`"resource":[-1,0,`, `"resource":[-1,-7,`, kind, 15}, {`"resource":[-1,0,`, `"resource":[-1,77,`, place, 0},
		{`"lib":[0,1]`, `"lib":[77,1]`, place, 0}, {`"fileName":[null,null,null,4]`, `"fileName":[null,null,null,44]`, place, 0},
		{`"category":[0,0,0,1]`, `"category":[0,0,0,9]`, place, 0}, {`"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,99999999999999999999999999,`, cpu, 0},
		{`"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,-5,`, cpu, 0}, {`"threadCPUDelta":[null,5,`, `"threadCPUDelta":[null,1e999,`, kind, 23},
		{`"weight":[1,`, `"weight":["x",`, kind, 10}, {`"time":[0,1,2]`, `"time":[0,1e30,2]`, kind, 10},
		{`"time":[0,1,2]`, `"timeDeltas":[0,null,2]`, kind, 16}, {`"endTime":[null]`, `"endTime":["x"]`, kind, 11},
		{`"interval":1`, `"interval":"x"`, kind, 11}, {`"stringArray":["a",`, `"stringArray":[1,`, kind, 15},
	} {
		k, err := opened(t, strings.Replace(good, c.from, c.to, 1), "")
		if err != nil || k.Lost(c.told) != 1 && c.told != place || k.Lost(c.told) == 0 {
			t.Errorf("%s: %v, %v", c.to, err, k.Losses)
			continue
		}
		at := fmt.Sprintf("%s, or can't be: they count as not there; the first is at byte %d", kind, strings.Index(good, c.from)+c.at)
		if c.at > 0 && k.Lost(at) != 1 {
			t.Errorf("%s: %v; want %s", c.to, k.Losses, at)
		}
	}
}
