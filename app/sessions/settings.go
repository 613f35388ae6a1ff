package sessions

import (
	"fmt"
	"math"
	"strings"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/widgets"
)

// Settings are the settings of sessions: the time of a frame, memory, disk and clips.
func (ss *Sessions) Settings() []widgets.Setting {
	frame := numberSetting{
		asks: "A frame may take", hint: "such as 11.1 ms or 90 Hz", now: ss.settings.BudgetMs, near: 0.01,
		words: budgetWords, parse: parseFrameTime, set: ss.setBudget,
	}
	memory := numberSetting{
		asks: "Sessions may take", hint: "such as 3GiB", now: float64(ss.memory.Limit()), near: 1,
		words: bytesWords, parse: parseBytes, set: ss.setMemory,
	}
	const disk = "Memory and disk"
	list := []widgets.Setting{
		{Section: "Frames", Name: "Time for a frame", Values: frame.values(ss.ask, 1000.0/30, 1000.0/60, 1000.0/90, 1000.0/120, 1000.0/144)},
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
	return append(list, ss.liveClips.settingsOfClips()...)
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
