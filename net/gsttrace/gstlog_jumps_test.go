package gsttrace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// times is a handler that notes the times of what it gets, and what is left out.
type times struct {
	ns      []int64
	text    []string
	jumped  int
	foreign []string
}

func (h *times) Class(*Class)     {}
func (h *times) Record(r *Record) { h.ns = append(h.ns, r.Entry.TimeNs) }
func (h *times) Message(e *LogEntry) {
	h.ns, h.text = append(h.ns, e.TimeNs), append(h.text, string(e.Message))
}
func (h *times) Foreign(_ int64, text []byte) { h.foreign = append(h.foreign, string(text)) }
func (h *times) Unreadable(_ int64, _ []byte, reason string) {
	if reason == Jumped {
		h.jumped++
	}
}

// lineAt is a debug line of a process, its time in seconds.
func lineAt(s, pid int) string {
	return fmt.Sprintf("%d:%02d:%02d.000000001 %5d 0x55cf236bf760 WARN  bin gstbin.c:1:f:<b> at %d\n", s/3600, s/60%60, s%60, pid, s)
}

// A line whose time jumps enters with another of its process that confirms it; what nothing confirms
// is left out, and that is told. Who goes on after hours loses nothing.
func TestJumps(t *testing.T) {
	const year = 365 * 24 * 3600
	type at struct{ s, pid int }
	for name, c := range map[string]struct {
		lines  []at
		want   []int // seconds, in the order of the log
		jumped int
	}{
		"one far ahead":           {[]at{{1, 1}, {2, 1}, {200 * year, 1}, {3, 1}}, []int{1, 2, 3}, 1},
		"the last one":            {[]at{{1, 1}, {2, 1}, {200 * year, 1}}, []int{1, 2}, 1},
		"the first one":           {[]at{{200 * year, 1}, {1, 1}, {2, 1}}, []int{1, 2}, 1},
		"two, each by itself":     {[]at{{1, 1}, {200 * year, 1}, {100 * year, 1}, {2, 1}}, []int{1, 2}, 2},
		"hours of silence":        {[]at{{1, 1}, {20 * 3600, 1}, {40 * 3600, 1}}, []int{1, 20 * 3600, 40 * 3600}, 0},
		"days of silence":         {[]at{{1, 1}, {9 * 86400, 1}, {9*86400 + 1, 1}}, []int{1, 9 * 86400, 9*86400 + 1}, 0},
		"from the middle":         {[]at{{year, 1}, {year + 1, 1}}, []int{year, year + 1}, 0},
		"nothing else":            {[]at{{year, 1}}, []int{year}, 0},
		"processes of their own":  {[]at{{1, 1}, {year, 2}, {2, 1}, {year + 1, 2}, {3, 1}}, []int{1, 2, year, year + 1, 3}, 0},
		"far ahead of another":    {[]at{{1, 1}, {1, 2}, {year, 2}, {2, 1}, {2, 2}}, []int{1, 1, 2, 2}, 1},
		"a process of one line":   {[]at{{1, 1}, {year, 2}, {2, 1}}, []int{1, 2}, 1},
		"back, and on from there": {[]at{{year, 1}, {year + 1, 1}, {1, 1}, {2, 1}}, []int{year, year + 1, 1, 2}, 0},
		"one that is far back":    {[]at{{year, 1}, {year + 1, 1}, {1, 1}, {year + 2, 1}}, []int{year, year + 1, year + 2}, 1},
	} {
		for _, piece := range []int{1, 7, 1 << 20} {
			var h times
			r := NewLogReader(&h, LogOptions{})
			var log strings.Builder
			for _, l := range c.lines {
				log.WriteString(lineAt(l.s, l.pid))
			}
			for text := log.String(); text != ""; {
				n := min(piece, len(text))
				r.Write([]byte(text[:n]))
				text = text[n:]
			}
			r.Close()
			var want []int64
			var text []string
			for _, s := range c.want {
				want, text = append(want, int64(s)*1e9+1), append(text, fmt.Sprintf("at %d", s))
			}
			if !slices.Equal(h.ns, want) || !slices.Equal(h.text, text) || h.jumped != c.jumped || r.Counts().Unreadable != int64(c.jumped) {
				t.Errorf("%s: %v, %d left out, want %v and %d", name, h.text, h.jumped, text, c.jumped)
			}
		}
	}
}

// What continues a line that waits goes with it: into the log, or beside it.
func TestJumpsOfSeveralLines(t *testing.T) {
	const year = 365 * 24 * 3600
	var h times
	r := NewLogReader(&h, LogOptions{})
	fmt.Fprint(r, lineAt(1, 1), lineAt(year, 1), "second\nthird\n", lineAt(year, 1), lineAt(5*year, 1), "printed\n", lineAt(year, 1))
	r.Close()
	want := []string{"at 1", fmt.Sprintf("at %d\nsecond\nthird", year), fmt.Sprintf("at %d", year), fmt.Sprintf("at %d", year)}
	if !slices.Equal(h.text, want) || h.jumped != 1 || !slices.Equal(h.foreign, []string{"printed"}) {
		t.Errorf("%q, %d left out, foreign %q", h.text, h.jumped, h.foreign)
	}
}

// A record tells the time of its line where its own is none of the same clock.
func TestTimeOfARecord(t *testing.T) {
	e := LogEntry{TimeNs: 5e9}
	for told, want := range map[uint64]int64{4e9: 4e9, 0: 0, 1<<64 - 1: 5e9, 7.2e18: 5e9} {
		if got := e.Time(told); got != want {
			t.Errorf("%d: %d", told, got)
		}
	}
}
