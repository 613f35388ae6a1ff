package sessions

import (
	"fmt"
	"strconv"
	"strings"

	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/measure"
	"framescope/model/place"
)

// None is the complaint that a typed text is not a place.
func None(text string) (complaint string) {
	return fmt.Sprintf("%q is not a frame number (12407), a time (3.5 s) or a range (100-900, 12.5s-14s)", text)
}

// Outside is the complaint that a typed time or range has no data.
func Outside(v *view.View, text string) (complaint string) {
	begin, end, _ := v.Session().Bounds()
	return fmt.Sprintf("Nothing was recorded in %q: the session goes from %s to %s", text,
		format.AppendClock(nil, begin, 1e6), format.AppendClock(nil, end, 1e6))
}

// RangeOf returns the range of frames or of time with two ends of a text, as far as the shown session
// has data in it; otherwise a complaint.
func RangeOf(v *view.View, text, a, b string) (found place.Found, kind place.Kind, complaint string) {
	found, kind, ok := rangeOf(v, a, b)
	switch {
	case !ok:
		return found, kind, None(text)
	case kind == place.Frames:
		t := v.Shown()
		if t.NumFrames() == 0 {
			return found, kind, "This thread has no frames"
		}
		if found.First > found.Last {
			return found, kind, fmt.Sprintf("No frame of %q was received; the session has %d to %d",
				text, t.Frame(0).Number, t.Frame(t.NumFrames()-1).Number)
		}
		found.BeginNs, found.EndNs, _ = t.FrameTimes(found.First, found.Last)
	default:
		if begin, end, ok := v.Session().Bounds(); ok && (found.EndNs <= begin || found.BeginNs >= end) {
			return found, kind, Outside(v, text)
		}
	}
	return found, kind, ""
}

// rangeOf returns the range with two ends: of frames where both are whole numbers, and the thread has
// some, else of time; First is over Last where no frame was received in it.
func rangeOf(v *view.View, a, b string) (found place.Found, kind place.Kind, ok bool) {
	found.Track = v.Track()
	if t := v.Shown(); t != nil && t.NumFrames() > 0 {
		first, errA := measure.ParseCount(a)
		last, errB := measure.ParseCount(b)
		if errA == nil && errB == nil {
			first, last = min(first, last), max(first, last)
			found.First, _ = t.FrameByNumber(first)
			if found.Last, ok = t.FrameByNumber(last); !ok {
				found.Last--
			}
			return found, place.Frames, true
		}
	}
	from, errA := ParseTime(a)
	to, errB := ParseTime(b)
	if errA != nil || errB != nil || from == to {
		return found, place.Range, false
	}
	found.BeginNs, found.EndNs = int64(min(from, to)*1e9), int64(max(from, to)*1e9)
	return found, place.Range, true
}

// RangeName returns the name of the range with two ends; false for an invalid or empty range.
func RangeName(v *view.View, a, b string) (name string, ok bool) {
	f, kind, ok := rangeOf(v, a, b)
	if !ok || kind == place.Frames && f.First > f.Last {
		return "", false
	}
	p := place.Place{Kind: kind, BeginNs: f.BeginNs, EndNs: f.EndNs}
	if t := v.Shown(); kind == place.Frames {
		p.First, p.Last = t.Frame(f.First).Number, t.Frame(f.Last).Number
	}
	return string(subject.AppendPlace(nil, p)), true
}

// ParseTime reads a time in seconds: "3.5s", "250ms", "1:02.5".
func ParseTime(s string) (float64, error) {
	scale, typed := 1.0, s
	switch {
	case strings.HasSuffix(s, "ms"):
		s, scale = strings.TrimSuffix(s, "ms"), 1e-3
	case strings.HasSuffix(s, "s"):
		s = strings.TrimSuffix(s, "s")
	}
	total := 0.0
	for i, part := range strings.Split(s, ":") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || !(v >= 0 && v <= 1e9) || total > 0 && v >= 60 || i > 2 { // NaN is neither
			return 0, fmt.Errorf("%q is neither a frame number nor a time", typed)
		}
		total = total*60 + v
	}
	return total * scale, nil
}

// CutRange cuts a plain text between the ends of a range: "100-900", "12.5s-14s", "12.5-14s", with the
// last unit for both, and as on the command line "100:900", "5:10:5:15", unless that is a time.
func CutRange(plain string) (a, b string, ok bool) {
	a, b, ok = strings.Cut(strings.NewReplacer("–", "-", "—", "-", "..", "-", "…", "-").Replace(plain), "-")
	if _, err := ParseTime(plain); !ok && err != nil {
		parts := strings.Split(plain, ":")
		half := len(parts) / 2
		a, b, ok = strings.Join(parts[:half], ":"), strings.Join(parts[half:], ":"), len(parts)%2 == 0
	}
	unit := strings.TrimLeft(b, "0123456789.:")
	if ok && (unit == "s" || unit == "ms") && strings.TrimLeft(a, "0123456789.:") == "" {
		a += unit
	}
	return a, b, ok && a != "" && b != ""
}

// PlainNumber removes blanks and # from a typed number.
func PlainNumber(text string) string {
	text = strings.TrimSpace(strings.ToLower(text))
	return strings.NewReplacer(" ", "", "\u00a0", "", "\u2009", "", "\u202f", "", "#", "").Replace(text)
}
