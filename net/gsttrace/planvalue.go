package gsttrace

import (
	"math"
	"strings"

	"framescope/model"
)

// number completes the plan of a number: gauge, counter or value, its unit and range.
func (v *valuePlan) number(f *Field, pl *plan) {
	v.def.Unit, v.factor = UnitOf(f)
	wide := f.Type == "guint64" || f.Type == "uint64" || f.Type == "clock-time" || f.Type == "GstClockTime"
	switch {
	case pl.stock == stockReported:
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleReported
		v.signed = f.Name != "max" // a difference of unsigned numbers (FORMAT.md section 6.1)
	case pl.stock == stockLatency && f.Name == "time":
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleLatency
	case pl.stock == stockRusage && f.Name == "time":
		v.def.Unit, v.factor, v.def.Role = "ns", 1, model.RoleCPUTime
	case pl.stock == stockRusage && strings.HasSuffix(f.Name, "-cpuload"):
		v.def.Role = model.RoleReportedLoad
	}
	v.nsAll = wide && !v.signed
	// An average, or a value with a limit, is a gauge; a total grows without one.
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
