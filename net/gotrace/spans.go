package gotrace

import "framescope/model"

// replay publishes the regions of a goroutine that began before a time. Those of a frame that goes on
// wait for its end.
func (d *decoder) replay(g *goroutine, cut int64) {
	leads := g == d.frames.of
	if g.line == nil {
		if len(g.marks) == 0 && !leads {
			return
		}
		g.line = d.lines.Calls(g.track)
		g.line.Frames(&d.frames.all)
	}
	if leads {
		g.line.Lead(d.frames.from)
	}
	n := 0
	for n < len(g.marks) && (g.marks[n].ns < cut || g.marks[n].ns == cut && g.marks[n].kind >= closes) && !d.canceled {
		d.mark(g, g.marks[n])
		n++
	}
	g.marks = g.marks[:copy(g.marks, g.marks[n:])]
	if g.ended && len(g.marks) == 0 {
		g.line.Close()
	} else {
		g.line.Flush(cut)
	}
	d.canceled = d.canceled || d.lines.Cancelled()
}

// mark takes a mark.
func (d *decoder) mark(g *goroutine, m mark) {
	switch m.kind {
	case closes:
		g.line.Leave(m.ns, false)
		return
	case closesAll:
		for g.line.Path() != model.PathRoot {
			g.line.Leave(m.ns, true)
		}
		return
	}
	path, flags := d.names.Path(g.line.Path(), m.c), model.SpanFlags(0)
	switch m.kind {
	case openedBefore:
		flags = model.SpanOpenBegin
	case opensInTask:
		task := model.Arg{Key: taskKey, Value: model.TextArg(g.tasks[0])}
		g.tasks = g.tasks[1:]
		g.line.Enter(m.ns, path, flags, task)
		return
	}
	g.line.Enter(m.ns, path, flags)
}

// publish hands a batch over.
func (d *decoder) publish(b *model.Batch) {
	if !d.canceled && !d.sink.Publish(b) {
		d.canceled = true
	}
}
