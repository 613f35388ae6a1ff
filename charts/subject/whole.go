package subject

import (
	"framescope/model"
	"framescope/model/store"
)

// Whole is what all of a session is called that figures can be of: what has left memory is in none.
func Whole(s *store.Session) string {
	if n, _ := s.Losses(); n[model.LossEvicted] > 0 {
		return "all in memory"
	}
	return "whole session"
}
