package chrometrace

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// said returns how many messages there are of a name, whatever else they say.
func said(messages map[string]int64, name string) (n int64) {
	for text, k := range messages {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || rest[0] == ' ' || rest[0] == ':') {
			n += k
		}
	}
	return n
}

// argLines returns of each span its name and begin, with the arguments that it has.
func (k *taken) argLines() map[string][]map[string]string {
	out := map[string][]map[string]string{}
	for _, b := range k.Batches {
		has := make([]map[string]string, len(b.Spans))
		for _, a := range b.Args {
			if has[a.Span] == nil {
				has[a.Span] = map[string]string{}
			}
			has[a.Span][a.Key] = a.Value.String()
		}
		for i, s := range b.Spans {
			key := fmt.Sprint(k.Name(s.Path), " ", s.Begin)
			out[key] = append(out[key], has[i])
		}
	}
	return out
}

// flat adds the values of an object under their keys, as the standard library reads it.
func flat(out map[string]string, key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if key != "" {
				k = key + "." + k
			}
			flat(out, k, x)
		}
		if len(v) == 0 && key != "" {
			out[key] = "{}"
		}
	case []any:
		for i, x := range v {
			flat(out, fmt.Sprintf("%s[%d]", key, i), x)
		}
		if len(v) == 0 {
			out[key] = "[]"
		}
	case nil:
		out[key] = "null"
	case json.Number:
		var f model.ArgValue
		if i, err := v.Int64(); err == nil {
			f = model.IntArg(i)
		} else {
			x, _ := v.Float64()
			f = model.FloatArg(x)
		}
		out[key] = f.String()
	default:
		out[key] = fmt.Sprint(v)
	}
}

// compareArgs reads the file by the standard library and demands that each span has the arguments of
// its begin, but for what an end says otherwise.
func compareArgs(t *testing.T, k *taken, path string) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	var text []byte
	if strings.HasSuffix(path, ".gz") {
		z := testkit.Must(gzip.NewReader(f))(t)
		text, _ = io.ReadAll(z)
	} else {
		text, _ = io.ReadAll(f)
	}
	var events []map[string]any
	if at := strings.Index(string(text), `"traceEvents"`); at >= 0 {
		text = text[at+13:]
	}
	d := json.NewDecoder(strings.NewReader(string(text[max(slices.Index(text, '['), 0):])))
	d.UseNumber()
	testkit.Must(d.Token())(t)
	for d.More() {
		var ev map[string]any
		if d.Decode(&ev) != nil {
			break // the file is cut off
		}
		events = append(events, ev)
	}
	ns := func(ev map[string]any) (int64, bool) {
		r, ok := new(big.Rat).SetString(fmt.Sprint(ev["ts"]))
		if !ok {
			return 0, false
		}
		r.Mul(r, big.NewRat(1000, 1)).Add(r, big.NewRat(1, 2))
		return new(big.Int).Div(r.Num(), r.Denom()).Int64(), true
	}
	first, some := int64(0), false
	for _, ev := range events {
		if at, ok := ns(ev); ok && ev["ph"] != "M" && (!some || at < first) {
			first, some = at, true
		}
	}
	spans, compared := k.argLines(), 0
	for _, ev := range events {
		ph, _ := ev["ph"].(string)
		args, _ := ev["args"].(map[string]any)
		at, ok := ns(ev)
		if !ok || len(args) == 0 || !strings.Contains("BXbS", ph) {
			continue
		}
		want := map[string]string{}
		flat(want, "", args)
		name, _ := ev["name"].(string)
		if name == "" {
			name = "(no name)"
		}
		has := spans[fmt.Sprint(strings.ToValidUTF8(name, "�"), " ", at-first)]
		if !slices.ContainsFunc(has, func(got map[string]string) bool {
			for key, v := range want {
				if _, ok := got[key]; !ok || got[key] != v && ph == "X" {
					return false
				}
			}
			return len(got) == len(want) || ph != "X" && len(got) >= len(want)
		}) {
			t.Fatalf("no span %q at %d ns has %.300v; there are %.300v", name, at-first, fmt.Sprint(want), fmt.Sprint(has))
		}
		compared++
	}
	with := 0
	for _, list := range maps.All(spans) {
		for _, a := range list {
			with += min(len(a), 1)
		}
	}
	testkit.That(t, with >= compared, "%d spans have arguments, of %d begins", with, compared)
	t.Logf("%d spans with arguments compared", compared)
}

// A span has the arguments of its begin and of its end, of which the end's hold; instants say theirs.
func TestArgsOfBeginAndEnd(t *testing.T) {
	k := must(t, `[{"ph":"B","pid":1,"tid":1,"ts":1,"name":"a","args":{"x":1,"y":"old"}},
{"ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"name":"b","args":{"deep":{"list":[1,{"k":2.5}]}}},
{"ph":"X","pid":1,"tid":1,"ts":3,"dur":1,"name":"none","args":{}},
{"ph":"i","pid":1,"tid":1,"ts":4,"name":"log","args":{"message":"said","n":3,"to":"\"x\""}},
{"ph":"i","pid":1,"tid":1,"ts":4.5,"name":"plain","args":{"n":null}},
{"ph":"E","pid":1,"tid":1,"ts":5,"args":{"y":"new","z":2}},
{"ph":"b","pid":1,"tid":1,"ts":6,"id":1,"cat":"c","name":"load","args":{"file":"a.png"}},
{"ph":"e","pid":1,"tid":2,"ts":9,"id":1,"cat":"c","name":"load","args":{"bytes":77}}]`)
	got := ""
	for _, b := range k.Batches {
		for _, a := range b.Args {
			got += fmt.Sprintf("%s %s=%s\n", k.Name(b.Spans[a.Span].Path), a.Key, a.Value)
		}
		for _, m := range b.Messages {
			got += "said " + m.Text + "\n"
		}
	}
	want := `a x=1
a y=old
a y=new
a z=2
b deep.list[0]=1
b deep.list[1].k=2.5
said log: said n=3 to="x"
said plain n=null
load file=a.png
load bytes=77
`
	testkit.That(t, got == want, "got\n%swant\n%s", got, want)
}
