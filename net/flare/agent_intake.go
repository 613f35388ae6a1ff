package flare

import "framescope/net/trace"

// Limits of the events held back until the agent has sent its start time.
const (
	heldBytes   = 8 << 20
	heldRounds  = 5         // of flushEvery
	queueEvents = 10_000    // events that an agent keeps without a client
	leapMs      = 3_600_000 // that a sample may be from the one before it
	mostLept    = 8         // that are held at a time
)

// intake puts the events of a connection right before anybody takes them. An agent that was stopped
// and started again still has samples of the time before in its queue; a client that takes them
// sees days of standing still. So samples wait for what the agent says of itself, which comes first
// or soon, and those from before its start are left out.
type intake struct {
	// take gets the events, leftover how many samples were left out that are older than the recording.
	take     func(Event)
	leftover func(n int64)
	jumps    trace.Jumps[Event] // times in ms

	startMs int64 // of the agent's sampling; 0 while not known
	open    bool  // samples do not wait any more
	current bool  // a sample from after the start came: leftovers come first
	dropped int   // on this connection
	held    []Event
	bytes   int64
	rounds  int
}

// newIntake returns one; damaged is called for each sample that was left out because of its time.
func newIntake(take func(Event), leftover func(n int64), damaged func()) intake {
	return intake{take: take, leftover: leftover, jumps: trace.Jumps[Event]{
		Far: leapMs, Most: mostLept, Enter: take, Lost: func(Event, int64) { damaged() },
	}}
}

// connected begins a new connection.
func (in *intake) connected() {
	in.release()
	in.open, in.current, in.dropped, in.rounds = false, false, 0, 0
}

// event takes the next event.
func (in *intake) event(e Event) {
	switch {
	case e.Info != nil:
		if in.startMs != e.Info.StartMs {
			in.startMs, in.current = e.Info.StartMs, false
		}
		if at := max(e.Info.StartMs, e.Info.LastSampleMs); at > 0 && !in.jumps.Known() {
			in.jumps.Start(at)
		}
		in.take(e)
		in.release()
	case e.Sample != nil && !in.open:
		in.held = append(in.held, e)
		if in.bytes += e.bytes(); in.bytes > heldBytes {
			in.release()
		}
	case e.Sample != nil:
		in.sample(e)
	default:
		in.take(e)
	}
}

// round is called at regular intervals; held events are released after some.
func (in *intake) round() {
	if len(in.held) > 0 {
		if in.rounds++; in.rounds >= heldRounds {
			in.release()
		}
	}
}

// release lets the samples go that wait.
func (in *intake) release() {
	in.open = true
	for _, e := range in.held {
		in.sample(e)
	}
	clear(in.held)
	in.held, in.bytes = in.held[:0], 0
}

// sample passes a sample on, unless it is from before the agent's start. A queue holds no more of
// these than it has room for: more are not leftovers, but of a clock that was set back.
func (in *intake) sample(e Event) {
	if at := e.Sample.Record.TimeMs; !in.current && at < in.startMs && in.dropped < queueEvents {
		in.dropped++
		in.leftover(1)
		return
	}
	in.current = true
	if at := e.Sample.Record.TimeMs; in.jumps.Admits(at) {
		in.take(e)
	} else {
		in.jumps.Hold(at, e)
	}
}

// end ends the input.
func (in *intake) end() {
	in.release()
	in.jumps.End()
}
