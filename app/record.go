package app

import (
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// liveOwner is the owner of a live client's feed.
type liveOwner struct {
	info pstats.SessionInfo
}

// handlerFor makes the handler of a client that just said hello: the decoder that feeds its session.
func (g *Game) handlerFor(info pstats.SessionInfo) pstats.Handler {
	own := &liveOwner{info: info}
	name := info.Hello.Program
	if name == "" {
		name = info.Peer.String()
	}
	f := g.hub.NewFeed(feed.Options{Live: true, Name: name, Owner: own})
	return pstats.NewDecoder(f, pstats.DecoderOptions{Peer: info.Peer.String()})
}

// recording returns the file that a session is being written to, empty if none.
func (s *sources) recording(of *model.Session) string { return "" }

// toggleRecord starts or finishes the recording of the shown session.
func (g *Game) toggleRecord() {}

// saveAs writes the shown session to a file.
func (g *Game) saveAs() {}
