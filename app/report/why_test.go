package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/charts/format"
	"framescope/internal/docs"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
)

// whySchema is the schema of what `why --json` prints.
func whySchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	shape := object{"anyOf": []any{docs.Of(reflect.TypeFor[[]whyFrame](), defs), docs.Of(reflect.TypeFor[[]whyGroup](), defs),
		docs.Of(reflect.TypeFor[[]whySurplus](), defs), docs.Of(reflect.TypeFor[[]whyWait](), defs),
		docs.Of(reflect.TypeFor[[]whyPath](), defs)}}
	docs.Described(t, defs)
	return docs.Document(t, "why.schema.json", "framescope why --json", "What why --json prints, with --by-cause, of a range of samples, with --locks, and with --waits. "+
		"Numbers have base units (ns, counts); why.md says what each is.", shape, defs)
}

// whyBoth returns what why prints of a session, as text and as JSON, which has the schema.
func whyBoth(t *testing.T, schema *jsonschema.Schema, s *store.Session, o WhyOptions) (text string, list []any) {
	t.Helper()
	var words, data bytes.Buffer
	testkit.OK(t, WriteWhy(&words, s, o))
	o.JSON = true
	testkit.OK(t, WriteWhy(&data, s, o))
	v := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(data.Bytes())))(t)
	testkit.OK(t, schema.Validate(v))
	return words.String(), v.([]any)
}

// What why prints of recordings of real programs has the schema, and says in words what it says in
// figures.
func TestWhyOfRealSessions(t *testing.T) {
	schema := whySchema(t)
	hitches := 0
	for _, of := range [][2]string{
		{"pstats", "late.pstats"}, {"pstats", "nested.pstats"}, {"pstats", "killed.pstats"},
		{"gsttrace", "latency-tee-queues.log.gz"}, {"gsttrace", "all-audio-chain.log.gz"},
	} {
		name := of[1]
		s := openCapture(t, of[0], name)
		for _, o := range []WhyOptions{{}, {Every: true, Range: rng(t, "1:20")}, {ByCause: true}} {
			text, list := whyBoth(t, schema, s, o)
			testkit.Equal(t, strings.Count(text, "\n"), max(len(list), 1), "%s: lines of %d answers", name, len(list))
			if !o.Every && !o.ByCause {
				hitches += len(list)
			}
		}
	}
	for _, name := range []string{"latency-tee-queues.log.gz", "all-audio-chain.log.gz"} {
		text, list := whyBoth(t, schema, openCapture(t, "gsttrace", name), WhyOptions{Waits: true})
		testkit.That(t, strings.Count(text, "\n") == len(list) && len(list) != 0, "%s: %d paths in %q", name, len(list), text)
	}
	testkit.That(t, hitches >= 5, "%d hitches", hitches)
	for folder, c := range map[string]struct{ name, says, not string }{
		"frametimes": {"byhand-capframex-comments.csv", "longer outside In Present, the only part", "all spans"},
		"profilelib": {"exhausted.prof", "none of its calls were received.", "The rest"},
		"gsttrace":   {"latency-two-sources.log.gz", "The rest of its way", "rest of the frame"},
	} {
		text, _ := whyBoth(t, schema, openCapture(t, folder, c.name), WhyOptions{})
		testkit.That(t, strings.Contains(text, c.says) && !strings.Contains(text, c.not), "%s: %s", c.name, text)
	}
}

// Of a range of sampled stacks it says which methods have more samples than chance allows.
func TestWhyOfSamples(t *testing.T) {
	schema := whySchema(t)
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "worker"})
	for i, name := range []string{"read", "sort"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	s.Apply(model.SeriesDef{
		Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: 0, Object: model.NoObject, Peer: model.NoObject,
	})
	b := model.Batch{Track: model.NoTrack}
	for i := range int64(1000) {
		path := 1.0
		if i%10 == 3 || i >= 500 && i < 600 && i%2 == 0 {
			path = 2
		}
		b.Samples = append(b.Samples, model.Sample{Time: i * 10e6, Value: path})
	}
	s.Append(&b)
	text, list := whyBoth(t, schema, s, WhyOptions{Range: rng(t, "5s:6s")})
	want := "worker: sort is innermost in 60.0 ± 4.9 % of 100 samples, elsewhere in 10.0 ± 1.0 % of 900 (p < 0.001).\n"
	testkit.That(t, text == want && len(list) == 1, "%d: %q, want %q", len(list), text, want)
	text, list = whyBoth(t, schema, s, WhyOptions{Range: rng(t, "1s:2s"), Against: rng(t, "2s:4s")})
	if len(list) != 0 || text != "No method has more samples there than chance allows, of 2 that were tested in 100 samples there and 200 elsewhere.\n" {
		t.Errorf("%d: %q", len(list), text)
	}
	for o, want := range map[WhyOptions]string{
		{}:                         "give a range, such as --range",
		{Range: rng(t, "1:2")}:     "give a range of times",
		{Range: rng(t, "20s:30s")}: "nothing was recorded in this range",
		{Range: rng(t, "1s:2s"), Against: rng(t, "1500ms:3s")}: "overlap",
		{Range: rng(t, "1s:2s"), Against: rng(t, "30s:40s")}:   "--against: nothing was recorded",
		{Range: rng(t, "1s:2s"), Thread: "Nobody"}:             "no thread",
	} {
		testkit.Fails(t, WriteWhy(&bytes.Buffer{}, s, o), want)
	}
	real := opened(t, flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*"))
	if text, list := whyBoth(t, schema, real, WhyOptions{Range: rng(t, "10s:20s")}); len(list) != 0 {
		t.Errorf("of a program that does the same all the time: %s", text)
	}
}

// Of waits for locks it says who held them.
func TestWhyOfLocks(t *testing.T) {
	schema := whySchema(t)
	s := store.NewSession()
	for i, name := range []string{"Main", "Loader"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name})
	}
	for i, name := range []string{"mutex", "decode"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
	}
	s.Apply(model.PathDef{ID: 1, Collector: 2})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: 1e6, End: 4e6, Path: 1}}, Locks: []model.LockEvent{
		{Time: 1e6, Lock: 1, Kind: model.LockTry}, {Time: 1e6, Lock: 1, Kind: model.LockAcquired}, {Time: 5e6, Lock: 1, Kind: model.LockReleased},
	}})
	s.Append(&model.Batch{Track: 0, Locks: []model.LockEvent{
		{Time: 2e6, Lock: 1, Kind: model.LockTry}, {Time: 5e6, Lock: 1, Kind: model.LockAcquired}, {Time: 6e6, Lock: 1, Kind: model.LockReleased},
	}})
	text, list := whyBoth(t, schema, s, WhyOptions{})
	want := "Main waited 3.00 ms for mutex at 0:00.002, typical 0 ns. Loader held mutex for 3.00 ms of that, 2.00 ms of it in decode.\n" +
		"mutex: 1 wait, 3.00 ms in all; taken 1× while no holder is known, 0 ns.\n"
	testkit.That(t, text == want && len(list) == 1, "%d: %q, want %q", len(list), text, want)
	if text, list := whyBoth(t, schema, s, WhyOptions{Thread: "Loader"}); len(list) != 0 || text != "Nobody waited for a lock.\n" {
		t.Errorf("of Loader: %q", text)
	}
	err := WriteWhy(&bytes.Buffer{}, openCapture(t, "pstats", "late.pstats"), WhyOptions{Locks: true})
	testkit.That(t, errors.Is(err, errNoLocks), "%v", err)
	err = WriteWhy(&bytes.Buffer{}, openCapture(t, "pstats", "late.pstats"), WhyOptions{Against: rng(t, "1s:2s")})
	testkit.That(t, errors.Is(err, errAgainst), "%v", err)
}

// Of sampled stacks there are no causes of hitches: of all of a session that is said, and of a range, too.
func TestNoCausesOfSamples(t *testing.T) {
	s := opened(t, flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*"))
	for name, o := range map[string]WhyOptions{
		"all": {ByCause: true}, "a range": {ByCause: true, Range: rng(t, "5s:20s")},
		"over a baseline": {ByCause: true, Baseline: s},
	} {
		var out bytes.Buffer
		if err := WriteWhy(&out, s, o); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "--by-cause") || out.Len() > 0 {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}

// Where nothing was slow on the threads that were looked at, others that have frames are named, those with most first.
func TestOthersWithFrames(t *testing.T) {
	s := openCapture(t, "frametimes", "presentmon-v1-case5.csv.gz")
	var framed []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id).NumFrames() > 0 {
			framed = append(framed, id)
		}
	}
	testkit.MustThat(t, len(framed) >= 2, "%d threads have frames", len(framed))
	testkit.Equal(t, noneLate(s, framed), "No frame is a hitch.\n", "of all")
	got := noneLate(s, framed[:1])
	last := -1
	for _, other := range otherFrames(s, framed[:1]) {
		at := strings.Index(got, other)
		testkit.That(t, at > last, "%q: %q is not behind the one before", got, other)
		last = at
	}
	testkit.That(t, strings.Contains(got, " on "+s.Track(framed[0]).Title()+".") && last >= 0, "%q", got)
}

// Where frames vary much, a long one is no hitch, and the text says from which length on it would be one.
func TestLongFramesThatAreNoHitches(t *testing.T) {
	for ns, want := range map[int64]string{
		10_000_000: "No frame is a hitch.\nFrame 3: 14.0 ms, 4.00 ms over the typical 10.0 ms, which is no hitch: a hitch takes 30.0 ms or more here.",
		29_900_000: "No frame is a hitch.\nFrame 200: 29.9 ms, 19.9 ms over the typical 10.0 ms, which is no hitch: a hitch takes 30.0 ms or more here.",
		30_100_000: "Frame 200: 30.1 ms, 20.1 ms over the typical 10.0 ms.",
	} {
		s, at := chartstest.Named("Frame"), int64(0)
		for i := range int64(400) {
			length := format.Pick[int64](i%4 == 3, 14_000_000, 10_000_000)
			if i == 200 {
				length = ns
			}
			at = chartstest.AppendCalls(s, 0, i, at, chartstest.Took(0, length))
		}
		var out bytes.Buffer
		err := WriteWhy(&out, s, WhyOptions{})
		testkit.That(t, err == nil && strings.HasPrefix(out.String(), want), "%d ns: %q, %v", ns, out.String(), err)
	}
}

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
		if row.Collector == model.FrameRoot {
			end = row.Thread + " whole frame"
		}
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

// Of sides of other lengths hitches are counted, and compared by their share of the frames.
func TestDiffComparesRatesOfHitches(t *testing.T) {
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	f := &compare.FrameTimes{Hitches: compare.Figure{A: 416. / 28_571, B: 7. / 893, Verdict: compare.Noise}}
	f.Sides = [2]compare.Times{{Received: 28_571, Hitches: 416}, {Received: 893, Hitches: 7}}
	writeFrameTimes(NewTable(out, true), f)
	testkit.OK(t, out.Flush())
	testkit.Contains(t, b.String(), "| 416 | 7 |  | hitches |\n", "| 14.560 | 7.839 | −6.721 | hitches per 1000 frames |\n")
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
