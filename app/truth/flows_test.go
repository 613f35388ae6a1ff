package truth

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/report"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/internal/escape"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/widgets/details"
)

// flowsOf are the arrows of each span, worked out one by one.
type flowsOf struct {
	all     []spans.Arrow // in the order of their ends
	in, out map[spans.Ref][]spans.Arrow
	lanes   map[model.TrackID]map[uint16][]span
}

// newFlows goes through all arrows of a session.
func (p *plain) newFlows() *flowsOf {
	x := &flowsOf{in: map[spans.Ref][]spans.Arrow{}, out: map[spans.Ref][]spans.Arrow{}, lanes: map[model.TrackID]map[uint16][]span{}}
	for id, list := range p.spans {
		x.lanes[id] = map[uint16][]span{}
		for _, s := range list {
			x.lanes[id][s.Ref.Lane] = append(x.lanes[id][s.Ref.Lane], s)
		}
	}
	for id := range model.TrackID(p.s.NumTracks()) {
		x.all = p.s.Flows().In(id, model.MinTime, model.MaxTime, x.all)
	}
	slices.SortStableFunc(x.all, func(a, b spans.Arrow) int { return cmp.Compare(a.To, b.To) })
	for _, a := range x.all {
		if r, ok := x.end(p, a.ToTrack, a.ToLane, a.To); ok {
			x.in[r.Ref] = append(x.in[r.Ref], a)
		}
		if r, ok := x.end(p, a.FromTrack, a.FromLane, a.From); ok {
			x.out[r.Ref] = append(x.out[r.Ref], a)
		}
	}
	for _, list := range x.out {
		slices.SortStableFunc(list, func(a, b spans.Arrow) int { return cmp.Compare(a.From, b.From) })
	}
	return x
}

// end is the span that an end of an arrow belongs to: that of the lane that is named; else of those that
// begin then the innermost, else of those that run, else of those that end. Of what is under way beside
// others it is what began last.
func (x *flowsOf) end(p *plain, track model.TrackID, lane uint16, at int64) (best span, ok bool) {
	if s, here := covering(x.lanes[track][lane], at); here && lane != model.NoLane {
		return s, true
	}
	most := 0
	for n := p.s.Track(track).Lanes() - 1; n >= 0; n-- {
		s, here := covering(x.lanes[track][uint16(n)], at)
		if !here {
			continue
		}
		rank := 1
		if s.Begin == at {
			rank = 3
		} else if s.End > at {
			rank = 2
		}
		if rank > most || rank == most && !p.s.Track(track).Def.Kind.Calls() && s.Begin > best.Begin {
			best, most = s, rank
		}
	}
	return best, most > 0
}

// covering is the span of a lane at a time; of one that ends then and one that begins it is this.
func covering(lane []span, at int64) (s span, ok bool) {
	i := sort.Search(len(lane), func(i int) bool { return lane[i].End >= at })
	if i == len(lane) || lane[i].Begin > at {
		return s, false
	}
	if i+1 < len(lane) && lane[i].End == at && lane[i+1].Begin == at {
		i++
	}
	return lane[i], true
}

// flowWords are what a tooltip says of the flows of a span: "2 to it, 1 from it", empty of none.
func (x *flowsOf) words(r spans.Ref) string {
	var parts []string
	if n := len(x.in[r]); n > 0 {
		parts = append(parts, string(format.AppendCount(nil, int64(n)))+" to it")
	}
	if n := len(x.out[r]); n > 0 {
		parts = append(parts, string(format.AppendCount(nil, int64(n)))+" from it")
	}
	return strings.Join(parts, ", ")
}

// takeFlows takes the flows of a span out of what its tooltip says, and tells whether they are those of the
// span.
func (x *tip) takeFlows(seen map[string]int) string {
	if x.hit.Kind != panel.HitSpan || x.panel != "timeline" && x.panel != "processors" || !x.s.Flows().Any() {
		return ""
	}
	if x.arrows == nil {
		x.arrows = x.newFlows()
	}
	want := x.arrows.words(x.hit.Bar.Ref)
	at := slices.IndexFunc(x.words, func(w string) bool { return strings.HasPrefix(w, "flows\t") })
	switch {
	case at < 0 && want == "":
		return ""
	case at < 0 || x.words[at] != "flows\t"+want && !strings.HasSuffix(x.words[at], " or more"):
		return fmt.Sprintf("it does not say that its flows are %q", want)
	}
	x.words = slices.Delete(slices.Clone(x.words), at, at+1)
	seen[x.panel+".flows"]++
	return ""
}

// rowsOf are what the inspector says of the flows of a span.
func (x *flowsOf) rows(p *plain, r spans.Ref) (rows []string) {
	row := func(word, track string, other span, known bool, a spans.Arrow, delay int64, when string) {
		name := "no span that is known"
		if known {
			name = escape.Name(p.s.Collector(other.Collector).Name)
		}
		if delay < 0 {
			when = map[string]string{"before": "after", "after": "before"}[when]
		}
		text := string(format.AppendDuration(nil, max(delay, -delay))) + " " + when
		if delay == 0 {
			text = "at once"
		}
		rows = append(rows, fmt.Sprintf("%s %s on %s · %s | %s", word, name, escape.Name(track), escape.Name(p.s.Flows().Name(a.Name)), text))
	}
	for _, a := range x.in[r] {
		other, known := x.end(p, a.FromTrack, a.FromLane, a.From)
		row("from", p.s.Track(a.FromTrack).Title(), other, known, a, a.To-a.From, "before")
	}
	for _, a := range x.out[r] {
		other, known := x.end(p, a.ToTrack, a.ToLane, a.To)
		row("to", p.s.Track(a.ToTrack).Title(), other, known, a, a.To-a.From, "after")
	}
	return rows
}

// compareFlows compares the flows of the selected span in the details.
func (p *part) compareFlows(t testkit.T, rig *chartstest.Rig, r spans.Ref, seen map[string]int) {
	pane := &details.Panel{}
	settle(rig, pane)
	var got []string
	head := ""
	for _, f := range pane.Facts(rig.Env, nil) {
		if strings.HasPrefix(f.Header, "flows: ") && (strings.HasPrefix(f.Measure, "from ") || strings.HasPrefix(f.Measure, "to ")) {
			got, head = append(got, f.Measure+" | "+f.Text), f.Header
		}
	}
	want := p.arrows.rows(&p.plain, r)
	testkit.That(t, head == "flows: "+p.arrows.words(r), "%s: the head is %q, there are %q", p, head, p.arrows.words(r))
	if len(got) >= 8 { // there is no room for more
		want = want[:min(len(want), len(got))]
	}
	slices.Sort(got) // of those of one time either is the first
	slices.Sort(want)
	testkit.That(t, slices.Equal(got, want),
		"%s: the flows in the details are\n%s\nthey are\n%s", p, strings.Join(got, "\n"), strings.Join(want, "\n"))
	seen["rows"] += len(got)
}

// reportedFlows compares the flows that ended in the range in a report.
func (p *part) reportedFlows(t testkit.T, seen map[string]int) {
	type sum struct {
		n, noBegin, noEnd, ns, worst int64
	}
	sums := map[string]*sum{}
	for _, a := range p.arrows.all {
		if a.To < p.t0 || a.To >= p.t1 {
			continue
		}
		name := escape.Name(p.s.Flows().Name(a.Name))
		u := sums[name]
		if u == nil {
			u = &sum{worst: a.To - a.From}
			sums[name] = u
		}
		u.n, u.ns, u.worst = u.n+1, u.ns+a.To-a.From, max(u.worst, a.To-a.From)
		if _, ok := p.arrows.end(&p.plain, a.FromTrack, a.FromLane, a.From); !ok {
			u.noBegin++
		}
		if _, ok := p.arrows.end(&p.plain, a.ToTrack, a.ToLane, a.To); !ok {
			u.noEnd++
		}
	}
	got := map[string]int64{}
	for _, u := range p.s.Flows().Sums(p.s.Spans(), p.t0, p.t1) {
		got[escape.Name(p.s.Flows().Name(u.Name))] += u.N
	}
	var out bytes.Buffer
	if err := report.Write(&out, p.s, report.Options{Stats: true, Range: place.TimeRange{Times: true, A: p.t0, B: p.t1, HasA: true, HasB: true}}); err != nil {
		t.Errorf("%s: %v", p, err)
		return
	}
	for name, u := range sums {
		line := fmt.Sprintf("%10d %10.3f %10.3f  %s (worst from ", u.n, float64(u.ns)/float64(u.n)/1e6, float64(u.worst)/1e6, name)
		testkit.That(t, strings.Contains(out.String(), line) && got[name] == u.n, "%s: the report has no line %q", p, line)
		if ends := fmt.Sprintf("; %d begin and %d end where no span is", u.noBegin, u.noEnd); u.noBegin+u.noEnd > 0 && !strings.Contains(out.String(), ends) {
			t.Errorf("%s: of %s it does not say %q", p, name, ends)
		}
		seen["sums"]++
	}
}

// What the window says of flows, and what a report does, is what they are, arrow by arrow.
func TestFlows(t *testing.T) {
	seen := map[string]int{}
	eachPart(t, func(t *testing.T, p *part) {
		if !p.s.Flows().Any() || p.t0 < 0 {
			return
		}
		if p.arrows == nil {
			p.arrows = p.newFlows()
		}
		p.reportedFlows(t, seen)
		for i, n := 0, 0; i < len(p.arrows.all) && n < 6; i, n = i+max(len(p.arrows.all)/6, 1), n+1 {
			a := p.arrows.all[i]
			r, ok := p.arrows.end(&p.plain, a.ToTrack, a.ToLane, a.To)
			if n%2 == 1 {
				r, ok = p.arrows.end(&p.plain, a.FromTrack, a.FromLane, a.From)
			}
			if !ok {
				continue
			}
			rig := p.rig()
			rig.R = draw.Rect{X1: 320, Y1: 900}
			rig.Env.View.SelectSpan(r.Bar)
			p.compareFlows(t, rig, r.Ref, seen)
		}
	})
	testkit.That(t, seen["rows"] != 0 && seen["sums"] != 0, "compared are %v", seen)
}

// waitsTold is what the command why --waits says of a path.
type waitsTold struct {
	Path  string
	Waits []staysTold
}

type staysTold struct {
	Element, How string
	Timed        int64
	Mean         float64 `json:"mean_ns"`
	Median       float64 `json:"median_ns"`
	P99          float64 `json:"p99_ns"`
	Share        float64
	Fill         *float64 `json:"fill_median"`
	FillMax      *float64 `json:"fill_max"`
}

// Of a pipeline the headline says where buffers wait, as the command why --waits does of the longest
// path, and both as the samples give it.
func TestWhereBuffersWait(t *testing.T) {
	for _, name := range []string{"latency-tee-queues.log.gz", "all-audio-chain.log.gz"} {
		s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", name)).s
		var told []waitsTold
		explain(t, s, report.WhyOptions{Waits: true}, &told)
		rig := whyRig(s)
		pane, head := &details.Panel{}, &details.Why{}
		head.Meet(func(string) panel.Panel { return pane })
		links := 0
		for _, w := range told {
			way := slices.IndexFunc(tracksOf(s), func(id model.TrackID) bool { return s.Track(id).Title() == w.Path })
			rig.Env.View.SetTrack(model.TrackID(way))
			settle(rig, pane)
			settle(rig, head)
			got := map[int]map[string]float64{}
			for _, f := range head.Facts(rig.Env, nil) {
				if got[f.Row] == nil {
					got[f.Row] = map[string]float64{}
				}
				got[f.Row][f.Measure] = f.Value
			}
			for i, l := range w.Waits {
				links++
				x := got[i]
				if _, how := x["flow "+l.How]; !how || x["flow share"] != l.Share || l.Timed > 0 && (x["flow median"] != l.Median || x["flow buffers"] != float64(l.Timed)) {
					t.Errorf("%s: %s: the headline says %v, why %+v", name, w.Path, x, l)
				}
				if l.How != "waits" && l.How != "works" {
					continue
				}
				var own []float64
				means := 0.0
				for _, e := range stopsOf(s, model.TrackID(way)) {
					all := tookAt(s, e[1])
					sum := 0.0
					for _, v := range all {
						sum += v
					}
					mean := sum / float64(len(all))
					if means += mean; e[0] == l.Element {
						own = all
					}
				}
				slices.Sort(own)
				sum := 0.0
				for _, v := range own {
					sum += v
				}
				mean, n := sum/float64(len(own)), len(own)
				testkit.That(t, int64(n) == l.Timed && math.Abs(mean-l.Mean) <= 1 && math.Abs(mean/means-l.Share) <= 1e-6 &&
					l.Median >= own[(n-1)/2]-1 && l.Median <= own[n/2]+1 && l.P99 <= own[n-1] && l.P99 >= own[n*9/10],
					"%s: %s: why says %+v, the samples give %d of %v, %v of %v", name, w.Path, l, n, mean, own[n/2], mean/means)
			}
		}
		testkit.That(t, links >= 1, "%s: nothing was told", name)
	}
}

func tracksOf(s *store.Session) (out []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		out = append(out, id)
	}
	return out
}

// stopsOf are the elements on a way, and the pads by which it leads.
func stopsOf(s *store.Session, way model.TrackID) (out [][2]string) {
	var p spans.Passage
	for lane := range s.Track(way).Lanes() {
		for _, b := range s.Spans().Visible(way, lane, 0, math.MaxInt64, 0, nil) {
			s.Spans().Passage(b.Ref, &p)
			for i := range p.Stops {
				stop := [2]string{s.Track(p.Stops[i].Ref.Track).Title(), s.Collector(p.Stops[i].Collector).Name}
				if p.Whole && !slices.Contains(out, stop) {
					out = append(out, stop)
				}
			}
		}
	}
	return out
}

// tookAt are the times that buffers took up to a pad of an element.
func tookAt(s *store.Session, pad string) (out []float64) {
	for id := range model.SeriesID(s.Series().Len()) {
		if x := s.Series().ByID(id); x.Def.Role == model.RoleLatency && x.Def.Peer == model.NoObject && x.Def.Name == pad {
			for _, v := range x.Samples(math.MinInt64/2, math.MaxInt64/2, 0, nil) {
				out = append(out, v.Value)
			}
		}
	}
	return out
}

// Frames of games that stop what they never started, as Panda3D 1.10 does: no time is below zero, all
// own times of a frame add up to it, and timeline, flame graph, tables, tooltips and reports agree.
func TestStopsWithoutStarts(t *testing.T) {
	seen, nth, strays := map[string]int{}, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := &pstatstest.Sink{Session: store.NewSession()}
		d := decode.New(s, decode.Options{})
		defs := []pstats.CollectorDef{{Name: "Frame"}}
		for i := range 5 {
			defs = append(defs, pstats.CollectorDef{Index: int16(i + 1), Parent: int16(max(0, i-2)), Name: fmt.Sprintf("C%d", i)})
		}
		d.Collectors(defs)
		d.Threads(0, []string{"Main"})
		now, number := float32(1), uint32(1)
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			f := &pstats.Frame{Number: number, Events: []pstats.Event{{Time: now}}}
			step := rapid.SampledFrom([]uint32{1, 1, 1, 3}).Draw(t, "step")
			number += step
			var open, stray []uint16 // as they were started; stopped only
			for range rapid.IntRange(0, 10).Draw(t, "events") {
				now += rapid.SampledFrom([]float32{0.25, 1}).Draw(t, "dt")
				c, n := uint16(rapid.IntRange(1, 5).Draw(t, "collector")), len(open)
				switch rapid.IntRange(0, 2).Draw(t, "event") {
				case 0:
					open = append(open, c)
					f.Events = append(f.Events, pstats.Event{Word: c, Time: now})
				case 1:
					if n > 0 {
						f.Events = append(f.Events, pstats.Event{Word: open[n-1] | pstats.StopBit, Time: now})
						open = open[:n-1]
					}
				default:
					if !slices.Contains(open, c) && !slices.Contains(stray, c) {
						stray = append(stray, c)
						strays++
						f.Events = append(f.Events, pstats.Event{Word: c | pstats.StopBit, Time: now})
					}
				}
			}
			for _, c := range slices.Backward(open) {
				f.Events = append(f.Events, pstats.Event{Word: c | pstats.StopBit, Time: now})
			}
			now++
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: now})
			d.Frame(f, 0)
		}
		d.Close("")
		x := subjectOf("strays", s.Session)
		for i := range s.Session.Track(0).NumFrames() {
			f, sum := s.Session.Track(0).Frame(i), int64(0)
			for _, a := range s.Session.Frames().Self(0, i, nil) {
				sum += a.Ns
				testkit.MustThat(t, a.Ns >= 0, "frame %d: %+v", f.Number, a)
			}
			testkit.MustThat(t, sum == f.End-f.Begin,
				"frame %d took %d ns, and all that ran in it %d", f.Number, f.End-f.Begin, sum)
		}
		parts := x.parts()
		p := &parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		nth++
		p.compareReport(t)
		p.comparePanels(t, rapid.IntRange(0, 94).Draw(t, "where it is pointed at"), comparedOf{tables: seen, tips: seen})
		p.checkInvariants(t)
	})
	testkit.That(t, nth <= 20 || strays >= 20 && len(seen) >= 30,
		"only %d stops without a start, %d kinds of numbers compared", strays, len(seen))
}

// What is under way besides others of its kind has no time of its own and is no share of a range,
// in no table and no report; what else is known of it stands there.
func TestAsynchronousSpansHaveNoSelf(t *testing.T) {
	stated := map[string]int{}
	eachPart(t, func(t *testing.T, p *part) {
		if len(p.async) == 0 || p.track != model.NoTrack && p.s.Track(p.track).Def.Kind.Calls() {
			return
		}
		for _, d := range registry.All() {
			if tableRules[d.ID] == nil || d.Has != nil && !d.Has(p.s.Contents()) || d.ID == "spikes" {
				continue
			}
			rig, c := p.rig(), d.New()
			if p.track != model.NoTrack {
				rig.Env.View.SelectCollector(p.dearest())
			}
			settle(rig, c)
			for _, f := range c.(panel.Teller).Facts(rig.Env, nil) {
				if !p.async[f.Of.Collector] {
					continue
				}
				stated[d.ID]++
				testkit.That(t, f.Measure != "self" && (f.Measure != "share" || d.ID == "calltree"),
					"%s: %s of %s: %q", p, f.Measure, f.Name, f.Text)
			}
		}
		for _, line := range p.report().object("calls").rows("all") {
			for c := range p.async {
				if _, has := line["self_ns"]; has && line.text("collector") == p.s.Collector(c).Title() {
					t.Errorf("%s: report has a self of %s", p, line.text("collector"))
				}
			}
			stated["report"]++
		}
	})
	demand(t, stated, "statistics", "collectors", "calls", "calltree", "report")
}

// Of frames of one thread the calls that call trees count are the starts that statistics and reports
// count, and those that were under way as the first frame began, of every collector.
func TestCallsOfFramesAreTheirStarts(t *testing.T) {
	for _, name := range []string{"nested", "recursion", "threads", "late", "gaps", "fragmented", "killed", "levels", "tinyudp", "bigframes"} {
		s := chartstest.Load(t, decode.Source{}, recordings.PStats, name+".pstats")
		checked := 0
		for id := range model.TrackID(s.NumTracks()) {
			n := s.Track(id).NumFrames()
			for _, r := range [][2]int{{0, n - 1}, {n / 3, n / 2}, {n / 2, n / 2}} {
				if n == 0 {
					continue
				}
				calls := map[model.CollectorID]int64{}
				var tree spans.Tree
				for _, x := range s.FrameTotals(id, r[0], r[1], &tree, nil) {
					calls[x.Collector] = x.Count
				}
				begin := s.Track(id).Frame(r[0]).Begin
				for lane := range s.Track(id).Lanes() {
					for _, b := range s.Spans().Visible(id, lane, begin-1, begin, 0, nil) {
						if b.Begin < begin && b.End > begin {
							calls[b.Collector]--
						}
					}
				}
				for _, st := range s.Frames().ExactStats(id, frames.FigureSelf, r[0], r[1], nil) {
					if checked++; st.Count != calls[st.Collector] {
						t.Errorf("%s, %s, frames %d to %d: %s starts %d times, and has %d calls that began then", name, s.Track(id).Title(), r[0], r[1],
							s.Collector(st.Collector).Title(), st.Count, calls[st.Collector])
					}
				}
			}
		}
		testkit.That(t, checked >= 5, "%s: %d collectors were compared", name, checked)
	}
}
