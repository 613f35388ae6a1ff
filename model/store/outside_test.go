package store_test

import (
	"math"
	"reflect"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// TestDeepRewind takes back more frames than are remembered one by one, with messages and lock
// events of no frame among them.
func TestDeepRewind(t *testing.T) {
	s := store.NewSession()
	for i := range int64(1500) {
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10, End: i*10 + 10, Messages: []model.Message{{Time: i*10 + 1}}, Locks: []model.LockEvent{lockStep(i*10+1, model.LockAcquired, deepLock), lockStep(i*10+4, model.LockReleased, deepLock)}})
		s.Append(&model.Batch{Messages: []model.Message{{Time: i*10 + 2, Category: "loose"}}, Locks: []model.LockEvent{lockStep(i*10+8, model.LockSignal, deepLock)}})
	}
	for _, to := range []int64{1490, 1200, 100, 0} {
		s.Append(&model.Batch{HasFrame: true, Number: to, Begin: to * 10, End: to*10 + 1, Rewind: true})
		framed, loose := 0, 0
		for _, m := range s.Messages().Of(0, 0, math.MaxInt64, nil) {
			if m.Category == "loose" {
				loose++
			} else {
				framed++
			}
		}
		testkit.That(t, framed == int(to) && loose == 1500,
			"back to %d: %d messages of frames, %d loose ones", to, framed, loose)
		uses := s.Locks().Uses(deepLock, 0, math.MaxInt64, nil)
		testkit.That(t, len(uses) == int(to), "back to %d: %d uses", to, len(uses))
		testkit.Equal(t, len(s.Locks().Events(0, 0, math.MaxInt64, nil)), int(to)*2+1500, "back to %d: events", to)
	}
}

const deepLock model.CollectorID = 3

func lockStep(timeNs int64, kind model.LockKind, lock model.CollectorID) model.LockEvent {
	return model.LockEvent{Time: timeNs, Kind: kind, Lock: lock}
}

// The total of frames is of what ran in them: not of what ran between two of them. What follows at
// once is one stretch, and a span that goes on through several frames has its part in each.
func TestFrameTotalsLeaveOutWhatRanBetween(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 1})
	frames := [][2]int64{{0, 100}, {100, 200}, {300, 400}, {450, 500}}
	list := [][2]int64{{10, 20}, {90, 120}, {190, 330}, {420, 440}, {460, 470}}
	for i, f := range frames {
		b := model.Batch{HasFrame: true, Number: int64(i), Begin: f[0], End: f[1]}
		for _, x := range list {
			if x[0] >= f[0] && (i+1 == len(frames) || x[0] < frames[i+1][0]) {
				b.Spans = append(b.Spans, model.Span{Begin: x[0], End: x[1], Path: 1})
			}
		}
		s.Append(&b)
	}
	var tree spans.Tree
	for _, c := range []struct {
		first, last int
		total       int64
	}{{0, 0, 20}, {0, 1, 10 + 30 + 10}, {0, 3, 10 + 30 + 10 + 30 + 10}, {2, 3, 30 + 10}, {3, 3, 10}} {
		got := s.FrameTotals(0, c.first, c.last, &tree, nil)
		testkit.That(t, len(got) == 1 && got[0].Total == c.total && got[0].Self == c.total,
			"frames %d to %d: %+v, want a total of %d", c.first, c.last, got, c.total)
	}
}

// Reset names the fields one by one: none may be forgotten.
func TestBatchReset(t *testing.T) {
	var b model.Batch
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 3, 5))
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetInt(7)
		}
	}
	b.Reset()
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if f.Kind() == reflect.Slice {
			testkit.That(t, f.Len() == 0 && f.Cap() == 5, "%s has %d of %d values", name, f.Len(), f.Cap())
		} else if !f.IsZero() {
			t.Errorf("%s is %v", name, f)
		}
	}
}

func TestObjectsNeverLieInThemselves(t *testing.T) {
	s := store.NewSession()
	for _, d := range []model.ObjectDef{{ID: 0, Parent: 2}, {ID: 1, Parent: 0}, {ID: 2, Parent: 1}, {ID: 3, Parent: 3}, {ID: 4, Parent: -7}, {ID: 5, Parent: math.MaxInt32}, {ID: 6, Parent: 2}} {
		s.Apply(d)
	}
	want := map[model.ObjectID][]model.ObjectID{model.NoObject: {2, 3, 4, 5}, 2: {0, 6}, 0: {1}, 1: nil}
	for id, list := range want {
		testkit.NoDiff(t, gocmp.Diff(list, s.Topology().Children(id)), "in %d", id)
	}
	// A chain of a thousand is cut, but has all of them.
	for i := range model.ObjectID(1000) {
		s.Apply(model.ObjectDef{ID: 10 + i, Parent: 9 + i})
	}
	longest := 0
	for id := range model.ObjectID(len(s.Topology().Objects())) {
		n := 0
		for at := id; at != model.NoObject; n++ {
			o, _ := s.Topology().Object(at)
			at = o.Parent
			testkit.MustThat(t, n <= 1000, "object %d lies in itself", id)
		}
		longest = max(longest, n)
	}
	testkit.That(t, longest <= 258, "%d objects deep", longest)
}
