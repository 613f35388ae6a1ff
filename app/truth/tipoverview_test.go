package truth

import (
	"math"
	"slices"

	"framescope/model"
)

// overviewTip is of how busy all threads were in the columns under the mouse, of how much was under
// way in elements where there are no threads, or of how much came in.
func overviewTip(x *tip) figuresOf {
	t0, t1 := x.hit.From, x.hit.Until
	want := map[string]float64{"at": float64(x.hit.TimeNs), "busy": 0, "load": 0, "under_way": 0}
	shown := x.rig.Env.View.Look().VisibleTracks()
	threads := slices.ContainsFunc(shown, func(id model.TrackID) bool {
		return x.s.Track(id).Def.Kind.Calls() && len(x.spans[id]) > 0
	})
	for _, id := range shown {
		share := 0.0
		switch calls := x.s.Track(id).Def.Kind.Calls(); {
		case x.said["load"] != "" && !x.loaded(id), x.said["load"] == "" && threads != calls:
			continue
		case x.loaded(id):
			share = x.load(id, t0, t1)
		case calls:
			share = float64(x.busy(id, t0, t1)) / float64(t1-t0)
		default: // several at a time
			share = float64(x.sums([]model.TrackID{id}, t0, t1).total) / float64(t1-t0)
		}
		if share == share { // else nothing is known of it there
			want["busy"] += share
			want["load"] += share
			want["under_way"] += share
			x.orEither(want, "of "+x.s.Track(id).Title(), share)
		}
	}
	samples, messages := 0.0, 0.0
	for id := range model.SeriesID(x.s.Series().Len()) {
		v := x.samples(id, t0, t1)
		samples += float64(v.n)
	}
	for id := range model.TrackID(x.s.NumTracks()) {
		messages += float64(len(x.s.Messages().Of(id, t0, t1-1, nil)))
	}
	want["samples"], want["messages"] = samples*1e9/float64(t1-t0), messages*1e9/float64(t1-t0)
	return figuresOf{want}
}

// loaded tells whether the processor load of a thread was measured.
func (p *plain) loaded(id model.TrackID) bool {
	for _, k := range p.s.Series().ByTrack(id) {
		if p.s.Series().ByID(k).Def.Role == model.RoleCPULoad {
			return true
		}
	}
	return false
}

// orEither notes a figure under a name, of those that several have that which is said.
func (x *tip) orEither(want map[string]float64, name string, v float64) {
	before, twice := want[name]
	if w, ok := read(x.said[name], 1); !twice || ok && math.Abs(w.value-v) < math.Abs(w.value-before) {
		want[name] = v
	}
}
