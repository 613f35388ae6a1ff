package model

import "math"

// SeriesID is the index of a Series within its session, dense from 0.
type SeriesID int32

// NoSeries is the absence of a series.
const NoSeries SeriesID = -1

// SeriesKind is the meaning of the samples of a series, and the way to draw them.
type SeriesKind uint8

// The kinds of series.
const (
	// SeriesValue is an independent measurement at each sample: points or a step line.
	SeriesValue SeriesKind = iota
	// SeriesGauge is a running average or another figure with only its newest value of importance;
	// its history is of interest, its mean is not.
	SeriesGauge
	// SeriesCounter is a running total that only grows; its rate (difference by time) is of interest.
	SeriesCounter
	// SeriesState is one of a few named states that holds until the next sample: a band. The value is
	// the index in SeriesDef.States (or the number itself where there are no names: a processor).
	SeriesState
	// SeriesEvent is something that happened at an instant: rate and histogram over time are of
	// interest. The value is its weight (bytes of a buffer), or 1.
	SeriesEvent
)

// SeriesRole is the meaning of a series for charts that combine series; most series have none.
type SeriesRole uint8

// The roles of series.
const (
	RoleNone     SeriesRole = iota
	RoleFlow                // one sample for each buffer that went from Object to Peer; the value is its size in bytes
	RoleLatency             // ns that something took at Object, or from Object to Peer
	RoleReported            // latency that Object claims, ns
	RoleState               // state of Object over time
	// share of a processor that Track (or, without a track, the process) used from here to the next sample: 1 is one
	// processor, full
	RoleCPULoad
	RoleCPUTime      // CPU time of Track or of the process, ns, growing
	RoleProcessor    // which processor Track ran on: a band under the track
	RoleRefCount     // reference count of a Resource
	RoleStack        // one sample of a sampling profiler: the value is the PathID of the innermost frame
	RoleActivity     // something happened at Object (event, query, message); not a flow
	RoleInterval     // ns from one buffer to the next that went from Object to Peer
	RoleLevel        // how much is in Object at a time
	RoleReportedLoad // load of a processor as the program itself figures it, over a time of its own
	// RoleWeight is the weight of samples of Track's stack (RoleStack): the k-th value is that of the
	// k-th sample, at the same time, not negative. Name is its quantity, the same in all tracks: bytes
	// allocated, time; WeightSamples is the number of samples that one stands for, else it is one.
	RoleWeight
)

// WeightSamples is the Name of the RoleWeight series with the number of samples that one stands
// for.
const WeightSamples = "samples"

// OfStacks reports whether the values belong to sampled stacks alone: as numbers along time they mean
// nothing.
func (r SeriesRole) OfStacks() bool { return r == RoleStack || r == RoleWeight }

// Holds reports whether a sample is in force until the next one: states, gauges, loads, levels,
// reported counts. The others belong to their time alone: a latency, an interval, the size of a
// buffer. Held values are weighted by time in every sum, and the value in force when a range began
// belongs to it.
func (d *SeriesDef) Holds() bool {
	switch d.Role {
	case RoleCPULoad, RoleReportedLoad, RoleLevel, RoleReported, RoleRefCount:
		return true
	}
	return d.Kind == SeriesState || d.Kind == SeriesGauge
}

// SeriesDef defines, or defines again, a series. It is a Change.
type SeriesDef struct {
	ID   SeriesID
	Name string // short, of the thing that is measured on: "fakesink0.sink", "queue0"
	// Group is the kind of measurement; series of one group have one unit, mean the same and may
	// share a chart: "latency", "thread-rusage current-cpuload".
	Group       string
	Description string // a sentence for labels and tooltips, may be empty
	Kind        SeriesKind
	Role        SeriesRole
	// Unit of the values: "ns", "B", "%", "" for plain numbers, or any other word. Values are
	// converted to these units by the decoder.
	Unit string
	// Min and Max bound the values when HasRange is set: limits of axis and gauge.
	Min, Max float64
	HasRange bool
	Track    TrackID  // the track that it belongs to, or NoTrack
	Object   ObjectID // the object that it belongs to, or NoObject
	Peer     ObjectID // the other end, for things from Object to Peer, or NoObject
	States   []string // names of the states of a SeriesState
}

// State returns the name of a state, empty where a value has none.
func (d *SeriesDef) State(value float64) string {
	if i := int(value); value == math.Trunc(value) && i >= 0 && i < len(d.States) {
		return d.States[i]
	}
	return ""
}

// Sample is one value of a series. A value of NaN marks a gap: from here on until the next sample
// nothing is known.
type Sample struct {
	Series SeriesID
	Time   int64 // ns
	Value  float64
}
