package gsttrace

import (
	"bytes"
	"fmt"
	"testing"

	"framescope/model"
	"framescope/net/feed"
)

// Elements beyond the limit share a row, which is of elements: all times add up as they came, each
// element has its figures, and what has no row of its own is told.
func TestMoreElementsThanRows(t *testing.T) {
	const elements = MaxTracks + 100
	var text bytes.Buffer
	want := int64(0)
	for i := range elements {
		ns := int64(1_000_000 + i*1000)
		want += int64(1000 + i)
		fmt.Fprint(&text, record(ns, fmt.Sprintf(
			"element-latency, element-id=(string)0x%x, element=(string)el%d, src=(string)src, time=(guint64)%d, ts=(guint64)%d", 0x1000+i*16, i, 1000+i, ns)))
	}
	s := decode(text.Bytes())
	begin, end, _ := s.Bounds()
	sum, own, shared := int64(0), 0, 0
	for id := range model.TrackID(s.NumTracks()) {
		def := s.Track(id).Def
		for _, st := range s.Spans().Stats([]model.TrackID{id}, begin, end+1, nil) {
			sum += st.TotalNs
		}
		switch {
		case def.Kind == model.TrackStream:
			t.Errorf("%q is shown as a path", def.Name)
		case def.Kind == model.TrackElement && def.Name == feed.MoreNames && def.Object == model.NoObject:
			shared++
		case def.Kind == model.TrackElement:
			own++
		}
	}
	if sum != want || shared != 1 || own == 0 {
		t.Errorf("%d ns in all, want %d; %d elements with rows of their own, %d rows of more", sum, want, own, shared)
	}
	if n := lossOf(s, model.LossLimit); n != int64(elements-own) {
		t.Errorf("%d elements have no row of their own, %d are told", elements-own, n)
	}
	if n := s.Series().Len(); n != elements {
		t.Errorf("%d of %d elements have figures", n, elements)
	}
}
