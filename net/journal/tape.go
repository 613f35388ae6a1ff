package journal

import "time"

// Tape takes the data of a live source, as a Writer does. Encoders of sources write to one, so that a
// session may be kept in several places at a time.
type Tape interface {
	// Define, Data, NeedsDefinitions and Close are as those of a Writer.
	Define(key string, payload []byte) bool
	Data(payload []byte) bool
	NeedsDefinitions() bool
	Close(reason string)
}

// Patient is a recorder that can make its source wait for room. A source that can stop receiving (from
// a TCP connection, a FIFO or a file, but not datagrams) calls AwaitRoom before it goes on, and so
// loses nothing to a slow disk.
type Patient interface {
	// AwaitRoom waits until a record of so many bytes will be taken, or stop is closed. A disk that
	// takes nothing at all is waited for no longer than Patience, and then not again before it has
	// taken something.
	AwaitRoom(stop <-chan struct{}, bytes int)
}

// AwaitRoom waits for room on a tape, where that is possible.
func AwaitRoom(t Tape, stop <-chan struct{}, bytes int) {
	if p, ok := t.(Patient); ok {
		p.AwaitRoom(stop, bytes)
	}
}

// Patience is how long a disk may take nothing before nobody waits for it any more.
const Patience = 3 * time.Second

// roomEvery is how often a waiting source looks for room.
const roomEvery = 2 * time.Millisecond

// Pace makes one goroutine wait for room in one place. The zero value is ready.
type Pace struct {
	// Patience is how long nothing need be taken; 0: the constant of that name.
	Patience time.Duration

	givenUp bool
	at      int64 // bytes taken by then
}

// Await waits until room says that there is some, or that more than Patience went by while the
// number that it returns, of bytes that were taken from what waits, stayed the same.
func (p *Pace) Await(stop <-chan struct{}, room func() (fits bool, taken int64)) {
	fits, taken := room()
	if fits || p.givenUp && taken == p.at {
		return
	}
	patience := p.Patience
	if patience <= 0 {
		patience = Patience
	}
	look := time.NewTicker(roomEvery)
	defer look.Stop()
	for since := time.Now(); ; {
		select {
		case <-stop:
			return
		case <-look.C:
		}
		before := taken
		if fits, taken = room(); fits {
			p.givenUp = false
			return
		}
		if taken != before {
			since = time.Now()
		}
		if time.Since(since) > patience {
			p.givenUp, p.at = true, taken
			return
		}
	}
}
