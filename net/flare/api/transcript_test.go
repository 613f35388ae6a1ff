//go:build !js

package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// exchange is a request of the transcript with what the original server replied: nothing, one
// reply, or several.
type exchange struct {
	request string
	replies []string
	correct []int64 // threads whose CPU times are right in the reply
	wrong   []int64 // threads whose CPU times are read from the wrong bytes
}

func transcript(t testing.TB) (out []exchange) {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Join(flaretest.Captures(t), "ws-api", "transcript.jsonl")))(t)
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var l struct {
			Dir, Text string
			Correct   []int64 `json:"values_correct_for"`
			Wrong     []int64 `json:"values_wrong_for"`
		}
		testkit.OK(t, json.Unmarshal(lines.Bytes(), &l))
		switch l.Dir {
		case "request":
			out = append(out, exchange{request: l.Text})
		case "response":
			e := &out[len(out)-1]
			e.replies = append(e.replies, l.Text)
			e.correct, e.wrong = l.Correct, l.Wrong
		}
	}
	testkit.MustThat(t, len(out) >= 60, "%d requests", len(out))
	return out
}

// last tells whether a reply is the last one to its request. No reply of the transcript has more
// than 50 threads.
func last(a answer) bool {
	if a.Cmd != "search_slow_method_calls" || a.Result != "success" {
		return true
	}
	_, final := a.Data["method_call_groups"]
	return final
}

// replay sends a request and reads all its replies.
func (p *peer) replay(request string) (out []answer) {
	p.t.Helper()
	p.send(request)
	for {
		a := decode(p.t, p.receive())
		if out = append(out, a); last(a) {
			return out
		}
	}
}

// TestTranscript replays every request of the transcript in compat mode.
func TestTranscript(t *testing.T) {
	dir := samples(t)
	p := dial(t, start(t, ServerOptions{Samples: dir, Compat: true, NoRecording: true}))
	recs := recordings(t, dir)
	counts := map[string]int{}
	for i, e := range transcript(t) {
		var want []answer
		for _, r := range e.replies {
			want = append(want, decode(t, r))
		}
		got := p.replay(e.request)
		verdict, err := compare(recs, e, want, got)
		if err != nil {
			t.Errorf("%d %s:\n%v", i, e.request, err)
			verdict = "DIFFERENT"
		}
		counts[verdict]++
		t.Logf("%2d  %-40s %s", i, verdict, short(e.request))
	}
	t.Log(counts)
}

func short(s string) string {
	s = strings.NewReplacer(`"`, "", constructed, "C", recorded, "R", "options: ", "", "cmd: ", "").Replace(s)
	if len(s) > 130 {
		s = s[:130] + "…"
	}
	return s
}

func recordings(t testing.TB, dir string) map[string]*flare.Recording {
	t.Helper()
	out := map[string]*flare.Recording{}
	for _, id := range []string{constructed, recorded} {
		rec := testkit.Must(flare.ReadFolder(t.Context(), filepath.Join(dir, filepath.Base(id)), nil))(t)
		out[id] = rec
	}
	return out
}

// compare says how replies are like the original's.
func compare(recs map[string]*flare.Recording, e exchange, want, got []answer) (verdict string, err error) {
	if len(want) == 0 {
		if len(got) == 1 && got[0].Result == "failure" && got[0].Data["message"] != "" {
			return "answered where the original was silent", nil
		}
		return "", fmt.Errorf("got %v, want a failure", got)
	}
	w, g := want[len(want)-1], got[len(got)-1]
	if w.Result != g.Result || w.Cmd != g.Cmd {
		return "", fmt.Errorf("got %.300v, want %.300v", g, w)
	}
	if w.Result == "failure" {
		if w.Cmd == "" && strings.Contains(e.request, "bad json") {
			if g.Data["message"] == "" {
				return "", errors.New("no message")
			}
			return "equal but for the parser's words", nil
		}
		if w.Cmd == "connect_agent" && strings.Contains(fmt.Sprint(w.Data["message"]), "os error") && runtime.GOOS != "linux" {
			return "equal but for the system's number", nil
		}
		return equal("equal", w.Data, g.Data)
	}
	switch w.Cmd {
	case "history_samples":
		return equal("equal as sets", asSet(w.Data["history_samples"]), asSet(g.Data["history_samples"]))
	case "list_sessions":
		return equal("equal as sets", asSet(w.Data["sample_sessions"]), asSet(g.Data["sample_sessions"]))
	case "list_methods_by_filter":
		return equal("equal as sets", methodSet(w.Data), methodSet(g.Data))
	case "call_tree":
		return equal("equal, children as sets", treeSet(w.Data), treeSet(g.Data))
	case "search_slow_method_calls":
		return compareSearch(want, got)
	case "cpu_time":
		return compareCPU(recs, e, w, g)
	case "flame_graph":
		return compareFlame(w, g)
	}
	if len(want) != 1 || len(got) != 1 {
		return "", fmt.Errorf("%d replies, want %d", len(got), len(want))
	}
	return equal("equal", w.Data, g.Data)
}

func equal(verdict string, want, got any) (string, error) {
	if d := difference(want, got); d != "" {
		return "", errors.New(d)
	}
	return verdict, nil
}

// difference shows where two values begin to differ as JSON; comparing deep trees node by node
// would take for ever.
func difference(want, got any) string {
	a, err1 := json.Marshal(want)
	b, err2 := json.Marshal(got)
	if err1 != nil || err2 != nil {
		return fmt.Sprint(err1, err2)
	}
	if bytes.Equal(a, b) {
		return ""
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-300)
	return fmt.Sprintf("want …%s\ngot  …%s", a[from:min(len(a), at+300)], b[from:min(len(b), at+300)])
}

// asSet is a list in an order that does not depend on the order it had.
func asSet(list any) []string {
	var out []string
	for _, v := range list.([]any) {
		b, _ := json.Marshal(v)
		out = append(out, string(b))
	}
	slices.Sort(out)
	return out
}

func methodSet(data map[string]any) map[string]any {
	data["method_infos"] = asSet(data["method_infos"])
	return data
}

// treeSet takes the numbers of nodes away and puts children into an order of their content.
func treeSet(data map[string]any) any {
	var clean func(v any) any
	clean = func(v any) any {
		n := v.(map[string]any)
		delete(n, "id")
		children := n["children"].([]any)
		for i := range children {
			children[i] = clean(children[i])
		}
		n["children"] = asSet(children)
		return n
	}
	for i, v := range data["call_tree_data"].([]any) {
		data["call_tree_data"].([]any)[i] = clean(v)
	}
	return data
}

// compareSearch compares the hits as sets. Threads are searched in any order, so of the progress
// only the steps and the names are compared.
func compareSearch(want, got []answer) (string, error) {
	names := func(list []answer) (out []string) {
		for _, a := range list[:len(list)-1] {
			out = append(out, fmt.Sprint(a.Data["search_message"]))
			if a.Data["search_finished"] != false || a.Data["session_id"] != list[len(list)-1].Data["session_id"] {
				out = append(out, fmt.Sprint(a.Data))
			}
		}
		slices.Sort(out)
		return out
	}
	w, g := names(want), names(got)
	// The thread that is searched first is not told of: it is another one.
	if len(w) != len(g) || len(w) == 1 && w[0] != g[0] {
		return "", fmt.Errorf("progress %q, want %q", g, w)
	}
	final := func(list []answer) map[string]any {
		d := list[len(list)-1].Data
		progress := "the last one told of"
		if n := len(list); n > 1 && fmt.Sprint(list[n-2].Data["search_progress"]) != fmt.Sprint(d["search_progress"]) {
			progress = "another"
		}
		d["search_progress"] = progress
		groups := d["method_call_groups"].([]any)
		for _, v := range groups {
			group := v.(map[string]any)
			delete(group, "group_id")
			group["method_calls"] = asSet(group["method_calls"])
		}
		d["method_call_groups"] = asSet(groups)
		return d
	}
	return equal("equal, hits as sets", final(want), final(got))
}

// compareCPU compares the CPU times that the original has right. Where it has them wrong, the rest
// is compared, and the values with those of the files.
func compareCPU(recs map[string]*flare.Recording, e exchange, w, g answer) (string, error) {
	verdict := "equal"
	a, b := w.Data["thread_cpu_times"].([]any), g.Data["thread_cpu_times"].([]any)
	if len(a) != len(b) {
		return "", fmt.Errorf("%d threads, want %d", len(b), len(a))
	}
	for i := range a {
		x, y := a[i].(map[string]any), b[i].(map[string]any)
		id, _ := x["id"].(json.Number).Int64()
		if slices.Contains(e.wrong, id) {
			verdict = "corrected"
			if v, want := integers(y["ts_data"]), slotSums(recs[w.Data["session_id"].(string)].Thread(id), y); !slices.Equal(v, want) {
				return "", fmt.Errorf("thread %d: %v, the file has %v", id, v, want)
			}
			for _, k := range []string{"ts_data", "total_cpu_time"} {
				delete(x, k)
				delete(y, k)
			}
		} else if !slices.Contains(e.correct, id) {
			return "", fmt.Errorf("thread %d is neither right nor wrong", id)
		}
	}
	return equal(verdict, w.Data, g.Data)
}

func integers(v any) (out []int64) {
	for _, n := range v.([]any) {
		i, _ := n.(json.Number).Int64()
		out = append(out, i)
	}
	return out
}

// slotSums sums the slots of a thread's file as a reply says that it does: from start_time, in
// buckets of unit_time_ms, as many as steps.
func slotSums(t *flare.Thread, reply map[string]any) (out []int64) {
	number := func(k string) int64 { n, _ := reply[k].(json.Number).Int64(); return n }
	slot := (number("start_time") - t.CPU.BeginMs) / t.CPU.StepMs
	per := max(1, number("unit_time_ms")/t.CPU.StepMs)
	for range number("steps") {
		var sum int64
		for range per {
			if slot < int64(len(t.CPU.Values)) {
				sum += t.CPU.Values[slot]
			}
			slot++
		}
		out = append(out, sum)
	}
	return out
}

// bar is one bar of an SVG picture.
type bar struct{ Title, Text, X, Y, Width, Height string }

// bars reads the bars of a picture, whoever drew it.
func bars(svg string) (out []bar, size string, err error) {
	d := xml.NewDecoder(strings.NewReader(svg))
	d.Strict = false // the original's script has no place in strict XML
	in := ""
	group := false
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, size, nil
		}
		if err != nil {
			return nil, "", err
		}
		switch x := tok.(type) {
		case xml.StartElement:
			in = x.Name.Local
			at := func(name string) string {
				for _, a := range x.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			switch {
			case in == "svg" && size == "":
				size = at("width") + "x" + at("height")
			case in == "g":
				group = true
				out = append(out, bar{})
			case in == "rect" && group:
				b := &out[len(out)-1]
				b.X, b.Y, b.Width, b.Height = at("x"), at("y"), at("width"), at("height")
			}
		case xml.EndElement:
			in = ""
			group = group && x.Name.Local != "g"
		case xml.CharData:
			if group && in == "title" {
				out[len(out)-1].Title += string(x)
			}
			if group && in == "text" {
				out[len(out)-1].Text += string(x)
			}
		}
	}
}

// compareFlame compares what the pictures show: the bars with their places, texts and tooltips, and
// the size.
func compareFlame(w, g answer) (string, error) {
	a, sizeA, err := bars(w.Data["flame_graph_data"].(string))
	if err != nil {
		return "", err
	}
	b, sizeB, err := bars(g.Data["flame_graph_data"].(string))
	if err != nil {
		return "", err
	}
	if len(a) == 0 || sizeA != sizeB {
		return "", fmt.Errorf("%d bars, size %s, want %s", len(a), sizeB, sizeA)
	}
	if d := cmp.Diff(a, b); d != "" {
		return "", errors.New(d)
	}
	delete(w.Data, "flame_graph_data")
	delete(g.Data, "flame_graph_data")
	return equal(fmt.Sprintf("equal, all %d bars", len(a)), w.Data, g.Data)
}

// The expectations here are counted from the samples of the folders, one by one, and from nothing
// else.

// nodePaths lists a tree of a reply by path, and checks that what is a node's own is what its
// children leave.
func nodePaths(t testing.TB, root map[string]any, id string) map[string]sum {
	out := map[string]sum{}
	var walk func(n map[string]any, path string)
	walk = func(n map[string]any, path string) {
		ms, calls := num(n["duration"]), num(n["calls"])
		for _, v := range n["children"].([]any) {
			c := v.(map[string]any)
			p := path + "/" + fmt.Sprint(c[id])
			x := out[p]
			out[p] = sum{x.Ms + num(c["duration"]), x.Calls + num(c["calls"])}
			ms, calls = ms-num(c["duration"]), calls-num(c["calls"])
			walk(c, p)
		}
		if num(n["self_duration"]) != ms || num(n["self_calls"]) != calls {
			t.Errorf("%s itself: %v ms, %v samples; its children leave %d, %d", path, n["self_duration"], n["self_calls"], ms, calls)
		}
	}
	walk(root, "")
	return out
}

func num(v any) int64 {
	n, _ := v.(json.Number)
	i, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil {
		return -1 << 60
	}
	return i
}

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
