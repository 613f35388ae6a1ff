package launch

import (
	"context"
	"path/filepath"
	"time"

	"framescope/net/feed"
	"framescope/net/follow"
)

// Session is the folder of a session that another viewer is writing now.
type Session struct {
	// Path is the folder.
	Path string
	// Source reads it.
	Source feed.FolderFollower
}

// followFolderEvery is the interval between checks of a folder for more.
const followFolderEvery = 200 * time.Millisecond

// Title implements Input.
func (s Session) Title() string { return s.Path }

// Run implements Input.
func (s Session) Run(ctx context.Context, open Opener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &Recording{Name: filepath.Base(s.Path), Path: s.Path, Wait: true, stop: stop}
	r.setState(follow.Following, "")
	err := s.Source.FollowFolder(ctx, s.Path, open(r), func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followFolderEvery):
			return nil
		}
	})
	return r.end(ended(ctx, err), "")
}
