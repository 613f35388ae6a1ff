package tables

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

// Tip implements Tips: the full name and what is known of the collector.
func (t *CollectorTree) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := &t.rows[row]
	s := env.View.Session()
	l := &tip.Lines
	l.Add(subject.FullName(s.Collector(r.collector)))
	if r.level {
		l.Buf = format.AppendValue(l.Buf, t.levelOf[r.collector], subject.UnitOf(s, r.collector))
	} else if t.calls {
		t.callTip(env, r.collector, tip)
		return
	} else {
		l.Buf = format.AppendDuration(l.Buf, int64(t.timeOf[r.collector]*1e9+0.5))
	}
	l.Buf = append(l.Buf, " in the mean frame"...)
	l.End()
	if env.View.Hidden(r.collector) {
		l.Add("Hidden; click the square to show it")
	} else {
		l.Add("Double click: chart · click the square: hide")
	}
}

// callTip is Tip where there are no frames.
func (t *CollectorTree) callTip(env *panel.Env, c model.CollectorID, tip *table.Tip) {
	l := &tip.Lines
	if st := t.call(c); st != nil {
		callTip(l, st, &t.stats)
	} else if ns := int64(t.timeOf[c]*1e9 + 0.5); ns > 0 {
		l.Text("own times of all below\t").Duration(ns).End()
	} else {
		l.Add("no calls of it on this thread in this range")
	}
	if env.View.Hidden(c) {
		l.Add("Hidden; click the square to show it")
	} else {
		l.Add("Click the square: hide")
	}
}

// Tip implements Tips.
func (t *Stats) Tip(env *panel.Env, row int, tip *table.Tip) {
	s := env.View.Session()
	l := &tip.Lines
	if t.calls {
		call := t.call(row)
		l.Add(subject.FullName(s.Collector(call.Collector)))
		callTip(l, call, &t.stats)
		l.Add("click its longest time: go there")
		return
	}
	st := &t.all[t.rows[row]]
	l.Add(subject.FullName(s.Collector(st.Collector)))
	l.Buf = format.AppendCount(append(l.Buf, "in "...), st.Present)
	l.Buf = format.AppendCount(append(l.Buf, " of "...), st.Frames)
	l.Buf = append(l.Buf, " frames"...)
	if !t.Levels && st.AloneMean > 0 {
		l.Buf = format.AppendDuration(append(l.Buf, " · self "...), int64(st.AloneMean*1e9+0.5))
		l.Buf = append(l.Buf, " in the mean"...)
	}
	l.End()
	l.Buf = append(l.Buf, "greatest in frame "...)
	l.Buf = format.AppendCount(l.Buf, st.MaxFrame)
	l.Buf = append(l.Buf, "; click the number to go there"...)
	l.End()
}

// Tip implements Tips.
func (t *Threads) Tip(env *panel.Env, row int, tip *table.Tip) {
	r := &t.rows[row]
	track := env.View.Session().Track(r.id)
	l := &tip.Lines
	l.Add(track.Title())
	if t.unframed {
		t.loadTip(env, r, l)
		return
	}
	l.Buf = format.AppendCount(l.Buf, int64(track.NumFrames()))
	l.Buf = append(l.Buf, " frames"...)
	if m := track.Missing(); m > 0 {
		l.Buf = append(format.AppendCount(append(l.Buf, " · "...), m), " missing"...)
	}
	if rate := track.FrameRate(panel.StripMeanNs); rate > 0 {
		l.Buf = format.AppendRate(append(l.Buf, " · "...), int64(1e9/rate))
	}
	l.End()
	switch {
	case !track.Alive:
		l.Add("This thread has ended")
	case track.Def.Kind == model.TrackGPU:
		l.Add("Times of the graphics card")
	}
}

// loadTip is Tip where there are no frames.
func (t *Threads) loadTip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	s := env.View.Session()
	if r.known {
		name := "busy\t"
		if subject.LoadSeries(s, r.id) != model.NoSeries {
			name = "CPU\t"
		}
		l.Text(name).Percent(r.share).End()
	}
	l.Text("spans\t").Count(s.Track(r.id).NumSpans()).End()
	if n, _, ok := t.load.RoleCount(s, r.id, model.RoleStack, t.t0, t.t1); ok {
		l.Text("samples here\t").Count(n).End()
	}
	if _, ns, ok := t.load.RoleCount(s, r.id, model.RoleCPUTime, t.t0, t.t1); ok {
		l.Text("CPU time here\t").Duration(int64(ns)).End()
	}
	if at, ok := subject.LastHeard(s, r.id); ok {
		l.Text("heard of last\t").Clock(at).End()
	}
	if !s.Track(r.id).Alive {
		l.Add("This thread has ended")
	}
	l.Add("Click: this thread in all panels · square: hide · arrow: fold")
}

// Tip implements Tips.
func (t *Spikes) Tip(env *panel.Env, row int, tip *table.Tip) {
	if t.unframed {
		t.spanTip(env, row, &tip.Lines)
		return
	}
	r := &t.rows[row]
	l := &tip.Lines
	l.Buf = format.AppendCount(append(l.Buf, "frame "...), r.number)
	l.End()
	l.Buf = format.AppendDuration(l.Buf, r.ns)
	l.Buf = format.AppendRate(append(l.Buf, " · "...), r.ns)
	l.End()
}

// Tip implements Tips: the whole of a line that may be cut.
func (t *Losses) Tip(_ *panel.Env, row int, tip *table.Tip) {
	if t.rows[row].kind == lossLine {
		tip.Lines.Add(t.rows[row].text)
	}
}
