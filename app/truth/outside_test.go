package truth

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/model"
)

// outsideName is how tables of figures of frames call what is in none of them.
const outsideName = "outside of frames"

// outsideOf is what a thread did in none of its frames: what its spans add up to, less what its
// frames have. There is some only where the frames of one thread cut what the others did.
func (p *plain) outsideOf(id model.TrackID) map[model.CollectorID]figures {
	out := map[model.CollectorID]figures{}
	t := p.s.Track(id)
	if main := p.s.Track(p.s.MainTrack()); t.NumFrames() == 0 || main == nil || !main.Def.Main {
		return out
	}
	within := p.framed(id, false, 0, t.NumFrames()-1)
	for c, f := range p.sums([]model.TrackID{id}, model.MinTime, model.MaxTime).of {
		x := figures{calls: f.calls, self: f.self}
		if in := within[c]; in != nil {
			x.calls -= in.starts
			for _, ns := range in.own {
				x.self -= int64(ns)
			}
		}
		if x.calls > 0 || x.self > 0 {
			out[c] = x
		}
	}
	return out
}

// outsideRow is the line below such a table.
func outsideRow(p *part) figuresOf {
	sum := figures{}
	for _, x := range p.outsideOf(p.track) {
		sum.calls, sum.self = sum.calls+x.calls, sum.self+x.self
	}
	return figuresOf{{"calls": float64(sum.calls), "self": float64(sum.self)}}
}

// callsInOpenFrame is how many calls of the track began in a frame that had not ended: these are outside of the
// frames that count, and in one.
func (p *part) callsInOpenFrame() float64 {
	o, ok := p.s.Track(p.track).OpenFrame()
	if !ok {
		return 0
	}
	n := int64(0)
	for _, f := range p.sums([]model.TrackID{p.track}, o.Begin, o.End).of {
		n += f.calls
	}
	return float64(n)
}

// What ran outside of frames is in the report by its collectors, and below the tables of figures of
// frames, whichever frames are selected: the same number.
func TestOutsideOfFrames(t *testing.T) {
	told, lines := map[string]int{}, 0
	everywhere := map[*subject]float64{}
	eachPart(t, func(t *testing.T, p *part) {
		if p.track == model.NoTrack {
			return
		}
		if _, known := everywhere[p.subject]; !known {
			for id := range model.TrackID(p.s.NumTracks()) {
				of := *p
				of.track = id
				everywhere[p.subject] += outsideRow(&of)[0]["calls"] - of.callsInOpenFrame()
			}
		}
		whole := *p
		whole.selected, whole.asked = false, false
		if th := whole.report().rows("threads"); p.last >= p.first && len(th) == 1 {
			want := p.outsideOf(p.track)
			for _, l := range th[0].rows("outside_frames") {
				lines++
				calls, _ := l.number("calls")
				self, _ := l.number("self")
				found := false
				for c, x := range want {
					if found = p.s.Collector(c).Title() == l.text("collector"); found {
						if float64(x.calls) != calls || float64(x.self) != self {
							t.Errorf("%s: %s outside of frames: %v calls, %v ns; it is %+v", p, l.text("collector"), calls, self, x)
						}
						delete(want, c)
						break
					}
				}
				if !found {
					t.Errorf("%s: report says %s ran outside of frames", p, l.text("collector"))
				}
			}
			if len(want) > 0 {
				t.Errorf("%s: report leaves out what ran outside of frames: %+v", p, want)
			}
		}
		want := outsideRow(p)[0]
		for _, id := range []string{"collectors", "statistics"} {
			d, _ := registry.Find(id)
			rig, c := p.rig(), d.New()
			settle(rig, c)
			all := records(c.(panel.Teller).Facts(rig.Env, nil))
			at := slices.IndexFunc(all, func(r record) bool { return r.name == outsideName })
			if some := p.last >= p.first && want["calls"]+want["self"] > 0; some != (at >= 0) {
				t.Errorf("%s: %s says so: %v; there is some: %v", p, id, at >= 0, some)
			}
			if at < 0 {
				continue
			}
			told[id]++
			tip := strings.Join(c.HitTest(rig.Env, rig.R.X0+40, rig.R.Y1-4).Lines, "\n")
			for measure, before := range map[string]string{"calls": "\ncalls\t", "self": "\nself, without callees\t"} {
				if f := all[at].cells[measure]; f.Value != want[measure] || !strings.Contains(tip, before+f.Text+"\n") {
					t.Errorf("%s: %s states %s %v (%s), it is %v; its tooltip: %q", p, id, measure, f.Value, f.Text, want[measure], tip)
				}
			}
			// What was received is counted over all threads, and the line is of one.
			several := "\nreceived in all threads\t" + string(format.AppendCount(nil, int64(everywhere[p.subject]))) + " calls\n"
			if more := everywhere[p.subject] > want["calls"]; more != strings.Contains(tip, several) ||
				!strings.HasPrefix(tip, "Outside of frames on "+p.s.Track(p.track).Title()+", ") {
				t.Errorf("%s: %s: of %v calls in all threads, %q", p, id, everywhere[p.subject], tip)
			}
		}
	})
	if told["collectors"] < 6 || told["statistics"] < 6 || lines < 20 {
		t.Errorf("only %v were compared, and %d lines of reports", told, lines)
	}
}
