package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// captures are recordings of the real client with what text-stats printed for them. The large ones
// are not in the repository but beside it.
var captures = []string{"nested", "recursion", "levels", "late", "tinyudp", "gaps", "fragmented", "killed", "threads", "bigframes", "longrun", "render_gl_gpu"}

// path returns the path of a file of a capture. The test is skipped where the capture is absent.
func path(t testing.TB, name string) string {
	t.Helper()
	return recordings.File(t, recordings.PStats, name)
}

func content(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.PStats, name)
}

func recording(t testing.TB, name string) *load.Recording {
	t.Helper()
	return testkit.Must(load.File(t.Context(), path(t, name+".pstats"), load.Options{Events: true}))(t)
}

// frameText is what text-stats prints for a frame.
type frameText struct {
	ms, hz float64
	raw    []string
	// values by path and unit: "App/Tasks ms". Siblings are in no defined order in the official
	// output.
	values map[string]float64
}

// parseFrames reads the output of text-stats, by thread and number.
func parseFrames(t testing.TB, text []byte) map[string]*frameText {
	t.Helper()
	frames := map[string]*frameText{}
	var cur *frameText
	var names []string
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := strings.TrimPrefix(sc.Text(), "\r")
		trimmed := strings.TrimLeft(line, " ")
		depth := (len(line)-len(trimmed))/2 - 1
		switch {
		case strings.HasPrefix(line, "Thread "):
			head, rest, _ := strings.Cut(line, ", ")
			cur = &frameText{values: map[string]float64{}}
			n, err := fmt.Sscanf(rest, "%g ms (%g Hz):", &cur.ms, &cur.hz)
			testkit.MustThat(t, n == 2, "%q: %v", line, err)
			testkit.MustThat(t, frames[head] == nil, "%s comes twice", head)
			frames[head] = cur
			names = names[:0]
		case line == "raw data:":
		case isEvent(trimmed):
			cur.raw = append(cur.raw, trimmed)
		default:
			if strings.HasPrefix(trimmed, "= ") { // an empty name
				trimmed = " " + trimmed
				depth = (len(line)-len(trimmed))/2 - 1
			}
			i := strings.LastIndex(trimmed, " = ")
			testkit.MustThat(t, i >= 0 && depth >= 0 && depth <= len(names), "what is %q", line)
			names = append(names[:depth], trimmed[:i])
			number, unit, _ := strings.Cut(trimmed[i+3:], " ")
			v := testkit.Must(strconv.ParseFloat(number, 64))(t, line)
			cur.values[strings.Join(names, "/")+" "+unit] = v
		}
	}
	return frames
}

func isEvent(line string) bool {
	_, rest, ok := strings.Cut(line, " ")
	return ok && (strings.HasPrefix(rest, "start ") || strings.HasPrefix(rest, "stop  "))
}

// near tells whether two printed numbers are equal up to their sixth digit, or up to slack.
func near(a, b, slack float64) bool {
	d := math.Abs(a - b)
	return a == b || d <= slack || d <= 1.01e-5*math.Max(math.Abs(a), math.Abs(b))
}

// TestLikeTextStats compares each frame with what text-stats printed. The official numbers must be
// met in every printed digit but the last, in which sums of different order may differ; our own
// have nanoseconds, and differ where the official ones are not meant.
func TestLikeTextStats(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			text := content(t, name+".txt")
			want := parseFrames(t, text)
			rec := recording(t, name)
			for _, compat := range []bool{true, false} {
				out := textOf(t, rec.Session, Options{Events: rec.Events, Raw: true, Compat: compat})
				got := strings.HasPrefix(out, "\rThread ")
				testkit.That(t, got == compat, "compat %v: begins with %q", compat, out[:min(20, len(out))])
				compareLines(t, name, compat, want, parseFrames(t, []byte(out)))
			}
		})
	}
}

// Where we know that we differ from what text-stats printed, by the number of values.
const (
	// text-stats saw frames before the definitions of their collectors, which it leaves out, or before
	// frames with smaller numbers, which then do not count for the rate; session files do not keep the
	// order of arrival.
	lateDefinitions = "it depends on the order of arrival"
	// A collector that stops while paused stays paused in the official program, so that its next run
	// in the frame is lost (VIEWER.md section 4.1).
	pausedFlag = "the official program loses runs"
	// A counter that fell below zero arrives as 2^64 bytes. The official program takes it out of what
	// is above it and adds it again, by which that loses its digits; ours is what was sent.
	hugeLevel = "the official sums lose digits beside a huge value"
	// What was running before the frame is charged when it stops, from the frame's begin on, with all
	// that ran inside it meanwhile; as much is taken from the frame itself.
	inRetrospect = "the official program charges in retrospect"
)

type known struct {
	values int
	why    string
}

func knownDifferences(name string, compat bool) known {
	switch {
	case name == "recursion" && !compat:
		return known{279, pausedFlag}
	case name == "late" && !compat:
		return known{3, hugeLevel}
	case name == "killed":
		return known{90, lateDefinitions}
	case name == "threads" && !compat:
		return known{12, hugeLevel}
	case name == "render_gl_gpu":
		if !compat {
			return known{799, inRetrospect}
		}
		return known{2, lateDefinitions}
	case name == "longrun" && compat:
		return known{19, lateDefinitions}
	case name == "longrun":
		return known{30, hugeLevel + "; " + lateDefinitions}
	}
	return known{}
}

func compareLines(t *testing.T, name string, compat bool, want, got map[string]*frameText) {
	t.Helper()
	allowed := knownDifferences(name, compat)
	values, different := 0, 0
	var lines []string
	complain := func(format string, args ...any) {
		different++
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	defer func() {
		testkit.That(t, different == allowed.values, "compat %v: %d of %d values differ, want %d %s:\n%s", compat, different,
			values, allowed.values, allowed.why, strings.Join(lines[:min(20, len(lines))], "\n"))
	}()
	if len(got) != len(want) {
		complain("%d frames, want %d", len(got), len(want))
	}
	for head, w := range want {
		g := got[head]
		if g == nil {
			complain("no %s", head)
			continue
		}
		slack := 0.0
		if !compat {
			slack = 2e-6 * float64(len(w.raw)+1) // one nanosecond each way for each event, in ms
		}
		if !slices.Equal(g.raw, w.raw) {
			complain("%s: events differ", head)
		}
		if !near(g.ms, w.ms, slack) || !near(g.hz, w.hz, slack) {
			complain("%s: %v ms %v Hz, want %v ms %v Hz", head, g.ms, g.hz, w.ms, w.hz)
		}
		for path, v := range w.values {
			values++
			if u, ok := g.values[path]; !ok {
				complain("%s: no %s", head, path)
			} else if !near(u, v, max(slack, 1e-12)) {
				complain("%s: %s is %v, want %v", head, path, u, v)
			}
		}
		for path := range g.values {
			if _, ok := w.values[path]; !ok {
				complain("%s: %s is too much", head, path)
			}
		}
	}
}

// TestEventsLikeTextStats compares the events with the official JSON: the same lines, in the same
// order for each thread.
func TestEventsLikeTextStats(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			want := map[string][]string{}
			for line := range strings.SplitSeq(string(content(t, name+".json")), "\n") {
				if line = strings.TrimSuffix(line, ","); line != "[" && line != "" {
					want[tidOf(line)] = append(want[tidOf(line)], line)
				}
			}
			rec := recording(t, name)
			out := textOf(t, rec.Session, Options{Events: rec.Events, JSON: true})
			testkit.MustThat(t, json.Valid([]byte(out)), "not valid JSON")
			got := map[string][]string{}
			for line := range strings.SplitSeq(out, "\n") {
				if line = strings.TrimSuffix(line, ","); line != "[" && line != "]" && line != "" {
					got[tidOf(line)] = append(got[tidOf(line)], line)
				}
			}
			for tid, w := range want {
				g := got[tid]
				// Events that arrived before the definition of their collector have no name there: compare the
				// rest of them.
				unknown := map[string]bool{}
				for _, line := range w {
					if rest, ok := strings.CutPrefix(line, `{"name":"Unknown"`); ok {
						unknown[rest] = true
					}
				}
				for _, lines := range [][]string{g, w} {
					for i, line := range lines {
						if at := strings.Index(line, `,"ts":`); at > 0 && unknown[line[at:]] {
							lines[i] = line[at:]
						}
					}
				}
				slices.Sort(g) // the official lines are in order of arrival, which the session file does not tell
				slices.Sort(w)
				if !slices.Equal(g, w) {
					t.Errorf("thread %s: %d lines, want %d", tid, len(g), len(w))
					for i := range min(len(g), len(w)) {
						if g[i] != w[i] {
							t.Errorf("%s\nwant\n%s", g[i], w[i])
							break
						}
					}
				}
			}
		})
	}
}

func tidOf(line string) string {
	i := strings.LastIndex(line, `"tid":`)
	if i < 0 {
		return ""
	}
	tid, _, _ := strings.Cut(line[i+6:], ",")
	return strings.TrimRight(tid, "}")
}
