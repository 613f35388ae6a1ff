package api

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
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

// prefix is how clients call the samples folder.
const prefix = "flare-samples/"

// errNoFolder is the answer for any sample folder that does not open, wherever it would be: clients learn nothing
// about other folders.
const errNoFolder = failure("sample data dir not found")

// maxHistory bounds how many folders are listed.
const maxHistory = 10_000

// history lists the sample folders, the newest first. In compat mode it lists every folder there
// is, sample folder or not.
func (s *Server) history(ctx context.Context, _ *request, out *reply) error {
	list := []fields{}
	for _, name := range s.folders(ctx) {
		list = append(list, fields{"path": prefix + name, "type": "file"})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return out.success(fields{"history_samples": list})
}

func (s *Server) folders(ctx context.Context) (out []string) {
	root, err := os.OpenRoot(s.opt.Samples)
	if err != nil {
		return nil // nothing was recorded yet
	}
	defer root.Close()
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	// Names end with the time at which they were made.
	slices.SortStableFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(madeAt(b.Name()), madeAt(a.Name())) })
	for _, e := range list {
		if len(out) == maxHistory || ctx.Err() != nil {
			return out
		}
		if !e.IsDir() {
			continue
		}
		if !s.opt.Compat {
			sub, err := fs.Sub(root.FS(), e.Name())
			if err != nil || !flare.IsFolderFS(sub) {
				continue
			}
		}
		out = append(out, e.Name())
	}
	return out
}

// madeAt returns the part of a folder's name with its time of creation.
func madeAt(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// openSample opens a sample folder.
func (s *Server) openSample(ctx context.Context, req *request, out *reply) error {
	id, err := req.text("sample_data_dir", true)
	if err != nil {
		return err
	}
	name, ok := folderName(id)
	if !ok {
		return errNoFolder
	}
	x, err := s.openSession(ctx, id, func(ctx context.Context, x *apiSession) (err error) {
		x.file, err = s.opt.read(ctx, s.opt.Samples, name)
		return err
	})
	if err != nil {
		return err
	}
	return out.success(x.fields())
}

// folderName is the folder right below the samples folder that a client means.
func folderName(id string) (name string, ok bool) {
	clean := path.Clean(id)
	name = strings.TrimPrefix(clean, prefix)
	return name, name != "." && name != strings.TrimSuffix(prefix, "/") && fs.ValidPath(name) && !strings.ContainsAny(name,
		"/\\\x00")
}

// readFolder returns the function that reads a sample folder. Links that lead out of the samples
// folder are not followed.
func readFolder(compat bool) func(ctx context.Context, samples, name string) (*recording, error) {
	return func(ctx context.Context, samples, name string) (*recording, error) {
		root, err := os.OpenRoot(samples)
		if err != nil {
			return nil, errNoFolder
		}
		defer root.Close()
		dir, err := root.OpenRoot(name)
		if err != nil {
			return nil, errNoFolder
		}
		defer dir.Close()
		rec, err := flare.ReadFolderFS(ctx, dir.FS(), prefix+name, nil)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, errNoFolder
		}
		out := &recording{rec: rec, name: prefix + name}
		if compat {
			out.summary, _ = flare.ReadSummary(dir.FS()) // without one the samples themselves are looked at
		} else {
			flare.NameFromNeighbours(ctx, rec, root.FS(), name)
			rec.DropLeaps()
			rec.DropLeftovers()
		}
		return out, nil
	}
}
