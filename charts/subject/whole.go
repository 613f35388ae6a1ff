package subject

import (
	"framescope/model"
	"framescope/model/store"
)

// Whole is the name of all of a session that figures can cover: none covers data that left memory.
func Whole(s *store.Session) string {
	if n, _ := s.Losses(); n[model.LossEvicted] > 0 {
		return "all in memory"
	}
	return "whole session"
}
