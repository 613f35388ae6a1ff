package truth

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/escape"
	"framescope/model"

	"framescope/model/place"
	"framescope/model/spans"
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
func (p *part) compareFlows(t complainer, rig *chartstest.Rig, r spans.Ref, seen map[string]int) {
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
	if head != "flows: "+p.arrows.words(r) {
		t.Errorf("%s: the head is %q, there are %q", p, head, p.arrows.words(r))
	}
	if len(got) >= 8 { // there is no room for more
		want = want[:min(len(want), len(got))]
	}
	slices.Sort(got) // of those of one time either is the first
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: the flows in the details are\n%s\nthey are\n%s", p, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	seen["rows"] += len(got)
}

// reportedFlows compares the flows that ended in the range in a report.
func (p *part) reportedFlows(t complainer, seen map[string]int) {
	type sum struct {
		n, noBegin, noEnd int64
		ns, worst         int64
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
		if !strings.Contains(out.String(), line) || got[name] != u.n {
			t.Errorf("%s: the report has no line %q", p, line)
		}
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
	if seen["rows"] == 0 || seen["sums"] == 0 {
		t.Errorf("compared are %v", seen)
	}
	t.Log(seen)
}
