package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/client"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

// frameSpans is large, so that a session's initial cost weighs little.
const frameSpans = 4_000_000

// benchFrames are the frames of a game as its client sends them.
type benchFrames struct {
	session  *gen.Session
	payloads [][]byte
}

func newFrames(each int) (*benchFrames, error) {
	s, err := gen.New(gen.Options{Spans: frameSpans, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: each})
	if err != nil {
		return nil, err
	}
	f := &benchFrames{session: s}
	s.Stream(func(w *pstats.Frame) bool {
		f.payloads = append(f.payloads, pstats.AppendFrame(nil, pstats.Newest(), w))
		return true
	})
	return f, nil
}

// storeSink appends each batch as it comes; session may be nil.
type storeSink struct {
	session *store.Session
	batch   model.Batch
}

func (s *storeSink) Define(c model.Change) {
	if s.session != nil {
		s.session.Apply(c)
	}
}

func (s *storeSink) Begin() *model.Batch { s.batch.Reset(); return &s.batch }

func (s *storeSink) Publish(b *model.Batch) bool {
	if s.session != nil {
		s.session.Append(b)
	}
	return true
}

func (s *storeSink) Progress(int64, int64) {}

// read decodes all frames, as far as the sink goes; without one their bytes are read.
func (f *benchFrames) read(sink feed.Sink) error {
	var d *decode.Decoder
	if sink != nil {
		d = decode.New(sink, decode.Options{})
		d.Hello(f.session.Hello())
		d.Collectors(f.session.Collectors())
		d.Threads(0, f.session.ThreadNames())
		defer d.Close("done")
	}
	var frame pstats.Frame
	for _, p := range f.payloads {
		if err := pstats.DecodeFrame(p, pstats.Newest(), &frame); err != nil {
			return err
		}
		if d != nil {
			d.Frame(&frame, len(p))
		}
	}
	return nil
}

// frameStep measures the cost of a span; per is the number of its parts.
func frameStep(name, unit, goal string, each, per int, sink func() (feed.Sink, func())) step {
	return benchOnce(name, unit, goal, func(context.Context) (func() (float64, error), error) {
		f, err := newFrames(each)
		return func() (float64, error) {
			to, done := sink()
			defer done()
			begin := time.Now()
			err := f.read(to)
			return ns(time.Since(begin)) / float64(frameSpans*per), err
		}, err
	})
}

func wireSpeed() step {
	return frameStep(wireName, nsSpan, "", 100, 1, func() (feed.Sink, func()) { return nil, func() {} })
}

// toStore is from the bytes of frames to a store ready for queries, or up to there.
func toStore(name string, each int, whole bool, goal string) step {
	return frameStep(name, nsSpan, goal, each, 1, func() (feed.Sink, func()) { return newSink(whole) })
}

// newSink returns a sink in a store as in the viewer, and its clean-up function.
func newSink(whole bool) (feed.Sink, func()) {
	if !whole {
		return &storeSink{}, func() {}
	}
	st := store.New(0)
	return &storeSink{session: st.NewSession()}, st.Close
}

// sparse is decoding to the store of frames of 22 events.
func sparse() step {
	return frameStep("decode to store, sparse frames", nsEvent, "≤ 25", 11, 2, func() (feed.Sink, func()) { return newSink(true) })
}

// opening is report --stats of a file, by a process of its own.
func opening() step {
	return step{"open", []Figure{
		{Name: "open a file", Unit: "s wall"},
		{Name: "open a file, all processors", Unit: "ns CPU/span"},
		{Name: "open a file, wall by CPU", Unit: "ratio", Goal: "≤ 0.55 on two"},
		{Name: "statistics of all of it after that, by opening", Unit: "ratio", Goal: "≤ 0.10"},
		{Name: "resident, whole process", Unit: "B/span", Goal: "≤ 11"},
	}, func(ctx context.Context, o *Options) (func() ([]float64, error), func(), error) {
		path := filepath.Join(o.Folder, "bench.pstats")
		if err := writeFile(ctx, path, o.Spans); err != nil {
			os.Remove(path)
			return nil, nil, err
		}
		return func() ([]float64, error) {
			open, err := runProgram(ctx, o.Program, "report", "--range", "1:1", path)
			if err != nil {
				return nil, err
			}
			stats, err := runProgram(ctx, o.Program, "report", "--stats", path)
			spans := float64(o.Spans)
			return []float64{
				open.wall.Seconds(), ns(open.cpu) / spans, open.wall.Seconds() / open.cpu.Seconds(),
				max(stats.wall-open.wall, 0).Seconds() / open.wall.Seconds(), float64(stats.resident) / spans,
			}, err
		}, func() { os.Remove(path) }, nil
	}}
}

// writeFile makes the file that is opened.
func writeFile(ctx context.Context, path string, spans int64) error {
	made, err := gen.New(gen.Options{Spans: spans, Tracks: 8, Depth: 10, Seed: 1})
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	if err := made.Write(ctx, out, nil); err != nil {
		return err
	}
	return out.Flush()
}

// used is the resources of a process.
type used struct {
	wall, cpu time.Duration
	resident  int64 // bytes at most; 0 where the system does not say
}

func runProgram(ctx context.Context, program string, args ...string) (u used, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return u, fmt.Errorf("%w: %s", err, out[:min(len(out), 400)])
	}
	s := cmd.ProcessState
	return used{time.Since(begin), s.UserTime() + s.SystemTime(), residentOf(s)}, nil
}

// clientPair is a start and a stop in a game that a viewer listens to.
func clientPair() step {
	aPair := func(d time.Duration) float64 { return ns(d) / pairs }
	return timed("client, start and stop", "ns", "≤ 30", aPair, func(ctx context.Context) (func(), error) {
		addr, err := listen(ctx)
		if err != nil {
			return nil, err
		}
		c := client.New(client.Options{Addr: addr, Lossless: true, MaxRate: -1})
		if err := c.Dial(ctx); err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { c.Close() })
		main, app := c.MainThread(), c.Collector("App")
		main.EndFrame()
		return func() {
			for range pairs {
				main.Start(app)
				main.Stop(app)
			}
			main.EndFrame()
		}, nil
	})
}

// pairs is how many starts a frame has.
const pairs = 1000
