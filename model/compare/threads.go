package compare

import (
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// threadKey is a thread of one title.
type threadKey struct {
	title string
	nth   int // of those of one title
}

// kin are the threads of one name without the numbers that a run gave them.
type kin struct {
	name   string
	tracks [2][]model.TrackID
}

// threads matches the threads of both sides. Threads of one name are the same, in their order if there
// are several of one title. Numbers given by a run (store.Track.Kin) distinguish threads within it, but
// mean nothing in another: the only thread of its name on a side matches that on the other; several, such
// as goroutines of a function, become one.
func (c *Comparison) threads() {
	c.byThread, c.byKin = map[threadKey]int{}, map[string]int{}
	if c.alone {
		c.titled(c.sides[0].named(), 0)
		return
	}
	for _, k := range kins(&c.sides, each) {
		if k.numbered(&c.sides) {
			c.pair(&k)
			continue
		}
		for side, of := range k.tracks {
			c.titled(of, side)
		}
	}
}

// named are the tracks of a side that did anything.
func (s *Side) named() (out []model.TrackID) {
	each(s, func(id model.TrackID, _ *store.Track) { out = append(out, id) })
	return out
}

// kins returns the threads of both sides by their names, in the order in which they come.
func kins(sides *[2]Side, each func(s *Side, fn func(id model.TrackID, t *store.Track))) (out []kin) {
	at := map[string]int{}
	for side := range sides {
		each(&sides[side], func(id model.TrackID, t *store.Track) {
			i, ok := at[t.Kin()]
			if !ok {
				i = len(out)
				at[t.Kin()] = i
				out = append(out, kin{name: t.Kin()})
			}
			out[i].tracks[side] = append(out[i].tracks[side], id)
		})
	}
	return out
}

// numbered reports whether numbers of a run distinguish any of the threads from its kin.
func (k *kin) numbered(sides *[2]Side) bool {
	for side, of := range k.tracks {
		for _, id := range of {
			if sides[side].Session.Track(id).Title() != k.name {
				return true
			}
		}
	}
	return false
}

// titled adds threads of a side: of the same title are the same.
func (c *Comparison) titled(tracks []model.TrackID, side int) {
	seen := map[string]int{}
	for _, id := range tracks {
		t := c.sides[side].Session.Track(id)
		key := threadKey{t.Title(), seen[t.Title()]}
		seen[key.title]++
		i := c.byThread[key] - 1
		if i < 0 {
			i = len(c.result.Threads)
			c.byThread[key] = i + 1
			c.add(key.title, kin{})
			if _, several := c.byKin[t.Kin()]; several {
				c.byKin[t.Kin()] = 0
			} else {
				c.byKin[t.Kin()] = i + 1
			}
		}
		c.result.Threads[i].addTrack(side, id)
	}
}

// pair adds the threads of one kin: those that the source names the main one are the same, each is itself
// within a session where all of them run on both sides, and the others are one thing.
func (c *Comparison) pair(k *kin) {
	if c.sides[0].Session == c.sides[1].Session && c.everywhere(k) {
		for side, of := range k.tracks {
			c.titled(of, side)
		}
		return
	}
	main := kin{name: k.name}
	for side, of := range k.tracks {
		if i := slices.IndexFunc(of, func(id model.TrackID) bool { return c.sides[side].Session.Track(id).Def.Main }); i >= 0 {
			main.tracks[side] = of[i : i+1 : i+1]
		}
	}
	if len(main.tracks[0]) == 1 && len(main.tracks[1]) == 1 && len(k.tracks[0])+len(k.tracks[1]) > 2 {
		c.add(k.name, main)
		for side, of := range k.tracks {
			k.tracks[side] = slices.DeleteFunc(slices.Clone(of),
				func(id model.TrackID) bool { return id == main.tracks[side][0] })
		}
	}
	c.add(k.name, *k)
}

// everywhere reports whether all threads of a kin run in the ranges of both sides.
func (c *Comparison) everywhere(k *kin) bool {
	for side, of := range k.tracks {
		s := &c.sides[side]
		for _, id := range of {
			begin, end, _ := s.Session.Track(id).Bounds()
			if begin >= s.EndNs || end < s.BeginNs || !slices.Contains(k.tracks[1-side], id) {
				return false
			}
		}
	}
	return true
}

// add adds a thread; where all of it is called the same, by that.
func (c *Comparison) add(title string, k kin) {
	var titles []string
	for side, of := range k.tracks {
		for _, id := range of {
			if t := c.sides[side].Session.Track(id).Title(); !slices.Contains(titles, t) {
				titles = append(titles, t)
			}
			if len(titles) > 1 {
				break
			}
		}
	}
	if len(titles) == 1 {
		title = titles[0]
	}
	c.result.Threads = append(c.result.Threads, Thread{Title: title, Tracks: [2]model.TrackID{model.NoTrack,
		model.NoTrack}})
	th := &c.result.Threads[len(c.result.Threads)-1]
	for side, of := range k.tracks {
		for _, id := range of {
			th.addTrack(side, id)
		}
	}
}

// addTrack adds a track of a side to a thread.
func (t *Thread) addTrack(side int, id model.TrackID) {
	if t.Tracks[side] == model.NoTrack {
		t.Tracks[side] = id
	}
	t.All[side] = append(t.All[side], id)
}
