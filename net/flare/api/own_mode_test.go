//go:build !js

package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// asked is a request of the transcript as the tests need it.
type asked struct {
	Cmd     string
	Options struct {
		Session  string  `json:"session_id"`
		Threads  []int64 `json:"thread_ids"`
		Thread   int64   `json:"thread_id"`
		Start    *int64  `json:"start_time"`
		End      *int64  `json:"end_time"`
		Unit     int64   `json:"unit_time_ms"`
		Methods  []int64 `json:"method_ids"`
		Min      int64   `json:"min_duration"`
		Max      int64   `json:"max_duration"`
		Filter   string  `json:"thread_name_filter"`
		NameText string  `json:"method_name_filter"`
	}
}

func (a *asked) times() (start, end int64) {
	start, end = -1, -1
	if a.Options.Start != nil {
		start = *a.Options.Start
	}
	if a.Options.End != nil {
		end = *a.Options.End
	}
	return start, end
}

// TestTranscriptInOwnMode replays every request again, and expects what the samples say.
func TestTranscriptInOwnMode(t *testing.T) {
	dir := samples(t)
	p := dial(t, start(t, ServerOptions{Samples: dir, NoRecording: true}))
	recs := recordings(t, dir)
	for _, rec := range recs {
		for _, id := range []string{constructed, recorded} {
			flare.NameFromNeighbours(t.Context(), rec, os.DirFS(dir), filepath.Base(id))
		}
	}
	counts := map[string]int{}
	for i, e := range transcript(t) {
		got := p.replay(e.request)
		g := got[len(got)-1]
		var a asked
		_ = json.Unmarshal([]byte(e.request), &a) // some are wrong on purpose
		failed := len(e.replies) == 0 || decode(t, e.replies[0]).Result == "failure"
		if (g.Result == "failure") != failed {
			t.Errorf("%d %s: %.300v", i, e.request, g)
			continue
		}
		if failed {
			testkit.That(t, fmt.Sprint(g.Data["message"]) != "", "%d %s: no message", i, e.request)
			counts["failures"]++
			continue
		}
		rec := recs[a.Options.Session]
		verdict, err := expect(t, rec, &a, got)
		if err != nil {
			t.Errorf("%d %s: %v", i, e.request, err)
			verdict = "WRONG"
		}
		counts[a.Cmd+": "+verdict]++
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%3d  %s", counts[k], k)
	}
}

// expect compares a reply with what the samples say.
func expect(t testing.TB, rec *flare.Recording, a *asked, got []answer) (string, error) {
	g := got[len(got)-1].Data
	start, end := a.times()
	switch a.Cmd {
	case "dashboard":
		first, last, _ := rec.Bounds()
		info := g["sample_info"].(map[string]any)
		if num(info["record_start_time"]) != first || num(info["last_record_time"]) != last || num(info["sample_interval"]) != rec.IntervalMs {
			return "", fmt.Errorf("info %v, samples from %d to %d", info, first, last)
		}
		threads := g["threads"].([]any)
		for i, v := range threads {
			th := v.(map[string]any)
			w := rec.Thread(num(th["id"]))
			x := w.Records[len(w.Records)-1]
			if th["name"] != w.Name || num(th["sample_time"]) != x.TimeMs || num(th["cpu_time"]) != x.CPUNs || num(th["sample_count"]) != x.Count || !slices.Equal(integers(th["stacktrace"]), ints(x.Stack)) {
				return "", fmt.Errorf("thread %v, want %v", th, x)
			}
			if i > 0 && num(threads[i-1].(map[string]any)["id"]) >= num(th["id"]) {
				return "", fmt.Errorf("thread %v is out of order", th["id"])
			}
		}
		return "true bounds, newest samples", nil
	case "call_tree":
		threads := rec.Threads
		if len(a.Options.Threads) > 0 {
			threads = nil
			for _, id := range a.Options.Threads {
				threads = append(threads, rec.Thread(id))
			}
		}
		root := g["call_tree_data"].([]any)[0].(map[string]any)
		var sum int64
		for _, c := range root["children"].([]any) {
			sum += num(c.(map[string]any)["duration"])
		}
		if num(root["duration"]) != sum {
			return "", fmt.Errorf("the root has %v ms, its children %d", root["duration"], sum)
		}
		return diff("equal to counting", pathsOf(threads, start, end), nodePaths(t, root, "method_id"))
	case "sequenced_call_tree":
		th := rec.Thread(a.Options.Thread)
		var from, to int64 = start, end
		n := 0
		each(th, start, end, func(_ flare.Record, a, b int64) {
			if n == 0 {
				from = a
			}
			n, to = n+1, b
		})
		if num(g["start_time"]) != from || num(g["end_time"]) != to {
			return "", fmt.Errorf("from %v to %v, want %d to %d", g["start_time"], g["end_time"], from, to)
		}
		return diff("equal to counting", pathsOf([]*flare.Thread{th}, start, end), nodePaths(t, g["sequenced_call_tree_data"].(map[string]any), "id"))
	case "cpu_time":
		return expectCPU(rec, a, g)
	case "flame_graph":
		return expectFlame(rec, a, g)
	case "list_methods_by_filter":
		want := map[string]string{}
		for id, name := range rec.Methods {
			if strings.Contains(strings.ToLower(name), strings.ToLower(a.Options.NameText)) {
				want[strconv.FormatInt(int64(id), 10)] = name
			}
		}
		have := map[string]string{}
		for _, v := range g["method_infos"].([]any) {
			m := v.(map[string]any)
			have[fmt.Sprint(m["method_id"])] = fmt.Sprint(m["full_name"])
		}
		return diff("equal to looking", want, have)
	case "search_slow_method_calls":
		return expectSearch(rec, a, got)
	}
	return "answered", nil
}

func diff(verdict string, want, got any) (string, error) {
	if d := cmp.Diff(want, got); d != "" {
		return "", fmt.Errorf("%.3000s", d)
	}
	return verdict, nil
}

func ints(stack []flare.MethodID) (out []int64) {
	for _, id := range stack {
		out = append(out, int64(id))
	}
	return out
}

// expectCPU: each bucket is what the thread's samples used in it, to the last one.
func expectCPU(rec *flare.Recording, a *asked, g map[string]any) (string, error) {
	start, end := a.times()
	first, last, _ := rec.Bounds()
	if start < 0 {
		start = first
	}
	whole := end < 0 || end >= last
	list := g["thread_cpu_times"].([]any)
	if len(a.Options.Threads) > 0 && len(list) != len(a.Options.Threads) || len(list) == 0 {
		return "", fmt.Errorf("%d threads", len(list))
	}
	for _, v := range list {
		x := v.(map[string]any)
		th := rec.Thread(num(x["id"]))
		unit := num(x["unit_time_ms"])
		if unit < rec.IntervalMs || unit%rec.IntervalMs != 0 {
			return "", fmt.Errorf("a unit of %d ms", unit)
		}
		begin := th.CPU.BeginMs
		from := max(0, (start-begin)/20)
		to := int64(len(th.CPU.Values))
		if !whole {
			to = min(to, (end-begin+19)/20)
		}
		got := integers(x["ts_data"])
		if (to-from+unit/20-1)/(unit/20) != int64(len(got)) || num(x["start_time"]) != begin+from*20 || num(x["steps"]) != int64(len(got)) {
			return "", fmt.Errorf("thread %d: %d buckets from %d", th.ID, len(got), num(x["start_time"]))
		}
		total := int64(0)
		for k, us := range got {
			a := begin + from*20 + int64(k)*unit
			if want := cpuUs(th, min(a+unit, begin+to*20)) - cpuUs(th, a); math.Abs(float64(us)-want) > 1.01 {
				return "", fmt.Errorf("thread %d from %d: %d µs, want %f", th.ID, a, us, want)
			}
			total += us
		}
		if n := len(th.Records); num(x["total_cpu_time"]) != total || whole && start <= begin && total != (th.Records[n-1].CPUNs-th.Records[0].CPUNs)/1000 {
			return "", fmt.Errorf("thread %d: %d µs in all, said %v", th.ID, total, x["total_cpu_time"])
		}
	}
	return "the clock between two readings", nil
}

// cpuUs is the CPU time that a thread had used at a time, in µs since its first sample, where its
// clock is read now and then and runs evenly in between.
func cpuUs(th *flare.Thread, ms int64) float64 {
	list := th.Records
	from := list[0]
	for _, x := range list[1:] {
		if x.CPUNs == from.CPUNs {
			continue
		}
		if ms < x.TimeMs {
			growth := float64(x.CPUNs-from.CPUNs) * float64(max(ms-from.TimeMs, 0)) / float64(x.TimeMs-from.TimeMs)
			return (float64(from.CPUNs-list[0].CPUNs) + growth) / 1000
		}
		from = x
	}
	return float64(from.CPUNs-list[0].CPUNs) / 1000
}

// expectFlame: the bars of each method add up to what the method has on the outermost level of its
// recursion, but for bars of less than a thousandth, which are not drawn.
func expectFlame(rec *flare.Recording, a *asked, g map[string]any) (string, error) {
	list, _, err := bars(g["flame_graph_data"].(string))
	if err != nil {
		return "", err
	}
	th := rec.Thread(a.Options.Thread)
	start, end := a.times()
	var total int64
	byDepth := map[string]int64{}
	each(th, start, end, func(x flare.Record, a, b int64) {
		total += b - a
		for k, id := range x.Stack {
			byDepth[fmt.Sprintf("%d %s", 36+16*(len(x.Stack)-k), rec.Method(id))] += b - a
		}
	})
	drawn := map[string]int64{}
	for _, b := range list {
		name, rest, ok := strings.Cut(b.Title, " (")
		var ms int64
		if _, err := fmt.Sscanf(strings.ReplaceAll(rest, ",", ""), "%d ms", &ms); err != nil || !ok {
			return "", fmt.Errorf("tooltip %q", b.Title)
		}
		if name == "root" {
			if ms != total || b.Width != "100.0000%" {
				return "", fmt.Errorf("root has %d ms, width %s; want %d", ms, b.Width, total)
			}
			continue
		}
		drawn[b.Y+" "+name] += ms
		if want := fmt.Sprintf("%.4f%%", 100*float64(ms)/float64(total)); b.Width != want {
			return "", fmt.Errorf("%q is %s wide, want %s", b.Title, b.Width, want)
		}
	}
	for k, ms := range byDepth {
		if missing := ms - drawn[k]; missing < 0 || missing > total/100 {
			return "", fmt.Errorf("%s has %d ms in the picture, want %d", k, drawn[k], ms)
		}
		delete(drawn, k)
	}
	if len(drawn) > 0 {
		return "", fmt.Errorf("the picture also has %v", drawn)
	}
	return "times add up", nil
}

// expectSearch: the hits are the longest runs of samples with a method under the same callers, the
// outermost of the searched ones.
func expectSearch(rec *flare.Recording, a *asked, got []answer) (string, error) {
	want := map[string]int{}
	for _, th := range rec.Threads {
		if !strings.Contains(th.Name, a.Options.Filter) {
			continue
		}
		type run struct{ begin, ms, n, method int64 }
		open := map[string]*run{} // by the path down to the method, of the newest sample
		var done []*run
		each(th, -1, -1, func(x flare.Record, from, to int64) {
			now := map[string]*run{}
			path := ""
			for k := len(x.Stack) - 1; k >= 0; k-- {
				path += "/" + strconv.FormatInt(int64(x.Stack[k]), 10)
				r := open[path]
				if r == nil {
					r = &run{begin: from, method: int64(x.Stack[k])}
					done = append(done, r)
				}
				r.ms, r.n = r.ms+to-from, r.n+1
				now[path] = r
				// Without a bound above nothing inside a hit is looked at.
				if slices.Contains(a.Options.Methods, r.method) && a.Options.Max <= 0 {
					break
				}
			}
			open = now
		})
		taken := int64(-1)
		for _, r := range done { // outer runs come before those inside them
			if slices.Contains(a.Options.Methods, r.method) && r.ms >= a.Options.Min && (a.Options.Max <= 0 || r.ms < a.Options.Max) && r.begin >= taken {
				want[fmt.Sprint(th.ID, r.method, r.begin, r.ms, r.n)]++
				taken = r.begin + r.ms
			}
		}
	}
	final := got[len(got)-1].Data
	have := map[string]int{}
	for i, v := range final["method_call_groups"].([]any) {
		group := v.(map[string]any)
		if num(group["group_id"]) != int64(i+1) {
			return "", fmt.Errorf("group %v", group["group_id"])
		}
		stack := group["call_stack"].([]any)
		for _, c := range group["method_calls"].([]any) {
			c := c.(map[string]any)
			have[fmt.Sprint(c["thread_id"], " ", c["method_id"], " ", c["at_time"], " ", c["duration"], " ", c["calls"])]++
			if len(stack) != len(integers(c["primary_stacks"])) || c["full_name"] != stack[0].(map[string]any)["full_name"] {
				return "", fmt.Errorf("call %v in the group of %v", c, stack)
			}
		}
	}
	if num(final["search_progress"]) != 100 || final["search_finished"] != true {
		return "", fmt.Errorf("progress %v", final["search_progress"])
	}
	if len(want) == 0 {
		return "", fmt.Errorf("nothing to be found")
	}
	return diff("equal to counting", want, have)
}

func TestMain(m *testing.M) { os.Exit(flaretest.Main(m)) }

// captured are the folders of the captures, those of a minute first.
var captured = []string{"constructed-60s/127*", "recorded-60s/127*", "constructed-roll/*200654", "constructed-roll/*200657"}

func read(t testing.TB, dir string) *flare.Recording {
	rec := testkit.Must(flare.ReadFolder(t.Context(), dir, nil))(t)
	flare.NameFromNeighbours(t.Context(), rec, os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	return rec
}

// analysisPaths lists a merged tree by path.
func analysisPaths(root *flare.Node) map[string]sum {
	out := map[string]sum{}
	var walk func(n *flare.Node, path string)
	walk = func(n *flare.Node, path string) {
		for _, c := range n.Children {
			p := pathOf(path, c.Method)
			s := out[p]
			out[p] = sum{s.Ms + c.Ms, s.Calls + c.Calls}
			walk(c, p)
		}
	}
	walk(root, "")
	return out
}

// ranges of a recording that are worth a look: all of it, pieces, and one that begins and ends
// within samples.
func ranges(rec *flare.Recording) [][2]int64 {
	a, b, _ := rec.Bounds()
	d := b - a
	return [][2]int64{{a, b}, {a - 1000, b + 1000}, {a + d/3, a + 2*d/3}, {a + d/7 + 3, a + d/7 + 1009}, {b, b + 1}, {a - 500, a}}
}

// Both trees of every thread give what counting record by record does, and all of the growth of its
// clock.
func TestTreesEqualPlainCounts(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, glob := range captured {
		rec := read(t, flaretest.Find(t, captures, glob))
		for _, r := range ranges(rec) {
			for _, threads := range [][]*flare.Thread{rec.Threads, rec.Threads[:1], rec.Threads[len(rec.Threads)/2:]} {
				root := testkit.Must(flare.Merged(t.Context(), rec, threads, r[0], r[1]))(t)
				samePaths(t, threads, r, root, glob+": merged tree")
				for _, c := range root.Children {
					root.Ms -= c.Ms
				}
				testkit.That(t, root.Ms == 0, "%s: the root has %d ms more than its children", glob, root.Ms)
			}
			for _, th := range rec.Threads {
				line := testkit.Must(flare.Sequenced(t.Context(), false, rec, th, r[0], r[1]))(t)
				samePaths(t, []*flare.Thread{th}, r, line.Root, glob+": time-ordered tree")
				each(th, r[0], r[1], func(x flare.Record, a, b int64) {
					checkOrder(t, line, x, a-line.BeginMs, b-line.BeginMs)
				})
			}
		}
		for _, th := range rec.Threads {
			if n := len(th.Records); n > 1 {
				line := testkit.Must(flare.Sequenced(t.Context(), false, rec, th, -1, -1))(t)
				growth := th.Records[n-1].CPUNs - th.Records[0].CPUNs
				if lost := growth - line.Root.CPUNs; lost < 0 || lost > int64(n) {
					t.Errorf("%s thread %d: %d ns of %d", glob, th.ID, line.Root.CPUNs, growth)
				}
			}
		}
	}
}

// samePaths demands that a tree has the paths of some threads' records in a range.
func samePaths(t *testing.T, threads []*flare.Thread, r [2]int64, tree *flare.Node, what string) {
	t.Helper()
	want, got := pathsOf(threads, r[0], r[1]), analysisPaths(tree)
	testkit.MustThat(t, maps.Equal(want, got), "%s of %d threads %v:\n%s", what, len(threads), r, cmp.Diff(want, got))
}

// checkOrder looks at a time-ordered tree at the time of a record: the nodes there are its stack.
func checkOrder(t *testing.T, line flare.Timeline, x flare.Record, from, to int64) {
	t.Helper()
	var at []flare.MethodID
	for n := line.Root; n != nil; {
		var next *flare.Node
		for _, c := range n.Children {
			if c.StartMs <= from && to <= c.StartMs+c.Ms {
				next = c
			}
		}
		if n = next; n != nil {
			at = append(at, n.Method)
		}
	}
	slices.Reverse(at)
	testkit.MustThat(t, slices.Equal(at, x.Stack), "at %d: %v, want %v", from, at, x.Stack)
}

// TestFindEqualsPlainRuns: hits are the longest runs of samples with one method under the same
// callers.
func TestFindEqualsPlainRuns(t *testing.T) {
	testkit.OneGoroutine(t)
	captures := flaretest.Captures(t)
	for _, glob := range captured {
		rec := read(t, flaretest.Find(t, captures, glob))
		for i, r := range ranges(rec) {
			for k, m := range slices.Sorted(maps.Keys(rec.Methods)) {
				if i > 0 && k%10 != i && !testkit.Long {
					continue // each method over all of it, and over some of the pieces
				}
				for _, least := range []int64{0, 200} {
					groups, limited, err := flare.Find(t.Context(), rec, flare.Search{Methods: []flare.MethodID{m}, MinMs: least, MaxHits: 1 << 20, StartMs: r[0], EndMs: r[1]}, nil)
					testkit.MustThat(t, err == nil && !limited, "%v %v", err, limited)
					got := map[string]int{}
					for _, g := range groups {
						for _, c := range g.Calls {
							got[fmt.Sprint(c.Thread, c.AtMs, c.Ms, c.Samples)]++
							testkit.That(t, c.Stack[0] == m && c.StackMs[0] == c.Ms && slices.Equal(c.Stack, g.Stack),
								"%s: a call of %d in group %v: %v", glob, m, g.Stack, c)
						}
					}
					if want := runs(rec, m, r, least); !maps.Equal(want, got) {
						t.Fatalf("%s method %d %v:\n%s", glob, m, r, cmp.Diff(want, got))
					}
				}
			}
		}
	}
}

func runs(rec *flare.Recording, m flare.MethodID, r [2]int64, least int64) map[string]int {
	out := map[string]int{}
	for _, th := range rec.Threads {
		var begin, ms, n int64
		last := ""
		end := func() {
			if n > 0 && ms >= least {
				out[fmt.Sprint(th.ID, begin, ms, n)]++
			}
			n, ms = 0, 0
		}
		each(th, r[0], r[1], func(x flare.Record, a, b int64) {
			now, path := "", ""
			for _, id := range slices.Backward(x.Stack) {
				if path = pathOf(path, id); id == m {
					now = path
					break
				}
			}
			if now != last {
				end()
				begin, last = a, now
			}
			if now != "" {
				ms, n = ms+b-a, n+1
			}
		})
		end()
	}
	return out
}

// sum is what a plain count over the records gives a path or a method.
type sum struct{ Ms, Calls int64 }

// each calls f with every sample of a range and the part of its time that lies in it. A negative
// bound is the recording's.
func each(t *flare.Thread, start, end int64, f func(x flare.Record, a, b int64)) {
	for i := 0; i+1 < len(t.Records); i++ {
		a, b := max(t.Records[i].TimeMs, start), t.Records[i+1].TimeMs
		if end >= 0 {
			b = min(b, end)
		}
		if a < b {
			f(t.Records[i], a, b)
		}
	}
}

// pathOf says in words which methods follow each other, the outermost first.
func pathOf(above string, m flare.MethodID) string {
	return above + "/" + strconv.FormatInt(int64(m), 10)
}

// pathsOf counts every path of some threads over a range.
func pathsOf(threads []*flare.Thread, start, end int64) map[string]sum {
	out := map[string]sum{}
	for _, t := range threads {
		each(t, start, end, func(x flare.Record, a, b int64) {
			path := ""
			for _, m := range slices.Backward(x.Stack) {
				path = pathOf(path, m)
				p := out[path]
				out[path] = sum{p.Ms + b - a, p.Calls + 1}
			}
		})
	}
	return out
}
