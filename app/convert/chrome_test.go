package convert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// session returns one of a batch on the threads Main and Other.
func session(changes []model.Change, batches ...model.Batch) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", PID: 7})
	for i, name := range []string{"Main", "Other"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name, Index: i, Object: model.NoObject, Peer: model.NoObject})
	}
	for i, name := range []string{"Update", "say \"hi\"\\\n\x01\xff", "Draw"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	for _, c := range changes {
		s.Apply(c)
	}
	for i := range batches {
		s.Append(&batches[i])
	}
	return s
}

func export(t *testing.T, p *convert.Part) string {
	t.Helper()
	var out bytes.Buffer
	testkit.OK(t, convert.ChromeFormat.Write(t.Context(), p, &out))
	testkit.That(t, json.Valid(out.Bytes()), "no JSON: %s", out.Bytes())
	return out.String()
}

// Times have all digits of their nanoseconds, names are strings of JSON, and of what has not ended only
// a begin is written, if it lasts as long as all else.
func TestEvents(t *testing.T) {
	const day = 86_400_000_000_000
	p := testPart(t, session(nil,
		model.Batch{Track: 0, Spans: []model.Span{
			{Begin: day + 1, End: day + 1_000_203, Path: 1},
			{Begin: day + 2_000_000, End: day + 3_000_000, Path: 3, Flags: model.SpanOpenEnd},
		}, Messages: []model.Message{{Time: day + 5, Text: "Framebuffer lost", Severity: model.SeverityWarning, Category: "gpu"}}},
		model.Batch{Track: 1, Spans: []model.Span{{Begin: day + 20, End: day + 30, Path: 2, Flags: model.SpanOpenEnd | model.SpanOpenBegin}}},
		model.Batch{Track: model.NoTrack},
	), "")
	p.Session.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: day + 100, End: day + 3_000_000, Path: 1}}})
	text := export(t, p)
	for _, want := range []string{
		`{"ph":"X","pid":7,"tid":1,"ts":86400000000.001,"dur":1000.202,"name":"Update"}`,
		`{"ph":"B","pid":7,"tid":1,"ts":86400002000,"name":"Draw"}`,
		`{"ph":"X","pid":7,"tid":2,"ts":86400000000.02,"dur":0.01,"name":"say \"hi\"\\\n\u0001\ufffd"}`,
		`"s":"t","name":"message","cat":"gpu","args":{"message":"Framebuffer lost","severity":"warning"}}`,
	} {
		testkit.That(t, strings.Contains(text, want), "no %s in %s", want, text)
	}
	left := fmt.Sprint(p.Left())
	testkit.That(t, len(p.Left()) == 1 && strings.HasPrefix(left, "[1 mark of a span: "), "left out: %v", left)
}

// Arrows go from thread to thread, those of a chain that meet under one number.
func TestFlows(t *testing.T) {
	flow := func(from, to int64, of model.TrackID, chain uint32) model.Flow {
		return model.Flow{From: from, To: to, FromTrack: of, Chain: chain, FromLane: model.NoLane, ToLane: model.NoLane}
	}
	p := testPart(t, session([]model.Change{model.FlowDef{ID: 0, Name: "wakes"}},
		model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 10, Path: 1}, {Begin: 50, End: 60, Path: 1}}},
		model.Batch{
			Track: 1, Spans: []model.Span{{Begin: 20, End: 40, Path: 3}},
			Flows: []model.Flow{flow(5, 20, 0, 0), flow(6, 25, 0, 9)},
		},
		model.Batch{Track: 0, Flows: []model.Flow{flow(25, 50, 1, 9)}},
	), "")
	var got []string
	for _, e := range regexp.MustCompile(`"ph":"([stf])","pid":7,"tid":(\d),"ts":([0-9.]+),"cat":"flow","id":"(0x[0-9a-f]+)","name":"wakes"(,"bp":"e")?`).
		FindAllStringSubmatch(export(t, p), -1) {
		got = append(got, strings.Join([]string{e[1], e[2], e[3], e[5]}, " "))
		testkit.Equal(t, e[3] == "0.006" || e[3] == "0.025" || e[3] == "0.05", e[4] == chain(p), "%q has the number %s",
			e[0], e[4])
	}
	want := []string{"s 1 0.005 ", "f 2 0.02 ,\"bp\":\"e\"", "s 1 0.006 ", "t 2 0.025 ", "f 1 0.05 ,\"bp\":\"e\""}
	testkit.That(t, slices.Equal(got, want) && len(p.Left()) == 0, "%q instead of %q; left out: %v", got, want, p.Left())
}

// chain is the number of the chain.
func chain(p *convert.Part) (id string) {
	p.Arrows(every, func(a *convert.Arrow) error { id = fmt.Sprintf("%#x", a.ID); return nil })
	return id
}

// What was called off ends.
func TestCalledOff(t *testing.T) {
	p := testPart(t, opened(t, "gsttrace/all-audio-chain.log.gz"), "")
	ctx, cancel := context.WithCancel(t.Context())
	p.OnProgress(func(done, total int64) { cancel() })
	err := convert.ChromeFormat.Write(ctx, p, io.Discard)
	testkit.That(t, errors.Is(err, context.Canceled), "%v", err)
}

// Sums without times can't be written.
func TestTimeless(t *testing.T) {
	p := testPart(t, opened(t, "pprof/game-heap.pprof"), "")
	testkit.Fails(t, convert.ChromeFormat.Check(p), "without times")
}

// every flow is written.
func every(*spans.Arrow) bool { return true }
