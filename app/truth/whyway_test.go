package truth

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"framescope/app/report"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/why"
	"framescope/widgets/details"
)

// The headline of the inspector says of a buffer on its way what the command why says of it.
func TestWhyOfABuffer(t *testing.T) {
	s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", "latency-tee-queues.log.gz")).s
	engine := why.NewEngine(s)
	rig := whyRig(s)
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	late, usual := 0, 0
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id).Def.Kind != model.TrackStream {
			continue
		}
		var told []whyTold
		tellWhy(t, s, report.WhyOptions{Every: true, Thread: s.Track(id).Title()}, &told)
		for i := range engine.Things(id) {
			bar, number := engine.ThingAt(id, i)
			k := slices.IndexFunc(told, func(w whyTold) bool { return w.Frame == number })
			if k < 0 || !told[k].Hitch && number%29 != 0 {
				continue
			}
			w := &told[k]
			want := []string{fmt.Sprint("took ", w.Duration), fmt.Sprint("typical ", w.Typical)}
			if usual++; w.Hitch {
				late++
				for _, l := range slices.Concat(w.Chain, w.Others) {
					want = append(want, l.said())
				}
			}
			rig.Env.View.SelectSpan(bar)
			settle(rig, pane)
			settle(rig, head)
			if got := headlineFacts(rig, head); !slices.Equal(got, want) {
				t.Errorf("buffer %d: the headline says %q, why says %q", number, got, want)
			}
		}
	}
	if late != 2 || usual < 8 {
		t.Errorf("%d late ones of %d", late, usual)
	}
}

// buffers are the spans of a way whose begin and end are known, in order of time.
func (p *part) buffers(way model.TrackID) (out []span) {
	for _, x := range p.spans[way] {
		if x.Flags&(model.SpanOpenBegin|model.SpanOpenEnd|model.SpanUncertain) == 0 {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Lane, b.Ref.Lane))
	})
	return out
}

// lateOf are the figures of the late buffers of a row's cause, on each of the ways: a row does not say
// of which it is.
func (p *part) lateOf(v *view.View, r *record) (out figuresOf) {
	for id := range model.TrackID(p.s.NumTracks()) {
		t := p.s.Track(id)
		if t.Def.Kind != model.TrackStream {
			continue
		}
		o := report.WhyOptions{Thread: t.Title()}
		if v.ChoseRange() {
			o.Range = place.TimeRange{Times: true, A: v.RangeA(), B: v.RangeB(), HasA: true, HasB: true}
		}
		for _, want := range p.causeOf(r, o, func(number int64) (begin int64) {
			for _, x := range p.spans[id] {
				if p.numberOf(&x) == number {
					begin = x.Begin
				}
			}
			return begin
		}) {
			if want["hitches"] > 0 {
				out = append(out, want)
			}
		}
	}
	return out
}

// numberOf is the number of a span among those of its track by when they began.
func (p *part) numberOf(of *span) int64 {
	n := int64(1)
	for _, x := range p.spans[of.Ref.Track] {
		if x.Begin < of.Begin {
			n++
		}
	}
	return n
}

// lateTip are the figures of a late buffer: over typical is how much longer it took than the median of
// the 15 at each side.
func (p *part) lateTip(of *span) map[string]float64 {
	all := p.buffers(of.Ref.Track)
	k := slices.IndexFunc(all, func(x span) bool { return x.Ref == of.Ref })
	if k < 0 {
		return nil
	}
	var lengths []int64
	for _, x := range all[max(k-15, 0):min(k+16, len(all))] {
		lengths = append(lengths, x.End-x.Begin)
	}
	slices.Sort(lengths)
	took := of.End - of.Begin
	return map[string]float64{
		"duration": float64(took), "frame": float64(p.numberOf(of)), "over_typical": float64(took - lengths[(len(lengths)-1)/2]),
	}
}

// The list of spikes of a pipeline says of each cause of late buffers what the command why says: how
// many, the worst, how often, whether they grow; and below it, open, each buffer. Keys go through all of
// them, and through those of one cause.
func TestLateBuffersByCause(t *testing.T) {
	causes := 0
	for _, name := range []string{"latency-tee-queues.log.gz", "all-audio-chain.log.gz", "latency-two-sources.log.gz", "latency-pipeline-only.log"} {
		s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", name)).s
		var told []whyCause
		tellWhy(t, s, report.WhyOptions{ByCause: true}, &told)
		slices.SortStableFunc(told, func(a, b whyCause) int { return cmp.Compare(b.Excess, a.Excess) })
		rig := whyRig(s)
		v := rig.Env.View
		v.ClearSelection()
		list := tables.NewSpikePanel()
		rig.R = draw.Rect{X1: 700, Y1: 900}
		settle(rig, list)
		rows := records(list.Facts(rig.Env, nil))
		if len(rows) != len(told) || len(rows) == 0 {
			t.Fatalf("%s: %d causes, why says %d", name, len(rows), len(told))
		}
		all := 0
		for i := range told {
			w, r := &told[i], &rows[i]
			causes, all = causes+1, all+len(w.Frames)
			got, want := r.values(), w.figures()
			if !maps.Equal(got, want) {
				t.Errorf("%s, %s: the list says %v, why says %v", name, r.name, got, want)
			}
		}
		v.GoFirst()
		v.SetPlayhead(0)
		walked := map[spans.Ref]bool{}
		for v.StepSpike(1) {
			walked[v.Span().Ref] = true
		}
		if len(walked) != all {
			t.Errorf("%s: keys go to %d late buffers of %d", name, len(walked), all)
		}
		if !panel.WalkCause(rig.Env) || v.Cause() == (view.New(s).Cause()) {
			t.Errorf("%s: the cause of the last late buffer is not known", name)
		}
		for walked = map[spans.Ref]bool{v.Span().Ref: true}; v.StepSpike(-1); {
			walked[v.Span().Ref] = true
		}
		if !slices.ContainsFunc(told, func(w whyCause) bool { return len(w.Frames) == len(walked) }) {
			t.Errorf("%s: keys go to %d late buffers of one cause", name, len(walked))
		}
	}
	if causes < 7 {
		t.Errorf("%d causes", causes)
	}
}
