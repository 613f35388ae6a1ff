package launch

import (
	"context"
	"path/filepath"

	"framescope/net/feed"
	"framescope/net/follow"
)

// File is a file that grows, a FIFO, or standard input.
type File struct {
	// Path is the file's, or "-" for standard input.
	Path string
	// Registry has the sources that may recognise it.
	Registry feed.Registry
}

// Title implements Input.
func (f File) Title() string {
	if f.Path == "-" {
		return StandardInput
	}
	return f.Path
}

// Run implements Input.
func (f File) Run(ctx context.Context, open Opener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	stream := IsStream(f.Path)
	r := &recorder{ctx: ctx, stop: stop, open: open, name: f.Title(), reg: f.Registry, wait: !stream || f.Path == "-",
		spools: stream}
	if !stream {
		r.path = f.Path
	}
	following, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	r.fail = fail
	r.begin() // so that there is something to be seen that waits
	return r.followed(follow.Follow(following, f.Path, r, follow.Options{State: r.noteState}))
}

// Folder is a folder for new recordings.
type Folder struct {
	Path     string
	Registry feed.Registry
	// Newest is the number of recordings at the start that are opened, too.
	Newest int
}

// maxFollowed bounds the files of a folder that are followed at the same time. The oldest ones wait
// no longer for more when there are too many.
const maxFollowed = 64

// Title implements Input.
func (f Folder) Title() string { return f.Path }

// Run implements Input.
func (f Folder) Run(ctx context.Context, open Opener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type one struct {
		stop  context.CancelFunc
		ended chan struct{}
	}
	var running []one
	// An unreadable file reports that in its own recording, and the others go on.
	err := follow.Watch(ctx, f.Path, follow.WatchOptions{Accept: f.Registry.SniffStream, HeadBytes: feed.HeadSize,
		Newest: f.Newest}, func(path string) {
		if len(running) >= maxFollowed {
			running[0].stop()
			<-running[0].ended
			running = running[1:]
		}
		ctx, stop := context.WithCancel(ctx)
		o := one{stop, make(chan struct{})}
		running = append(running, o)
		go func() {
			defer close(o.ended)
			r := &recorder{ctx: ctx, stop: stop, open: open, name: filepath.Base(path), path: path, reg: f.Registry, wait: true}
			r.followed(follow.Follow(ctx, path, r, follow.Options{State: r.noteState}))
		}()
	})
	stop()
	for _, o := range running {
		o.stop()
		<-o.ended
	}
	return ended(ctx, err)
}
