package headless

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"framescope/app/demo"
	"framescope/app/library"
	"framescope/app/memory"
	"framescope/app/report"
	"framescope/charts/draw"
	"framescope/internal/aside"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/server"
)

// DemoOptions configures Demo.
type DemoOptions struct {
	// Dir is the folder to make; it must not exist or be empty.
	Dir string
	// Record returns a recorder for the session, see LiveOptions.
	Record func(info server.SessionInfo) *library.Recorder
	// Listen is the address on which the game's frames are received; empty: a free port on loopback.
	Listen string
	// Duration is how long the game is recorded; 0: ten seconds.
	Duration time.Duration
	// Game configures the game.
	Game demo.Options
	// Width, Height and Scale of the pictures; 0: suitable for the panels.
	Width, Height int
	Scale         float64
	// Memory bounds the recording in memory; nil: the model's default does.
	Memory *memory.Keeper
}

// pollEvery is the interval at which a live session without a window takes in data.
const pollEvery = 50 * time.Millisecond

// Demo plays the built-in game against a server in this process for a while, and fills a folder: a
// picture of each of six panels, a report of statistics, the frames as text-stats prints them, and the
// recording. It returns the names of the files. When ctx is done it stops early and leaves an
// incomplete folder.
func Demo(ctx context.Context, o DemoOptions) (paths []string, err error) {
	if o.Duration <= 0 {
		o.Duration = 10 * time.Second
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if err := makeEmptyDir(o.Dir); err != nil {
		return nil, err
	}
	client, err := recordGame(ctx, &o)
	if err != nil {
		return nil, err
	}
	var w files
	for _, p := range demoPictures(client.Session) {
		p.Width, p.Height, p.Scale = o.Width, o.Height, o.Scale
		if p.Panel == "frames" {
			p.Height = 0
		}
		picture, err := Picture(client.Session, p)
		if err != nil {
			return w.paths, fmt.Errorf("%s: %w", p.Panel, err)
		}
		w.picture(filepath.Join(o.Dir, p.Panel+".png"), picture)
	}
	w.write(filepath.Join(o.Dir, "report.txt"), func(out *bufio.Writer) error {
		return report.Write(out, client.Session, report.Options{Stats: true})
	})
	w.write(filepath.Join(o.Dir, "frames.txt"),
		func(out *bufio.Writer) error { return report.Write(out, client.Session, report.Options{}) })
	w.write(filepath.Join(o.Dir, "demo.pstats"), func(out *bufio.Writer) error { return client.Events.WriteSession(out) })
	return w.paths, w.err
}

func makeEmptyDir(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: the folder is not empty; choose another one with --out", dir)
	}
	return os.MkdirAll(dir, 0o777)
}

// recordGame plays the game and returns the client with its data.
func recordGame(ctx context.Context, o *DemoOptions) (*Client, error) {
	live, err := ListenLive(ctx, LiveOptions{Addr: o.Listen, Memory: o.Memory, Events: true, Record: o.Record})
	if err != nil {
		return nil, err
	}
	defer live.Close()
	playing, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	played := make(chan error, 1)
	go func() { played <- demo.Run(playing, live.Addr(), o.Game) }()

	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var patience int
	for over := false; !over || !live.Ended() && patience < int(5*time.Second/pollEvery); {
		select {
		case err := <-played:
			if err != nil {
				return nil, err
			}
			over = true
			played = nil
		case <-tick.C:
		}
		if err := live.Poll(nil); err != nil {
			return nil, err
		}
		if over { // the game has hung up, the rest is on its way
			patience++
		}
	}
	live.Close()
	if err := live.Poll(nil); err != nil {
		return nil, err
	}
	clients := live.Clients()
	if len(clients) == 0 {
		return nil, errors.New("the game never reached the server")
	}
	return clients[0], nil
}

// demoPictures are the pictures of a recording: everything where a panel can show everything, and
// the slowest frame of the main thread with its neighbours where details matter.
func demoPictures(s *store.Session) []PictureOptions {
	all := place.TimeRange{}
	near := all
	main := s.MainTrack()
	if t := s.Track(main); t != nil && t.NumFrames() > 0 {
		if slow := s.Frames().Slowest(main, 0, t.NumFrames()-1, 1, nil); len(slow) > 0 {
			a, b := max(0, slow[0]-2), min(t.NumFrames()-1, slow[0]+2)
			near = place.TimeRange{A: t.Frame(a).Number, B: t.Frame(b).Number, HasA: true, HasB: true}
		}
	}
	return []PictureOptions{
		{Panel: "frames", Range: near}, {Panel: "timeline", Range: near}, {Panel: "strip", Range: all},
		{Panel: "levels", Range: all}, {Panel: "flame", Range: all},
		{Panel: "piano", Range: all},
	}
}

// files writes files and remembers the first error.
type files struct {
	paths []string
	err   error
}

func (w *files) picture(path string, p *draw.Picture) {
	w.write(path, func(out *bufio.Writer) error { return p.Write(out, filepath.Ext(path)) })
}

func (w *files) write(path string, fill func(out *bufio.Writer) error) {
	if w.err != nil {
		return
	}
	w.err = aside.Write(path, func(to io.Writer) error {
		out := bufio.NewWriterSize(to, 1<<16)
		return cmp.Or(fill(out), out.Flush())
	})
	if w.err == nil {
		w.paths = append(w.paths, path)
	}
}
