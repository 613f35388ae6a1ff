package load

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/net/feed"
)

// message is one of Protocol Buffers in the making.
type message []byte

func (m message) num(field, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, field<<3), v)
}

func (m message) in(field uint64, of []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, field<<3|2), uint64(len(of))), of...)
}

// perfettoOf makes a trace of events of two processes: type of the event, process, name, and time in ms.
func perfettoOf(events [][4]any) string {
	var out message
	for pid := range uint64(2) {
		thread := message(nil).num(1, pid+1).num(2, pid+1)
		out = out.in(1, message(nil).num(10, 1).in(60, message(nil).num(1, pid+7).in(4, thread)))
	}
	for _, e := range events {
		ev := message(nil).num(9, uint64(e[0].(int))).num(11, uint64(e[1].(int))+7)
		if name := e[2].(string); name != "" {
			ev = ev.in(23, []byte(name))
		}
		out = out.in(1, message(nil).num(8, uint64(e[3].(int))*1e6).num(10, 1).in(11, ev))
	}
	return string(out)
}

// spallOf makes one of begins, and ends, which have no name, of two threads, in ms.
func spallOf(events [][4]any) string {
	o := binary.LittleEndian
	b := o.AppendUint64(o.AppendUint64(o.AppendUint64(o.AppendUint64(nil, 0x0BADF00D), 1), math.Float64bits(1000)), 0)
	for _, e := range events {
		name, tid := e[2].(string), uint32(e[1].(int))
		if b = append(b, 4); name != "" {
			b[len(b)-1] = 3
			b = append(b, 0)
		}
		b = o.AppendUint64(o.AppendUint32(o.AppendUint32(b, 1), tid), math.Float64bits(float64(e[3].(int))))
		if name != "" {
			b = append(append(b, byte(len(name)), 0), name...)
		}
	}
	return string(b)
}

// chromeOf makes a trace of events of two processes: phase, process, name, and time in ms.
func chromeOf(events [][4]any) string {
	var list []string
	for _, e := range events {
		list = append(list, fmt.Sprintf(`{"ph":"%s","pid":%d,"tid":1,"name":"%s","ts":%d000}`, e[:]...))
	}
	return "[" + strings.Join(list, ",\n") + "]"
}

// TestOpenFrame reads recordings of every format in which the last frame may have no end: it is none of the frames,
// and goes on as far as there is something of its process, whatever others did until later.
func TestOpenFrame(t *testing.T) {
	begins := func(begin, end any) (list [][4]any) {
		for i, at := range []int{0, 10, 20} {
			if list = append(list, [4]any{begin, 0, "Frame", at}); i < 2 && end != begin {
				list = append(list, [4]any{end, 0, "", at + 10})
			}
		}
		list = append(list, [4]any{begin, 0, "work", 21})
		if end != begin {
			list = append(list, [4]any{end, 0, "", 22})
		} else {
			list = append(list, [4]any{begin, 0, "more", 22})
		}
		return append(list, [4]any{begin, 1, "other", 400}, [4]any{end, 1, "", 500})
	}
	const firefox = `{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":49,"product":"x","symbolicated":true},"libs":[],"threads":[` +
		`{"name":"T","pid":"1","tid":1,"isMainThread":true,"samples":{"stack":[0,0],"time":[0,22]},` +
		`"markers":{"name":[1,1,1],"startTime":[0,10,20],"endTime":[10,20,null],"phase":[1,1,2]},%s},` +
		`{"name":"U","pid":"2","tid":2,"samples":{"stack":[0],"time":[500]},"markers":{"name":[]},%s}]}`
	const tables = `"stackTable":{"prefix":[null],"frame":[0]},"frameTable":{"func":[0]},"funcTable":{"name":[0],"resource":[-1]},` +
		`"resourceTable":{"lib":[]},"stringArray":["a","Frame"]`
	for _, c := range []struct {
		name, file, text string
		called           feed.Frames
	}{
		{"Chrome instants", "a.json", chromeOf(begins("i", "i")), ""},
		{"Chrome spans by name", "b.json", chromeOf(begins("B", "E")), "Frame"},
		{"Perfetto instants", "c.pftrace", perfettoOf(begins(3, 3)), ""},
		{"Perfetto spans by name", "d.pftrace", perfettoOf(begins(1, 2)), "Frame"},
		{"Spall calls", "e.spall", spallOf(begins(3, 4)), ""},
		{"Firefox markers", "f.json", fmt.Sprintf(firefox, tables, tables), "Frame"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			testkit.NoErr(t, os.WriteFile(path, []byte(c.text), 0o600))
			rec, err := File(t.Context(), path, Options{Sources: Sources{Frames: c.called}})
			testkit.NoErr(t, err)
			s := rec.Session
			main := s.MainTrack()
			tr := s.Track(main)
			o, ok := tr.OpenFrame()
			want := (frames.Open{Number: 2, Begin: 20e6, End: 22e6})
			testkit.That(t, ok && o == want, "open: %+v %v, want %+v", o, ok, want)
			if n := tr.NumFrames(); n != 2 || tr.LongestFrame(0, n-1) != 10e6 || tr.FrameRateOf(0, n-1) != 100 || tr.Missing() != 0 {
				t.Errorf("%d frames, the longest of %d ns, %v Hz, %d missing", n, tr.LongestFrame(0, n-1), tr.FrameRateOf(0, n-1), tr.Missing())
			}
			in, at := tr.FrameCovering(19e6), tr.FrameCovering(21e6)
			testkit.That(t, in == 1 && at == -1, "frames %d and %d, want 1 and none", in, at)
			list := s.Frames().Spikes(main, 0, tr.NumFrames(), 9, nil)
			testkit.That(t, len(list) == 0, "spikes %v", list)
			if losses, lines := s.Losses(); losses[model.LossUnframed] > 1 { // "other" may be
				t.Errorf("what runs in the open frame is told as of none: %q", lines)
			}
		})
	}
}

// TestFramesByName asks for frames by the name of spans: as many as the main thread has of these, each
// as long as its span; none where nothing is called so, and where none are wanted.
func TestFramesByName(t *testing.T) {
	for _, c := range []struct {
		path, name string
		n          int
	}{
		{"../../testdata/spall/game-v3.spall", "physics", 60},
		{"../../testdata/chrometrace/engine-object.json.gz", "Frame", 120},
		{"../../testdata/gotrace/game-122.trace.gz", "physics", 25},
		{"../../testdata/gotrace/game-122.trace.gz", "load level", 5}, // tasks
		{"../../testdata/perfetto/rust-layer.pftrace.gz", "schedule", 350},
		{"../../testdata/perfetto/frametimeline.pftrace.gz", "TX - game", 90}, // a layer
	} {
		for name, want := range map[string]int{c.name: c.n, "nothing is called so": 0, string(feed.NoFrames): 0} {
			rec, err := File(t.Context(), c.path, Options{Sources: Sources{Frames: feed.Frames(name)}})
			testkit.NoErr(t, err)
			s := rec.Session
			tr := s.Track(s.MainTrack())
			testkit.That(t, tr.NumFrames() == want && s.HasFrames() == (want > 0),
				"%s: %d frames called %q, want %d", c.path, tr.NumFrames(), name, want)
			if n := len(s.Warnings()); want == 0 && name != string(feed.NoFrames) && n == 0 {
				t.Errorf("%s: nobody says that nothing is called %q", c.path, name)
			}
			for i := range tr.NumFrames() {
				f := tr.Frame(i)
				found := c.name == "load level" || c.name == "TX - game" // those are on other tracks
				for lane := range tr.Lanes() {
					b, ok := s.Spans().At(tr.Def.ID, lane, f.Begin, 0)
					found = found || ok && b.Begin == f.Begin && b.End == f.End && s.Collector(b.Collector).Name == name
				}
				testkit.That(t, found, "%s: frame %d is no span %q", c.path, i, name)
			}
			lost, lines := s.Losses()
			testkit.That(t, lost[model.LossLimit] <= 0 && lost[model.LossMalformed] <= 0, "%s: %q", c.path, lines)
		}
	}
}
