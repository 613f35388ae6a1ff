package registry

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/tables"
	ran "framescope/model/spans"
	"framescope/model/store"
)

// The times of a column are all in the unit that its header names, however far apart they are: a
// number is never beside one of another unit. Where there is no header, each has its unit with it.
func TestTimesOfAColumnHaveOneUnit(t *testing.T) {
	sessions := map[string]*store.Session{
		"frames": chartstest.NewSession(t), "calls": chartstest.NewCallSession(true), "spans": chartstest.NewCallSession(false),
		"locks": chartstest.NewLockSession(t), "latency": chartstest.LatencySession(300),
		"game": chartstest.LoadCapture(t, "nested"), "pipeline": chartstest.LoadTrace(t, "latency-tee-queues.log.gz"),
		"profile": chartstest.LoadProfile(t, "small-clean.prof"), "samples": chartstest.LoadFlare(t, "recorded-60s"),
	}
	units := map[string]bool{"ns": true, "µs": true, "ms": true, "s": true}
	seen := map[string]int{}
	for name, s := range sessions {
		for _, d := range All() {
			if d.Has != nil && !d.Has(s.Contents()) {
				continue
			}
			rig := chartstest.NewRig(s, 1, 1400, 400)
			rig.Env.View.Look().SetMeasure(ran.MeasureCPU) // where there is one
			p := d.New()
			teller, ok := p.(panel.Teller)
			if !ok {
				continue
			}
			for range 3 {
				rig.Tick(p)
			}
			facts := teller.Facts(rig.Env, nil)
			for _, f := range facts {
				if !units[last(f.Header)] {
					continue
				}
				if lead := totals[f.Header[:strings.LastIndex(f.Header, " ")]]; lead != "" {
					for _, g := range facts {
						if strings.HasPrefix(g.Header, lead+" ") && last(g.Header) != last(f.Header) {
							t.Errorf("%s, %s: %q stands beside %q", name, d.ID, f.Header, g.Header)
						}
					}
				}
				if seen[d.ID]++; units[last(f.Text)] != headless(p) && f.Text != "–" {
					t.Errorf("%s, %s: %q stands below %q", name, d.ID, f.Text, f.Header)
				}
			}
		}
	}
	for _, id := range []string{"collectors", "statistics", "threads", "calltree", "contention", "dashboard", "elements"} {
		if seen[id] < 2 {
			t.Errorf("%d times of %s were looked at", seen[id], id)
		}
	}
}

// totals are what columns are compared with at a glance, so that both have one unit.
var totals = map[string]string{"self": "total", "self CPU time": "CPU time"}

// last returns the last word of a text.
func last(text string) string { return text[strings.LastIndex(text, " ")+1:] }

// headless tells whether a table shows no header.
func headless(p panel.Panel) bool {
	switch p := p.(type) {
	case *table.Table:
		return p.NoHeader
	case *tables.ThreadPanel:
		return p.NoHeader
	}
	return false
}
