package tables

import (
	"cmp"
	"slices"
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// outside is the line below tables of figures of frames: the time on the thread outside all
// received frames, which is in none of these figures. It covers all stored data, as the report's
// outside_frames.
type outside struct {
	fresh panel.Refresher
	tree  spans.Tree
	all   []store.Outside
	line  *table.Foot
	of    model.TrackID // its track
}

// outsideNamed is how many collectors the tooltip of the line names.
const outsideNamed = 8

// foot implements table.Table.Foot.
func (o *outside) foot(env *panel.Env) *table.Foot {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), Live: v.Live()}
	if o.fresh.Due(env, key) {
		before := o.all
		o.all = s.OutsideFrames(v.Track(), &o.tree, nil)
		slices.SortFunc(o.all, func(a, b store.Outside) int {
			return cmp.Or(cmp.Compare(b.SelfNs, a.SelfNs), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Collector, b.Collector))
		})
		if len(o.all) > 0 && (o.line == nil || o.of != v.Track() || !slices.Equal(before, o.all)) {
			o.of = v.Track()
			o.line = o.describe(s, v.Track())
		}
	}
	if len(o.all) == 0 {
		return nil
	}
	return o.line
}

func (o *outside) describe(s *store.Session, id model.TrackID) *table.Foot {
	var sum store.Outside
	for _, x := range o.all {
		sum.Calls, sum.SelfNs = model.AddSat(sum.Calls, x.Calls), model.AddSat(sum.SelfNs, x.SelfNs)
	}
	calls, self := format.AppendCount(nil, sum.Calls), format.AppendDuration(nil, sum.SelfNs)
	var l panel.TipLines
	l.Begin()
	l.Text("Outside of frames on ").Text(s.Track(id).Title()).Text(", ").Text(subject.Whole(s)).End()
	l.Text("calls\t").Count(sum.Calls).End()
	l.Text("self, without callees\t").Duration(sum.SelfNs).End()
	if all := s.Ledger().Unframed; all > sum.Calls {
		l.Text("received in all threads\t").Count(all).Text(" calls").End()
	}
	for i, x := range o.all {
		if i == outsideNamed {
			l.Text("and ").Count(int64(len(o.all) - i)).Text(" more").End()
			break
		}
		l.Text(s.Collector(x.Collector).Title()).Text("\t").Count(x.Calls).Text(" · ").Duration(x.SelfNs).End()
	}
	l.Add("It ran on this thread outside of all received frames:")
	l.Add("timeline and call trees show it, the figures above do not count it.")
	tip := slices.Clone(l.All())
	for i := range tip {
		tip[i] = strings.Clone(tip[i])
	}
	return &table.Foot{
		Words: "outside of frames", Sum: string(calls) + " calls · " + string(self), Tip: tip,
		Facts: []panel.Fact{
			{Measure: "calls", Header: "calls", Value: float64(sum.Calls), Text: string(calls)},
			{Measure: "self", Header: "self", Value: float64(sum.SelfNs), Unit: "ns", Text: string(self)},
		},
	}
}
