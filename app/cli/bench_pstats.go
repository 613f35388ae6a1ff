package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"time"

	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/client"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

// frameSpans is large, so that a session's initial cost weighs little.
var frameSpans int64 = 4_000_000

// intoStore returns a sink in a store as in the viewer, and its clean-up function.
func intoStore() (feed.Sink, func()) {
	st := store.New(0)
	return &gen.Into{To: st.NewSession()}, st.Close
}

// ofFrames decodes the frames of a game, as its client sends them, and measures the cost of a span: each is the spans
// of a frame, per the number of a span's parts. Without a sink only the bytes of the frames are read.
func ofFrames(name, unit, goal string, each, per int64, sink func() (feed.Sink, func())) measurement {
	return measurement{name, []Figure{{Name: name, Unit: unit, Goal: goal}}, func(*bench) (func() ([]float64, error),
		error) {
		made, err := gen.New(gen.Options{Spans: frameSpans, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: int(each)})
		if err != nil {
			return nil, err
		}
		var payloads [][]byte
		made.Stream(func(w *pstats.Frame) bool {
			payloads = append(payloads, pstats.AppendFrame(nil, pstats.Newest(), w))
			return true
		})
		return func() ([]float64, error) {
			take := func(*pstats.Frame, int) {}
			begin := time.Now()
			if sink != nil {
				to, done := sink()
				defer done()
				begin = time.Now()
				d := decode.New(to, decode.Options{})
				d.Hello(made.Hello())
				d.Collectors(made.Collectors())
				d.Threads(0, made.ThreadNames())
				take = d.Frame
				defer d.Close("done")
			}
			var frame pstats.Frame
			for _, p := range payloads {
				if err := pstats.DecodeFrame(p, pstats.Newest(), &frame); err != nil {
					return nil, err
				}
				take(&frame, len(p))
			}
			return []float64{ns(time.Since(begin)) / float64(frameSpans*per)}, nil
		}, nil
	}}
}

// opening is report --stats of a file, by a process of its own.
func opening(b *bench) (func() ([]float64, error), error) {
	path, err := b.recording()
	return func() ([]float64, error) {
		open, err := runProgram(b.ctx, "report", "--range", "1:1", path)
		if err != nil {
			return nil, err
		}
		stats, err := runProgram(b.ctx, "report", "--stats", path)
		spans := float64(b.spans)
		return []float64{
			open.wall.Seconds(), ns(open.cpu) / spans, open.wall.Seconds() / open.cpu.Seconds(),
			float64(stats.resident) / spans,
		}, err
	}, err
}

// used is the resources of a process.
type used struct {
	wall, cpu time.Duration
	resident  int64 // bytes at most; 0 where the system does not say
}

// runProgram runs this program.
func runProgram(ctx context.Context, args ...string) (u used, err error) {
	program, err := os.Executable()
	if err != nil {
		return u, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it removes its files
	cmd.WaitDelay = time.Second
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return u, errors.New("interrupted")
	case err != nil:
		return u, fmt.Errorf("%w: %s", err, out[:min(len(out), 400)])
	}
	s := cmd.ProcessState
	return used{time.Since(begin), s.UserTime() + s.SystemTime(), residentOf(s)}, nil
}

// pairs is how many starts a frame has.
const pairs = 1000

// clientPair is a start and a stop in a game that a viewer listens to.
func clientPair(b *bench) (func() float64, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go readAndForget(ln)
	c := client.New(client.Options{Addr: ln.Addr().String(), Lossless: true, MaxRate: -1})
	b.after = func() {
		c.Close()
		ln.Close()
	}
	if err := c.Dial(b.ctx); err != nil {
		return nil, err
	}
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	return func() float64 {
		return ns(perCall(func() {
			for range pairs {
				main.Start(app)
				main.Stop(app)
			}
			main.EndFrame()
		})) / pairs
	}, nil
}

// readAndForget is a viewer of one program.
func readAndForget(ln net.Listener) {
	conn, err := ln.Accept()
	if err != nil {
		return
	}
	defer conn.Close()
	if _, err := conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil,
		pstats.ServerHello{Program: "bench"}))); err == nil {
		io.Copy(io.Discard, conn)
	}
}
