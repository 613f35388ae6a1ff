package cli

import (
	"context"
	"fmt"
	"time"

	"framescope/app/headless"
	"framescope/app/library"
	"framescope/internal/escape"
)

// MaxLive is the longest live report.
const MaxLive = 10 * 365 * 24 * time.Hour

// PollEvery is the interval between polls of a live report, the same as in text-stats.
const PollEvery = 100 * time.Millisecond

// Listening is the address and the duration for listening.
type Listening struct {
	Addr     string
	Duration time.Duration // 0: until it is interrupted
	To       RecordTo
	Library  *library.Library // that keeps sessions; nil: the user's
	Frames   bool             // wanted one by one
	// Polled is that of headless.LiveOptions.
	Polled func(live *headless.Live) error
}

// ListenFor listens for games. It calls poll at each poll, and end after all data has arrived. poll may
// be nil.
func (s *Streams) ListenFor(
	ctx context.Context, l Listening, poll func(live *headless.Live) error, end func(live *headless.Live) error,
) (err error) {
	s.worksOn.Store(nil)
	record := &Recorded{lib: l.Library, target: l.To.Target()}
	if l.Library == nil {
		record = s.Recorder(l.To)
	}
	defer record.Ending(&err)
	keeper := s.Keeper()
	defer keeper.Stop()
	if l.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Duration)
		defer cancel()
	}
	lines := make(chan string, 256)
	live, err := headless.ListenLive(context.WithoutCancel(ctx), headless.LiveOptions{
		Addr: l.Addr, Memory: keeper, Frames: l.Frames, Record: record.Session, Polled: l.Polled,
		Log: func(line string) {
			select {
			case lines <- line:
			default: // a flood of them
			}
		},
	})
	if err != nil {
		return err
	}
	defer live.Close()
	fmt.Fprintf(s.Err, "Listening for connections on %s.\n", live.Addr())
	look := func() error {
		for len(lines) > 0 {
			fmt.Fprintln(s.Err, escape.Line(<-lines))
		}
		if poll == nil {
			return live.Poll(nil)
		}
		return poll(live)
	}
	tick := time.NewTicker(PollEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		if err := look(); err != nil {
			if BrokenPipe(err) && l.To.Path != "" {
				fmt.Fprintln(s.Err, "framescope: whoever read the report has gone: it ends, and the recording with it")
			}
			return err
		}
	}
	live.Close()
	if err := look(); err != nil { // data on its way
		return err
	}
	fmt.Fprintln(s.Err, "Exiting.")
	return end(live)
}
