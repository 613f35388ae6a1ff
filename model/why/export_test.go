package why

import "framescope/model"

// Explained returns how often a frame of a track was explained for Hitches.
func (e *Engine) Explained(track model.TrackID) int { return e.books[track].explains }

// Looked returns how many things of a way were read or compared so far.
func (e *Engine) Looked(track model.TrackID) int64 {
	w := e.wayOf(track)
	return w.looked + w.along.Visited()
}

// Learned returns how often learning looked at a thread so far.
func (e *Engine) Learned() int64 { return e.looks }

// Learns returns of how many collectors the last answer learned.
func (e *Engine) Learns() int { return e.learns }

// Finish finds the period and the trend of a group.
func Finish(g *Group) { g.finish(nil) }
