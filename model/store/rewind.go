package store

// rewind takes back every frame whose number is at least number.
func (t *Track) rewind(number int64) {
	f := &t.frames
	p := f.find(number)
	if p >= f.number.End() {
		return
	}
	begin := f.begin.At(p)
	end := begin // where spans that went on into the frame ended before
	if p > f.first {
		end = min(end, f.end.At(p-1))
	}
	t.spans.Rewind(p, begin, end)
	t.alone.truncate(rowsBefore(&f.alone, p))
	t.levels.truncate(rowsBefore(&f.levels, p))
	f.truncate(p)
	for k := range t.stats {
		t.stats[k].truncate(p)
	}
	t.messages.Rewind(number)
	t.locks.Rewind(number)
	t.marks.rewind(p)
	t.recover()
	t.rewinds++
}
