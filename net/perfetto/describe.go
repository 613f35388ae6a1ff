package perfetto

import (
	"bytes"
	"math"
)

// Limits of a file's descriptions.
const (
	mostTracks = 1 << 20
)

// processKey identifies a process: a machine and the process number there.
type processKey struct{ machine, pid uint32 }

// process is a process of the file.
type process struct {
	key   processKey
	name  string
	cmd   string // how it was started
	sort  int64
	order int
	last  int64 // ns, of its events
	frames
}

type threadKey struct {
	process processKey
	tid     int64
}

// thread is a thread of the file.
type thread struct {
	key   threadKey
	proc  *process
	name  string
	told  string // by a list of all threads: where it has no other name
	sort  int64
	order int
	own   *track // of events that have no track
	stage
}

// track is a line on which a file puts events.
type track struct {
	uuid      uint64
	described bool
	parent    uint64
	name      string
	proc      *process
	thread    *thread
	counter   *Counter
	old       *track // replaces the parent, for asynchronous events of the legacy form
	lists     []*list
	newest    *list // that got a value
	out       *output
}

// trackOf returns the track of a uuid, nil where there is no room for one more.
func (d *decoder) trackOf(uuid uint64) *track {
	t := d.tracks[uuid]
	if t == nil {
		if len(d.tracks) >= mostTracks || !d.room.TakeData(256) {
			d.faults.Count(NoTrack, d.at)
			return nil
		}
		t = &track{uuid: uuid}
		d.tracks[uuid] = t
		d.order = append(d.order, t)
	}
	return t
}

func (d *decoder) processOf(k processKey) *process {
	p := d.processes[k]
	if p == nil {
		if len(d.processes) >= mostTracks || !d.room.TakeData(256) {
			d.faults.Count(NoTrack, d.at)
			return nil
		}
		p = &process{key: k, order: len(d.processes), last: math.MinInt64}
		d.processes[k] = p
	}
	return p
}

func (d *decoder) threadOf(k threadKey) *thread {
	th := d.threads[k]
	if th == nil {
		p := d.processOf(k.process)
		if p == nil || len(d.threads) >= mostTracks || !d.room.TakeData(384) {
			d.faults.Count(NoTrack, d.at)
			return nil
		}
		th = &thread{key: k, proc: p, order: len(d.threads)}
		d.threads[k] = th
		d.threadList = append(d.threadList, th)
	}
	return th
}

// text returns a name as a string, bounded.
func (d *decoder) text(b []byte) string {
	b = b[:min(len(b), TextsMost)]
	if !d.room.TakeData(int64(len(b))) {
		return ""
	}
	return string(b)
}

// number returns a signed number, which has 32 or 64 bits.
func number(v uint64) int64 { return int64(v) }

// trackDescriptor takes the description of a track. Later ones win.
func (d *decoder) trackDescriptor(data []byte) {
	var uuid uint64
	for w := (Fields{Rest: data}); w.Next(); {
		if w.Num == 1 {
			uuid = w.V
		}
	}
	t := d.trackOf(uuid)
	if t == nil {
		return
	}
	t.described = true
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case 5:
			t.parent = w.V
		case 2, 10, 13:
			t.name = d.renamed(t.name, w.Data)
		case 3:
			if p := d.process(w.Data); p != nil {
				t.proc = p
			}
		case 4:
			if th := d.threadDescriptor(w.Data); th != nil && t.thread != th {
				t.thread = th
			}
		case 8:
			if t.counter == nil && d.room.TakeData(64) {
				t.counter = &Counter{}
			}
			if t.counter != nil {
				t.counter.Take(w.Data, d.renamed)
			}
		}
	}
}

// renamed returns the newest name.
func (d *decoder) renamed(old string, now []byte) string {
	if len(now) == 0 || old == string(now[:min(len(now), TextsMost)]) {
		return old
	}
	return d.text(now)
}

// process takes a description of a process: field 6 its name, else 2 how it was started.
func (d *decoder) process(data []byte) *process {
	var pid uint64
	var name, cmd []byte
	sort := int64(0)
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case 1:
			pid = w.V
		case 2:
			if len(cmd) > 0 {
				cmd = append(cmd[:len(cmd):len(cmd)], ' ')
			}
			if len(cmd) < TextsMost {
				cmd = append(cmd[:len(cmd):len(cmd)], w.Data[:min(len(w.Data), TextsMost)]...)
			}
		case 3:
			sort = number(w.V)
		case 6:
			name = w.Data
		}
	}
	p := d.processOf(processKey{d.pid.machine, uint32(pid)})
	if p == nil {
		return nil
	}
	p.name, p.cmd = d.renamed(p.name, name), d.renamed(p.cmd, cmd)
	if sort != 0 {
		p.sort = sort
	}
	return p
}

// threadDescriptor takes a description of a thread.
func (d *decoder) threadDescriptor(data []byte) *thread {
	var pid, tid uint64
	var name []byte
	sort := int64(0)
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case 1:
			pid = w.V
		case 2:
			tid = w.V
		case 3:
			sort = number(w.V)
		case 5:
			name = w.Data
		}
	}
	th := d.threadOf(threadKey{processKey{d.pid.machine, uint32(pid)}, number(tid)})
	if th == nil {
		return nil
	}
	th.name = d.renamed(th.name, name)
	if sort != 0 {
		th.sort = sort
	}
	return th
}

// processTree takes names of processes (field 1) and threads (2).
func (d *decoder) processTree(data []byte) {
	for w := (Fields{Rest: data}); w.Next(); {
		var id, group uint64
		var words [][]byte
		for f := (Fields{Rest: w.Data}); w.Kind == Bytes && f.Next(); {
			switch {
			case f.Num == 1:
				id = f.V
			case f.Num == 2 && w.Num == 2:
				words = append(words[:0], f.Data)
			case f.Num == 3 && w.Num == 2:
				group = f.V
			case f.Num == 3 && len(words) < 64:
				words = append(words, f.Data)
			}
		}
		said := bytes.Join(words, []byte(" "))
		switch w.Num {
		case 1:
			if p := d.processOf(processKey{d.pid.machine, uint32(id)}); p != nil {
				p.cmd = d.renamed(p.cmd, said)
			}
		case 2:
			if th := d.threadOf(threadKey{processKey{d.pid.machine, uint32(group)}, number(id)}); th != nil {
				th.told = d.renamed(th.told, said)
			}
		}
	}
}

// oldThread takes the thread of a sequence, as old writers describe it.
func (d *decoder) oldThread(s *sequence, data []byte) {
	s.thread = d.threadDescriptor(data)
	for w := (Fields{Rest: data}); w.Next(); {
		if w.Num == 6 && w.V < math.MaxInt64/1000 {
			s.oldTime = int64(w.V)
		}
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
	if t.described || t.uuid == 0 || len(t.lists) == 0 || t.lists[0].pid.pid == 0 {
		return nil
	}
	return d.processes[t.lists[0].pid]
}
