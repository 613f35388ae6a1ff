package perfetto

import (
	"cmp"
	"fmt"

	"framescope/model"
	"framescope/net/trace"
)

// Limits of a file's descriptions.
const (
	mostTracks = 1 << 20
	mostName   = 4096 // bytes
)

// processKey identifies a process: a machine and the process number there.
type processKey struct{ machine, pid uint32 }

// id returns the number of the process for people.
func (k processKey) id() []byte {
	if k.machine != 0 {
		return fmt.Appendf(nil, "%d of machine %d", int32(k.pid), k.machine)
	}
	return fmt.Append(nil, int32(k.pid))
}

// process is a process of the file.
type process struct {
	*trace.Process
	key       processKey
	name, cmd string // what it is called, and how it was started
}

type threadKey struct {
	process processKey
	tid     int64
}

// thread is a thread of the file.
type thread struct {
	*trace.Thread
	proc   *process
	listed string // its name in the list of all threads, used where it has no other
	own    *track // of events that have no track
}

// track is a line on which a file puts events.
type track struct {
	uuid      uint64
	described bool
	parent    uint64
	name      string
	proc      *process
	thread    *thread
	counter   *counter
	old       *track // replaces the parent, for asynchronous events of the legacy form
	lines     []*line
	sums      map[*sequence]*running
}

// lineKey says of what a line is.
type lineKey struct {
	uuid  uint64
	clock uint32
	on    *track    // in place of the uuid, where there is none
	of    *sequence // of counters: each sequence sums up its own
}

// line is what a file says of a track on one clock.
type line struct {
	lineKey
	*trace.Track
	pid    processKey // that the tracing service saw
	n      int        // events and values
	sum    *running   // of its values
	values []number
	states []state
}

// line returns the line of a track, nil where there is no room, which is counted.
func (d *decoder) line(s *sequence, k lineKey) *line {
	for _, l := range s.recent {
		if l != nil && l.lineKey == k {
			l.n++
			return l
		}
	}
	l := d.lines[k]
	if l == nil {
		t := k.on
		if t == nil {
			t = d.trackOf(k.uuid)
		}
		x := d.b.NewTrack()
		if t == nil || x == nil || !d.room.TakeData(400) {
			d.b.Bad.Bad(trace.ManyThreads, d.at)
			return nil
		}
		l = &line{lineKey: k, Track: x, pid: d.pid, sum: t.sumOf(k.of)}
		d.lines[k] = l
		t.lines = append(t.lines, l)
	}
	s.recent[s.turn&3] = l
	s.turn++
	l.n++
	return l
}

// sumOf returns the sum of what a sequence says of a counter, nil where it is none.
func (t *track) sumOf(s *sequence) *running {
	if s == nil {
		return nil
	}
	if t.sums[s] == nil {
		model.Put(&t.sums, s, &running{})
	}
	return t.sums[s]
}

// trackOf returns the track of a uuid, nil where there is no room for one more.
func (d *decoder) trackOf(uuid uint64) *track {
	t := d.tracks[uuid]
	if t == nil {
		if len(d.tracks) >= mostTracks || !d.room.TakeData(256) {
			return nil
		}
		t = &track{uuid: uuid}
		d.tracks[uuid] = t
		d.order = append(d.order, t)
	}
	return t
}

// ownTrack returns the track of a thread's events that name none.
func (d *decoder) ownTrack(th *thread) *track {
	if th.own == nil {
		th.own = &track{thread: th, described: true}
		d.order = append(d.order, th.own)
	}
	return th.own
}

func (d *decoder) processOf(k processKey) *process {
	p := d.processes[k]
	if p == nil {
		if len(d.processes) >= mostTracks || !d.room.TakeData(512) {
			d.b.Bad.Bad(trace.ManyThreads, d.at)
			return nil
		}
		p = &process{key: k, Process: d.b.Process(k.id())}
		d.processes[k] = p
	}
	return p
}

func (d *decoder) threadOf(k threadKey) *thread {
	th := d.threads[k]
	if th == nil {
		p := d.processOf(k.process)
		if p == nil {
			return nil
		}
		x := d.b.Thread(k.process.id(), fmt.Append(nil, k.tid))
		if x == nil {
			d.b.Bad.Bad(trace.ManyThreads, d.at)
			return nil
		}
		th = &thread{Thread: x, proc: p}
		d.threads[k] = th
	}
	return th
}

// renamed returns the newest name, bounded.
func (d *decoder) renamed(old string, now []byte) string {
	now = now[:min(len(now), mostName)]
	if len(now) == 0 || old == string(now) || !d.room.TakeData(int64(len(now))) {
		return old
	}
	return string(now)
}

// trackDescriptor takes the description of a track. Later ones win.
func (d *decoder) trackDescriptor(data []byte) {
	t := d.trackOf(flatten(data).v[1])
	if t == nil {
		d.b.Bad.Bad(trace.ManyThreads, d.at)
		return
	}
	t.described = true
	for w := (fields{rest: data}); w.next(); {
		switch w.num {
		case 5:
			t.parent = w.v
		case 2, 10, 13:
			t.name = d.renamed(t.name, w.data)
		case 3:
			if p := d.process(w.data); p != nil {
				t.proc = p
			}
		case 4:
			if th := d.threadDescriptor(w.data); th != nil {
				t.thread = th
			}
		case 8:
			if t.counter == nil && d.room.TakeData(64) {
				t.counter = &counter{}
			}
			if t.counter != nil {
				t.counter.describe(w.data, d.renamed)
			}
		}
	}
}

// process takes a description of a process: field 6 its name, else 2 how it was started.
func (d *decoder) process(data []byte) *process {
	f := flatten(data)
	p := d.processOf(processKey{d.pid.machine, uint32(f.v[1])})
	if p == nil {
		return nil
	}
	p.name, p.cmd = d.renamed(p.name, f.data[6]), d.renamed(p.cmd, joined(data, 2))
	p.Sort = cmp.Or(int64(f.v[3]), p.Sort)
	return p
}

// threadDescriptor takes a description of a thread.
func (d *decoder) threadDescriptor(data []byte) *thread {
	f := flatten(data)
	th := d.threadOf(threadKey{processKey{d.pid.machine, uint32(f.v[1])}, int64(f.v[2])})
	if th == nil {
		return nil
	}
	th.Name = d.renamed(th.Name, f.data[5])
	th.Sort = cmp.Or(int64(f.v[3]), th.Sort)
	return th
}

// processTree takes names of processes (field 1) and threads (2).
func (d *decoder) processTree(data []byte) {
	for w := (fields{rest: data}); w.next(); {
		f := flatten(w.data)
		switch {
		case w.data == nil:
		case w.num == 1:
			if p := d.processOf(processKey{d.pid.machine, uint32(f.v[1])}); p != nil {
				p.cmd = d.renamed(p.cmd, joined(w.data, 3))
			}
		case w.num == 2:
			if th := d.threadOf(threadKey{processKey{d.pid.machine, uint32(f.v[3])}, int64(f.v[1])}); th != nil {
				th.listed = d.renamed(th.listed, f.data[2])
			}
		}
	}
}

// oldThread takes the thread of a sequence, as old writers describe it.
func (d *decoder) oldThread(s *sequence, data []byte) {
	s.thread = d.threadDescriptor(data)
	if us := flatten(data).v[6]; us > 0 && us < mostTime/1000 {
		s.oldTime = int64(us)
	}
}

// owner returns the thread or process that a track belongs to, nil where it belongs to none.
func (d *decoder) owner(t *track) (*thread, *process) {
	for range 64 {
		switch {
		case t == nil:
			return nil, nil
		case t.thread != nil:
			return t.thread, t.thread.proc
		case t.proc != nil:
			return nil, t.proc
		case t.old != nil:
			t = t.old
		case t.parent == 0:
			return nil, d.seen(t)
		default:
			t = d.tracks[t.parent]
		}
	}
	return nil, nil
}

// seen returns the process that the tracing service saw writing to a track that nobody described.
func (d *decoder) seen(t *track) *process {
	if t.described || t.uuid == 0 || len(t.lines) == 0 || t.lines[0].pid.pid == 0 {
		return nil
	}
	return d.processes[t.lines[0].pid]
}

// titleOf returns what a track is called that is no thread's.
func (d *decoder) titleOf(t *track, p *process) string {
	switch {
	case t.name != "":
		return t.name
	case t.proc != nil:
		return p.Name
	case t.uuid == 0:
		return "global"
	}
	return fmt.Sprintf("track %d", t.uuid)
}

// attachLines gives lines to the threads and processes that their tracks belong to, and names these.
func (d *decoder) attachLines() {
	for _, th := range d.threads {
		th.Name = cmp.Or(th.Name, th.listed)
	}
	for _, p := range d.processes {
		p.Name = cmp.Or(trace.Program(p.name), trace.Program(p.cmd))
	}
	d.addKernels()
	for _, p := range d.processes {
		p.Name = cmp.Or(p.Name, "process "+p.ID)
	}
	for _, t := range d.order {
		if len(t.lines) == 0 {
			continue
		}
		first := t.lines[0]
		th, p := d.owner(t)
		switch {
		case th != nil && t.thread == th:
			th.Attach(first.Track)
		case p != nil:
			p.Attach(first.Track, d.b.Symbol([]byte(d.titleOf(t, p))))
		default:
			d.b.Process(nil).Attach(first.Track, d.b.Symbol([]byte(d.titleOf(t, nil))))
		}
		for _, l := range t.lines[1:] {
			first.Join(l.Track)
		}
	}
}
