package api

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"framescope/net/flare"
)

// apiSession is a recording open for clients: a sample folder, or a live agent.
type apiSession struct {
	id     string
	number int64         // sessions are listed in the order of their numbers
	ready  chan struct{} // closed when the rest is set
	err    error         // why it could not be opened
	file   *recording    // of a sample folder
	live   *live         // of an agent
}

// recording is a sample folder that was read. It does not change any more.
type recording struct {
	rec  *flare.Recording
	name string // of the folder, as clients call it
	// summary is the folder's summary, nil if it is unreadable.
	summary *flare.Summary
}

// fields are what clients are told of a session.
func (s *apiSession) fields() fields {
	kind := "file"
	if s.live != nil {
		kind = "attach"
	}
	return fields{"session_id": s.id, "type": kind}
}

// sessions are those that are open.
type sessions struct {
	mu     sync.Mutex
	known  map[string]*apiSession
	number int64
}

// errTooMany is returned when there is no room for one more session.
const errTooMany = failure("too many sessions: close some")

// openSession returns the session of a name. The first client that asks for it has it built, also if it leaves
// meanwhile; others wait for that.
func (s *Server) openSession(
	ctx context.Context, id string, build func(ctx context.Context, x *apiSession) error,
) (*apiSession, error) {
	x, fresh, err := s.sessions.enter(id)
	if err != nil {
		return nil, err
	}
	if fresh {
		s.clients.Go(func() {
			if x.err = build(s.ctx, x); x.err != nil {
				s.sessions.remove(x)
			}
			close(x.ready)
		})
	}
	select {
	case <-x.ready:
		return x, x.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// enter returns the session of a name; fresh means that it is a new one, to be built.
func (l *sessions) enter(id string) (x *apiSession, fresh bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if have := l.known[id]; have != nil {
		return have, false, nil
	}
	if len(l.known) >= maxSessions {
		return nil, false, errTooMany
	}
	l.number++
	l.known[id] = &apiSession{id: id, number: l.number, ready: make(chan struct{})}
	return l.known[id], true, nil
}

// get returns an open session, nil if there is none of that name.
func (l *sessions) get(id string) *apiSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[id]; s != nil && s.isReady() {
		return s
	}
	return nil
}

func (s *apiSession) isReady() bool {
	select {
	case <-s.ready:
		return s.err == nil
	default:
		return false
	}
}

// list returns the open sessions in the order in which they were opened.
func (l *sessions) list() (out []*apiSession) {
	l.mu.Lock()
	for _, s := range l.known {
		if s.isReady() {
			out = append(out, s)
		}
	}
	l.mu.Unlock()
	slices.SortFunc(out, func(a, b *apiSession) int { return cmp.Compare(a.number, b.number) })
	return out
}

// remove forgets a session; it reports whether it was known.
func (l *sessions) remove(s *apiSession) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known[s.id] != s {
		return false
	}
	delete(l.known, s.id)
	return true
}

func (s *Server) listSessions(_ context.Context, _ *request, out *reply) error {
	list := []fields{}
	for _, x := range s.sessions.list() {
		list = append(list, x.fields())
	}
	return out.success(fields{"sample_sessions": list})
}

func (s *Server) closeSession(_ context.Context, req *request, out *reply) error {
	id, err := req.text("session_id", false)
	if err != nil {
		return err
	}
	if x := s.sessions.get(id); x != nil {
		s.forget(x)
	}
	return out.success(fields{"session_id": id})
}

// forget closes a session. It stops an agent that this server attached, in the background.
func (s *Server) forget(x *apiSession) {
	if s.sessions.remove(x) && x.live != nil {
		x.live.end()
		s.detach(x.live.own)
	}
}

func (s *Server) closeSessions(_ context.Context, _ *request, out *reply) error {
	s.closeAll()
	return out.success(fields{})
}

func (s *Server) closeAll() {
	for _, x := range s.sessions.list() {
		s.forget(x)
	}
}
