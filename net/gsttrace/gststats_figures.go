// The summary of a GStreamer tracer log, as the program gst-stats-1.0 makes it (FORMAT.md section 7): once by that
// program's own rules, figure by figure, and once from all records that the log reader finds.

package gsttrace

import (
	"math"
	"strconv"
)

// Figures are the figures that gst-stats prints.
type Figures struct {
	Overall          Overall    // of the whole log
	Threads          []Thread   // only those in which pads with buffers were announced, by first activity
	Elements         []Element  // only those through which buffers went, by first activity
	Bins             []Element  // the same of bins
	Latencies        []Latency  // source to sink, by key
	ElementLatencies []Latency  // through one element, by key
	Reported         []Reported // latencies that elements report, in order of time
	Factories        *Factories `json:",omitempty"` // nil when the log has no factory-used record
}

// Overall are the figures of the whole log.
type Overall struct {
	Threads, Elements, Bins, Pads, GhostPads int     // how many there are
	Buffers, Events, Messages, Queries       int64   // how many there were
	TimeNs                                   uint64  // the greatest time of a record
	Load                                     float64 // part of the processors that was used, 1 is all of them
	HasLoad                                  bool    // there were proc-rusage records
	LoadCut                                  bool    `json:",omitempty"` // Load is cut to a per mille, as in records
}

// Thread are the figures of one thread.
type Thread struct {
	ID uint64 // as the log has it
	// its name in the window: the pad through which buffers enter it, or the pad that it pushes from
	Name  string `json:",omitempty"`
	PID   uint64 `json:",omitempty"` // process; not in the compatible figures
	CPUNs uint64 // last reading of its CPU clock
	// part of one processor that it used while it lived; in the compatible figures since the start of the process
	Load    float64
	HasLoad bool  // Load is known: its clock was read more than once
	Pads    []Pad // that moved buffers on it
}

// Flags counts buffers by their flags, in the order in which gst-stats prints them.
type Flags struct {
	Live, DecodeOnly, Discont, Resync, Corrupted, Marker, Header, Gap, Droppable, DeltaUnit int64 // buffers that have it
}

// Pad are the figures of the buffers that one pad moved.
type Pad struct {
	Element, Name    string  // of the element, or of the pad
	Source           bool    // it is a source pad
	Buffers          int64   // that it moved
	Flags            Flags   // buffers by flag
	MinSize, MaxSize int64   // bytes
	AverageSize      float64 // bytes
	FirstNs, LastNs  uint64  // times of the first and the last buffer
	BytesPerSecond   Rate    // between these; null where they are one
}

// Element are the figures of one element or bin.
type Element struct {
	Type, Name                string // class, and name in the pipeline
	SentBuffers, RecvBuffers  int64  // how many went out, or came in
	SentBytes, RecvBytes      uint64 // that were in these
	FirstNs                   uint64 // first activity
	Events, Messages, Queries int64  // that it sent
	ElementQueries            int64  // not in the compatible figures
}

// Latency are the figures of the latencies of one way: from a source to a sink, or through an
// element.
type Latency struct {
	Key                  string // the names and addresses, as gst-stats joins them
	Count                int64  // how many were measured
	MeanNs, MinNs, MaxNs uint64 // of these
	P50Ns, P90Ns, P99Ns  uint64 `json:",omitempty"` // percentiles, nearest rank; not in the compatible figures
	Estimated            bool   `json:",omitempty"` // the percentiles are from a part of the latencies, evenly taken
}

// Reported is one answer of an element about its own latency.
type Reported struct {
	Element      string // address and name
	Live         bool   // it says that it is live
	MinNs, MaxNs uint64 // all ones: without limit
	TsNs         uint64 // when it answered
}

// Factories are the plugins and factories that were used; all sorted.
type Factories struct {
	Plugins                                        []string          // by name
	Elements, DeviceProviders, Typefinds, DynTypes []PluginFactories // by kind of factory
}

// PluginFactories are the factories of one plugin.
type PluginFactories struct {
	Plugin    string   // its name
	Factories []string // their names
}

// Rate is a number that may be infinite or none at all, as where bytes were moved in no time; JSON
// has null for these.
type Rate float64

// MarshalJSON writes the number, or null.
func (r Rate) MarshalJSON() ([]byte, error) {
	if f := float64(r); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
	}
	return []byte("null"), nil
}
