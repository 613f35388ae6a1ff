package chrometrace

import (
	"bytes"
	"cmp"
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
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// argsOf returns the arguments of each span, by its name and begin.
func argsOf(k *feedtest.Kept) map[string][]map[string]string {
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

// flatten adds the values of an object under their keys, as the standard library reads it.
func flatten(out map[string]string, key string, v any) {
	inside := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		out[key] = "{}"
		for k, x := range v {
			inside[strings.TrimPrefix(key+"."+k, ".")] = x
		}
	case []any:
		out[key] = "[]"
		for i, x := range v {
			inside[fmt.Sprintf("%s[%d]", key, i)] = x
		}
	case nil:
		out[key] = "null"
	case json.Number:
		f, _ := v.Float64()
		out[key] = model.FloatArg(f).String()
		if i, err := v.Int64(); err == nil {
			out[key] = model.IntArg(i).String()
		}
	default:
		out[key] = fmt.Sprint(v)
	}
	if len(inside) > 0 || key == "" {
		delete(out, key)
	}
	for k, x := range inside {
		flatten(out, k, x)
	}
}

// eventsIn reads the events of a file by the standard library.
func eventsIn(t *testing.T, path string) (events []map[string]any) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	text, _ := io.ReadAll(testkit.Must(feed.Uncompressed(f))(t))
	text = text[max(bytes.Index(text, []byte(`"traceEvents"`)), 0):]
	d := json.NewDecoder(bytes.NewReader(text[bytes.IndexByte(text, '['):]))
	d.UseNumber()
	testkit.Must(d.Token())(t)
	for d.More() {
		var ev map[string]any
		if d.Decode(&ev) != nil {
			break // the file is cut off
		}
		events = append(events, ev)
	}
	return events
}

// compareArgs demands that each span has the arguments of its begin, but for what an end says otherwise. first is the
// session's time 0.
func compareArgs(t *testing.T, k *feedtest.Kept, path string, first int64) {
	t.Helper()
	spans, compared := argsOf(k), 0
	for _, ev := range eventsIn(t, path) {
		ph, _ := ev["ph"].(string)
		args, _ := ev["args"].(map[string]any)
		us, ok := new(big.Rat).SetString(fmt.Sprint(ev["ts"]))
		if !ok || len(args) == 0 || !strings.Contains("BXbS", ph) {
			continue
		}
		ns := us.Mul(us, big.NewRat(1000, 1)).Add(us, big.NewRat(1, 2))
		at := new(big.Int).Div(ns.Num(), ns.Denom()).Int64() - first
		want := map[string]string{}
		flatten(want, "", args)
		name, _ := ev["name"].(string)
		has := spans[fmt.Sprint(strings.ToValidUTF8(cmp.Or(name, "(unnamed)"), "�"), " ", at)]
		if !slices.ContainsFunc(has, func(got map[string]string) bool {
			for key, v := range want {
				if _, ok := got[key]; !ok || got[key] != v && ph == "X" {
					return false
				}
			}
			return len(got) == len(want) || ph != "X" && len(got) >= len(want)
		}) {
			t.Fatalf("no span %q at %d ns has %.300v; there are %.300v", name, at, fmt.Sprint(want), fmt.Sprint(has))
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
