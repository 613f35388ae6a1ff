package feed

import (
	"framescope/model"
	"framescope/net/journal"
)

// Places counts the damaged places of a recording, as its source reports them. The zero value is ready.
type Places struct {
	N     int64
	worst string // of them; the first of several
	grave int
}

// Note takes a change of the session. Losses of the recorded program are no damage of the file.
func (p *Places) Note(c model.Change) {
	l, _ := c.(model.Loss)
	n := int64(0)
	switch {
	case l.Frames == 0 && (l.Reason == model.LossTruncated || l.Reason == model.LossDamaged):
		n = l.N
	case l.Reason == model.LossMalformed && l.Track == model.NoTrack: // bytes of the file, not data of a program
		n = 1
	}
	grave := 1
	if l.Reason == model.LossTruncated { // all behind it is lost, not what is there alone
		grave = 2
	}
	if p.N += n; n > 0 && grave > p.grave {
		p.worst, p.grave = l.Detail, grave
	}
}

// String says where the worst place is, and how many there are besides; empty: there is none.
func (p *Places) String() string { return p.worst + journal.MorePlaces(int(p.N-1)) }
