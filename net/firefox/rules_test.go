package firefox

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

func opened(t testing.TB, text string, frames feed.Frames) (*tracetest.Sink, error) {
	t.Helper()
	return tracetest.Text(t, Source{Frames: frames}, "x.json", text)
}

// spansOf writes the spans of a track in µs, by their begins.
func spansOf(k *tracetest.Sink, track model.TrackID) string { return k.Runs(track, 1000) }

// valuesOf writes the values of a track's series of a role, or group.
func valuesOf(k *tracetest.Sink, track model.TrackID, role model.SeriesRole, name string) string {
	var out []string
	for _, s := range k.Samples[track] {
		if d := k.Session.Series().ByID(s.Series).Def; d.Role == role && (name == "" || d.Name == name) {
			out = append(out, fmt.Sprintf("%g@%d", s.Value, s.Time/1000))
		}
	}
	return strings.Join(out, " ")
}

const (
	head = `{"meta":{"interval":1,"startTime":1000.5,"preprocessedProfileVersion":%d,"product":"x","symbolicated":true,"sampleUnits":{"time":"ms","threadCPUDelta":"µs"},` +
		`"categories":[{"name":"Other","color":"grey"},{"name":"DOM","color":"blue"}],"markerSchema":[{"name":"Load","data":[{"key":"file","format":"unique-string"}]}]},` +
		`"libs":[{"name":"lib"},{"name":"game"}],`
	// Stacks: 0 a, 1 a;b, 2 a;b;0x10, 3 a;c.
	tablesText = `"stackTable":{"prefix":[null,0,1,0],"frame":[0,1,2,3],"category":[0,0,0,1]},"frameTable":{"func":[0,1,2,3],"category":[0,0,null,null]},` +
		`"funcTable":{"name":[0,1,2,3],"resource":[-1,0,1,-1],"fileName":[null,null,null,4]},"resourceTable":{"lib":[0,1]},` +
		`"stringArray":["a","b","0x10","c","file:///x/y.js","Tick","Load","Idle"]`
)

func threadOf(samples, markers string) string {
	if markers == "" {
		markers = `"name":[]`
	}
	return `{"name":"T","pid":"7.1","tid":8,"isMainThread":true,"samples":{` + samples + `},"markers":{` + markers + `},` + tablesText + `}`
}

func profile(threads ...string) string {
	return fmt.Sprintf(head, 49) + `"threads":[` + strings.Join(threads, ",") + `]}`
}

// TestSamples reads samples as they should be, and others.
func TestSamples(t *testing.T) {
	for _, c := range []struct{ name, samples, spans, lost string }{
		{"prefixes that stay", `"stack":[1,2,3,3],"time":[0,1,2,3]`, "a 0-4000, a;b 0-2000, a;b;game+0x10 1000-2000, a;c 2000-4000", ""},
		{"deltas", `"stack":[1,1],"timeDeltas":[2,0.5],"length":2`, "a 2000-3500, a;b 2000-3500", ""},
		{"gap", `"stack":[0,0,0],"time":[0,1,5]`, "a 0-2000, a 5000-6000", ""},
		{"a rest that weighs more", `"stack":[0,0,0],"time":[0,1,5],"weight":[1,1,4],"weightType":"samples"`, "a 0-6000", ""},
		{"no stack", `"stack":[0,null,0],"time":[0,1,2]`, "a 0-1000, a 2000-3000", ""},
		{"no such stack", `"stack":[0,9,0],"time":[0,1,2]`, "a 0-1000, (unknown) 1000-2000, a 2000-3000", "bad-reference 1"},
		{"fewer times", `"stack":[0,0,0],"time":[0,1]`, "a 0-2000", "bad-event 1"},
		{"fewer CPU times", `"stack":[0,0,0],"time":[0,1,2],"threadCPUDelta":[1]`, "a 0-3000", "bad-event 2"},
		{"time goes back", `"stack":[0,1,0],"time":[1,0,2]`, "a 1000-3000, a;b 1000-2000", "late-event 1"},
		{"null time", `"stack":[0,0],"time":[1,null]`, "a 1000-2000", "bad-time 1"},
	} {
		k, err := opened(t, profile(threadOf(c.samples, "")), "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		testkit.Equal(t, spansOf(k, 0), c.spans, "%s", c.name)
		testkit.Equal(t, kindsOf(k), c.lost, "%s", c.name)
	}
}

// TestNames: functions stand below their library or file, and have the color of their category.
func TestNames(t *testing.T) {
	k := testkit.Must(opened(t, profile(threadOf(`"stack":[2,3],"time":[0,1]`, "")), ""))(t)
	var got []string
	for id := range model.CollectorID(k.Session.Collectors().Len()) {
		c := k.Session.Collector(id)
		got = append(got, fmt.Sprintf("%s %t", c.FullName, c.Color.Set))
	}
	for _, want := range []string{"a false", "lib:b false", "game:game+0x10 false", "y.js:c true"} {
		testkit.That(t, slices.Contains(got, want), "%q lacks %q", got, want)
	}
}

// TestCPU: what a thread used since the sample before is its CPU time and load.
func TestCPU(t *testing.T) {
	k, _ := opened(t, profile(threadOf(`"stack":[0,0,0,0,0],"time":[0,1,2,2,3],"threadCPUDelta":[null,500,0,250,null]`, "")), "")
	got := valuesOf(k, 0, model.RoleCPUTime, "")
	testkit.That(t, got == "0@0 500000@1000 500000@2000 750000@2000 NaN@3000 750000@3000", "%v", got)
	got = valuesOf(k, 0, model.RoleCPULoad, "")
	testkit.That(t, got == "50@0 0@1000 NaN@2000 NaN@3000", "%v", got)
	testkit.That(t, strings.Contains(k.Info.Detail, "1 of 5 samples found their thread without CPU time"),
		"%v", k.Info.Detail)
	cycles := strings.Replace(profile(threadOf(`"stack":[0],"time":[0],"threadCPUDelta":[9]`, "")), `"µs"`, `"variable CPU cycles"`, 1)
	if k, _ := opened(t, cycles, ""); valuesOf(k, 0, model.RoleCPUTime, "") != "" || !strings.Contains(strings.Join(k.Warnings, " "), "variable CPU cycles") {
		t.Errorf("%q", k.Warnings)
	}
}

// TestWeights: weights that are not one are what samples stand for.
func TestWeights(t *testing.T) {
	k, _ := opened(t, profile(threadOf(`"stack":[0,1],"time":[0,1],"weight":[1.5,-2],"weightType":"tracing-ms"`, "")), "")
	a, b := valuesOf(k, 0, model.RoleWeight, "samples"), valuesOf(k, 0, model.RoleWeight, "time")
	testkit.That(t, a == "1@0 1@1000" && b == "1.5e+06@0 0@1000", "%v %v", a, b)
	testkit.Equal(t, kindsOf(k), "bad-weight 1", "weights")
	bytes := threadOf(`"stack":[0,1,2,3,3],"time":[0,0,0,0,0],"weight":[10,200,3000,50,-60],"weightType":"bytes"`, "")
	k, err := opened(t, profile(bytes), "")
	testkit.MustThat(t, err == nil && k.Info.Sampling.Timeless && len(k.Spans[0]) <= 0, "%v %v", err, k.Info)
	got := k.Weights(0, tracetest.Same)
	if got["a"] != (tracetest.Sum{Self: 10, Inclusive: 3210}) || got["game+0x10"] != (tracetest.Sum{Self: 3000, Inclusive: 3000}) || got["c"].Inclusive != 0 {
		t.Errorf("%+v", got)
	}
	testkit.That(t, strings.Contains(strings.Join(k.Warnings, " "), "1 stacks have a negative weight"),
		"%q", k.Warnings)
}

// TestTooMuch: a weight that can't be costs its own sample.
func TestTooMuch(t *testing.T) {
	k, err := opened(t, profile(threadOf(`"stack":[0,1,2],"time":[0,0,0],"weight":[10,1e30,-1e30],"weightType":"bytes"`, "")), "")
	got := k.Weights(0, tracetest.Same)
	testkit.That(t, err == nil && got["a"].Inclusive == 10 && k.Lost("more than 2^53") == 2,
		"%+v, %v, %v", got, k.Losses, err)
}

// TestMarkers: intervals lie beside the thread, begins and ends are paired by name, instants are messages.
func TestMarkers(t *testing.T) {
	m := `"name":[5,5,6,6,6,7,7,6,99],"startTime":[0,2,1,3,null,null,4,2.5,1],"endTime":[1.5,3,null,null,4,6,null,null,2],"phase":[1,1,2,2,3,3,2,0,1],` +
		`"category":[1,1,0,0,0,0,0,1,0],"data":[null,{"type":"X","deep":{"a":1}},null,null,{"type":"Load","file":4},{"type":"X","n":4},null,{"type":"Load","file":4,"n":2.5,"q":"\"","no":null,"cause":{"stack":1}}]`
	k := testkit.Must(opened(t, profile(threadOf(`"stack":[0],"time":[0.5]`, m)), ""))(t)
	if got := spansOf(k, 1); got != "Idle 0-6000-, Tick 0-1500, Load 1000-6000+, Tick 2000-3000, Load 3000-4000, Idle 4000-6000+" {
		t.Error(got)
	}
	lanes := map[uint16]int64{}
	for _, s := range k.Spans[1] {
		testkit.That(t, s.Begin >= lanes[s.Lane], "%+v overlaps", s)
		lanes[s.Lane] = s.End
	}
	d := k.Tracks[1]
	testkit.That(t, d.Kind == model.TrackAsync && d.Name == "T markers", "%+v", d)
	want := model.Message{Time: 2500000, Text: `Load file=file:///x/y.js n=2.5 q="`, Category: "DOM"}
	testkit.That(t, len(k.Notes[0]) == 1 && k.Notes[0][0] == want, "%+v", k.Notes[0])
	testkit.Equal(t, kindsOf(k), "bad-event 1, no-begin 1, no-end 2", "markers")
	var said []string
	for lane := range lanes {
		for _, b := range k.Session.Spans().Visible(1, int(lane), model.MinTime, model.MaxTime, 0, nil) {
			for _, a := range k.Session.Args().Of(1, int(lane), b.Ref.Index, nil) {
				said = append(said, fmt.Sprintf("%s %d %s=%s", k.Session.Collector(b.Collector).Name, b.Begin/1000, a.Key, a.Value.String()))
			}
		}
	}
	slices.Sort(said)
	if want := []string{"Idle 0 n=4", "Idle 0 type=X", "Load 3000 file=file:///x/y.js", "Load 3000 type=Load", "Tick 2000 type=X"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	testkit.That(t, strings.Contains(strings.Join(k.Warnings, " "), "the stacks of 1 markers"), "%q", k.Warnings)
}

// TestOldMarkers: up to version 29 a marker has one time, and an interval its times in its data.
func TestOldMarkers(t *testing.T) {
	m := `"name":[5,6,6,7],"time":[1,2,3,4],"data":[{"type":"X","startTime":1,"endTime":1.5},{"type":"tracing","interval":"start"},` +
		`{"type":"tracing","interval":"end"},null]`
	old := strings.Replace(profile(threadOf(`"stack":[0],"time":[0.5]`, m)), ":49", ":24", 1)
	k := testkit.Must(opened(t, old, ""))(t)
	testkit.Equal(t, spansOf(k, 1), "Tick 1000-1500, Load 2000-3000", "markers of version 24")
	testkit.That(t, len(k.Notes[0]) == 1 && k.Notes[0][0].Time == 4_000_000 && kindsOf(k) == "", "%+v, %s", k.Notes[0], kindsOf(k))
}

// TestFrames makes frames of markers: the runs in each, and the time of each function alone.
func TestFrames(t *testing.T) {
	m := `"name":[5,5,5,5,6],"startTime":[1,4,4.5,8,0],"endTime":[3,6,5,9,9],"phase":[1,1,1,1,1]`
	k := testkit.Must(opened(t, profile(threadOf(`"stack":[0,1,1,3,3,0],"time":[0,1.5,2.5,3.5,4.5,5.5]`, m)), "Tick"))(t)
	tr := k.Session.Track(0)
	if tr.NumFrames() != 3 || k.Session.MainTrack() != 0 || kindsOf(k) != "bad-frame 1, outside-frames 2" {
		t.Fatal(tr.NumFrames(), k.Losses)
	}
	var got []string
	for i := range tr.NumFrames() {
		f := tr.Frame(i)
		line := fmt.Sprintf("%d %d-%d", f.Number, f.Begin/1000, f.End/1000)
		for _, a := range k.Session.Frames().Self(0, i, nil) {
			line += fmt.Sprintf(" %s %d×%d", k.Session.Collector(a.Collector).Name, a.Ns/1000, a.Count)
		}
		got = append(got, line)
	}
	want := "0 1000-3000 a 500×0 b 1500×1, 1 4000-6000 a 500×0 c 1500×0, 2 8000-9000"
	testkit.That(t, strings.Join(got, ", ") == want, "%s; want %s", strings.Join(got, ", "), want)
	// It is the same runs as without frames.
	plain, _ := opened(t, profile(threadOf(`"stack":[0,1,1,3,3,0],"time":[0,1.5,2.5,3.5,4.5,5.5]`, m)), "")
	a, b := fmt.Sprint(k.Times(0, plainName)), fmt.Sprint(plain.Times(0, plainName))
	testkit.That(t, a == b && tr.NumSpans() == plain.Session.Track(0).NumSpans(), "%s; without frames %s", a, b)
	bare := testkit.Must(opened(t, profile(threadOf(`"stack":[],"time":[]`, m)), "Tick"))(t)
	testkit.That(t, bare.Session.NumTracks() > 0 && bare.Session.Track(0).NumFrames() == 3, "frames without samples: %+v", bare.Tracks)
	if k, _ := opened(t, profile(threadOf(`"stack":[0],"time":[0]`, m)), "Tock"); !strings.Contains(strings.Join(k.Warnings, " "), "called “Tock”") || k.Session.HasFrames() {
		t.Errorf("%q", k.Warnings)
	}
}

// counting is a profile with two counters.
func counting() string {
	return strings.TrimSuffix(profile(threadOf(`"stack":[0],"time":[0]`, "")), "}") + `,"counters":[` +
		`{"name":"malloc","category":"Memory","pid":"7.1","samples":{"time":[0,1,2],"count":[100,-30,5]}},` +
		`{"name":"eth0","category":"Bandwidth","sampleGroups":[{"id":0,"samples":{"timeDeltas":[0,1,1],"count":[1,2,3],"number":[1,1,1]}}]}]}`
}

// TestCounters adds up what counters count.
func TestCounters(t *testing.T) {
	k := testkit.Must(opened(t, counting(), ""))(t)
	a, b := valuesOf(k, model.NoTrack, model.RoleNone, "malloc"), valuesOf(k, model.NoTrack, model.RoleNone, "eth0")
	testkit.That(t, a == "100@0 70@1000 75@2000" && b == "1@0 3@1000 6@2000", "%v %v", a, b)
}

// shared is a profile of the newest layout, whose threads share their tables.
func shared() string {
	one := func(name, pid, tid string, cpu string) string {
		return `{"name":"` + name + `","processName":"web","pid":` + pid + `,"tid":` + tid + `,"isMainThread":true,"samples":{"stack":[1],"time":[0],"threadCPUDelta":[` + cpu + `]}}`
	}
	tables := strings.Replace(tablesText, `"prefix":[null,0,1,0]`, `"prefixOffset":[0,1,1,3]`, 1)
	tables = strings.Replace(strings.Replace(tables, `"resourceTable":{"lib":[0,1]},`, `"sources":{"filename":[4]},`, 1), `"frameTable":{`, `"frameTable":{"lib":[-1,0,1,-1],`, 1)
	return fmt.Sprintf(head, 71) + `"threads":[` + one("Main", `"1"`, `"1"`, "5") + "," + one("Main", "2", "2", "9") + "," + one("Audio", "2", "3", "1") +
		`,{"name":"empty","samples":{"stack":[]}}],"shared":{` + tables + `}}`
}

// TestThreads: names, processes, which is looked at first, and the tables that all share.
func TestThreads(t *testing.T) {
	k, err := opened(t, shared(), "")
	testkit.MustThat(t, err == nil && len(k.Losses) <= 0, "%v %v", err, k.Losses)
	var got []string
	for _, d := range k.Tracks {
		got = append(got, fmt.Sprintf("%s|%s|%d|%t", d.Name, d.Process, d.Index, d.Main))
	}
	want := "Main 1|web 1|1|false Main 2|web 2|2|true Audio|web 2|3|false"
	testkit.That(t, strings.Join(got, " ") == want && k.Info.PID == 2, "%q, %+v", got, k.Info)
	if s := k.Stack(k.Spans[2][1].Path); s != "a;b" || len(k.Warnings) != 1 || !strings.Contains(k.Warnings[0], "version 71") {
		t.Errorf("%s %q", s, k.Warnings)
	}
}

// TestRefused: what can't be read is told what to do.
func TestRefused(t *testing.T) {
	gecko := `{"meta":{"interval":1,"startTime":5,"processType":0,"version":27},"libs":[],"threads":[{"name":"G","samples":{"schema":{"stack":0},"data":[]}}],"processes":[]}`
	for text, want := range map[string]string{
		gecko: "raw (gecko) profile", strings.Replace(gecko, `"schema"`, `"stack"`, 1): "raw (gecko) profile",
		strings.Replace(profile(), ":49", ":12", 1):         "of version 12, older than 24",
		`{"meta":{"interval":1},"libs":[],"threads":[]}`:    "unprocessed",
		`{"libs":[{"breakpadId":"x"}],"threads":[{}]}`:      "has no meta",
		`{"meta":{"preprocessedProfileVersion":49,"libs":[`: "",
	} {
		if _, err := opened(t, text, ""); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	testkit.That(t, (Source{}).Sniff([]byte(gecko), ""), "a gecko profile is not recognised")
}

// FuzzSource reads anything: nothing breaks, and the store refuses nothing. It begins with small profiles
// that have all that there is: recordings of real programs take a minute each to be made smaller whenever
// a change of one is new, and hardly anything else is tried.
func FuzzSource(f *testing.F) {
	f.Add([]byte(counting()), "")
	f.Add([]byte(shared()), "")
	f.Add([]byte(profile(threadOf(`"stack":[0,1,2,3],"time":[0,1,2,3],"weight":[1,2,3,4],"threadCPUDelta":[1,2,null,0]`,
		`"name":[5,5,6,7],"startTime":[0,1,2,3],"endTime":[1,2,3,4],"phase":[1,2,3,0],"data":[{"type":"Load","file":4}]`))), "Tick")
	f.Add([]byte(profile(threadOf(`"stack":[0,1],"weight":[10,-9],"weightType":"bytes"`, ""))), "")
	f.Fuzz(func(t *testing.T, data []byte, frames string) {
		k, err := opened(t, string(data), feed.Frames(frames))
		testkit.That(t, err != nil || k.Ended != "", "it did not end")
		feedtest.Unrefused(t, k.Session)
		Source{}.Sniff(data, "x")
	})
}

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
