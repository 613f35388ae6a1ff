package convert_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// perfettoRecordings are one of each kind that has times.
var perfettoRecordings = []string{
	"pstats/nested.pstats", "pstats/levels.pstats", "pstats/recursion.pstats", "gsttrace/all-audio-chain.log.gz",
	"profilelib/exhausted.prof", "chrometrace/engine-object.json.gz", "chrometrace/bevy-async.json.gz",
	"gotrace/game-122.trace.gz", "perfetto/sdk-us.pftrace.gz", "perfetto/frametimeline.pftrace.gz", "cpuprofile/main.cpuprofile",
	"speedscope/game-threads.speedscope.json", "speedscope/game-evented.speedscope.json", "perfscript/game-events.txt.gz",
	"puffin/pfd1.puffin", "spall/game-v3.spall",
}

// Perfetto's own description of traces finds the same slices and values, by its package of PyPI.
func TestOfficial(t *testing.T) {
	python := testkit.Python(t, "perfetto", "perfetto.protos.perfetto.trace.perfetto_trace_pb2")
	var files []string
	var want strings.Builder
	for _, name := range perfettoRecordings {
		p := part(t, name, "")
		_, path := reopened(t, &convert.PerfettoFormat, p)
		files = append(files, path)
		var slices, total, values int64
		for _, id := range p.Tracks {
			p.Spans(id, func(s *convert.Span) error {
				if ns := s.End - s.Begin; ns > 0 && !(s.Flags&model.SpanOpenEnd != 0 && unended(p, s)) {
					slices, total = slices+1, total+ns
				}
				return nil
			})
		}
		_, threads := p.Threads()
		p.Values(p.Counters(threads), func(c *convert.Counter, _ int64, v float64) error {
			if v-v == 0 && (c.Series == nil || len(c.Series.Def.States) == 0) {
				values++
			}
			return nil
		})
		fmt.Fprintln(&want, slices, total, values)
	}
	out, err := exec.Command(python, append([]string{"testdata/count.py"}, files...)...).Output()
	testkit.That(t, err == nil && string(out) == want.String(),
		"%q:\n%s\ninstead of\n%s\n%v", perfettoRecordings, out, &want, err)
}

// unended tells whether a span lasts as long as the session, so that no end of it is written.
func unended(p *convert.Part, s *convert.Span) bool {
	_, end, _ := p.Session.Bounds()
	return s.End == end
}

// perfettoSession returns one of spans on a thread; the paths are Update and, in it, Draw.
func perfettoSession(batches ...model.Batch) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", PID: 7})
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Object: model.NoObject, Peer: model.NoObject})
	for i, name := range []string{"Update", "Draw"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: model.PathID(i), Collector: model.CollectorID(i + 1)})
	}
	for i := range batches {
		s.Append(&batches[i])
	}
	return s
}

// What takes no time stays inside what it is in, what has not ended stays open, and what overlaps
// comes beside.
func TestEdges(t *testing.T) {
	s := perfettoSession(model.Batch{Spans: []model.Span{
		{Begin: -100, End: -50, Path: 1},
		{Begin: -50, End: -50, Path: 2, Lane: 1},
		{Begin: -50, End: 10, Path: 1},
		{Begin: -50, End: -20, Path: 2, Lane: 1},
		{Begin: 0, End: 30, Path: 1, Lane: 2},
		{Begin: 40, End: 100, Path: 1, Flags: model.SpanOpenEnd},
		{Begin: 60, End: 100, Path: 2, Lane: 1},
	}})
	p := testPart(t, s, "")
	again, _ := reopened(t, &convert.PerfettoFormat, p)
	var got []string
	q := testPart(t, again, "")
	for _, id := range q.Tracks {
		q.Spans(id, func(s *convert.Span) error {
			got = append(got, fmt.Sprintf("%s %s %d-%d in %d %v", again.Track(id).Title(), q.Name(s.Collector), s.Begin, s.End, s.Lane,
				s.Flags&model.SpanOpenEnd != 0))
			return nil
		})
	}
	want := []string{
		"Main Update 0-50 in 0 false", "Main Update 50-110 in 0 false", "Main Draw 50-50 in 1 false",
		"Main Draw 50-80 in 1 false", "Main Update 140-200 in 0 true", "Main Draw 160-200 in 1 false",
		"Main (overlapping) Update 100-130 in 0 false",
	}
	testkit.That(t, fmt.Sprintf("%q", got) == fmt.Sprintf("%q", want), "%q\ninstead of\n%q", got, want)
}

// Arrows are told with the spans at their ends; one that would be turned round is not.
func TestPerfettoFlows(t *testing.T) {
	flow := func(from, to int64) model.Flow {
		return model.Flow{From: from, To: to, FromTrack: 0, FromLane: model.NoLane, ToLane: model.NoLane}
	}
	s := perfettoSession()
	s.Apply(model.FlowDef{Name: "wakes"})
	s.Append(&model.Batch{Spans: []model.Span{
		{Begin: 0, End: 10, Path: 1}, {Begin: 20, End: 60, Path: 1}, {Begin: 30, End: 40, Path: 2, Lane: 1}, {Begin: 80, End: 90, Path: 1},
	}, Flows: []model.Flow{flow(5, 35), flow(35, 50), flow(70, 85)}})
	p := testPart(t, s, "")
	var id uint64
	p.Arrows(every, func(a *convert.Arrow) error {
		if a.To == 35 {
			id = a.ID
		}
		return nil
	})
	var out bytes.Buffer
	testkit.OK(t, convert.PerfettoFormat.Write(t.Context(), p, &out))
	begins, ends := binary.LittleEndian.AppendUint64([]byte{0xf9, 0x02}, id), binary.LittleEndian.AppendUint64([]byte{0x81, 0x03}, id)
	a, b := bytes.Index(out.Bytes(), begins), bytes.Index(out.Bytes(), ends)
	testkit.That(t, a >= 0 && b >= a, "the arrow begins at byte %d and ends at %d", a, b)
	if left := fmt.Sprint(p.Left()); len(p.Left()) != 3 || !strings.Contains(left, "began before") || !strings.Contains(left, "no two spans") {
		t.Errorf("left out: %s", left)
	}
}

// Names that are no UTF-8 are written as such.
func TestValid(t *testing.T) {
	s := perfettoSession()
	s.Apply(model.CollectorDef{ID: 3, Name: "a\xff"})
	s.Apply(model.PathDef{ID: 3, Collector: 3})
	s.Append(&model.Batch{Spans: []model.Span{{Begin: 0, End: 5, Path: 3}}})
	var out strings.Builder
	testkit.OK(t, convert.PerfettoFormat.Write(t.Context(), testPart(t, s, ""), &out))
	text := out.String()
	testkit.That(t, strings.Contains(text, "a\ufffd") && !strings.Contains(text, "\xff"), "%q", text)
}
