package flare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Config describes the agent to connect to.
type Config struct {
	Addr string // HOST:PORT of the agent
	// Program is what runs in the JVM, and PID its process number, if they are known; empty, 0: not.
	Program string
	PID     int64
	Sink    feed.Sink // gets the session
	// Log gets lines for the user: connected, lost, taken by another client. May be nil.
	Log func(line string)
	// Event is called with each event that came, on one goroutine, and Taken with those that are no
	// leftovers of an earlier recording. May be nil.
	Event, Taken func(Event)
	// State is called when a connection was made and when one was lost. May be nil.
	State func(connected bool)
	// Wait waits between two attempts to connect again; nil is Pause, and tests wait for nothing.
	Wait func(ctx context.Context, d time.Duration) error

	dial func(ctx context.Context, addr string) (net.Conn, error) // Dial, but in tests
	now  func() time.Time
	// ask says when to ask again for the names of methods that came without; nil is once, after
	// nameless
	ask <-chan time.Time
}

// Pauses and limits of a connection.
const (
	dialTimeout   = 5 * time.Second
	flushEvery    = 100 * time.Millisecond
	retryAfter    = time.Second
	nameless      = 2 * time.Second // after which one reconnection asks for the names again
	stolenWithin  = 5 * time.Second // a connection that ends so soon was taken by another client
	maxStolen     = 3
	maxRetries    = 3       // until an agent that does not listen is taken for gone
	eventsWaiting = 64      // more stay with the agent
	maxClocks     = 1 << 14 // threads with a CPU clock that is followed
)

// ErrStolen is returned when another client keeps taking the agent, which serves one at a time.
var ErrStolen = errors.New("another client keeps connecting to this agent, which serves one at a time: close that " +
	"client, or connect again later")

// Dial connects to an agent.
func Dial(ctx context.Context, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: dialTimeout}
	return d.DialContext(ctx, "tcp", addr)
}

// Run plays what an agent sends over a connection into the sink until ctx is done or the agent is
// gone; it ends the session. A connection that is lost is made again, and the time between is a gap.
func Run(ctx context.Context, conn net.Conn, c Config) error {
	if c.dial == nil {
		c.dial = Dial
	}
	if c.Wait == nil {
		c.Wait = Pause
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.Log == nil {
		c.Log = func(string) {}
	}
	if c.State == nil {
		c.State = func(bool) {}
	}
	s := newSession(c, c.info())
	err := s.run(ctx, conn)
	s.intake.end()
	reason := "disconnected"
	switch {
	case err != nil:
		reason = feed.Plain(err).Error()
	case ctx.Err() == nil:
		reason = "the agent closed the connection"
	}
	s.mapper.Close(reason)
	return err
}

// info returns the info of the JVM.
func (c *Config) info() model.Info {
	i := model.Info{
		Program: cmp.Or(c.Program, "JVM at "+c.Addr), Host: c.Addr, Peer: c.Addr, PID: c.PID, Version: "Flare agent",
	}
	if i.PID <= 0 {
		i.PID = -1
	}
	return i
}

// session is a connection and those that replace it.
type session struct {
	Config
	mapper *Mapper
	intake intake
	round  int // counts possible breaks between two samples of a thread: connections, and starts of the agent

	asked   bool // the one reconnection for names was made
	threads map[int64]clock
}

// clock is the newest reading of a thread's CPU clock.
type clock struct {
	ns    int64
	round int
}

// newSession returns the mapper of events to the session of info.
func newSession(c Config, info model.Info) *session {
	s := &session{Config: c, threads: map[int64]clock{}}
	s.mapper = NewMapper(c.Sink, info, 0)
	s.intake = newIntake(s.taken, s.mapper.Leftover, s.mapper.Damaged)
	return s
}

// run serves connections until there are no more.
func (s *session) run(ctx context.Context, conn net.Conn) error {
	stolen := 0
	for {
		s.Log("connected to the agent at " + s.Addr)
		s.State(true)
		began := s.now()
		again, err := s.serve(ctx, conn)
		s.State(false)
		if ctx.Err() != nil {
			return nil
		}
		if Damaged(err) {
			return fmt.Errorf("%s: %w", s.Addr, err)
		}
		if !again {
			if s.now().Sub(began) < stolenWithin {
				if stolen++; stolen >= maxStolen {
					return ErrStolen
				}
			} else {
				stolen = 0
			}
			s.Log("the agent at " + s.Addr + " closed the connection: another client took it, or the program ended")
		}
		if conn = s.redial(ctx); conn == nil {
			return nil
		}
	}
}

// redial makes the connection again; nil when the program has ended, or ctx is done.
func (s *session) redial(ctx context.Context) net.Conn {
	for range maxRetries {
		if s.Wait(ctx, retryAfter) != nil {
			return nil
		}
		if conn, err := s.dial(ctx, s.Addr); err == nil {
			return conn
		}
	}
	return nil
}

// serve requests the events and takes them until the connection ends. again means that serve gave up the
// connection, to make a new one.
func (s *session) serve(ctx context.Context, conn net.Conn) (again bool, err error) {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	defer conn.Close()
	s.intake.connected()
	s.round++
	defer s.intake.release()
	if _, err := io.WriteString(conn, Request); err != nil {
		return false, err
	}
	events := make(chan Event, eventsWaiting)
	var ended error // set before events is closed
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		defer close(events)
		d := NewDecoder(conn)
		for {
			e, err := d.Next()
			if err != nil {
				ended = err
				return
			}
			select {
			case events <- e:
			case <-quit:
				return
			}
		}
	}()
	flush := time.NewTicker(flushEvery)
	defer flush.Stop()
	names := time.NewTimer(nameless)
	defer names.Stop()
	ask := names.C
	if s.ask != nil {
		ask = s.ask
	}
	for {
		select {
		case e, ok := <-events:
			if !ok {
				s.intake.release()
				s.mapper.Flush()
				return false, ended
			}
			s.handleEvent(e)
		case <-flush.C:
			s.intake.round()
			s.mapper.Flush()
		case <-ask:
			if s.mapper.Unnamed() > 0 && !s.asked {
				s.asked = true
				s.Log(fmt.Sprintf("%d methods came without names: asking again", s.mapper.Unnamed()))
				return true, nil
			}
		}
	}
}

// handleEvent handles one event as it came.
func (s *session) handleEvent(e Event) {
	if s.Event != nil {
		s.Event(e)
	}
	s.intake.event(e)
}

// taken takes one event that belongs to this recording.
func (s *session) taken(e Event) {
	if s.Taken != nil {
		s.Taken(e)
	}
	switch {
	case e.Info != nil:
		s.round++ // a connection begins with it
		s.mapper.Info(e.Info.IntervalMs)
	case e.Method != nil:
		s.mapper.Method(e.Method.ID, e.Method.Name)
	case e.Sample != nil:
		s.follow(e.Sample)
		s.mapper.Sample(e.Sample.Thread, e.Sample.Name, e.Sample.Record)
	}
}

// follow compares the CPU clock of a thread with that of its sample before. Where it has grown by
// more than the sample says, there were samples in between: the agent drops the oldest when its
// queue is full, and whoever else was connected since has got them.
func (s *session) follow(x *SampleEvent) {
	last, known := s.threads[x.Thread]
	if known && x.Record.CPUNs-last.ns > x.Record.CPUDeltaNs {
		reason, words := model.LossSource, "the agent's queue overflowed, samples are missing"
		if last.round != s.round {
			reason, words = model.LossTaken, "samples are missing that went to another client of the agent, or were lost "+
				"while nobody was connected"
		}
		trace.Lose(s.Sink, reason, 1, "thread "+x.Name+": "+words)
	}
	if known || len(s.threads) < maxClocks {
		s.threads[x.Thread] = clock{x.Record.CPUNs, s.round}
	}
}
