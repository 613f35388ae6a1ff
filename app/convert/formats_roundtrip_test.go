package convert_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// recording is one that is here; whole: nothing of it is damaged.
type recording struct {
	name    string
	session *store.Session
	whole   bool
}

// allRecordings are read once.
var allRecordings []recording

// everything returns all recordings that are here, and their sessions.
func everything(t *testing.T) []recording {
	t.Helper()
	if allRecordings != nil {
		return allRecordings
	}
	reg := testkit.Must(load.Sources{}.Registry())(t)
	for _, path := range append(recordings.Few(recordings.All(t, reg)), filepath.Join(flaretest.Captures(t), "recorded-60s")) {
		if rec, err := load.File(t.Context(), path, load.Options{}); rec != nil {
			name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
			allRecordings = append(allRecordings, recording{name, rec.Session, err == nil})
		}
	}
	return allRecordings
}

// partsOf are a session, the middle of it, and its busiest thread.
func partsOf(t *testing.T, s *store.Session) map[string]*convert.Part {
	t.Helper()
	out := map[string]*convert.Part{}
	out["all"] = testPart(t, s, "")
	if begin, end, ok := s.Bounds(); ok && !s.Contents().Timeless && end-begin > 3 {
		third := (end - begin) / 3
		out["middle"] = convert.Between(s, begin+third, begin+2*third)
	}
	best := model.NoTrack
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		if tr.Def.Kind.Calls() && tr.NumSpans() > 0 && (best == model.NoTrack || tr.NumSpans() > s.Track(best).NumSpans()) {
			best = id
		}
	}
	if best != model.NoTrack {
		one := testkit.Must(convert.Of(s, place.TimeRange{}, []string{s.Track(best).Title()}))(t)
		out["thread"] = one
	}
	return out
}

// lost maps recordings with names that folded stacks cannot hold to the reason.
var lost = map[string]string{"gsttrace/odd-names.log": "names have what stands between names"}

// sameSums compares own figures by name.
func sameSums(t *testing.T, a, b *convert.Part) {
	t.Helper()
	want, got := own(t, a), own(t, b)
	if a.Session.Contents().Timeless && !b.Session.Contents().Timeless { // sums of times
		got = ownOf(b, spans.MeasureDuration)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %d, not %d", name, got[name], want[name])
			return
		}
	}
	testkit.That(t, len(got) == len(want), "%d names, not %d", len(got), len(want))
}

// TestEverythingComesBack: every recording, its middle, and its busiest thread come back from folded stacks as what
// these can hold of them.
func TestEverythingComesBack(t *testing.T) {
	done, n, f := 0, 0, &convert.FoldedFormat
	for _, rec := range everything(t) {
		name, s := rec.name, rec.session
		if !rec.whole || !s.Contents().Any() {
			continue
		}
		n++
		for what, p := range partsOf(t, s) {
			if what == []string{"middle", "thread", ""}[n%3] && !testkit.Long {
				continue
			}
			if f.Check(p) != nil || lost[name] != "" || f.Give(t.Context(), p, io.Discard) != nil { // an empty file opens nowhere
				continue
			}
			done++
			t.Run(name+"/"+what, func(t *testing.T) {
				again, _ := reopened(t, f, p)
				sameSums(t, p, testPart(t, again, ""))
			})
		}
	}
	testkit.That(t, done >= testkit.Rounds(15, 40), "only %d", done)
}

// own returns by name what the tracks of calls of a part spent by themselves, in its measure.
func own(t *testing.T, p *convert.Part) map[string]int64 {
	t.Helper()
	m := testkit.Must(p.Measure())(t)
	return ownOf(p, m)
}

// ownOf is own in a measure. What is no character of a line is a space.
func ownOf(p *convert.Part, m spans.Measure) map[string]int64 {
	sums := map[string]int64{}
	for _, id := range p.Tracks {
		if !p.Session.Track(id).Def.Kind.Calls() {
			continue
		}
		var tree spans.Tree
		p.Tree(m, id, &tree)
		for k := range tree.Nodes {
			if n := &tree.Nodes[k]; n.Self > 0 {
				sums[strings.ReplaceAll(p.Name(n.Collector), "\t", " ")] += n.Self
			}
		}
	}
	return sums
}

// read returns what speedscope's importer makes of files: the own figures of functions, by name.
func read(t *testing.T, folder string, files []string) []map[string]float64 {
	t.Helper()
	cmd := exec.Command("node", append([]string{"testdata/speedscope.mjs", folder}, files...)...)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out := testkit.Must(cmd.Output())(t, &wrong)
	sums := make([]map[string]float64, len(files))
	for i := range sums {
		sums[i] = map[string]float64{}
	}
	for line := range bytes.Lines(out) {
		var f struct {
			Number int
			Frame  string
			Self   float64
		}
		testkit.OK(t, json.Unmarshal(line, &f), string(line))
		name, _, _ := strings.Cut(f.Frame, " {") // arguments of an event of a Chrome trace
		sums[f.Number][strings.ReplaceAll(name, "\t", " ")] += f.Self
	}
	return sums
}

// TestRealSpeedscope: speedscope's own importer finds the figures of reports in the exports that it opens.
func TestRealSpeedscope(t *testing.T) {
	folder := testkit.Speedscope(t)
	cases := []struct {
		recording, rng, format string
		scale                  float64 // nanoseconds, or counts, of its unit
	}{
		{"pstats/nested.pstats", "20:50", "chrome", 1000},
		{"pstats/nested.pstats", "", "chrome", 1000},
		{"chrometrace/engine-object.json.gz", "100ms:200ms", "chrome", 1000},
		{"gotrace/game-122.trace.gz", "", "folded", 1}, // speedscope passes over spans that are open at the end
		{"profilelib/small-clean.prof", "", "chrome", 1000},
		{"spall/game-v3.spall", "", "folded", 1},
		{"puffin/pfd1.puffin", "", "chrome", 1000},
		{"perfetto/sdk-us.pftrace.gz", "", "chrome", 1000},
		{"cpuprofile/main.cpuprofile", "", "folded", 1},
		{"perfscript/game-events.txt.gz", "", "folded", 1},
		{"pprof/game-heap.pprof", "", "folded", 1},
		{"pprof/game-cpu.pprof", "", "folded", 1},
		{"folded/game-threads.folded", "", "folded", 1},
	}
	var files []string
	var parts []*convert.Part
	for _, c := range cases {
		p := part(t, c.recording, c.rng)
		_, path := reopened(t, testkit.Must(convert.FindFormat(c.format, ""))(t), p)
		files, parts = append(files, path), append(parts, p)
	}
	for i, got := range read(t, folder, files) {
		c := &cases[i]
		want := own(t, parts[i])
		if c.format == "folded" {
			threads(parts[i], got)
		}
		for name, v := range got {
			testkit.Equal(t, int64(math.Round(v*c.scale)), want[name], "%v: %s", *c, name)
			delete(want, name)
		}
		testkit.That(t, len(want) == 0 && len(got) != 0, "%v: missing: %v", *c, want)
	}
}

// threads takes the threads away with which folded stacks begin, which have no time by themselves.
func threads(p *convert.Part, sums map[string]float64) {
	for _, id := range p.Tracks {
		delete(sums, "thread "+p.Session.Track(id).Title())
	}
}

// TestRealDuckDB: DuckDB adds the tables up to the figures of reports, as CSV and as Parquet, for each kind of
// session.
func TestRealDuckDB(t *testing.T) {
	python := testkit.Python(t, "duckdb", "duckdb")
	var want, files []string
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz", "gsttrace/latency-tee-queues.log.gz",
		"profilelib/small-clean.prof", "perfetto/sdk-us.pftrace.gz", "spall/game-v3.spall", "cpuprofile/main.cpuprofile",
	} {
		p := part(t, name, "")
		sums := map[string][3]int64{}
		for _, id := range p.Tracks {
			if !p.Session.Track(id).Def.Kind.Calls() {
				continue
			}
			var tree spans.Tree
			p.Tree(spans.MeasureDuration, id, &tree)
			for k := range tree.Nodes {
				n := &tree.Nodes[k]
				key := p.Session.Track(id).Title() + "|" + p.Session.Collector(n.Collector).Title()
				s := sums[key]
				sums[key] = [3]int64{s[0] + n.Count, s[1] + n.Total, s[2] + n.Self}
			}
		}
		for _, f := range []*convert.Format{&convert.CSVFormat, &convert.ParquetFormat} {
			dir := t.TempDir()
			testkit.OK(t, f.Folder(t.Context(), p, dir))
			for key, s := range sums {
				want = append(want, fmt.Sprintln(len(files), key, s))
			}
			files = append(files, filepath.Join(dir, "spans"+f.Ext))
		}
	}
	out, err := exec.Command(python, append([]string{"testdata/sums.py"}, files...)...).CombinedOutput()
	testkit.OK(t, err, string(out))
	for _, line := range want {
		testkit.That(t, strings.Contains("\n"+string(out), "\n"+line), "%q: no %q", files, line)
	}
}

// An export that is opened again has the spans of each thread with their arguments, the values of counters, the flows,
// and frames that begin where they did; so has one of the middle of a recording.
func TestExportsOpenAgain(t *testing.T) {
	for _, name := range []string{
		"pstats/nested.pstats", "pstats/levels.pstats", "chrometrace/engine-object.json.gz", "chrometrace/bevy-async.json.gz",
		"gotrace/game-122.trace.gz", "perfetto/sdk-us.pftrace.gz", "profilelib/small-clean.prof", "spall/game-v3.spall",
		"puffin/pfd1.puffin", "gsttrace/latency-tee-queues.log.gz",
	} {
		s := opened(t, name)
		for what, p := range partsOf(t, s) {
			t.Run(name+"/"+what, func(t *testing.T) {
				again, _ := reopened(t, &convert.ChromeFormat, p)
				opensAgain(t, factsOf(p, 1), factsOf(testPart(t, again, ""), 0))
			})
		}
	}
}

// So do random sessions.
func TestRandomOpensAgain(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		p, err := convert.Of(randomSession(r), place.TimeRange{}, nil)
		if err != nil {
			return // there is nothing in it
		}
		if again := through(r, dir, &convert.ChromeFormat, p); again != nil {
			q := testkit.Must(convert.Of(again, place.TimeRange{}, nil))(r)
			opensAgain(r, factsOf(p, 1), factsOf(q, 0))
		}
	})
}

// opensAgain compares facts.
func opensAgain(t complainer, want, got map[string][]string) {
	t.Helper()
	for what, lines := range want {
		if !slices.Equal(lines, got[what]) {
			t.Errorf("%s: %s", what, firstDifference(lines, got[what]))
		}
	}
	for what := range got {
		if strings.HasPrefix(what, "spans") && want[what] == nil {
			t.Errorf("%s came from nowhere", what)
		}
	}
}

// factsOf are the facts of a part that a format has, a line each: times count from the first one on. It leaves out
// so many frames at the end of a process: an export has no end of the last one, which is open then.
func factsOf(p *convert.Part, leaves int) map[string][]string {
	out := map[string][]string{}
	zero := firstTime(p, leaves)
	procs, threads := p.Threads()
	for i := range threads {
		th := &threads[i]
		calls := th.Track.Def.Kind.Calls()
		what := "spans beside threads"
		if calls {
			what = "spans of " + th.Track.Title()
		}
		var list []convert.Span
		p.Spans(th.ID, func(s *convert.Span) error { list = append(list, *s); return nil })
		slices.SortStableFunc(list, func(a, b convert.Span) int {
			return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End))
		})
		for k := range list {
			s := &list[k]
			line := fmt.Sprintf("%20d to %d %s", s.Begin-zero, s.End-zero, p.Name(s.Collector))
			for _, a := range p.Args(s) {
				line += fmt.Sprintf(" %s=%s", a.Key, a.Value)
			}
			out[what] = append(out[what], line)
		}
		if th.ID != procs[th.Process].Host {
			continue
		}
		var begins []string
		p.EachFrame(th.ID, func(x frames.Frame) error {
			begins = append(begins, fmt.Sprintf("%20d from %d", x.Number, x.Begin-zero))
			return nil
		})
		out["frames"] = append(out["frames"], begins[:max(len(begins)-leaves, 0)]...)
	}
	slices.Sort(out["frames"])
	slices.Sort(out["spans beside threads"])
	out["counters"] = valuesOf(p, p.Counters(threads), zero)
	out["flows"] = flowsOf(p, zero)
	return out
}

// firstTime is the first time of all spans and values, or of the first frame.
func firstTime(p *convert.Part, leaves int) int64 {
	first := int64(model.MaxTime)
	_, threads := p.Threads()
	for i := range threads {
		p.Spans(threads[i].ID, func(s *convert.Span) error { first = min(first, s.Begin); return nil })
	}
	p.Values(p.Counters(threads), func(_ *convert.Counter, ns int64, v float64) error {
		if v-v == 0 {
			first = min(first, ns)
		}
		return nil
	})
	if first < model.MaxTime {
		return first
	}
	for _, id := range p.Tracks { // there are frames alone
		if f, end := p.Frames(id); f+leaves < end {
			first = min(first, p.Session.Track(id).Frame(f).Begin)
		}
	}
	return first
}

// valuesOf are the values of counters with their times, a line for each counter; its name is another one in each
// format.
func valuesOf(p *convert.Part, list []convert.Counter, zero int64) (out []string) {
	lines := map[*convert.Counter]string{}
	p.Values(list, func(c *convert.Counter, ns int64, v float64) error {
		if v-v == 0 {
			lines[c] += fmt.Sprintf(" %d=%g", ns-zero, v)
		}
		return nil
	})
	for _, line := range lines {
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

// flowsOf are the arrows between threads, from time to time.
func flowsOf(p *convert.Part, zero int64) (out []string) {
	table, tracks := p.Session.Spans(), p.Session.Track
	for _, id := range p.Tracks {
		p.Flows(id, func(a *spans.Arrow) error {
			from, begins := a.Begin(table)
			to, ends := a.End(table)
			calls := tracks(a.FromTrack).Def.Kind.Calls() && tracks(a.ToTrack).Def.Kind.Calls()
			first, _ := p.Time(a.FromTrack)
			if begins && ends && calls && from.Ref != to.Ref && from.Begin < to.Begin && a.From <= a.To && a.From >= first {
				out = append(out, fmt.Sprintf("%s at %d to %s at %d %s",
					tracks(a.FromTrack).Title(), a.From-zero, tracks(a.ToTrack).Title(), a.To-zero, p.Session.Flows().Name(a.Name)))
			}
			return nil
		})
	}
	slices.Sort(out)
	return out
}
