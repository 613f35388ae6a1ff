package convert

import (
	"math"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/net/pstats"
)

// numbers is a series that becomes a counter: each frame has its value at the frame's end.
type numbers struct {
	*spans.Series
	collector int16
	lastNs    int64 // of the sample that was written last
	written   int64
}

// findSeries chooses the numeric series: a thread with its own frames keeps its series, the main thread
// gets the others. States and events are not numeric.
func (x *pstatsWriter) findSeries() {
	x.series = map[model.TrackID][]*numbers{}
	for _, s := range x.p.Series() {
		of := s.Def.Track
		if t := x.p.Session.Track(of); t == nil || !t.HasFrames() || !t.Def.Kind.Calls() {
			of = x.main
		}
		c, ok := int16(0), false
		if s.Def.Kind != model.SeriesState && s.Def.Kind != model.SeriesEvent {
			c, ok = x.collectors.ofSeries(&s.Def)
		}
		if !ok {
			x.left.series++
			continue
		}
		x.series[of] = append(x.series[of], &numbers{Series: s, collector: c, lastNs: math.MinInt64})
		x.p.Samples(s, func(model.Sample) error { x.left.samples++; return nil })
	}
}

// addSeries writes the values of series at the end of a frame.
func (m *framer) addSeries(f *frames.Frame) {
	for _, n := range m.x.series[m.t.id] {
		v, ok := n.At(max(f.Begin, f.End-1))
		if !ok || math.IsNaN(v.Value) {
			continue
		}
		if v.Time > n.lastNs {
			n.lastNs = v.Time
			n.written++
		}
		m.frame.Levels = append(m.frame.Levels, pstats.Level{Collector: uint16(n.collector), Value: float32(v.Value)})
		m.x.hasLevels(int(n.collector), m.index)
	}
}

// hasLevels notes that a thread has levels of a collector.
func (x *pstatsWriter) hasLevels(collector, thread int) {
	if x.levels[collector] == nil {
		x.levels[collector] = map[int]bool{}
	}
	x.levels[collector][thread] = true
}
