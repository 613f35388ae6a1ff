package converttest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/model"

	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// flows adds the arrows of a part: their times, and the spans at their ends, if there are two and the
// first began first.
func (f *Facts) flows(p *convert.Part) {
	table := p.Session.Spans()
	title := func(id model.TrackID) string { return p.Session.Track(id).Title() }
	name := func(b *spans.Bar) string {
		_, c := p.Session.Path(b.Path)
		begin, _ := p.Time(b.Ref.Track)
		return fmt.Sprintf("%s on %s from %d", p.Name(c), title(b.Ref.Track), max(b.Begin, begin))
	}
	can := func(a *spans.Arrow) bool {
		f.Arrows = append(f.Arrows, fmt.Sprintf("%s: %s at %d to %s at %d", p.Session.Flows().Name(a.Name), title(a.FromTrack), a.From,
			title(a.ToTrack), a.To))
		from, begins := a.Begin(table)
		to, ends := a.End(table)
		return begins && ends && from.Ref != to.Ref && from.Begin < to.Begin
	}
	p.Arrows(can, func(a *convert.Arrow) error {
		from, _ := a.Begin(table)
		to, _ := a.End(table)
		f.Flows = append(f.Flows, fmt.Sprintf("%s: %s at %d to %s at %d, first %t, last %t", p.Session.Flows().Name(a.Name), name(&from),
			a.From, name(&to), a.To, a.First, a.Last))
		return nil
	})
	slices.Sort(f.Arrows)
	slices.Sort(f.Flows)
}

// randomFlows makes arrows between spans: from any moment of the one to any of a later one, some of them in chains.
func randomFlows(t *rapid.T, s *store.Session) {
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		return // there is nothing
	}
	var all []convert.Span
	for _, id := range p.Tracks {
		if s.Track(id).Def.Kind.Calls() {
			p.Spans(id, func(x *convert.Span) error { all = append(all, *x); return nil })
		}
	}
	type place struct {
		track model.TrackID
		begin int64
	}
	begins := map[place]int{} // a row and a time do not identify spans that begin together
	for i := range all {
		begins[place{all[i].Ref.Track, all[i].Begin}]++
	}
	all = slices.DeleteFunc(all, func(x convert.Span) bool { return begins[place{x.Ref.Track, x.Begin}] > 1 || x.End < x.Begin+3 })
	if len(all) < 2 {
		return
	}
	slices.SortStableFunc(all, func(a, b convert.Span) int { return int(a.Begin - b.Begin) })
	for i, name := range []string{"wakes", "ü: \"x\""} {
		s.Apply(model.FlowDef{ID: model.FlowID(i), Name: name})
	}
	for chain := range uint32(rapid.IntRange(0, 3).Draw(t, "chains")) {
		within := func(x *convert.Span) int64 {
			return rapid.Int64Range(x.Begin+1, x.End-2).Draw(t, "at")
		}
		at := rapid.IntRange(0, len(all)-2).Draw(t, "span")
		name, from := model.FlowID(rapid.IntRange(0, 1).Draw(t, "flow")), within(&all[at])
		for at < len(all)-1 && rapid.IntRange(0, 3).Draw(t, "on") > 0 {
			next := rapid.IntRange(at+1, len(all)-1).Draw(t, "to")
			to := max(within(&all[next]), from)
			if all[next].Begin == all[at].Begin || to > all[next].End-2 {
				break // not all formats say which is the first
			}
			f := model.Flow{
				From: from, To: to, FromTrack: all[at].Ref.Track, Name: name, Chain: chain + 1,
				FromLane: all[at].Lane, ToLane: all[next].Lane,
			}
			s.Append(&model.Batch{Track: all[next].Ref.Track, Flows: []model.Flow{f}})
			at, from = next, f.To
		}
	}
}
