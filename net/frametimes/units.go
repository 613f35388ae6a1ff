package frametimes

import (
	"strings"
	"unicode"
)

// timeUnits are the words for units of time, in ns.
var timeUnits = map[string]uint64{
	"s": 1e9, "sec": 1e9, "secs": 1e9, "seconds": 1e9, "ms": 1e6, "msec": 1e6, "msecs": 1e6, "milliseconds": 1e6,
	"us": 1e3, "µs": 1e3, "μs": 1e3, "usec": 1e3, "usecs": 1e3, "microseconds": 1e3,
	"ns": 1, "nsec": 1, "nsecs": 1, "nanoseconds": 1,
}

// otherUnits are units that end the name of a column without brackets around them.
var otherUnits = map[string]bool{
	"%": true, "pct": true, "percent": true, "bytes": true, "kb": true, "mb": true, "gb": true, "kib": true, "mib": true,
	"gib": true, "hz": true, "khz": true, "mhz": true, "ghz": true,
}

// unitOf parts the name of a column from its unit: "time (s)", "t_us", "MsUntilDisplayed". The unit is
// empty where there is none.
func unitOf(name string) (base, unit string) {
	name = strings.TrimSpace(name)
	if n := len(name); n > 2 && (name[n-1] == ')' || name[n-1] == ']') {
		open := map[byte]string{')': "(", ']': "["}[name[n-1]]
		if at := strings.LastIndex(name, open); at > 0 {
			return strings.TrimRight(name[:at], " _"), strings.TrimSpace(name[at+1 : n-1])
		}
	}
	if at := strings.LastIndexAny(name, "_ -"); at > 0 {
		word := strings.ToLower(name[at+1:])
		if timeUnits[word] > 0 || otherUnits[word] {
			return strings.TrimRight(name[:at], "_ -"), name[at+1:]
		}
	}
	if n := len(name); n > 3 {
		if tail := name[n-2:]; (tail == "Ms" || tail == "Us" || tail == "Ns") && unicode.IsLower(rune(name[n-3])) {
			return name[:n-2], strings.ToLower(tail)
		}
		if strings.HasPrefix(strings.ToLower(name), "ms") && unicode.IsUpper(rune(name[2])) {
			return name[2:], "ms"
		}
	}
	return name, ""
}

// timeUnit returns how many ns a unit has, 0 where it is none of time.
func timeUnit(unit string) uint64 { return timeUnits[strings.ToLower(unit)] }

// shownUnit returns in which unit of the model values of a unit are given, and by what they are
// multiplied.
func shownUnit(unit string) (string, float64) {
	if ns := timeUnit(unit); ns > 0 {
		return "ns", float64(ns)
	}
	switch strings.ToLower(unit) {
	case "pct", "percent":
		return "%", 1
	case "b", "bytes":
		return "B", 1
	case "kib":
		return "B", 1 << 10
	case "mib":
		return "B", 1 << 20
	case "gib":
		return "B", 1 << 30
	}
	return unit, 1
}

// splitWords writes a name in words: "GPUBusy" as "GPU busy", "BetweenDisplayChange" as "Between display
// change".
func splitWords(name string) string {
	var b strings.Builder
	r := []rune(strings.ReplaceAll(name, "_", " "))
	for i, c := range r {
		upper := unicode.IsUpper(c)
		before := i > 0 && unicode.IsLower(r[i-1])
		after := i+1 < len(r) && unicode.IsLower(r[i+1])
		if upper && i > 0 && r[i-1] != ' ' && (before || after && unicode.IsUpper(r[i-1])) {
			b.WriteByte(' ')
		}
		if upper && i > 0 && after && (before || unicode.IsUpper(r[i-1])) {
			c = unicode.ToLower(c)
		}
		if i == 0 {
			c = unicode.ToUpper(c)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// shownColumn says what a column of values is called and measured in, and to what group it belongs:
// those of a group may share a chart.
func shownColumn(k kind, name string) (c column) {
	if k == mangoHud {
		return sensor(name)
	}
	base, unit := unitOf(name)
	c.unit, c.factor = shownUnit(unit)
	if k == presentMon {
		base = splitWords(base)
		if unit == "" && durations[norm(name)] {
			c.unit, c.factor = "ns", 1e6
		}
	}
	c.group, c.name = base, base
	return c
}

// durations are columns of PresentMon 2.0 to 2.3, which are in ms and do not say so.
var durations = map[string]bool{
	"frametime": true, "cpubusy": true, "cpuwait": true, "gpulatency": true, "gputime": true, "gpubusy": true,
	"gpuwait": true, "videobusy": true, "displaylatency": true, "displayedtime": true, "animationerror": true,
	"clicktophotonlatency": true, "allinputtophotonlatency": true, "instrumentedlatency": true,
}

// sensor describes a column of MangoHud.
func sensor(name string) column {
	what := func(suffix string) string {
		s := strings.ReplaceAll(strings.TrimSuffix(name, suffix), "_", " ")
		for _, short := range []string{"cpu", "gpu", "vram", "ram", "rss"} {
			s = strings.ReplaceAll(" "+s, " "+short, " "+strings.ToUpper(short))[1:]
		}
		return s
	}
	for _, k := range []struct {
		suffix, group, unit string
		factor              float64
	}{
		{"_load", "Load", "%", 1}, {"_temp", "Temperature", "°C", 1}, {"_clock", "Clock", "MHz", 1},
		{"_mhz", "Clock", "MHz", 1}, {"_power", "Power", "W", 1}, {"_used", "Memory", "B", 1 << 30},
		{"_rss", "Memory", "B", 1 << 30},
	} {
		if strings.HasSuffix(strings.ToLower(name), k.suffix) {
			return column{name: what(k.suffix), group: k.group, unit: k.unit, factor: k.factor}
		}
	}
	if norm(name) == "fps" {
		return column{name: "FPS", group: "FPS", factor: 1}
	}
	return column{name: what(""), group: what(""), factor: 1}
}
