package details

import (
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// queueSession is a pipeline of a queue and an element behind it: a buffer every 10 ms, which scale has
// for 3 ms. It keeps the 50th for 28 ms, and the next one waits behind it.
func queueSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.ObjectDef{ID: 0, Parent: model.NoObject, Kind: model.ObjectElement, Name: "sink"})
	for i, name := range []string{"src → sink", "queue0", "videoscale0"} {
		d := model.TrackDef{ID: model.TrackID(i), Name: name, Kind: model.TrackElement, Object: model.NoObject, Peer: model.NoObject}
		if i == 0 {
			d.Kind, d.Peer = model.TrackStream, 0
		}
		s.Apply(d)
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	var list [3][]model.Span
	add := func(track int, lane uint16, begin, end int64) {
		list[track] = append(list[track], model.Span{Begin: begin, End: end, Path: model.PathID(track + 1), Lane: lane})
	}
	free := int64(0)
	for i := range int64(120) {
		begin, keeps := i*10e6, int64(3e6)+i%5*20_000
		if i == 49 {
			keeps = 28e6
		}
		taken := max(begin+100_000, free)
		free = taken + keeps
		add(0, uint16(i%4), begin, free)
		add(1, uint16(i%4), begin, taken)
		add(2, 0, taken, free)
	}
	for track := range list {
		s.Append(&model.Batch{Track: model.TrackID(track), Spans: list[track]})
	}
	s.Apply(model.End{})
	return s
}

// Of a late buffer the headline tells who kept it, and behind whom it waited; a click on who that was
// leaves it, and a buffer that is not late is as usual.
func TestTheHeadlineOfABuffer(t *testing.T) {
	r := newWhyRig(queueSession())
	buffer := func(i int64) {
		b, ok := r.env.View.Session().Spans().ByRef(spans.Ref{Track: 0, Lane: uint16(i % 4), Index: i / 4})
		if !ok || b.Begin != i*10e6 {
			t.Fatalf("buffer %d is %+v", i, b)
		}
		r.env.View.SelectSpan(b)
		r.tick(&panel.Input{})
	}
	buffer(50)
	head := r.why.head
	if got := r.hows(); !slices.Equal(got, []string{"waiting", "longer"}) || head.name != "Buffer 51" || head.what != "src → sink" || head.usual {
		t.Fatalf("%v of %+v", got, head)
	}
	row := &r.why.chain.rows[1]
	if row.told != "videoscale0 kept the buffer before it 18.1 ms longer." {
		t.Errorf("it says %q", row.told)
	}
	rect := draw.Rect{X1: 300, Y1: r.why.Extent(r.env, 300)}
	golden.Check(t, "testdata/golden/whybuffer.png", &draw.Picture{Seen: rect, Ground: draw.Color(r.env.Theme.Panel), Lists: []*draw.List{r.why.List()}})
	r.tick(click(40, r.why.rect.Y0+(row.y0+row.y1)/2))
	if v := r.env.View; v.Track() != 2 || !v.HasSpan() || v.Span().End-v.Span().Begin != 28e6 {
		t.Errorf("the click selected %+v of track %d", v.Span(), v.Track())
	}
	if got := r.hows(); len(got) != 2 || r.why.head.name != "Buffer 51" {
		t.Errorf("then the headline is %q, the chain %v", r.why.head.name, got)
	}
	buffer(20)
	if got := r.hows(); got != nil || !r.why.head.usual || r.why.head.name != "Buffer 21" {
		t.Errorf("of a usual buffer it tells %v, %+v", got, r.why.head)
	}
}
