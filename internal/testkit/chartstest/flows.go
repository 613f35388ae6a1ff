package chartstest

import (
	"framescope/model"
	"framescope/model/store"
)

// NewFlowSession returns a session in which a job goes from thread to thread, and others come from one call.
func NewFlowSession() *store.Session {
	s := store.NewSession()
	for i, name := range [...]string{"update", "spawn jobs", "cull", "animate", "submit", "upload", "present"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	for i, name := range [...]string{"Main", "Worker 1", "Worker 2", "Render", "Loader", "GPU"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name})
	}
	s.Apply(model.FlowDef{ID: 0, Name: "job"})
	s.Apply(model.FlowDef{ID: 1, Name: "frame"})
	span := func(path model.PathID, lane uint16, b, e int64) model.Span {
		return model.Span{Begin: b * Ms, End: e * Ms, Path: path, Lane: lane}
	}
	flow := func(name model.FlowID, chain uint32, on model.TrackID, from, to int64) model.Flow {
		f := model.Flow{Name: name, Chain: chain, FromTrack: on, From: from * Ms, To: to * Ms}
		f.FromLane, f.ToLane = model.NoLane, model.NoLane
		return f
	}
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{
		span(1, 0, 0, 40), span(2, 1, 4, 12), span(1, 0, 60, 90), span(2, 1, 70, 76),
	}, Flows: []model.Flow{flow(1, 9, 3, 48, 62)}})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{span(3, 0, 14, 30), span(3, 0, 74, 88)},
		Flows: []model.Flow{flow(0, 3, 0, 6, 14), flow(0, 5, 0, 73, 74)}})
	s.Append(&model.Batch{Track: 2, Spans: []model.Span{span(4, 0, 10, 34)}, Flows: []model.Flow{flow(0, 0, 0, 9, 10),
		flow(0, 0, 0, 11, 36)}})
	s.Append(&model.Batch{Track: 3, Spans: []model.Span{span(5, 0, 36, 50)}, Flows: []model.Flow{flow(0, 3, 1, 14, 38)}})
	s.Append(&model.Batch{Track: 4, Spans: []model.Span{span(6, 0, 2, 3), span(6, 0, 98, 120)},
		Flows: []model.Flow{flow(0, 0, 0, 8, 98)}})
	s.Append(&model.Batch{Track: 5, Spans: []model.Span{span(7, 0, 52, 58)}, Flows: []model.Flow{flow(0, 3, 3, 38, 54)}})
	return s
}
