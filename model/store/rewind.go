package store

// rewind removes every frame from a number on.
func (t *Track) rewind(number int64) {
	position, begin, before, ok := t.frames.Rewind(number)
	if !ok {
		return
	}
	t.spans.Rewind(position, begin, before)
	t.cutArgs()
	t.messages.Rewind(number)
	t.locks.Rewind(number)
	t.flows.Rewind(number)
	t.marks.rewind(position)
	t.recover()
}
