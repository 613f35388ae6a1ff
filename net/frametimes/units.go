package frametimes

import (
	"cmp"
	"math"
	"strings"
	"unicode"
)

// unknown is the scale of a unit that is not known. A unit of time has 10^scale ns.
const unknown = -1

// timeUnits are the scales of words for units of time.
var timeUnits = map[string]int{
	"s": 9, "sec": 9, "secs": 9, "seconds": 9, "ms": 6, "msec": 6, "msecs": 6, "milliseconds": 6,
	"us": 3, "µs": 3, "μs": 3, "usec": 3, "usecs": 3, "microseconds": 3, "ns": 0, "nsec": 0, "nsecs": 0,
	"nanoseconds": 0,
}

// otherUnits are units that may end the name of a column without brackets around them: in what their values are
// shown, if in another unit, and by what they are multiplied then.
var otherUnits = map[string]struct {
	unit   string
	factor float64
}{
	"%": {}, "kb": {}, "mb": {}, "gb": {}, "hz": {}, "khz": {}, "mhz": {}, "ghz": {}, "pct": {"%", 1}, "percent": {"%", 1},
	"bytes": {"B", 1}, "kib": {"B", 1 << 10}, "mib": {"B", 1 << 20}, "gib": {"B", 1 << 30},
}

// timeUnit returns the scale of a unit, or unknown.
func timeUnit(unit string) int {
	if scale, ok := timeUnits[strings.ToLower(unit)]; ok {
		return scale
	}
	return unknown
}

// unitOf parts the name of a column from its unit: "time (s)", "t_us", "MsUntilDisplayed". The unit is
// empty where there is none.
func unitOf(name string) (base, unit string) {
	name = strings.TrimSpace(name)
	n := len(name)
	if at := strings.LastIndexAny(name, "(["); at > 0 && strings.IndexByte(")]", name[n-1]) >= 0 {
		return strings.TrimRight(name[:at], " _"), strings.TrimSpace(name[at+1 : n-1])
	}
	if at := strings.LastIndexAny(name, "_ -"); at > 0 {
		word := strings.ToLower(name[at+1:])
		if _, other := otherUnits[word]; other || timeUnit(word) != unknown {
			return strings.TrimRight(name[:at], "_ -"), name[at+1:]
		}
	}
	if n <= 3 {
		return name, ""
	}
	if tail := name[n-2:]; (tail == "Ms" || tail == "Us" || tail == "Ns") && unicode.IsLower(rune(name[n-3])) {
		return name[:n-2], strings.ToLower(tail)
	}
	if strings.EqualFold(name[:2], "ms") && unicode.IsUpper(rune(name[2])) {
		return name[2:], "ms"
	}
	return name, ""
}

// shownUnit returns in which unit of the model values of a unit are given, and by what they are
// multiplied.
func shownUnit(unit string) (string, float64) {
	if scale := timeUnit(unit); scale != unknown {
		return "ns", math.Pow10(scale)
	}
	if x := otherUnits[strings.ToLower(unit)]; x.unit != "" {
		return x.unit, x.factor
	}
	return unit, 1
}

// splitWords writes a name in words: "GPUBusy" as "GPU busy", "BetweenDisplayChange" as "Between display
// change".
func splitWords(name string) string {
	var b strings.Builder
	r := []rune(strings.ReplaceAll(name, "_", " "))
	for i, c := range r {
		before := i > 0 && unicode.IsLower(r[i-1])
		after := i+1 < len(r) && unicode.IsLower(r[i+1])
		begins := i > 0 && unicode.IsUpper(c) && (before || after && unicode.IsUpper(r[i-1]))
		if begins {
			b.WriteByte(' ')
		}
		switch {
		case i == 0:
			c = unicode.ToUpper(c)
		case begins && after:
			c = unicode.ToLower(c)
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
var durations = set("frametime cpubusy cpuwait gpulatency gputime gpubusy gpuwait videobusy displaylatency " +
	"displayedtime animationerror clicktophotonlatency allinputtophotonlatency instrumentedlatency")

// set returns the words of a text.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// sensors are the columns of MangoHud, by how their names end.
var sensors = []struct {
	suffix, group, unit string
	factor              float64
}{
	{"_load", "Load", "%", 1}, {"_temp", "Temperature", "°C", 1}, {"_clock", "Clock", "MHz", 1},
	{"_mhz", "Clock", "MHz", 1}, {"_power", "Power", "W", 1}, {"_used", "Memory", "B", 1 << 30}, {"_rss", "Memory", "B", 1 << 30},
}

// sensor describes a column of MangoHud.
func sensor(name string) (c column) {
	c.factor = 1
	for _, k := range sensors {
		if strings.HasSuffix(strings.ToLower(name), k.suffix) {
			name = name[:len(name)-len(k.suffix)]
			c.group, c.unit, c.factor = k.group, k.unit, k.factor
			break
		}
	}
	words := strings.Split(name, "_")
	for i, w := range words {
		switch w {
		case "cpu", "gpu", "vram", "ram", "rss", "fps":
			words[i] = strings.ToUpper(w)
		}
	}
	c.name = strings.Join(words, " ")
	c.group = cmp.Or(c.group, c.name)
	return c
}
