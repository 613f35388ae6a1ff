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
