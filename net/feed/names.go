package feed

import "framescope/model"

// MoreNames is the name that stands for all names beyond the limit.
const MoreNames = "(more names)"

// SureThreads is how many threads of a session get their tracks whatever names it has: without any
// nothing could be shown.
const SureThreads = 64

// Names limits the memory that one decoder, and the session that it fills, keep by names and numbers
// that the source made up: names of collectors, call paths, threads, series, objects, and the maps
// that find them. They stay as long as the session, since data refer to them, so a decoder must
// request room for each first. Data with a refused name are shown as MoreNames, or are counted as
// model.LossLimit where that is impossible.
//
// All decoders of a hub share a limit; each may take as much as it leaves to others: a single one
// half, the second a quarter. So a source with endless names leaves room for the others. One goroutine
// at a time may use it. The methods may be called on nil, which has no limit.
//
// Data gathered from a file until they can be published have a limit of their own, see TakeData: they
// are released when the session has them.
type Names struct {
	all   *Held // of all decoders, with the share of their sessions
	held  *Held // of decoders alone, as a part of their held memory
	data  *Held // data gathered by all decoders
	taken int64
	own   int64 // of held
	waits int64 // of data
	spare int64 // of waits, not in use yet
}

// grant is for how many bytes of data room is taken from the others at once.
const grant = 1 << 20

// NamesOf returns the account of names of a new decoder that writes to a sink, nil if there is no
// limit.
func NamesOf(s Sink) *Names {
	if f, ok := behind[*Feed](s); ok {
		return &Names{all: &f.pool.names, held: &f.pool.held, data: &f.pool.data}
	}
	a, ok := behind[interface{ NamesHeld() *Held }](s)
	if !ok {
		return nil
	}
	n := &Names{all: a.NamesHeld()}
	if d, ok := a.(interface{ DataHeld() *Held }); ok {
		n.data = d.DataHeld()
	}
	return n
}

// NamesLimit returns the limit of names, given the limit of data waiting in feeds, see Hub.SetLimit.
// One decoder alone gets half of it.
func NamesLimit(feeds int64) int64 { return 2 * feeds }

// DataLimit returns the limit of data gathered from files until they can be published, given the limit
// of data waiting in feeds, see Hub.SetLimit: half of the program's memory limit. Once published, they
// are in the session as well, which has the other half then, and the old arrays of growing lists are
// garbage by then.
func DataLimit(feeds int64) int64 { return 4 * feeds }

// Share returns the decoder's limit while no other takes anything, in bytes.
func (n *Names) Share() int64 {
	if n == nil {
		return 1<<63 - 1
	}
	return n.all.Limit() / 2
}

// Admit requests room for a definition, in the session and in the decoder's own tables. It returns
// false when there is none: then nothing of that name may be kept.
func (n *Names) Admit(c model.Change) bool {
	own, session := costOf(c)
	return n.charge(own, session)
}

// Take requests room in the decoder alone, in bytes. It returns false when there is none.
func (n *Names) Take(bytes int64) bool { return n.charge(bytes, 0) }

// TakeData requests room for data that wait until they can be published, in bytes. It returns false
// when there is none. Names keep their own room, so that data keep their names.
func (n *Names) TakeData(bytes int64) bool {
	if n == nil {
		return true
	}
	if bytes > n.spare && !n.takeMore(bytes-n.spare) {
		return false
	}
	n.spare -= bytes
	return true
}

// takeMore takes room for data from the others, for some bytes at least.
func (n *Names) takeMore(bytes int64) bool {
	free := n.data.Limit() - n.data.Bytes()
	if bytes > free {
		return false
	}
	bytes = min(max(bytes, grant), free)
	n.waits, n.spare = n.waits+bytes, n.spare+bytes
	n.data.Add(bytes)
	return true
}

// GiveData releases room after waiting data were published or dropped, in bytes.
func (n *Names) GiveData(bytes int64) {
	if n == nil {
		return
	}
	if n.spare += bytes; n.spare >= 2*grant {
		n.waits -= n.spare
		n.data.Add(-n.spare)
		n.spare = 0
	}
}

func (n *Names) charge(own, session int64) bool {
	if n == nil {
		return true
	}
	if n.taken+own+session > n.all.Limit()-n.all.Bytes() {
		return false
	}
	n.add(own, session)
	return true
}

func (n *Names) add(own, session int64) {
	n.taken, n.own = n.taken+own+session, n.own+own
	n.all.Add(own + session)
	n.held.Add(own)
}

// Give releases room that the decoder took, in bytes.
func (n *Names) Give(bytes int64) {
	if n != nil {
		n.add(-bytes, 0)
	}
}

// Close gives everything back: the decoder is gone, and its session has an account of its own.
func (n *Names) Close() {
	if n != nil {
		n.add(-n.own, n.own-n.taken)
		n.data.Add(-n.waits)
		n.waits, n.spare = 0, 0
	}
}

// costOf estimates the memory of a definition as long as it is kept, in bytes: in the decoder that
// made it, maps by name included, and in the session with derived data. Measured with a hundred
// thousand of each.
func costOf(c model.Change) (decoder, session int64) {
	const entry = 48 // of a map, a string's header included
	n := textsOf(c)
	switch c.(type) {
	case model.PathDef:
		return 32, 40
	case model.CollectorDef:
		return entry + n, 448 + 2*n
	case model.TrackDef:
		return 512, 3<<10 + n
	case model.SeriesDef:
		return 256 + plainBytes + n, 768 + plainBytes + n
	case model.ObjectDef:
		return 512 + n, 256 + n
	case model.LinkDef:
		return 160, 96
	}
	return entry, plainBytes + n
}
