package flow

import (
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// A thread of a pipeline is named after the pad that it pushes from, "queue0:src": it brings things
// from there through all elements behind, up to the next that begins a thread of its own, or to the
// sink. So the names give the thread of an element; no record does.

// findThreads notes which thread pushes things through which element.
func (x *Index) findThreads(s *store.Session) {
	x.threads = map[model.ObjectID]model.TrackID{}
	byName := map[string]model.ObjectID{}
	objects := s.Topology().Objects()
	for i := range objects {
		if o := &objects[i]; o.Kind == model.ObjectElement {
			byName[o.Name] = o.ID
		}
	}
	var queue []model.ObjectID
	starts := map[model.ObjectID]bool{}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t.Def.Kind != model.TrackThread {
			continue
		}
		name, _, ok := strings.Cut(t.Def.Name, ":")
		e, known := byName[name]
		if !ok || !known {
			continue
		}
		if _, taken := x.threads[e]; !taken {
			x.threads[e] = id
			starts[e] = true
			queue = append(queue, e)
		}
	}
	if len(queue) == 0 {
		return
	}
	next := map[model.ObjectID][]model.ObjectID{}
	for _, l := range s.Topology().Links() {
		from, to := ElementOf(s, l.From), ElementOf(s, l.To)
		if from != model.NoObject && to != model.NoObject {
			next[from] = append(next[from], to)
		}
	}
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		for _, to := range next[e] {
			if _, taken := x.threads[to]; taken || starts[to] {
				continue
			}
			x.threads[to] = x.threads[e]
			queue = append(queue, to)
		}
	}
}

// Thread returns the thread that pushes things out of an element, NoTrack if no name gives it.
func (x *Index) Thread(id model.ObjectID) model.TrackID {
	if t, ok := x.threads[id]; ok {
		return t
	}
	return model.NoTrack
}
