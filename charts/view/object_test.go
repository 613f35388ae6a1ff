package view

import (
	"fmt"
	"testing"

	"framescope/model"
)

// A selected element stands for its pads, for what is about it, and for what is said of it, and for
// nothing whose name only begins alike.
func TestSelectObject(t *testing.T) {
	s := model.NewSession()
	define := func(id, parent model.ObjectID, kind model.ObjectKind, name string) {
		s.Apply(model.ObjectDef{ID: id, Parent: parent, Kind: kind, Name: name, Created: model.TimeUnknown, Gone: model.TimeUnknown})
	}
	define(0, model.NoObject, model.ObjectBin, "pipeline0")
	define(1, 0, model.ObjectElement, "queue0")
	define(2, 1, model.ObjectPad, "src")
	define(3, 0, model.ObjectElement, "queue01")
	define(4, 3, model.ObjectPad, "src")
	for i, name := range []string{"GStreamer", "queue0.src", "query queue0.sink caps", "queue01.src", "push pipeline0", "src"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name})
	}
	v := New(s)
	v.Tick(1, false)
	selected := func() (list []model.CollectorID) {
		for c := range model.CollectorID(s.NumCollectors()) {
			if v.Selects(c) {
				list = append(list, c)
			}
		}
		return list
	}
	for _, x := range []struct {
		id         model.ObjectID
		collectors string
		objects    string
	}{
		{0, "[1 2 3 4]", "[0 1 2 3 4]"},
		{1, "[1 2]", "[1 2]"},
		{2, "[1]", "[2]"},
		{3, "[3]", "[3 4]"},
	} {
		v.SelectObject(x.id)
		var objects []model.ObjectID
		for id := range model.ObjectID(5) {
			if v.SelectsObject(id) {
				objects = append(objects, id)
			}
		}
		if got := fmt.Sprint(selected()); got != x.collectors || fmt.Sprint(objects) != x.objects {
			t.Errorf("object %d: collectors %s, objects %v, want %s and %s", x.id, got, objects, x.collectors, x.objects)
		}
	}
	v.SelectObject(1)
	if !v.SelectsName("queue0:src") || v.SelectsName("queue01") || v.SelectsName("") {
		t.Error("what is said of another object is taken for this one's")
	}
	// A collector is selected instead, and back again.
	v.Tick(2e9, false)
	v.SelectCollector(3)
	if v.Object() != model.NoObject || !v.Selects(3) || v.Selects(1) {
		t.Errorf("object %d is selected beside collector 3", v.Object())
	}
	v.Tick(4e9, false)
	if v.Unselect(); v.Collector() != model.NoCollector || v.Object() != model.NoObject {
		t.Error("Esc leaves something selected")
	}
}
