package clips

import (
	"framescope/app/library"
	"framescope/model/store"
)

// A Watcher watches live sessions and has clips filed of their hitches. It belongs to the goroutine of
// the store. However many sessions there are, a tick costs a look at one of them.
type Watcher struct {
	Around Around // may change
	// File is called for each wanted clip.
	File func(*store.Session, Wanted)

	watches []*SessionWatch
	turn    int
	hitches int64 // of finished watches
	causes  int
	all     int
}

// Add begins to watch a session, which is kept on disk.
func (d *Watcher) Add(s *store.Session, kept *library.Recorder) {
	d.watches = append(d.watches, NewSessionWatch(s, kept))
	d.all++
}

// Look looks for hitches in the next session, or, wholly, in all of them. It stops watching ended
// sessions after a last look.
func (d *Watcher) Look(nowNs int64, wholly bool) {
	for n := len(d.watches); n > 0; n-- {
		d.turn = (d.turn + 1) % len(d.watches)
		w := d.watches[d.turn]
		if w.Look(d.Around, nowNs, wholly, d.File); w.over {
			d.drop(d.turn)
		}
		if !wholly {
			return
		}
	}
}

// Finish files at once the clips of all hitches found so far: the sessions have ended.
func (d *Watcher) Finish() {
	for _, w := range d.watches {
		w.last = true
	}
	for len(d.watches) > 0 {
		d.Look(0, true)
	}
}

// Forget ends the watch over a session.
func (d *Watcher) Forget(s *store.Session) {
	for i, w := range d.watches {
		if w.s == s {
			d.drop(i)
			return
		}
	}
}

func (d *Watcher) drop(i int) {
	w := d.watches[i]
	d.hitches += w.hitches
	d.causes += len(w.filed)
	d.watches = append(d.watches[:i], d.watches[i+1:]...)
	d.turn = 0
}

// Seen returns how many sessions were watched, and how many hitches of how many causes they had.
func (d *Watcher) Seen() (sessions int, hitches int64, causes int) {
	hitches, causes = d.hitches, d.causes
	for _, w := range d.watches {
		hitches += w.hitches
		causes += len(w.filed)
	}
	return d.all, hitches, causes
}
