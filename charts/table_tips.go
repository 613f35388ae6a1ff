package charts

import "framescope/model"

// Tip implements TableTips: the full name and what is known of the collector.
func (t *CollectorTree) Tip(env *Env, row int, tip *Tip) {
	r := &t.rows[row]
	s := env.View.Session()
	l := &tip.lines
	l.add(fullName(s.Collector(r.collector)))
	if r.level {
		l.buf = AppendValue(l.buf, t.levelOf[r.collector], unitOf(s, r.collector))
	} else if t.calls {
		t.callTip(env, r.collector, tip)
		return
	} else {
		l.buf = AppendDuration(l.buf, int64(t.timeOf[r.collector]*1e9+0.5))
	}
	l.buf = append(l.buf, " in the mean frame"...)
	l.end()
	if env.View.Hidden(r.collector) {
		l.add("Hidden; click the square to show it")
	} else {
		l.add("Double click: chart · click the square: hide")
	}
}

// callTip is Tip where there are no frames.
func (t *CollectorTree) callTip(env *Env, c model.CollectorID, tip *Tip) {
	l := &tip.lines
	if st := t.call(c); st != nil {
		callTip(l, st, &t.stats)
	} else if ns := int64(t.timeOf[c]*1e9 + 0.5); ns > 0 {
		l.text("own times of all below\t").duration(ns).end()
	} else {
		l.add("no calls of it on this thread in this range")
	}
	if env.View.Hidden(c) {
		l.add("Hidden; click the square to show it")
	} else {
		l.add("Click the square: hide")
	}
}

// Tip implements TableTips.
func (t *StatsTable) Tip(env *Env, row int, tip *Tip) {
	s := env.View.Session()
	l := &tip.lines
	if t.calls {
		call := t.call(row)
		l.add(fullName(s.Collector(call.Collector)))
		callTip(l, call, &t.stats)
		l.add("click its longest time: go there")
		return
	}
	st := &t.all[t.rows[row]]
	l.add(fullName(s.Collector(st.Collector)))
	l.buf = AppendCount(append(l.buf, "in "...), st.Present)
	l.buf = AppendCount(append(l.buf, " of "...), st.Frames)
	l.buf = append(l.buf, " frames"...)
	if !t.Levels && st.AloneMean > 0 {
		l.buf = AppendDuration(append(l.buf, " · self "...), int64(st.AloneMean*1e9+0.5))
		l.buf = append(l.buf, " in the mean"...)
	}
	l.end()
	l.buf = append(l.buf, "greatest in frame "...)
	l.buf = AppendCount(l.buf, st.MaxFrame)
	l.buf = append(l.buf, "; click the number to go there"...)
	l.end()
}

// Tip implements TableTips.
func (t *ThreadTable) Tip(env *Env, row int, tip *Tip) {
	r := &t.rows[row]
	track := env.View.Session().Track(r.id)
	l := &tip.lines
	l.add(track.Title())
	if t.unframed {
		t.loadTip(env, r, l)
		return
	}
	l.buf = AppendCount(l.buf, int64(track.NumFrames()))
	l.buf = append(l.buf, " frames"...)
	if m := track.Missing(); m > 0 {
		l.buf = append(AppendCount(append(l.buf, " · "...), m), " missing"...)
	}
	if rate := track.FrameRate(stripMeanNs); rate > 0 {
		l.buf = AppendRate(append(l.buf, " · "...), int64(1e9/rate))
	}
	l.end()
	switch {
	case !track.Alive:
		l.add("This thread has ended")
	case track.Def.Kind == model.TrackGPU:
		l.add("Times of the graphics card")
	}
}

// loadTip is Tip where there are no frames.
func (t *ThreadTable) loadTip(env *Env, r *threadRow, l *tipLines) {
	s := env.View.Session()
	if r.known {
		name := "busy\t"
		if loadSeries(s, r.id) != model.NoSeries {
			name = "CPU\t"
		}
		l.text(name).percent(r.share).end()
	}
	l.text("spans\t").count(s.Track(r.id).NumSpans()).end()
	if n, _, ok := t.load.roleCount(s, r.id, model.RoleStack, t.t0, t.t1); ok {
		l.text("samples here\t").count(n).end()
	}
	if _, ns, ok := t.load.roleCount(s, r.id, model.RoleCPUTime, t.t0, t.t1); ok {
		l.text("CPU time here\t").duration(int64(ns)).end()
	}
	if at, ok := lastHeard(s, r.id); ok {
		l.text("heard of last\t").clock(at).end()
	}
	if !s.Track(r.id).Alive {
		l.add("This thread has ended")
	}
	l.add("Click: this thread in all panels · square: hide · arrow: fold")
}

// Tip implements TableTips.
func (t *SpikeTable) Tip(env *Env, row int, tip *Tip) {
	if t.unframed {
		t.spanTip(env, row, &tip.lines)
		return
	}
	r := &t.rows[row]
	l := &tip.lines
	l.buf = AppendCount(append(l.buf, "frame "...), r.number)
	l.end()
	l.buf = AppendDuration(l.buf, r.ns)
	l.buf = AppendRate(append(l.buf, " · "...), r.ns)
	l.end()
}

// Tip implements TableTips: the whole of a line that may be cut.
func (t *LossTable) Tip(_ *Env, row int, tip *Tip) {
	if t.rows[row].kind == lossLine {
		tip.lines.add(t.rows[row].text)
	}
}
