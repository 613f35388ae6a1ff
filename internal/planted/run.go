package planted

import "math"

// run is one play of a game: without planted causes, or with them.
type run struct {
	w      *world
	jitter float64
	shiver float64
	ops    map[place][]*op
	phase  int
	frame  int

	main    *line
	servers map[*server]*served
	gpu     *line
	pacedNs int64   // when the limiter last let go
	gpuDone []int64 // when the GPU was done, by frame
	loopers []*looped
	pool    []*looped
	lines   []*line // by thread
	ends    []int64 // of the main thread's frames
	lost    []bool
}

// place is a frame of a thread, by the main thread's frames.
type place struct{ thread, frame int }

// served is a server at work.
type served struct {
	*line
	done int64
}

// looped is a looper at work.
type looped struct {
	*looper
	*line
	jobs   int64 // so far
	worked int64 // when the newest was done
}

// newRun plays the game with some plants. all includes the anomalies that nobody waits for, and keeps what every thread
// did: otherwise only the durations of the main thread's frames are needed.
func (w *world) newRun(jitter, shiver float64, plants []*plant, all bool, lost []bool) *run {
	r := &run{w: w, jitter: jitter, shiver: shiver, ops: map[place][]*op{}, servers: map[*server]*served{}, lost: lost}
	for _, p := range plants {
		for _, o := range p.ops {
			if o.done = false; o.aside && !all {
				continue
			}
			at := place{o.thread, o.frame}
			r.ops[at] = append(r.ops[at], o)
		}
	}
	for i := range w.threads {
		r.lines = append(r.lines, newLine(i, !all))
	}
	r.main, r.gpu = r.lines[0], r.lines[w.gpuThread()] // without a GPU nobody asks for it
	if w.ownClock {
		r.gpu.shift = 977_123_456_789
	}
	for _, s := range w.servers {
		r.servers[s] = &served{line: r.lines[s.thread]}
	}
	for _, l := range w.loopers {
		b := &looped{looper: l, line: r.lines[l.thread]}
		b.at = w.firstNs - int64(float64(w.periodNs)*2)
		r.loopers = append(r.loopers, b)
	}
	for _, l := range w.pool {
		r.pool = append(r.pool, &looped{looper: l, line: r.lines[l.thread]})
	}
	r.play()
	return r
}

// play plays all frames.
func (r *run) play() {
	now := r.w.firstNs
	for i := range r.w.o.Frames {
		r.phase, r.frame = r.w.phaseOf(i), i
		m := r.main
		m.begin(int64(i), now)
		r.prepare(m, i)
		for _, o := range m.ops {
			if o.what == decoy {
				r.hold(o.by, m.at, m.at+o.ns())
			}
		}
		r.steps(m, r.w.main, i)
		m.at += 2000 // what ends a frame
		now = m.at
		if !m.mute {
			r.fill(i, now)
		}
		m.end(r.lost[i])
		r.ends = append(r.ends, now)
	}
	for _, s := range r.servers {
		s.end(false)
	}
	for _, b := range r.loopers {
		for !b.mute && b.at < now {
			r.job(b, nil, 1, nil)
		}
	}
}

// fill lets the threads of the pool work until the main thread's frame ends.
func (r *run) fill(frame int, end int64) {
	for _, b := range r.pool {
		b.begin(int64(frame), max(b.at, r.main.events[0].ns))
		b.seed(r.w.o.Seed, int64(frame))
		r.phase = 0
		for one := b.looper.jobs[0].ns(); b.at+int64(one) < end; {
			r.do(b.line, b.looper.jobs[0], 1)
		}
		b.until(b.idle, end)
		b.at = max(b.at, end)
		b.end(r.lost[frame])
	}
}

// prepare readies a thread for a frame.
func (r *run) prepare(l *line, frame int) {
	l.seed(r.w.o.Seed, int64(frame))
	l.ops = r.ops[place{l.thread, frame}]
	far := 3.0
	if r.w.rough {
		far = 6
	}
	l.scale = math.Exp(r.shiver * max(-far, min(far, l.rnd.NormFloat64())))
	contended := l.rnd.Float64() < 0.3
	brief := int64(l.rnd.ExpFloat64() * float64(r.w.periodNs) / 100)
	if l == r.main && r.w.contention && contended {
		l.until(r.w.lockWait, l.at+min(brief, r.w.periodNs/20))
	}
	for _, o := range l.ops {
		switch o.what {
		case slower:
			l.scale *= o.factor()
		case late:
			l.until(o.wait, r.hold(o.by, l.at, l.at+o.ns()))
		}
	}
}

// scene returns the amount of work in a frame, which rises and falls over seconds.
func (r *run) scene(frame int) float64 {
	w, at := r.w, float64(frame)
	f := 1 + w.swing*math.Sin(at/(90+40*w.swing*10)) + 0.3*w.swing*math.Sin(at/17+1)
	return f * (1 + w.o.Drift*at/float64(w.o.Frames))
}

func (r *run) steps(l *line, steps []step, frame int) {
	for i := range steps {
		s := &steps[i]
		switch s.kind {
		case work:
			r.do(l, s.task, r.scene(frame))
		case kick:
			r.kick(s.server, frame, l.at)
		case join:
			l.until(s.wait, r.servers[s.server].done)
		case submit:
			r.submit(frame, l.at)
		case flip:
			if frame > 0 {
				l.until(r.w.flip, r.gpuDone[frame-1])
			}
		case pace:
			period := r.w.periodNs
			switch {
			case r.w.o.Limiter == VSync:
				l.until(r.w.flip, (l.at+period-1)/period*period+int64(l.rnd.IntN(int(period/300))))
			case r.pacedNs > 0:
				l.until(r.w.limit, r.pacedNs+period)
			}
			r.pacedNs = l.at
		}
	}
}

// kick lets a server do its part of a frame.
func (r *run) kick(s *server, frame int, at int64) {
	v := r.servers[s]
	if s.idle >= 0 && v.open {
		v.until(s.idle, at)
	}
	v.end(frame > 0 && r.lost[frame-1])
	v.begin(int64(frame), max(v.at, at))
	r.prepare(v.line, frame)
	r.steps(v.line, s.steps, frame)
	v.done = v.at
	if s.idle < 0 {
		v.end(r.lost[frame])
	}
}

// submit lets the GPU draw a frame.
func (r *run) submit(frame int, at int64) {
	g := r.gpu
	g.begin(int64(frame), max(g.at, at+r.w.periodNs/100))
	r.prepare(g, frame)
	r.do(g, r.w.gpu, r.scene(frame))
	g.end(r.lost[frame])
	r.gpuDone = append(r.gpuDone, g.at)
}

// job lets a looper do its next job: the given one, or the next in turn. ops are the causes planted in
// it, scale the factor of its usual length.
func (r *run) job(b *looped, t *task, scale float64, ops []*op) {
	b.seed(r.w.o.Seed, b.jobs)
	which := b.rnd.IntN(len(b.looper.jobs))
	if t == nil {
		t = b.looper.jobs[which]
	}
	b.begin(b.jobs, b.at)
	b.ops = ops
	phase := r.phase
	r.phase = 0 // what bystanders do does not hang on the scene
	r.do(b.line, t, scale*(0.5+b.rnd.ExpFloat64()/2))
	r.phase = phase
	b.worked = b.at
	rest := b.at + int64(b.restNs*b.rnd.ExpFloat64())
	if b.everyNs > 0 {
		rest = (b.at/b.everyNs + 1) * b.everyNs
	}
	if b.idle >= 0 {
		b.until(b.idle, rest)
		b.end(false)
	} else {
		b.end(false)
		b.at = rest
	}
	b.jobs++
}

// next returns when a looper's next job will be over, and its rest; t as of job.
func (r *run) next(b *looped, t *task) (worked, rested int64) {
	probe := &looped{looper: b.looper, line: newLine(b.line.thread, true), jobs: b.jobs}
	probe.at = b.at
	r.job(probe, t, 1, nil)
	return probe.worked, probe.at
}

// hold keeps a looper busy with a job from one moment on, and runs the causes planted in it until
// another. It returns their end.
func (r *run) hold(h *held, from, to int64) int64 {
	b := r.loopers[h.looper]
	for {
		if _, rested := r.next(b, nil); rested > from {
			break
		}
		r.job(b, nil, 1, nil)
	}
	// The rest of the job is short beside the planted cause, and is done when the others begin to
	// wait.
	worked, _ := r.next(b, h.job)
	scale := min(1, 0.3*float64(to-from)/float64(max(worked-b.at, 1)))
	if wake := from - int64(scale*float64(worked-b.at)); b.at < wake {
		if b.idle >= 0 {
			b.begin(b.jobs, b.at)
			b.until(b.idle, wake)
			b.end(false)
			b.jobs++
		}
		b.at = max(b.at, wake)
	}
	o := &op{what: upTo, at: h.at, end: to}
	switch {
	case h.next != nil:
		o = &op{what: waits, at: h.at, wait: h.wait, by: h.next, end: to}
	case h.newcomer != nil:
		o = &op{what: insertTo, at: h.at, task: h.newcomer, end: to}
	}
	r.job(b, h.job, scale, []*op{o})
	return o.end
}
