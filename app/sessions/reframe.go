package sessions

import (
	"context"

	"framescope/model/place"
	"framescope/net/feed"
)

// openWhole reads all of a recording, with the frames that were chosen.
func (ss *Sessions) openWhole(ctx context.Context, own *opened, f feed.Sink) error {
	from := ss.opt.Sources
	from.Frames = own.frames
	registry, err := from.Registry()
	if err != nil {
		return err
	}
	src, err := registry.Recognise(own.path)
	if err != nil {
		return err
	}
	own.mu.Lock()
	own.chosen = src.About().Chosen
	own.mu.Unlock()
	return src.OpenFile(ctx, own.path, f)
}

// FramesOf returns the user's choice of frames for the shown recording, empty: the default; ok reports
// whether there is a choice.
func (ss *Sessions) FramesOf() (f feed.Frames, ok bool) {
	own := ss.ownerOf(ss.active).file
	if own == nil || ss.loading(ss.active) {
		return "", false
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	return own.frames, own.chosen
}

// Reframe reads the shown recording anew, with other frames, and shows that in its place.
func (ss *Sessions) Reframe(f feed.Frames) {
	own := ss.ownerOf(ss.active).file
	if own == nil {
		return
	}
	again := &opened{path: own.path, frames: f, instead: ss.active}
	if from, to, ok := ss.View().TimeRange(); ok && ss.View().HasRange() && !ss.View().Live() {
		again.at = spot{Place: place.Place{Kind: place.Range, BeginNs: from, EndNs: to}}
	}
	ss.showNext, ss.chosen = true, false
	ss.readFrom(again)
}

// replace takes off the screen the session that a new one replaces.
func (ss *Sessions) replace(own *opened) {
	if own != nil && own.instead != nil {
		was := own.instead
		own.instead = nil
		ss.sources.later(func() { ss.forget(was) })
	}
}
