package launch

import (
	"context"

	"framescope/net/feed"
)

// Port is a Listener for an address that another program may still have: it listens as soon as that is
// free.
type Port struct {
	Door
	// Log is as in Listener. It is set before the Port is tried.
	Log Log

	source   feed.Streamer
	listener *Listener // once the door is open
}

// NewPort returns one for an address that the flag names. It is not tried yet.
func NewPort(addr, flag string, source feed.Streamer) *Port {
	p := &Port{source: source}
	p.Door = Door{Addr: addr, Flag: flag, Open: func(ctx context.Context) (string, error) {
		// The listener lives as long as the Port, and not only as long as this attempt.
		l, err := Listen(ctx, addr, source)
		if err != nil {
			return "", err
		}
		l.Log = p.Log
		p.listener = l
		return l.Addr(), nil
	}}
	return p
}

// Title implements Input.
func (p *Port) Title() string { return p.Addr }

// For describes the accepted data, in words.
func (p *Port) For() string { return p.source.Name() + "s" }

// Close stops listening, for a Port that is not run. Run does so itself.
func (p *Port) Close() {
	p.opening.Lock()
	defer p.opening.Unlock()
	if p.listener != nil {
		p.listener.Close()
	}
}

// Run implements Input.
func (p *Port) Run(ctx context.Context, open Opener) error {
	if !p.Keep(ctx, nil) {
		return nil
	}
	return p.listener.Run(ctx, open)
}
