package gsttrace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/series"
	"framescope/model/store"
)

// levelOf returns the series of a queue's level.
func levelOf(t *testing.T, s *store.Session, queue, what string) *series.Series {
	t.Helper()
	return seriesNamed(t, s, "queue level "+what, queue)
}

// A queue holds what went in less what came out, at any time: as many buffers as flows over its
// pads say, and in the middle between two of them as many as the latency tracer says are in it.
func TestQueueLevels(t *testing.T) {
	s := load(t, "medium-av")
	for _, queue := range []string{"queue0", "queue1", "queue2"} {
		type flow struct {
			at          int64
			n, bytes    float64
			in, present bool
		}
		var flows []flow
		var element model.ObjectID
		for _, l := range s.Topology().Links() {
			for i, pad := range [...]model.ObjectID{l.From, l.To} {
				o, _ := s.Topology().Object(pad)
				q, _ := s.Topology().Object(o.Parent)
				if q.Name != queue {
					continue
				}
				element = q.ID
				for _, v := range s.Series().ByID(l.Flow).Samples(-1<<60, 1<<60, 0, nil) {
					sign := float64(2*i - 1)
					flows = append(flows, flow{at: v.Time, n: sign, bytes: sign * v.Value})
				}
			}
		}
		slices.SortStableFunc(flows, func(a, b flow) int { return int(a.at - b.at) })
		buffers, bytes := levelOf(t, s, queue, "buffers"), levelOf(t, s, queue, "bytes")
		if buffers.Def.Object != element || buffers.Len() != int64(len(flows)) {
			t.Fatalf("%s: %d levels for %d flows, %+v", queue, buffers.Len(), len(flows), buffers.Def)
		}
		n, b := 0.0, 0.0
		levels, sizes := values(buffers), values(bytes)
		inside := trackNamed(t, s, queue)
		for i, f := range flows {
			n, b = n+f.n, b+f.bytes
			if levels[i] != n || sizes[i] != b || n < 0 || b < 0 {
				t.Fatalf("%s: at %d %v buffers and %v bytes, want %v and %v", queue, f.at, levels[i], sizes[i], n, b)
			}
			if i+1 == len(flows) || flows[i+1].at-f.at < 2 {
				continue
			}
			spans, mid := 0, (f.at+flows[i+1].at)/2
			for lane := range inside.Lanes() {
				if _, ok := s.Spans().At(inside.Def.ID, lane, mid, 0); ok {
					spans++
				}
			}
			if spans != int(n) {
				t.Fatalf("%s: at %d %v buffers, %d spans", queue, mid, n, spans)
			}
		}
		if n != 0 {
			t.Errorf("%s: %v buffers at the end", queue, n)
		}
		if most := slices.Max(values(levelOf(t, s, queue, "time"))); most <= 0 || most > 1e9+67e6 {
			t.Errorf("%s: %v ns at most, though it takes a second and the one that waits", queue, most)
		}
	}
}

// In a real pipeline with a queue that leaks, the level is back at zero when the last buffer has
// come out, though many never did.
func TestRealQueueThatLeaks(t *testing.T) {
	launch, err := exec.LookPath("gst-launch-1.0")
	if err != nil {
		t.Skip("there is no gst-launch-1.0 on this machine")
	}
	log := filepath.Join(t.TempDir(), "leaky.log")
	cmd := exec.Command(launch, strings.Fields("audiotestsrc num-buffers=200 samplesperbuffer=50 "+
		"! queue leaky=downstream max-size-buffers=5 ! identity sleep-time=1000 ! fakesink")...)
	cmd.Env = append(cmd.Environ(), "GST_TRACERS=stats", "GST_DEBUG=GST_TRACER:7", "GST_DEBUG_NO_COLOR=1", "GST_DEBUG_FILE="+log)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text := testkit.Must(os.ReadFile(log))(t)
	s := decode(text)
	buffers, bytes := values(levelOf(t, s, "queue0", "buffers")), values(levelOf(t, s, "queue0", "bytes"))
	in, out := 0, 0
	for i, v := range buffers {
		switch before := append([]float64{0}, buffers...)[i]; {
		case v > before:
			in++
		case v < before:
			out++
		}
	}
	if in != 200 || out >= in {
		t.Fatalf("%d went in, %d came out", in, out)
	}
	if n := len(buffers); slices.Min(buffers) < 0 || slices.Min(bytes) < 0 || buffers[n-1] != 0 || bytes[n-1] != 0 {
		t.Errorf("at the end %v buffers with %v bytes", buffers[n-1], bytes[n-1])
	}
}
