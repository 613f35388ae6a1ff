package store_test

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/store"
)

// pipe is a pipeline src ! queue ! scale ! sink, through which n buffers go, one every 10 ms. Each waits
// in the queue for wait ns, and scale has it for work ns.
func pipe(n int, wait, work int64, sinkDrops float64) *store.Session {
	s := store.NewSession()
	names := []string{"src", "queue0", "scale0", "sink0"}
	for i, name := range names {
		s.Apply(model.ObjectDef{ID: model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectElement, Name: name})
	}
	s.Apply(model.LinkDef{ID: 0, From: 1, To: 2, Until: model.TimeUnknown, Flow: model.NoSeries})
	s.Apply(model.LinkDef{ID: 1, From: 2, To: 3, Until: model.TimeUnknown, Flow: model.NoSeries})
	track := func(id model.TrackID, name string, kind model.TrackKind, object, peer model.ObjectID) {
		s.Apply(model.TrackDef{ID: id, Name: name, Kind: kind, Object: object, Peer: peer})
		s.Apply(model.CollectorDef{ID: model.CollectorID(id + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id + 1), Collector: model.CollectorID(id + 1)})
	}
	track(0, "src → sink0", model.TrackStream, 0, 3)
	track(1, "queue0", model.TrackElement, 1, model.NoObject)
	track(2, "scale0", model.TrackElement, 2, model.NoObject)
	track(3, "queue0:src", model.TrackThread, model.NoObject, model.NoObject)
	series := func(id model.SeriesID, name, group string, kind model.SeriesKind, role model.SeriesRole, unit string, of model.ObjectID) {
		s.Apply(model.SeriesDef{ID: id, Name: name, Group: group, Kind: kind, Role: role, Unit: unit, Track: model.NoTrack, Object: of, Peer: model.NoObject})
	}
	series(0, "queue0", "element-latency", model.SeriesValue, model.RoleLatency, "ns", 1)
	series(1, "scale0", "element-latency", model.SeriesValue, model.RoleLatency, "ns", 2)
	series(2, "queue0", "queue level buffers", model.SeriesGauge, model.RoleLevel, "", 1)
	series(3, "sink0", "qos dropped", model.SeriesCounter, model.RoleNone, "", 3)
	var spans [3][]model.Span
	b := model.Batch{Track: model.NoTrack}
	for i := range int64(n) {
		begin := i * 10e6
		at := [...]int64{begin, begin + wait, begin + wait + work}
		lane := uint16(i % 64)
		spans[0] = append(spans[0], model.Span{Begin: at[0], End: at[2], Path: 1, Lane: lane})
		spans[1] = append(spans[1], model.Span{Begin: at[0], End: at[1], Path: 2, Lane: lane})
		spans[2] = append(spans[2], model.Span{Begin: at[1], End: at[2], Path: 3})
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: at[1], Value: float64(wait)}, model.Sample{Series: 1, Time: at[2], Value: float64(work)},
			model.Sample{Series: 2, Time: begin, Value: float64(min(i, 30))})
	}
	if sinkDrops > 0 {
		b.Samples = append(b.Samples, model.Sample{Series: 3, Time: 15e6, Value: 2}, model.Sample{Series: 3, Time: int64(n) * 5e6, Value: sinkDrops})
	}
	for i := range spans {
		s.Append(&model.Batch{Track: model.TrackID(i), Spans: spans[i]})
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// What has buffers longest is told, and of a queue whom they wait for: who has the ones before for most
// of the time, or the sink where nobody who is measured does.
func TestFlowWhere(t *testing.T) {
	for _, c := range []struct {
		what       string
		wait, work int64
		drops      float64
		of         model.ObjectID
		want       []flow.How
		objects    []model.ObjectID
		shares     []float64
		dropped    float64
	}{
		{"behind the element", 300e6, 9e6, 0, model.NoObject, []flow.How{flow.Waits, flow.Behind}, []model.ObjectID{1, 2}, []float64{300. / 309, 0.9}, 0},
		{"behind the sink", 300e6, 2e6, 0, model.NoObject, []flow.How{flow.Waits, flow.Unmeasured}, []model.ObjectID{1, 3}, []float64{300. / 302, 0.8}, 0},
		{"in work", 1e6, 8e6, 0, model.NoObject, []flow.How{flow.Works}, []model.ObjectID{2}, []float64{8. / 9}, 0},
		{"of the one that is asked about", 300e6, 9e6, 0, 2, []flow.How{flow.Works}, []model.ObjectID{2}, []float64{9. / 309}, 0},
		{"dropped", 300e6, 9e6, 131, model.NoObject, []flow.How{flow.Waits, flow.Behind}, []model.ObjectID{1, 2}, []float64{300. / 309, 0.9}, 131},
	} {
		s := pipe(100, c.wait, c.work, c.drops)
		begin, end, _ := s.Bounds()
		var asker flow.Asker
		var a flow.Answer
		if !asker.Ask(s, model.NoTrack, c.of, begin, end+1, &a) || len(a.Chain) != len(c.want) {
			t.Errorf("%s: %+v", c.what, a)
			continue
		}
		for i := range a.Chain {
			l := &a.Chain[i]
			if l.How != c.want[i] || l.Object != c.objects[i] || math.Abs(l.Share-c.shares[i]) > 1e-9 || l.Thread != 3 {
				t.Errorf("%s: link %d is %+v", c.what, i, l)
			}
		}
		testkit.That(t, a.Dropped == c.dropped && (c.dropped <= 0 || a.Dropper == 3),
			"%s: %v dropped by %d", c.what, a.Dropped, a.Dropper)
		f := a.Chain[0].Fill
		testkit.That(t, a.Chain[0].Object != 1 || f.Known && f.Most == 30 && f.Full(), "%s: fill %+v", c.what, f)
	}
}

// Drops are those of the range alone, and nothing is said of a range in which nothing set out.
func TestFlowWhereInARange(t *testing.T) {
	s := pipe(100, 300e6, 9e6, 131)
	var asker flow.Asker
	var a flow.Answer
	testkit.That(t, asker.Ask(s, model.NoTrack, model.NoObject, 100e6, 900e6, &a) && a.Dropped == 129, "%+v", a)
	testkit.That(t, !asker.Ask(s, model.NoTrack, model.NoObject, 5e9, 6e9, &a) && len(a.Chain) == 0,
		"of nothing it says %+v", a)
	testkit.That(t, !asker.Ask(s, model.NoTrack, 3, 0, 1e9, &a), "of the sink, which is not measured, it says %+v", a)
}
