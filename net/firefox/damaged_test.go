package firefox

import (
	"testing"

	"framescope/net/trace/tracetest"
)

// TestDamagedValues tells of entries of lists that are not there (of samples, and of tables that all threads share,
// which only the first reading reads), of values that are none of their column's kind, with the byte, and of rows that
// tables have not; null is none of these.
func TestDamagedValues(t *testing.T) {
	const (
		kind  = "values of tables or of the profile are invalid: they count as missing"
		cpu   = "CPU times of samples are invalid"
		place = "that are not in their tables: they are shown without them"
	)
	open := func(text string) (*tracetest.Sink, error) { return opened(t, text, "") }
	samples := `"stack":[0,1,3],"time":[0,1,2],"threadCPUDelta":[null,5,6],"weight":[1,1,1]`
	good := profile(threadOf(samples, `"name":[5],"startTime":[1],"endTime":[null],"phase":[0],"category":[0]`))
	tracetest.Spoils(t, open, shared(), []tracetest.Spoil{{From: `"func":[`, To: `"func":[,`, Told: tracetest.NoJSON}})
	tracetest.Spoils(t, open, good, []tracetest.Spoil{
		{From: `"stack":[0,1,3]`, To: `"stack":[0,,1,3]`, Told: tracetest.NoJSON},
		{From: `{"name":"lib"},`, To: `{"name":"lib"},,`, Told: tracetest.NoJSON},
		{From: `"resource":[-1,0,`, To: `"resource":[-1,1e15,`, Told: kind, At: 15},
		{From: `"resource":[-1,0,`, To: `"resource":[-1,"x",`, Told: kind, At: 15},
		{From: `"resource":[-1,0,`, To: `"resource":[-1,-7,`, Told: kind, At: 15},
		{From: `"resource":[-1,0,`, To: `"resource":[-1,77,`, Told: place, Several: true},
		{From: `"lib":[0,1]`, To: `"lib":[77,1]`, Told: place, Several: true},
		{From: `"fileName":[null,null,null,4]`, To: `"fileName":[null,null,null,44]`, Told: place, Several: true},
		{From: `"category":[0,0,0,1]`, To: `"category":[0,0,0,9]`, Told: place, Several: true},
		{From: `"threadCPUDelta":[null,5,`, To: `"threadCPUDelta":[null,99999999999999999999999999,`, Told: cpu},
		{From: `"threadCPUDelta":[null,5,`, To: `"threadCPUDelta":[null,-5,`, Told: cpu},
		{From: `"threadCPUDelta":[null,5,`, To: `"threadCPUDelta":[null,1e999,`, Told: kind, At: 23},
		{From: `"weight":[1,`, To: `"weight":["x",`, Told: kind, At: 10},
		{From: `"time":[0,1,2]`, To: `"time":[0,1e30,2]`, Told: kind, At: 10},
		{From: `"time":[0,1,2]`, To: `"timeDeltas":[0,null,2]`, Told: kind, At: 16},
		{From: `"endTime":[null]`, To: `"endTime":["x"]`, Told: kind, At: 11},
		{From: `"interval":1`, To: `"interval":"x"`, Told: kind, At: 11},
		{From: `"stringArray":["a",`, To: `"stringArray":[1,`, Told: kind, At: 15},
	})
}
