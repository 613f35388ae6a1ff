package report

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

func TestFlowsAreTold(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.TrackDef{ID: 1, Name: "Worker"})
	s.Apply(model.FlowDef{Name: "job"})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 50e6, Path: 0}}})
	flow := func(from, to int64) model.Flow {
		return model.Flow{From: from, To: to, FromLane: model.NoLane, ToLane: model.NoLane}
	}
	s.Append(&model.Batch{
		Track: 1, Spans: []model.Span{{Begin: 0, End: 20e6}}, Flows: []model.Flow{flow(1e6, 2e6), flow(1e6, 4e6), flow(60e6, 61e6)},
	})
	out := textOf(t, s, Options{Stats: true})
	testkit.Contains(t, out, "         3      1.667      3.000  job (worst from Main to Worker); 1 begin and 1 end where no span is")
}
