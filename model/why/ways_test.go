package why_test

import (
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// The tracks of a small pipeline: one thread pushes buffers through the source's elements into a
// queue, another takes them from there to the sink.
const (
	tWay, tConvert, tQueue, tScale, tLate = 0, 1, 2, 3, 4
	cWay, cConvert, cQueue, cScale, cLate = 1, 2, 3, 4, 5
)

// plan is how long each part of the pipeline takes for a buffer, in microseconds; late is an element
// that others do not go through, gap is time in no element at all.
type plan struct{ convert, scale, sink, late, gap int64 }

// pipeline plays 300 buffers, one every 10 ms; number 150 and what comes after it as change says.
func pipeline(change func(i int, p *plan)) *store.Session {
	s := store.NewSession()
	s.Apply(model.ObjectDef{ID: 1, Kind: model.ObjectElement, Name: "sink"})
	for i, name := range []string{"src → sink", "convert", "queue0", "scale", "late"} {
		d := model.TrackDef{ID: model.TrackID(i), Name: name, Kind: model.TrackElement, Object: model.NoObject, Peer: model.NoObject}
		if i == tWay {
			d.Kind, d.Peer = model.TrackStream, 1
		}
		s.Apply(d)
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	lanes := [5][]int64{}
	spans := [5][]model.Span{}
	add := func(track int, begin, end int64) {
		if end <= begin {
			return
		}
		k := slices.IndexFunc(lanes[track], func(until int64) bool { return until <= begin })
		if k < 0 {
			k = len(lanes[track])
			lanes[track] = append(lanes[track], 0)
		}
		lanes[track][k] = end
		spans[track] = append(spans[track], model.Span{Begin: begin, End: end, Path: model.PathID(track + 1), Lane: uint16(k)})
	}
	first, second := int64(0), int64(0) // when the threads are free
	for i := range 300 {
		n := int64(i)
		p := plan{convert: 2000 + jitter(n, 1), scale: 3000 + jitter(n, 2), sink: 500 + jitter(n, 3)}
		if change != nil {
			change(i, &p)
		}
		begin := max(n*10e6, first)
		first = begin + p.convert*1e3
		add(tConvert, begin, first)
		taken := max(first+50e3+jitter(n, 4), second)
		add(tQueue, first, taken)
		at := taken + p.scale*1e3
		add(tScale, taken, at)
		add(tLate, at, at+p.late*1e3)
		end := at + (p.late+p.gap)*1e3
		add(tWay, begin, end)
		second = end + p.sink*1e3
	}
	for track := range spans {
		slices.SortStableFunc(spans[track], func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		s.Append(&model.Batch{Track: model.TrackID(track), Spans: spans[track]})
	}
	return s
}

// A late buffer is explained by who had it longer, and whom it waited behind.
func TestLateBuffers(t *testing.T) {
	for name, c := range map[string]struct {
		change func(i int, p *plan)
		number int64
		chain  []want
		others []want
	}{
		"an element keeps it": {
			func(i int, p *plan) {
				if i == 149 {
					p.convert = 9000
				}
			}, 150, []want{{tConvert, cConvert, why.Longer}}, nil,
		},
		"two elements keep it": {
			func(i int, p *plan) {
				if i == 149 {
					p.convert, p.scale = 7000, 9000
				}
			}, 150, []want{{tScale, cScale, why.Longer}}, []want{{tConvert, cConvert, why.Longer}},
		},
		"it goes through another one": {
			func(i int, p *plan) {
				if i == 149 {
					p.late = 6000
				}
			}, 150, []want{{tLate, cLate, why.New}}, nil,
		},
		"nobody is known to have had it": {
			func(i int, p *plan) {
				if i == 149 {
					p.gap = 6000
				}
			}, 150, []want{{tWay, cWay, why.NotMeasured}}, nil,
		},
		"it waits behind one that an element keeps": {
			func(i int, p *plan) {
				if i == 148 {
					p.scale = 28000
				}
			}, 150, []want{{tQueue, cQueue, why.Waiting}, {tScale, cScale, why.Longer}}, nil,
		},
		"it waits behind one that the sink keeps": {
			func(i int, p *plan) {
				if i == 148 {
					p.sink = 28000
				}
			}, 150, []want{{tQueue, cQueue, why.Waiting}, {tWay, cWay, why.NotMeasured}}, nil,
		},
	} {
		var a why.Answer
		e := why.NewEngine(pipeline(c.change))
		late := e.Late(tWay, nil)
		if len(late) == 0 || len(late) > 4 || !slices.Contains(late, 149) {
			t.Errorf("%s: late are %d", name, late)
			continue
		}
		if !e.Thing(tWay, 149, &a) || !a.Hitch || a.Number != c.number {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		check(t, name, a.Chain, c.chain)
		check(t, name+", others", a.Others, c.others)
		if a.UnexplainedNs*5 > a.ExcessNs() {
			t.Errorf("%s: %d of %d ns are not explained", name, a.UnexplainedNs, a.ExcessNs())
		}
		for _, i := range []int{0, 100, 299} {
			if e.Thing(tWay, i, &a); a.Hitch {
				t.Errorf("%s: buffer %d is late", name, a.Number)
			}
		}
	}
	if late := why.NewEngine(pipeline(nil)).Late(tWay, nil); len(late) != 0 {
		t.Errorf("nothing happens: late are %d", late)
	}
}

// Late buffers have groups by their causes as hitches have.
func TestGroupsOfLateBuffers(t *testing.T) {
	e := why.NewEngine(pipeline(func(i int, p *plan) {
		if i%50 == 25 {
			p.convert = 6000 + int64(i)
		}
	}))
	g := e.GroupsOf(e.LateHitches(tWay), nil)
	if len(g) != 1 || g[0].Track != tConvert || len(g[0].Hitches) != 6 || g[0].Worst.Number != 276 || !g[0].Regular || e.Prepare(tWay, 1) || len(e.Hitches(tWay)) > 0 {
		t.Errorf("%+v", g)
	}
}
