package why

import "framescope/model"

// Explained returns how often a frame of a track was explained for Hitches.
func (e *Engine) Explained(track model.TrackID) int { return e.books[track].explains }
