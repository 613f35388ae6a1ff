package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/together"
)

// IsTogether reports whether a file is a plan: a session file that names recordings on one ruler.
func IsTogether(path string) bool {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return false
	}
	_, err := together.Read(path)
	return err == nil
}

// openTogether reads the recordings of a plan.
func (j Journals) openTogether(ctx context.Context, path string, sink feed.Sink) error {
	return j.readTogether(ctx, path, sink, false, func(src feed.Source, path string, to feed.Sink) error {
		return src.OpenFile(ctx, path, to)
	})
}

// followTogether reads on in those that are sessions which are being written.
func (j Journals) followTogether(ctx context.Context, path string, sink feed.Sink, wait func(ctx context.Context) error) error {
	return j.readTogether(ctx, path, sink, true, func(src feed.Source, path string, to feed.Sink) error {
		follower, ok := src.(feed.FolderFollower)
		if st, err := os.Stat(path); ok && err == nil && st.IsDir() {
			return follower.FollowFolder(ctx, path, to, wait)
		}
		return src.OpenFile(ctx, path, to)
	})
}

// opener reads one recording into its sink.
type opener func(src feed.Source, path string, to feed.Sink) error

// readTogether reads the recordings of a plan into a sink, side by side where their order in it does not matter.
func (j Journals) readTogether(ctx context.Context, path string, sink feed.Sink, live bool, open opener) error {
	plan, err := together.Read(path)
	if err != nil {
		sink.Define(model.End{Reason: err.Error()})
		return err
	}
	reg, err := j.Sources.Registry()
	if err != nil {
		return err
	}
	m := together.NewMerger(sink, path, live)
	sinks := make([]feed.Sink, len(plan.Members))
	for i, member := range plan.Members {
		sinks[i] = m.Add(member.Name, member.Shift)
	}
	errs := make([]error, len(plan.Members))
	var all sync.WaitGroup
	for i, member := range plan.Members {
		one := func() {
			src, err := recogniseMember(reg, member.Path)
			if err == nil {
				err = open(src, member.Path, sinks[i])
			}
			if err != nil {
				sinks[i].Define(model.Warning{Text: err.Error()})
				errs[i] = err
			}
			sinks[i].Define(model.End{Reason: describeError(err)}) // if it did not say so itself
		}
		if feed.InOrder(sink) {
			one()
		} else {
			all.Go(one)
		}
	}
	all.Wait()
	return errors.Join(errs...)
}

// recogniseMember returns the source of a recording that is put on a ruler.
func recogniseMember(reg feed.Registry, path string) (feed.Source, error) {
	if IsTogether(path) {
		return nil, fmt.Errorf("%s: names sessions on a ruler, and is none itself: put these together", path)
	}
	return reg.Recognise(path)
}

// Named is a moment that the user named in a recording of a plan, as the same as one of the first.
type Named struct {
	Member int // from 1: the second recording
	together.Mark
}

// Plan finds how recordings lie on the ruler of the first. It reads each of them once. Moments that are named come
// before what the recordings say.
func Plan(ctx context.Context, paths []string, o Sources, named []Named, progress func(done, total int64)) (*together.Plan, error) {
	reg, err := o.Registry()
	if err != nil {
		return nil, err
	}
	plan := &together.Plan{}
	evidence := make([]*together.Evidence, len(paths))
	for i, path := range paths {
		src, err := recogniseMember(reg, path)
		if err != nil {
			return nil, err
		}
		c := &together.Collector{}
		if progress != nil {
			c.OnProgress = progress
		}
		err = src.OpenFile(ctx, path, c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if evidence[i] = c.Found(); err != nil && evidence[i].Begin == evidence[i].End {
			return nil, fmt.Errorf("%s: %w", path, err)
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
	return plan, nil
}

// nameOf names the program of a recording unlike those that are in a plan.
func nameOf(plan *together.Plan, info *model.Info, path string) string {
	stem := feed.Stem(path, filepath.Ext(path))
	name := info.Program
	if name == "" {
		name = stem
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
