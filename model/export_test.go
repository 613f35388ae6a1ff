package model

// ForgetStats makes the next question for statistics the first.
func (t *Track) ForgetStats() {
	for k := range t.stats {
		t.stats[k].truncate(0)
	}
}
