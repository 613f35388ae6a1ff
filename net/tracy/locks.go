package tracy

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"framescope/model"
	"framescope/net/trace"
)

// lock is a lock of the program.
type lock struct {
	place *location
	def   model.CollectorDef
	owner uint32 // thread that has it
	held  bool
	owed  int // releases that are to come, of holds that another one ended
}

// lockOf returns a lock by its number.
func (d *decoder) lockOf(id uint32) *lock {
	l := d.locks[id]
	if l == nil {
		if !d.hasRoom() {
			return &lock{def: model.CollectorDef{ID: trace.Other}}
		}
		l = &lock{def: model.CollectorDef{Name: fmt.Sprintf("Lock %d", id)}}
		l.def.ID = d.names.table.Keyed(binary.LittleEndian.AppendUint32([]byte("lock"), id), func() model.CollectorDef {
			return l.def
		})
		d.locks[id] = l
	}
	return l
}

func (d *decoder) nameLock(l *lock, name string) {
	if name != "" && l.def.ID != trace.Other {
		l.def.Name = name
		d.sink.Define(l.def)
	}
}

// lockEvent takes what becomes of a lock.
func (d *decoder) lockEvent(r *record) {
	l := d.lockOf(uint32(r.uint("id")))
	thread := uint32(r.uint("thread"))
	switch r.is {
	case lockAnnounce:
		d.absolute(r.int("time"))
		l.place = d.names.location(r.uint("srcloc"))
		l.place.named(func(p *location) {
			l.def.Place = p.def.Place
			d.nameLock(l, cmp.Or(p.title, p.function, p.def.Where()))
		})
		return
	case lockName:
		d.nameLock(l, trace.Shown(string(d.first)))
		return
	}
	at := d.relative(&d.ofSerial, r.int("time"))
	switch r.is {
	case lockWait:
		if l.owner == thread {
			d.endHold(l, at)
		}
		d.lockStep(l, thread, at, model.LockTry)
	case lockObtain:
		d.endHold(l, at)
		l.owner, l.held = thread, true
		d.lockStep(l, thread, at, model.LockAcquired)
	case lockRelease:
		if l.owed > 0 {
			l.owed--
			return
		}
		l.held = false
		d.lockStep(l, l.owner, at, model.LockReleased)
	case lockObtainShared:
		d.lockStep(l, thread, at, model.LockAcquired)
	case lockReleaseShared:
		d.lockStep(l, thread, at, model.LockReleased)
	}
}

// endHold ends a hold whose release is not there yet. A program notes a release after it, so that another thread may be
// faster; and it may be of that thread, as releases do not name theirs. A recursive lock has holds one after the other.
func (d *decoder) endHold(l *lock, at int64) {
	if l.held {
		d.lockStep(l, l.owner, at, model.LockReleased)
		l.held = false
		l.owed++
	}
}

func (d *decoder) lockStep(l *lock, thread uint32, at int64, kind model.LockKind) {
	if line := d.thread(thread).open(d); line != nil {
		line.Lock(model.LockEvent{Time: at, Lock: l.def.ID, Kind: kind})
	}
}

// severities are those of messages, by number.
var severities = [...]model.Severity{
	model.SeverityTrace, model.SeverityDebug, model.SeverityInfo, model.SeverityWarning, model.SeverityError,
	model.SeverityError,
}

// message takes a message of the present thread, or what the program says of itself.
func (d *decoder) message(r *record) {
	m := model.Message{Time: d.absolute(r.int("time"))}
	meta, literal := r.uint("meta"), r.uint("text")
	if d.compact && r.is != crashReport && literal != 0 {
		meta, literal = literal&0xff, literal>>8
	}
	if s := meta >> 4; d.compact && int(s) < len(severities) {
		m.Severity = severities[s]
	}
	switch r.is {
	case appInfo:
		m.Category = "about the program"
	case crashReport:
		m.Category, m.Severity = "crash", model.SeverityError
	}
	line := d.running().open(d)
	switch {
	case line == nil:
	case r.is == message || r.is == appInfo:
		m.Text = trace.Shown(string(d.first))
		line.Note(m)
	default:
		d.names.want(askText, literal, func(text string) {
			m.Text = text
			line.Note(m)
		})
	}
}
