package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model/measure"
	"framescope/model/store"
)

// titled is a panel with columns that have titles.
type titled interface{ Titles() []string }

// Every header of every panel, on sessions of every kind, is in the vocabulary.
func TestHeadersAreInTheVocabulary(t *testing.T) {
	sessions := map[string]*store.Session{
		"frames": chartstest.NewSession(t), "calls": chartstest.NewCallSession(true), "spans": chartstest.NewCallSession(false),
		"locks": chartstest.NewLockSession(t), "pipeline": chartstest.NewTopoWriter().Session(),
	}
	seen := map[string]int{}
	for name, s := range sessions {
		for _, d := range All() {
			rig := chartstest.NewRig(s, 1, 1400, 400)
			p := d.New()
			rig.Tick(p)
			rig.Tick(p)
			x, ok := p.(titled)
			if _, table := p.(panel.Exporter); table != ok {
				t.Errorf("%s: %T has headers that are known: %v, rows that are exported: %v", d.ID, p, ok, table)
			}
			if !ok {
				continue
			}
			for _, title := range x.Titles() {
				seen[d.ID]++
				if _, ok := measure.Of(title); !ok {
					t.Errorf("%s, %s: %q is not in the vocabulary", name, d.ID, title)
				}
			}
		}
	}
	for _, id := range []string{"statistics", "collectors", "dashboard", "calltree", "calls", "counters", "messages", "contention", "leaks", "spikes", "threads", "elements"} {
		if seen[id] == 0 {
			t.Errorf("%s shows no header", id)
		}
	}
}
