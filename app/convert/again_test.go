package convert_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
)

// timed are the formats of events along time.
var timed = []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat}

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
			for _, f := range timed {
				t.Run(fmt.Sprintf("%s/%s/%s", name, what, f.ID), func(t *testing.T) {
					again, _ := reopened(t, f, p)
					want := factsOf(p, f, 1)
					if strings.HasPrefix(name, "chrometrace/engine") && f == &convert.PerfettoFormat {
						delete(want, "frames") // its spans called Frame are more
					}
					opensAgain(t, want, factsOf(testPart(t, again, ""), f, 0))
				})
			}
		}
	}
}

// So do random sessions.
func TestRandomOpensAgain(t *testing.T) {
	for _, f := range timed {
		t.Run(f.ID, func(t *testing.T) {
			dir := t.TempDir()
			rapid.Check(t, func(r *rapid.T) {
				p, err := convert.Of(randomSession(r), place.TimeRange{}, nil)
				if err != nil {
					return // there is nothing in it
				}
				if again := through(r, dir, f, p); again != nil {
					q := testkit.Must(convert.Of(again, place.TimeRange{}, nil))(r)
					opensAgain(r, factsOf(p, f, 1), factsOf(q, f, 0))
				}
			})
		})
	}
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
func factsOf(p *convert.Part, f *convert.Format, leaves int) map[string][]string {
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
	out["counters"] = valuesOf(p, p.Counters(threads), f, zero)
	out["flows"] = flowsOf(p, f, zero)
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
func valuesOf(p *convert.Part, list []convert.Counter, f *convert.Format, zero int64) (out []string) {
	lines := map[*convert.Counter]string{}
	p.Values(list, func(c *convert.Counter, ns int64, v float64) error {
		switch {
		case v-v != 0:
		case c.Series != nil && len(c.Series.Def.States) > 0 && f == &convert.PerfettoFormat:
			lines[c] += fmt.Sprintf(" %d=%s", ns-zero, c.Series.Def.States[int(v)])
		default:
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

// flowsOf are arrows: from time to time, or, in Perfetto traces, from span to span.
func flowsOf(p *convert.Part, f *convert.Format, zero int64) (out []string) {
	table, tracks := p.Session.Spans(), p.Session.Track
	can := func(a *spans.Arrow) bool {
		from, begins := a.Begin(table)
		to, ends := a.End(table)
		calls := tracks(a.FromTrack).Def.Kind.Calls() && tracks(a.ToTrack).Def.Kind.Calls()
		return begins && ends && calls && from.Ref != to.Ref && from.Begin < to.Begin && a.From <= a.To
	}
	p.Arrows(can, func(a *convert.Arrow) error {
		from, to, name := a.From, a.To, p.Session.Flows().Name(a.Name)
		if f == &convert.PerfettoFormat {
			x, _ := a.Begin(table)
			y, _ := a.End(table)
			from, to, name = x.Begin, y.Begin, ""
		}
		out = append(out, fmt.Sprintf("%s at %d to %s at %d %s",
			tracks(a.FromTrack).Title(), from-zero, tracks(a.ToTrack).Title(), to-zero, name))
		return nil
	})
	slices.Sort(out)
	return out
}
