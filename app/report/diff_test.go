package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/internal/docs"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
)

// diffSchema is the schema of what `diff --json` prints.
func diffSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	shape := object{"allOf": []any{docs.Of(reflect.TypeFor[diffSummary](), defs)}}
	docs.Described(t, defs)
	return docs.Document(t, "diff.schema.json", "framescope diff --json",
		"What diff --json prints. Numbers have base units (ns, counts); compare.md says what each is.", shape, defs)
}

// openCapture opens a recording of a real program.
func openCapture(t *testing.T, folder, name string) *store.Session {
	t.Helper()
	return opened(t, filepath.Join(recordings.Root(t), "testdata", folder, name))
}

// written is a comparison of two ranges, in all forms.
func written(t *testing.T, a, b *store.Session, ranges [2]string) (text, markdown, data []byte, r *compare.Result) {
	t.Helper()
	var sides [2]compare.Side
	for i, s := range [2]*store.Session{a, b} {
		sides[i] = testkit.Must(place.Side(s, rng(t, ranges[i]), nil))(t)
	}
	r = compare.Of(sides[0], sides[1], compare.Options{})
	var out [3]bytes.Buffer
	for i, o := range []DiffOptions{{All: true}, {Markdown: true, All: true}, {JSON: true}} {
		o.Files = [2]string{"a.pstats", "b|.pstats"}
		testkit.OK(t, WriteDiff(&out[i], r, sides, o))
	}
	return out[0].Bytes(), out[1].Bytes(), out[2].Bytes(), r
}

// What a comparison prints has the schema, whatever it is of, and one with another field has not.
func TestDiffHasTheSchema(t *testing.T) {
	schema := diffSchema(t)
	late, nested := openCapture(t, "pstats", "late.pstats"), openCapture(t, "pstats", "nested.pstats")
	calls := openCapture(t, "gsttrace", "latency-tee-queues.log.gz")
	seen := map[string]bool{}
	for _, x := range []struct {
		a, b   *store.Session
		ranges [2]string
	}{
		{late, late, [2]string{"60:120", "130:190"}}, {late, nested, [2]string{}}, {nested, nested, [2]string{"3", "4"}},
		{calls, calls, [2]string{}}, {late, calls, [2]string{}},
	} {
		_, _, data, _ := written(t, x.a, x.b, x.ranges)
		docs.Fits(t, schema, fmt.Sprint(x.ranges), data)
		docs.Surprised(t, schema, "diff", data, seen)
	}
}

// The plain means of a comparison are those that the statistics of the same range print.
func TestDiffSaysWhatStatisticsSay(t *testing.T) {
	late := openCapture(t, "pstats", "late.pstats")
	_, _, _, r := written(t, late, late, [2]string{"60:120", "130:190"})
	for side, text := range [2]string{"60:120", "130:190"} {
		c := testkit.Must(choose(late, &Options{Range: rng(t, text), Stats: true}))(t)
		for _, th := range summarise(c).Threads {
			lines := 0
			for i := range r.Collectors {
				x := &r.Collectors[i]
				if r.Threads[x.Thread].Title != th.Name {
					continue
				}
				for _, l := range th.Times {
					if l.Collector != x.Name() || l.Total == nil {
						continue
					}
					lines++
					total, self := [2]float64{x.Total.A, x.Total.B}[side], [2]float64{x.Self.A, x.Self.B}[side]
					testkit.That(t, math.Abs(total-l.Total.Mean) <= 1e-3 && math.Abs(self-l.Self.Mean) <= 1e-3,
						"%s: total %v, self %v; statistics have %v and %v", x.Name(), total, self, l.Total.Mean, l.Self.Mean)
				}
			}
			testkit.That(t, lines != 0, "nothing of thread %s", th.Name)
		}
	}
}

// Text, markdown and JSON say the same of each row.
func TestDiffSaysTheSameInAllForms(t *testing.T) {
	late, nested := openCapture(t, "pstats", "late.pstats"), openCapture(t, "pstats", "nested.pstats")
	text, markdown, data, r := written(t, late, nested, [2]string{})
	var sum diffSummary
	testkit.OK(t, json.Unmarshal(data, &sum))
	testkit.MustThat(t, len(sum.Collectors) == len(r.Collectors) && len(sum.Paths) == len(r.Paths) && len(r.Paths) != 0,
		"%d collectors, %d paths", len(sum.Collectors), len(sum.Paths))
	squeeze := func(b []byte) string {
		return strings.Join(strings.Fields(strings.NewReplacer("|", " ", "`", "").Replace(string(b))), " ")
	}
	plain, marked := squeeze(text), squeeze(markdown)
	there := map[string]*diffThread{}
	for i := range sum.Threads {
		there[sum.Threads[i].Name] = &sum.Threads[i]
	}
	for _, row := range sum.Collectors {
		f := row.Self
		a, b := Number(f.TypicalA/1e6), Number(f.TypicalB/1e6)
		if there[row.Thread].A == nil { // nothing is known of it
			a = "–"
		}
		if there[row.Thread].B == nil {
			b = "–"
		}
		want := strings.Join([]string{a, b, SignedMs(f.Delta)}, " ")
		end := row.Thread + " " + row.Collector
		for name, in := range map[string]string{"text": plain, "markdown": marked} {
			verdict := f.Verdict
			if f.Lacks != "" {
				verdict += ": " + f.Lacks
			}
			if f.Needs > 0 {
				verdict += fmt.Sprintf(", ~%d", f.Needs)
			}
			testkit.That(t, strings.Contains(in, want) && strings.Contains(in, verdict+" "+end),
				"%s: no %q … %q", name, want, end)
		}
	}
	testkit.That(t, bytes.Contains(markdown, []byte("b|.pstats")) && bytes.Contains(markdown, []byte("\n\n|")) != false,
		"no table")
}

// Why hitches were not tested is the same in text and JSON.
func TestDiffSaysWhyHitchesAreUntested(t *testing.T) {
	for _, f := range []compare.Figure{
		{Verdict: compare.Untested, Lack: compare.LacksFrames, Needs: 16},
		{Verdict: compare.Untested, Lack: compare.LacksUse},
		{Verdict: compare.Noise, Lack: compare.LacksUse, Needs: 16, P: 0.5},
	} {
		text, data := saysOften(&f), oftenOf(&f)
		untested := f.Verdict == compare.Untested
		testkit.That(t, untested == strings.HasPrefix(text, "not tested, ") && (data.Lacks != "") == untested &&
			(data.Needs <= 0 || untested), "%q, %+v", text, data)
		testkit.That(t, strings.Contains(text, data.Lacks) && (data.Needs <= 0 ||
			strings.Contains(text, strconv.Itoa(data.Needs))), "the text says %q, JSON %+v", text, data)
	}
}

// A range in which there is nothing is an error, and so is one of frames where there are none.
func TestDiffOfNothing(t *testing.T) {
	late, calls := openCapture(t, "pstats", "late.pstats"), openCapture(t, "gsttrace", "latency-tee-queues.log.gz")
	for _, x := range []struct {
		s    *store.Session
		text string
	}{{late, "5000:"}, {late, "500s:501s"}, {calls, "3:4"}, {store.NewSession(), ""}} {
		_, err := place.Side(x.s, rng(t, x.text), []model.TrackID(nil))
		testkit.That(t, err != nil, "%q: no error", x.text)
	}
}

// How long each side is does not depend on whether its threads are called as those of the other.
func TestLengthOfSidesWhoseThreadsAreOthers(t *testing.T) {
	side := func(thread string, seconds int64) *store.Session {
		s := store.NewSession()
		s.Apply(model.CollectorDef{ID: 0, Name: "work"})
		s.Apply(model.PathDef{ID: 1, Collector: 0})
		s.Apply(model.TrackDef{ID: 0, Name: thread})
		s.Append(&model.Batch{Spans: []model.Span{{Path: 1, End: seconds * 1e9}}})
		return s
	}
	text, _, _, _ := written(t, side("one", 2), side("other", 3), [2]string{"", ""})
	testkit.Contains(t, string(text), ", 2.000 s\n", ", 3.000 s\n")
}
