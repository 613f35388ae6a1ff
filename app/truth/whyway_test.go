package truth

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"framescope/app/report"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/model"
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
					want = append(want, fmt.Sprint(l.Thread, " ", l.Collector, " ", l.How, " ", l.Excess, " ", l.Calls, " ", l.Typical))
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
