package server

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
)

// officialFrame is one line of NAME.frames.tsv: what the official server stored.
type officialFrame struct {
	thread, number  int
	start, end      float64
	events, levels  int
	startAndEndKept bool // false for frames without events
}

func officialFrames(t *testing.T, name string) (frames []officialFrame) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(pstatstest.Bytes(t, name+".frames.tsv")))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		var o officialFrame
		var err [6]error
		o.thread, err[0] = strconv.Atoi(f[0])
		o.number, err[1] = strconv.Atoi(f[1])
		o.start, err[2] = strconv.ParseFloat(f[2], 64)
		o.end, err[3] = strconv.ParseFloat(f[3], 64)
		o.events, err[4] = strconv.Atoi(f[4])
		o.levels, err[5] = strconv.Atoi(f[5])
		if e := errors.Join(err[:]...); e != nil {
			t.Fatalf("%s.frames.tsv: %q: %v", name, lines.Text(), e)
		}
		o.startAndEndKept = o.events > 0
		frames = append(frames, o)
	}
	return frames
}

// officialDefs is NAME.defs.json: what the official server knew at the end.
type officialDefs struct {
	Host    string `json:"client_hostname"`
	Program string `json:"progname"`
	PID     int64
	Threads []struct {
		Index          int
		Name           string
		Frames         int
		Events, Levels int
	}
	Collectors []struct {
		Index, Parent int16
		Name          string
		Color         [3]float64
		Sort          int16
		Units         string
		Scale, Factor float64
	}
}

// replayOverSockets sends a capture to a server over real sockets and waits at each change of
// channel until everything sent before has been handled.
func replayOverSockets(t testing.TB, name string) *recording {
	t.Helper()
	s := serve(t, nil)
	pstatstest.OverSockets(t, name, s.Addr().String(), func(messages int64) {
		s.waitClients(t, fmt.Sprintf("%d messages", messages), func(c []ClientInfo) bool {
			return len(c) == 1 && c[0].Messages == messages
		})
	})
	r := s.session(t)
	r.waitClosed(t)
	s.Close()
	return r
}

func TestReplayCaptures(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := replayOverSockets(t, name)
			compareWithOracle(t, name, r)
			equal(t, "losses", r.lost, [model.NumLossReasons]int64{})
		})
	}
}

func compareWithOracle(t *testing.T, name string, r *recording) {
	var defs officialDefs
	testkit.OK(t, json.Unmarshal(pstatstest.Bytes(t, name+".defs.json"), &defs))
	equal(t, "hello", r.hellos, []pstats.ClientHello{{Host: defs.Host, Program: defs.Program, Version: v32, PID: defs.PID}})

	// Collectors: the last definition of each.
	last := make(map[int16]pstats.CollectorDef)
	for _, d := range r.defs {
		last[d.Index] = d
	}
	equal(t, "collectors", len(last), len(defs.Collectors))
	near := func(a float32, b float64) bool { return abs(float64(a)-b) <= 1e-5*max(1, abs(b)) } // the oracle prints few digits
	for _, want := range defs.Collectors {
		got := last[want.Index]
		wantName := latin1(want.Name)
		if got.Name != wantName || got.Parent != want.Parent || got.Sort != want.Sort || got.Units != want.Units ||
			!near(got.R, want.Color[0]) || !near(got.G, want.Color[1]) || !near(got.B, want.Color[2]) || !near(got.Scale, want.Scale) || !near(got.Factor, want.Factor) {
			t.Errorf("collector %d: got %+v, want %+v", want.Index, got, want)
		}
	}

	// Threads: names, and frames, events and levels of each.
	type sums struct{ frames, events, levels int }
	perThread := make(map[int]sums)
	for _, f := range r.frames {
		s := perThread[int(f.Thread)]
		perThread[int(f.Thread)] = sums{s.frames + 1, s.events + len(f.Events), s.levels + len(f.Levels)}
	}
	equal(t, "threads", len(r.threads), len(defs.Threads))
	for _, want := range defs.Threads {
		equal(t, fmt.Sprintf("name of thread %d", want.Index), r.threads[want.Index], want.Name)
		if got := perThread[want.Index]; got != (sums{want.Frames, want.Events, want.Levels}) {
			t.Errorf("thread %d: got %+v, want %d frames, %d events, %d levels", want.Index, got, want.Frames, want.Events, want.Levels)
		}
	}

	// Every stored frame, its times and sizes. A float32 printed with nine digits comes back as
	// itself.
	want := officialFrames(t, name)
	equal(t, "frames", len(r.frames), len(want))
	got := slices.Clone(r.frames)
	slices.SortStableFunc(got, func(a, b pstats.Frame) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Number, b.Number))
	})
	for i, w := range want[:min(len(want), len(got))] {
		g := got[i]
		o := officialFrame{thread: int(g.Thread), number: int(g.Number), events: len(g.Events), levels: len(g.Levels)}
		if n := len(g.Events); n > 0 {
			o.start, o.end, o.startAndEndKept = float64(g.Events[0].Time), float64(g.Events[n-1].Time), true
		}
		if o.thread != w.thread || o.number != w.number || o.events != w.events || o.levels != w.levels ||
			o.startAndEndKept && (abs(o.start-w.start) > 1e-8*max(1, w.start) || abs(o.end-w.end) > 1e-8*max(1, w.end)) {
			t.Fatalf("frame %d in order: got %+v, want %+v", i, o, w)
		}
	}

	// What the notes beside the capture count, where the whole collection is here.
	const collection = "../../../../shared/captures/pstats"
	if _, err := os.Stat(collection); err == nil {
		notes := testkit.Must(os.ReadFile(filepath.Join(collection, name+".md")))(t)
		for pattern, got := range map[string]int{
			`control messages hello (\d+)`: len(r.hellos), `expire-thread (\d+)`: len(r.expired),
			`(\d+) collector definitions`: len(r.defs), `(\d+) threads \(`: len(r.threads),
		} {
			m := regexp.MustCompile(pattern).FindSubmatch(notes)
			if m == nil || string(m[1]) != strconv.Itoa(got) {
				t.Errorf("%q: got %d, the notes say %q", pattern, got, m)
			}
		}
	}
}

func abs(f float64) float64 { return max(f, -f) }

// latin1 undoes the escapes of the oracle, which writes bytes as characters.
func latin1(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return pstats.Text(b)
}
