package gsttrace

import (
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/gsttrace/gstlog"
)

// number completes the plan of a number: gauge, counter or value, its unit and range.
func (v *valuePlan) number(f *gstlog.Field, pl *plan) {
	v.def.Unit, v.factor = unitOf(f)
	wide := f.Type == "guint64" || f.Type == "uint64" || f.Type == "clock-time" || f.Type == "GstClockTime"
	switch {
	case pl.stock == stockReported:
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleReported
		v.signed = f.Name != "max" // a difference of unsigned numbers (FORMAT.md section 6.1)
	case pl.stock == stockLatency && f.Name == "time":
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleLatency
	case pl.stock == stockRusage && f.Name == "time":
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleCPUTime
	}
	v.nsAll = wide && !v.signed
	// An average, or what has a limit, is a gauge; a total grows without one.
	if f.Aggregated && v.def.Role != model.RoleLatency {
		v.def.Kind = model.SeriesCounter
		if f.HasMax || strings.Contains(strings.ToLower(f.Description), "average") {
			v.def.Kind = model.SeriesGauge
		}
	}
	if f.HasMax {
		low := 0.0
		if f.HasMin {
			low = f.Min
		}
		if high := f.Max; high > low && !math.IsInf(high-low, 0) {
			v.def.Min, v.def.Max, v.def.HasRange = low*v.factor, high*v.factor, true
		}
	}
}

// flow makes the plan of the size of a buffer that of the flow over a link.
func (v *valuePlan) flow() {
	v.def.Group, v.def.Kind, v.def.Role, v.def.Unit = "buffers", model.SeriesEvent, model.RoleFlow, "B"
}

// unitOf finds the unit in a field's description, where alone it is hinted at (FORMAT.md section 5), and what values are multiplied by to get to it.
func unitOf(f *gstlog.Field) (unit string, factor float64) {
	d := f.Description
	switch {
	case strings.Contains(d, "‰"):
		return "%", 0.1
	case hasWord(d, "ns"), hasWord(d, "nanoseconds"):
		return "ns", 1
	case hasWord(d, "us"), hasWord(d, "µs"), hasWord(d, "microseconds"):
		return "ns", 1e3
	case hasWord(d, "ms"), hasWord(d, "milliseconds"):
		return "ns", 1e6
	case strings.HasSuffix(d, "in seconds"), strings.HasSuffix(d, "in s"):
		return "ns", 1e9
	case hasWord(d, "bytes"):
		return "B", 1
	case strings.Contains(d, "%"), hasWord(d, "percent"):
		return "%", 1
	}
	if f.Type == "clock-time" || f.Type == "GstClockTime" {
		return "ns", 1
	}
	return "", 1
}

// hasWord tells whether a description speaks of values in a unit: "in ns", "… ns" at its end.
func hasWord(d, unit string) bool {
	if strings.HasSuffix(d, " "+unit) {
		return true
	}
	i := strings.Index(d, "in "+unit)
	if i < 0 || i > 0 && d[i-1] != ' ' && d[i-1] != '(' {
		return false
	}
	rest := d[i+3+len(unit):]
	return rest == "" || strings.ContainsAny(rest[:1], " ,.;)")
}

// bufferFlags names the flags of a buffer (FORMAT.md section 6.2).
var bufferFlags = [...]struct {
	bit  uint64
	name string
}{
	{16, "live"}, {32, "decode-only"}, {64, "discont"}, {128, "resync"}, {256, "corrupted"}, {512, "marker"}, {1024, "header"}, {2048, "gap"}, {4096, "droppable"},
	{8192, "delta-unit"}, {16384, "tag-memory"}, {32768, "sync-after"}, {65536, "non-droppable"},
}

// wordsOf returns how the numbers of a type are read; nil for as numbers.
func wordsOf(typ string) func(uint64) string {
	switch typ {
	case "GstBufferFlags":
		return func(u uint64) string {
			var parts []string
			for _, f := range bufferFlags {
				if u&f.bit != 0 {
					parts = append(parts, f.name)
					u &^= f.bit
				}
			}
			if u &^= 15; u != 0 { // the lowest four are internal
				parts = append(parts, "0x"+strconv.FormatUint(u, 16))
			}
			if len(parts) == 0 {
				return "none"
			}
			return strings.Join(parts, "+")
		}
	case "GstPadDirection":
		return oneOf("unknown", "src", "sink")
	case "GstState":
		return oneOf("void-pending", "null", "ready", "paused", "playing")
	}
	return nil
}

func oneOf(words ...string) func(uint64) string {
	return func(u uint64) string {
		if u < uint64(len(words)) {
			return words[u]
		}
		return strconv.FormatUint(u, 10)
	}
}
