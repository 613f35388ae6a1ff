package frametimes

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"framescope/model"
)

// unknown is the scale of a unit that is not known. A unit of time has 10^scale ns.
const unknown = -1

// measure is in what the values of a unit are shown, and by what they are multiplied then.
type measure struct {
	unit   string
	factor float64
}

// units are those that may end the name of a column without brackets around them.
var units = unitTable(map[string]measure{
	"s sec secs seconds": {"ns", 1e9}, "ms msec msecs milliseconds": {"ns", 1e6},
	"us µs μs usec usecs microseconds": {"ns", 1e3}, "ns nsec nsecs nanoseconds": {"ns", 1},
	"% pct percent": {"%", 1}, "bytes": {"B", 1}, "kib": {"B", 1 << 10}, "mib": {"B", 1 << 20}, "gib": {"B", 1 << 30},
	"kb mb gb hz khz mhz ghz": {},
})

func unitTable(words map[string]measure) map[string]measure {
	table := map[string]measure{}
	for list, m := range words {
		for _, word := range strings.Fields(list) {
			table[word] = m
		}
	}
	return table
}

// timeUnit returns the scale of a unit, or unknown.
func timeUnit(unit string) int {
	if m := units[strings.ToLower(unit)]; m.unit == "ns" {
		return int(math.Round(math.Log10(m.factor)))
	}
	return unknown
}

// unitAtEnd is a unit in brackets, behind a blank, or in camel case; msAtBegin is one that stands before a name.
var (
	inBrackets  = regexp.MustCompile(`^(.+?)[ _]*[(\[]([^(\[]*)[)\]]$`)
	behindBlank = regexp.MustCompile(`^(.+?)[_ -]+([^_ -]+)$`)
	camelUnit   = regexp.MustCompile(`^(.+[a-z])(Ms|Us|Ns)$`)
	msAtBegin   = regexp.MustCompile(`^[mM][sS]([A-Z].+)$`)
)

// unitOf parts the name of a column from its unit: "time (s)", "t_us", "MsUntilDisplayed". The unit is
// empty where there is none.
func unitOf(name string) (base, unit string) {
	name = strings.TrimSpace(name)
	if x := inBrackets.FindStringSubmatch(name); x != nil {
		return x[1], strings.TrimSpace(x[2])
	}
	if x := behindBlank.FindStringSubmatch(name); x != nil {
		if _, known := units[strings.ToLower(x[2])]; known {
			return x[1], x[2]
		}
	}
	if x := camelUnit.FindStringSubmatch(name); x != nil {
		return x[1], strings.ToLower(x[2])
	}
	if x := msAtBegin.FindStringSubmatch(name); x != nil {
		return x[1], "ms"
	}
	return name, ""
}

// wordEnd is where a word of camel case ends and the next begins; firstLetter is that of a name.
var (
	wordEnd     = regexp.MustCompile(`(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})`)
	nextWord    = regexp.MustCompile("\x00\\p{Lu}\\p{Ll}")
	firstLetter = regexp.MustCompile(`^\p{Ll}`)
)

// splitWords writes a name in words: "GPUBusy" as "GPU busy", "BetweenDisplayChange" as "Between display
// change".
func splitWords(name string) string {
	name = wordEnd.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1$3\x00$2$4")
	name = nextWord.ReplaceAllStringFunc(name, strings.ToLower)
	return firstLetter.ReplaceAllStringFunc(strings.ReplaceAll(name, "\x00", " "), strings.ToUpper)
}

// shownColumn says what a column of values is called and measured in, and to what group it belongs:
// those of a group may share a chart.
func shownColumn(k kind, name string) (c column) {
	if k == mangoHud {
		return sensor(name)
	}
	base, unit := unitOf(name)
	if k == presentMon {
		if unit == "" && durations[norm(name)] {
			unit = "ms"
		}
		base = splitWords(base)
	}
	c = column{group: base, name: base, measure: units[strings.ToLower(unit)], kind: model.SeriesValue}
	if c.unit == "" {
		c.measure.factor = 1
		c.unit = unit
	}
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
	suffix, group string
	measure
}{
	{"_load", "Load", measure{"%", 1}}, {"_temp", "Temperature", measure{"°C", 1}}, {"_clock", "Clock", measure{"MHz", 1}},
	{"_mhz", "Clock", measure{"MHz", 1}}, {"_power", "Power", measure{"W", 1}}, {"_used", "Memory", measure{"B", 1 << 30}},
	{"_rss", "Memory", measure{"B", 1 << 30}},
}

// sensor describes a column of MangoHud.
func sensor(name string) column {
	c := column{measure: measure{"", 1}, kind: model.SeriesValue}
	for _, k := range sensors {
		if strings.HasSuffix(strings.ToLower(name), k.suffix) {
			name = name[:len(name)-len(k.suffix)]
			c.group, c.measure = k.group, k.measure
			break
		}
	}
	words := strings.Split(name, "_")
	for i, w := range words {
		if slices.Contains([]string{"cpu", "gpu", "vram", "ram", "rss", "fps"}, w) {
			words[i] = strings.ToUpper(w)
		}
	}
	c.name = strings.Join(words, " ")
	c.group = cmp.Or(c.group, c.name)
	return c
}
