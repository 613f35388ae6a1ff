package truth

import (
	"testing"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/model"
)

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
				if f.Measure == "self" || f.Measure == "share" && d.ID != "calltree" {
					t.Errorf("%s: %s of %s: %q", p, f.Measure, f.Name, f.Text)
				}
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
