// Counter descriptors of a trace: the kind and unit of each counter. This part knows the fields of the message,
// and the series of the model.

package perfetto

import (
	"framescope/model"
)

// Counter is a counter's descriptor.
type Counter struct {
	Kind, Unit  uint64
	UnitName    string
	Multiplier  int64
	Incremental bool
}

// units are those of counters that have a number for theirs.
var units = [...]string{1: "ns", 2: "", 3: "B"}

// Lengths are units of time, in ns: in a session times are in ns.
var Lengths = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9, "seconds": 1e9, "milliseconds": 1e6,
	"microseconds": 1e3, "nanoseconds": 1,
}

// Take takes a description of the counter; renamed returns the newest text of an old and a new one.
func (c *Counter) Take(data []byte, renamed func(old string, now []byte) string) {
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case 1:
			c.Kind = w.V
		case 3:
			c.Unit = w.V
		case 4:
			c.Multiplier = int64(w.V)
		case 5:
			c.Incremental = w.V != 0
		case 6:
			c.UnitName = renamed(c.UnitName, w.Data)
		}
	}
}

// Define defines kind and unit of a series of the counter, and returns by how much its values are to be
// multiplied.
func (c *Counter) Define(def *model.SeriesDef) (times float64) {
	def.Kind = model.SeriesGauge
	switch {
	case c.UnitName != "":
		def.Unit = c.UnitName
	case c.Unit < uint64(len(units)):
		def.Unit = units[c.Unit]
	}
	switch c.Kind {
	case 1:
		def.Kind, def.Unit = model.SeriesCounter, "ns"
	case 2:
		def.Kind, def.Unit = model.SeriesCounter, "instructions"
	}
	times = 1
	if c.Multiplier > 0 {
		times = float64(c.Multiplier)
	}
	if ns, ok := Lengths[def.Unit]; ok {
		def.Unit, times = "ns", times*ns
	}
	return times
}
