package view

import (
	"framescope/model"
	"framescope/model/flow"
)

// whereOf is the key of an answer on the time of buffers.
type whereOf struct {
	way      model.TrackID
	element  model.ObjectID
	t0, t1   int64
	revision uint64
}

// where is such an answer.
type where struct {
	of     whereOf
	asked  bool
	known  bool
	made   uint64
	answer flow.Answer
}

// Where returns where the time of buffers goes in [t0, t1), as of a revision of the session: on a way, on
// NoTrack the longest one; for an element, or for NoObject the one that has them longest. The last
// answers of both are cached. nil: nothing was traced then. made is another number for each answer.
func (c *Causes) Where(way model.TrackID, element model.ObjectID, t0, t1 int64, revision uint64) (a *flow.Answer, made uint64) {
	x := &c.wheres[0]
	if element != model.NoObject {
		x = &c.wheres[1]
	}
	if of := (whereOf{way, element, t0, t1, revision}); !x.asked || of != x.of {
		c.made++
		x.of, x.asked, x.made = of, true, c.made
		x.known = c.asker.Ask(c.Session(), way, element, t0, t1, &x.answer)
	}
	if !x.known {
		return nil, x.made
	}
	return &x.answer, x.made
}

// Flow returns the index of the series of the session's elements.
func (c *Causes) Flow() *flow.Index {
	c.asker.Update(c.Session())
	return &c.asker.Index
}
