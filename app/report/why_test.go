package report

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/internal/docs"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
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
		err := WriteWhy(&bytes.Buffer{}, s, o)
		testkit.That(t, err != nil && strings.Contains(err.Error(), want), "%+v: %v, want %q", o, err, want)
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
	testkit.Equal(t, noneLate(s, framed), "No frame is much longer than those around it.\n", "of all")
	got := noneLate(s, framed[:1])
	last := -1
	for _, other := range otherFrames(s, framed[:1]) {
		at := strings.Index(got, other)
		testkit.That(t, at > last, "%q: %q is not behind the one before", got, other)
		last = at
	}
	testkit.That(t, strings.Contains(got, " on "+s.Track(framed[0]).Title()+".") && last >= 0, "%q", got)
}
