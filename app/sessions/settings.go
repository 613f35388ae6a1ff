package sessions

import (
	"fmt"
	"math"
	"strings"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/charts/format"
	"framescope/widgets"
)

// Settings are the settings of sessions: the time of a frame, memory, disk and clips.
func (ss *Sessions) Settings() []widgets.Setting {
	list := []widgets.Setting{
		{Section: "Frames", Name: "Time for a frame", Values: ss.values(
			numberOf{"A frame may take", "such as 11.1 ms or 90 Hz", ss.settings.BudgetMs, 0.01}, budgetWords, parseFrameTime, ss.setBudget,
			1000.0/30, 1000.0/60, 1000.0/90, 1000.0/120, 1000.0/144)},
		{Section: "Memory and disk", Name: "Memory for sessions", Values: ss.values(
			numberOf{"Sessions may take", "such as 3GiB", float64(ss.memory.Limit()), 1}, bytesWords, parseBytes, ss.setMemory,
			512<<20, 1<<30, 2<<30, 4<<30, 8<<30)},
	}
	if ss.keepsSessions() {
		list = append(list, widgets.Setting{Section: "Memory and disk", Name: "Live sessions on disk", Values: ss.values(
			numberOf{"Sessions on disk may take", "such as 30GiB; 0 keeps none", float64(ss.library.Limit()), 1}, diskWords, parseDisk,
			func(bytes float64) { ss.setDisk(bytes / (1 << 30)) },
			0, 5<<30, settings.DefaultDiskGiB<<30, 50<<30, 100<<30, 500<<30)})
	}
	return append(list, ss.camera.settingsOfClips()...)
}

// numberOf is a number that the user sets: words and a hint for a value of one's own, the present one, and how
// near another is the same.
type numberOf struct {
	words, hint string
	now, near   float64
}

// values returns the usual values of a choice, the present one if it is another, and the way to a value of
// one's own.
func (ss *Sessions) values(
	c numberOf, words func(float64) string, parse func(string) (float64, error), set func(float64), usual ...float64,
) (out []widgets.SettingValue) {
	listed := false
	for _, v := range usual {
		on := math.Abs(v-c.now) < c.near
		listed = listed || on
		out = append(out, widgets.SettingValue{Label: words(v), On: on, Run: func() { set(v) }})
	}
	if !listed {
		out = append(out, widgets.SettingValue{Label: words(c.now), On: true, Run: func() {}})
	}
	return append(out, widgets.SettingValue{Label: "Other…", Run: func() {
		q := &widgets.Palette{Name: c.words, Does: "Set"}
		q.Field.Hint = c.hint
		q.Answer = func(text string) (complaint string) {
			v, err := parse(strings.TrimSpace(text))
			if err != nil {
				return err.Error()
			}
			set(v)
			return ""
		}
		ss.ask.Ask(q, 420)
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
