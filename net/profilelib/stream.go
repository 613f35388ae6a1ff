package profilelib

import "framescope/net/feed"

var _ feed.Streamer = Source{}

// NewStream implements feed.Streamer.
func (s Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	opt := s.Options
	opt.Peer, opt.File = o.Name, false
	return stream{NewDecoder(sink, opt)}
}

// stream is a decoder that returns an error when its sink takes nothing more.
type stream struct{ *Decoder }

// Recognised reports whether the stream is known to be a profile stream.
func (s stream) Recognised() bool { return s.frm != nil }

// Write implements feed.Stream.
func (s stream) Write(p []byte) (int, error) {
	n, err := s.Decoder.Write(p)
	if err == nil && s.Cancelled() {
		return n, feed.ErrCancelled
	}
	return n, err
}
