package store

// ForgetStats makes the next question for statistics the first.
func (t *Track) ForgetStats() { t.frames.ForgetStats() }
