package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal/disk"
	"framescope/net/together"
)

// IsTogether reports whether a file is a plan: a session file that names recordings on one ruler.
func IsTogether(path string) bool {
	head, _ := disk.ReadFile(path, 64)
	return together.Sniff(head)
}

// ruler is the sessions of a plan while they are read.
type ruler struct {
	path  string // of the plan
	plan  *together.Plan
	reg   feed.Registry
	sinks []feed.Sink
	errs  []error
}

// beginTogether reads a plan and makes the sinks of its sessions. An error is reported to the sink as well.
func (j Journals) beginTogether(path string, sink feed.Sink, live bool) (*ruler, error) {
	plan, err := together.Read(path)
	var reg feed.Registry
	if err == nil {
		o := j.Sources
		if o.Frames == "" {
			o.Frames = feed.Frames(plan.Frames)
		}
		reg, err = o.Registry()
	}
	if err != nil {
		sink.Define(model.End{Reason: err.Error()})
		return nil, err
	}
	r := &ruler{path: path, plan: plan, reg: reg, errs: make([]error, len(plan.Members))}
	m := together.NewMerger(sink, path, live)
	for _, member := range plan.Members {
		r.sinks = append(r.sinks, m.Add(member.Name, member.Shift))
	}
	return r, nil
}

// read reads a session and ends it.
func (r *ruler) read(i int, open func(src feed.Source, path string, to feed.Sink) error) {
	path := r.plan.Members[i].Path
	src, err := recogniseMember(r.reg, path)
	if err == nil {
		err = open(src, path, r.sinks[i])
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; put the recording there, beside %d others", err, len(r.sinks)-1)
	}
	if err != nil {
		err = fmt.Errorf("%s: session %d: %w", r.path, i+1, err)
		r.sinks[i].Define(model.Warning{Text: err.Error()})
		r.errs[i] = err
	}
	r.sinks[i].Define(model.End{Reason: describeError(err)}) // if it did not say so itself
}

// openTogether reads the recordings of a plan, one after the other, so that it comes out the same each time.
func (j Journals) openTogether(ctx context.Context, path string, sink feed.Sink) error {
	r, err := j.beginTogether(path, sink, false)
	if err != nil {
		return err
	}
	for i := range r.sinks {
		r.read(i, func(src feed.Source, path string, to feed.Sink) error { return src.OpenFile(ctx, path, to) })
	}
	return errors.Join(r.errs...)
}

// waiter waits for more, as in feed.FolderFollower.
type waiter = func(ctx context.Context) error

// followTogether reads on in those that are being written. A session begins when all that is there of the one before
// it has been read, so that their threads are in the order of the plan.
func (j Journals) followTogether(ctx context.Context, path string, sink feed.Sink, wait waiter) error {
	r, err := j.beginTogether(path, sink, true)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for i := range r.sinks {
		caughtUp := make(chan struct{})
		once := sync.OnceFunc(func() { close(caughtUp) })
		all.Go(func() {
			defer once()
			r.read(i, func(src feed.Source, path string, to feed.Sink) error {
				return followMember(ctx, src, path, to, once, wait)
			})
		})
		<-caughtUp
	}
	all.Wait()
	return errors.Join(r.errs...)
}

// freshly is how recently a file was written to that may grow.
const freshly = 10 * time.Second

// followMember reads a recording, and reads on if it is a session that is being written, or a file that grows. It
// calls caughtUp when all that is there was read.
func followMember(ctx context.Context, src feed.Source, path string, to feed.Sink, caughtUp func(), wait waiter) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if follower, ok := src.(feed.FolderFollower); ok && st.IsDir() {
		return follower.FollowFolder(ctx, path, to, func(ctx context.Context) error {
			caughtUp()
			return wait(ctx)
		})
	}
	streamer, ok := src.(feed.Streamer)
	if !ok || !st.Mode().IsRegular() || time.Since(st.ModTime()) > freshly {
		return src.OpenFile(ctx, path, to)
	}
	w := &followed{Stream: streamer.NewStream(to, feed.StreamOptions{Name: path}), idle: caughtUp}
	err = follow.Follow(ctx, path, w, follow.Options{})
	if errors.Is(err, feed.ErrCancelled) || ctx.Err() != nil {
		err = nil
	}
	w.Close(cmp.Or(w.reason, describeError(err)))
	return err
}

// followed is a stream of a file up to its replacement.
type followed struct {
	feed.Stream
	idle   func()
	reason string
}

// Write implements follow.Writer.
func (f *followed) Write(p []byte) (int, error) {
	if f.reason != "" {
		return 0, feed.ErrCancelled
	}
	return f.Stream.Write(p)
}

// Idle implements follow.Writer.
func (f *followed) Idle() {
	f.Stream.Idle()
	f.idle()
}

// Restart implements follow.Writer.
func (f *followed) Restart(reason string) { f.reason = cmp.Or(reason, "the file was written anew") }

// recogniseMember returns the source of a recording that is put on a ruler.
func recogniseMember(reg feed.Registry, path string) (feed.Source, error) {
	if IsTogether(path) {
		return nil, fmt.Errorf("%s: is a list of recordings on one ruler: name the recordings instead", path)
	}
	return reg.Recognise(path)
}

// Named is a moment that the user named in a recording of a plan, as the same as one of the first.
type Named struct {
	Member int // from 1: the second recording
	together.Mark
}

// Plan finds how recordings lie on the ruler of the first. It reads each of them once. Moments that are named come
// before what the recordings say. damaged is what could not be read of them.
func Plan(
	ctx context.Context, paths []string, o Sources, named []Named, progress func(done, total int64),
) (plan *together.Plan, damaged []error, err error) {
	reg, err := o.Registry()
	if err != nil {
		return nil, nil, err
	}
	plan = &together.Plan{Frames: string(o.Frames)}
	evidence := make([]*together.Evidence, len(paths))
	for i, path := range paths {
		src, err := recogniseMember(reg, path)
		if err != nil {
			return nil, nil, err
		}
		c := &together.Collector{}
		if progress != nil {
			c.OnProgress = progress
		}
		err = src.OpenFile(ctx, path, c)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if evidence[i] = c.Found(); err != nil && evidence[i].Begin == evidence[i].End {
			return nil, nil, inFile(path, err)
		}
		if err == nil && c.Places.N > 0 {
			err = errors.New(c.Places.String())
		}
		if err != nil {
			damaged = append(damaged, inFile(path, err))
		}
		plan.Members = append(plan.Members, together.Member{Path: path, Name: nameOf(plan, &evidence[i].Info, path)})
	}
	plan.Members[0].Shift.By = "itself"
	for i := range paths[1:] {
		var marks []together.Mark
		for _, n := range named {
			if n.Member == i+1 {
				marks = append(marks, n.Mark)
			}
		}
		plan.Members[i+1].Shift = together.Align(evidence[0], evidence[i+1], marks)
	}
	return plan, damaged, nil
}

// inFile names the file of an error that does not.
func inFile(path string, err error) error {
	if strings.HasPrefix(err.Error(), path+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// nameOf names the program of a recording unlike those that are in a plan.
func nameOf(plan *together.Plan, info *model.Info, path string) string {
	stem := feed.Stem(path, filepath.Ext(path))
	name := cmp.Or(info.Program, stem)
	if _, err := netip.ParseAddrPort(info.Peer); err == nil { // as in the list of sessions
		stem = info.Peer
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(plan.Members, func(m together.Member) bool { return m.Name == name })
	}
	if taken(name) && name != stem {
		name += " (" + stem + ")"
	}
	for base, n := name, 2; taken(name); n++ {
		name = fmt.Sprintf("%s %d", base, n)
	}
	return name
}
