package sessions

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/model"
	"framescope/widgets"
)

// Settings are the settings of sessions: the time of a frame, memory, disk and clips.
func (ss *Sessions) Settings() []widgets.Setting {
	frame := numberSetting{
		asks: "A frame may take", hint: "such as 11.1 ms or 90 Hz", now: ss.settings.BudgetMs, near: 0.01,
		words: budgetWords, parse: parseFrameTime, set: ss.setBudget,
	}
	memory := numberSetting{
		asks: "Sessions may take", hint: "such as 3GiB", now: float64(ss.memory.limit), near: 1,
		words: bytesWords, parse: parseBytes, set: ss.setMemory,
	}
	const disk = "Memory and disk"
	list := []widgets.Setting{
		{Section: "Frames", Name: "Time for a frame", Values: frame.values(ss.ask, 1000.0/30, 1000.0/60, 1000.0/90,
			1000.0/120, 1000.0/144)},
		{Section: disk, Name: "Memory for sessions", Values: memory.values(ss.ask, 512<<20, 1<<30, 2<<30, 4<<30, 8<<30)},
	}
	if ss.keepsSessions() {
		kept := numberSetting{
			asks: "Sessions on disk may take", hint: "such as 30GiB; 0 keeps none", now: float64(ss.library.Limit()), near: 1,
			words: diskWords, parse: parseDisk, set: func(bytes float64) { ss.setDisk(bytes / (1 << 30)) },
		}
		list = append(list, widgets.Setting{Section: disk, Name: "Live sessions on disk",
			Values: kept.values(ss.ask, 0, 5<<30, settings.DefaultDiskGiB<<30, 50<<30, 100<<30, 500<<30)})
	}
	return append(append(list, ss.settingsOfHitches()...), ss.liveClips.settingsOfClips()...)
}

// settingsOfHitches are those of what is a hitch in the shown program.
func (ss *Sessions) settingsOfHitches() []widgets.Setting {
	if ss.active == nil {
		return nil
	}
	as, _ := ss.active.Collectors().Treated()
	setting := func(name, hint string, of *float64, words func(float64) string, usual ...float64) widgets.Setting {
		x := numberSetting{asks: name, hint: hint, now: *of, near: 1e-6, words: words, parse: parseNumber,
			set: func(v float64) {
				before := *of
				if *of = v; as.Check() != nil {
					*of = before
				}
				ss.treat(as)
			}}
		return widgets.Setting{Section: "Hitches of this program", Name: name, Values: x.values(ss.ask, usual...)}
	}
	return []widgets.Setting{
		setting("A hitch takes at least", "times the typical length, such as 1.3", &as.Factor, factorWords, 0, 1.3, 1.5, 2),
		setting("or misses the refresh at", "in Hz, such as 90", &as.Refresh, refreshWords, 0, 60, 72, 90, 120, 144, 240),
	}
}

func factorWords(factor float64) string {
	if factor == 0 {
		factor = model.DefaultFactor
	}
	return fmt.Sprint(factor, " times the typical")
}

func refreshWords(hz float64) string {
	if hz == 0 {
		return "Unknown"
	}
	return fmt.Sprintf("%v Hz", hz)
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return v, nil
}

// numberSetting is a number that the user sets, by a usual value or one of his own.
type numberSetting struct {
	asks, hint string  // of the question for a value of his own
	now, near  float64 // the present value, and how near another one is the same
	words      func(v float64) string
	parse      func(text string) (v float64, err error)
	set        func(v float64)
}

// values returns the usual values, the present one if it is another, and the way to one of the user's own.
func (c numberSetting) values(ask *workspace.Prompt, usual ...float64) (out []widgets.SettingValue) {
	listed := false
	for _, v := range usual {
		on := math.Abs(v-c.now) < c.near
		listed = listed || on
		out = append(out, widgets.SettingValue{Label: c.words(v), On: on, Run: func() { c.set(v) }})
	}
	if !listed {
		out = append(out, widgets.SettingValue{Label: c.words(c.now), On: true, Run: func() {}})
	}
	return append(out, widgets.SettingValue{Label: "Other…", Run: func() {
		ask.AskLine(c.asks, c.hint, func(text string) (complaint string) {
			v, err := c.parse(text)
			if err != nil {
				return err.Error()
			}
			c.set(v)
			return ""
		})
	}})
}

func budgetWords(ms float64) string { return fmt.Sprintf("%.1f ms (%.0f Hz)", ms, 1000/ms) }

func bytesWords(bytes float64) string { return string(format.AppendBytes(nil, int64(bytes))) }

func diskWords(bytes float64) string {
	if bytes <= 0 {
		return "None kept"
	}
	return library.Bytes(int64(bytes))
}

// parseFrameTime reads the time for a frame in ms, or as frames a second.
func parseFrameTime(text string) (ms float64, err error) {
	var unit string
	n, _ := fmt.Sscanf(text, "%g%s", &ms, &unit)
	switch unit = strings.ToLower(unit); {
	case n > 0 && ms > 0 && (unit == "hz" || unit == "fps"):
		ms = 1000 / ms
	case n > 0 && (unit == "" || unit == "ms"):
	default:
		ms = 0
	}
	if !(ms > 0 && ms <= settings.MostBudgetMs) {
		return 0, fmt.Errorf("%q is neither a time such as 11.1 ms nor a rate such as 90 Hz", text)
	}
	return ms, nil
}

func parseBytes(text string) (float64, error) {
	bytes, err := settings.ParseBytes(text)
	return float64(bytes), err
}

func parseDisk(text string) (float64, error) {
	if text == "0" {
		return 0, nil
	}
	return parseBytes(text)
}
