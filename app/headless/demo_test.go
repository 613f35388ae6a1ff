package headless_test

import (
	"io"
	"net"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/internal/testkit"
	"framescope/net/pstats"
)

// recording is what a viewer that only listens to TCP got in one connection.
type recording struct {
	defs    map[uint16]pstats.CollectorDef
	names   [][]string // one list for each definition message
	indices []uint16   // of the defined threads named Loader
	expired []uint16
	frames  map[uint16][]pstats.Frame
}

// record is a viewer that listens until the program ends, so many times.
func record(t *testing.T, sessions int, play func(addr string)) []recording {
	t.Helper()
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer ln.Close()
	var out []recording
	var wg sync.WaitGroup
	wg.Go(func() {
		for range sessions {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "test"})))
			out = append(out, listen(t, conn))
			conn.Close()
		}
	})
	play(ln.Addr().String())
	ln.Close()
	wg.Wait()
	return out
}

func listen(t *testing.T, conn net.Conn) recording {
	r := recording{defs: map[uint16]pstats.CollectorDef{}, frames: map[uint16][]pstats.Frame{}}
	var sc pstats.Scanner
	for {
		n, err := conn.Read(sc.Space())
		sc.Advance(n)
		for {
			payload, ok, err := sc.Next()
			if err != nil {
				t.Error(err)
				return r
			}
			if !ok {
				break
			}
			switch payload[0] {
			case pstats.TypeCollectors:
				err = pstats.DecodeCollectors(payload, func(d pstats.CollectorDef) { r.defs[uint16(d.Index)] = d })
			case pstats.TypeThreads:
				var first uint16
				var names []string
				first, names, err = pstats.DecodeThreads(payload)
				r.names = append(r.names, names)
				if i := slices.Index(names, "Loader"); i >= 0 {
					r.indices = append(r.indices, first+uint16(i))
				}
			case pstats.TypeExpire:
				var i uint16
				i, err = pstats.DecodeExpire(payload)
				r.expired = append(r.expired, i)
			case pstats.TypeFrame:
				var f pstats.Frame
				err = pstats.DecodeFrame(payload, pstats.Newest(), &f)
				r.frames[f.Thread] = append(r.frames[f.Thread], f)
			}
			testkit.OK(t, err)
		}
		if err != nil {
			testkit.That(t, err == io.EOF, "%v", err)
			return r
		}
	}
}

func fast(t *testing.T, sessions int, opt demo.Options) []recording {
	return record(t, sessions, func(addr string) {
		opt.Fast = true
		err := demo.Run(t.Context(), addr, opt)
		testkit.That(t, err == nil, "%v", err)
	})
}

func TestEqualSeedsPlayTheSameGame(t *testing.T) {
	a := fast(t, 1, demo.Options{Seed: 7, Frames: 400})[0]
	b := fast(t, 1, demo.Options{Seed: 7, Frames: 400})[0]
	c := fast(t, 1, demo.Options{Seed: 8, Frames: 400})[0]
	testkit.That(t, reflect.DeepEqual(a.frames, b.frames), "equal seeds differ")
	testkit.That(t, !reflect.DeepEqual(a.frames, c.frames), "different seeds are equal")
}

// What is odd in the stream is there; what it looks like in a session: TestDemo of app/headless.
func TestEveryPathologyIsThere(t *testing.T) {
	r := fast(t, 1, demo.Options{Seed: 1, Frames: 1500})[0]
	testkit.MustThat(t, len(r.frames[0]) >= 1300, "%d frames of the main thread", len(r.frames[0]))

	// The loader comes again and again, ends each time, and has the same index.
	if len(r.indices) < 3 || len(r.expired) < 2 || r.indices[0] != r.indices[2] || len(r.frames[r.indices[0]]) < 50 {
		t.Errorf("loader: indices %v, ends %v, %d frames", r.indices, r.expired, len(r.frames[r.indices[0]]))
	}
	recursive, unmatched, backwards, overlap := 0, 0, 0, 0
	for _, th := range []uint16{0, 1, 2, 3, 4} {
		fs := r.frames[th]
		for i, f := range fs {
			if i > 0 {
				if th < 3 && f.Events[0].Time != fs[i-1].Events[len(fs[i-1].Events)-1].Time && f.Number == fs[i-1].Number+1 {
					t.Fatalf("thread %d: frame %d does not begin where frame %d ends", th, f.Number, fs[i-1].Number)
				}
				testkit.MustThat(t, f.Number > fs[i-1].Number, "thread %d: frame %d after %d", th, f.Number, fs[i-1].Number)
			}
			var stack []uint16
			last := float32(0)
			for _, e := range f.Events {
				if e.Time < last {
					backwards++
				}
				last = e.Time
				c := e.Word &^ pstats.StopBit
				if e.Word&pstats.StopBit == 0 {
					if slices.Contains(stack, c) {
						recursive++
					}
					stack = append(stack, c)
					continue
				}
				at := len(stack) - 1
				for at >= 0 && stack[at] != c {
					at--
				}
				if at < 0 {
					unmatched++
					continue
				}
				if at < len(stack)-1 {
					overlap++
				}
				stack = slices.Delete(stack, at, at+1)
			}
			unmatched += len(stack)
		}
	}
	for what, n := range map[string]int{
		"recursion": recursive, "spans across borders": unmatched, "times running backwards": backwards, "overlaps": overlap,
	} {
		testkit.That(t, n != 0, "no %s", what)
	}
}

func TestRestartOpensAnotherSession(t *testing.T) {
	got := fast(t, 2, demo.Options{Frames: 40, Restart: 20})
	testkit.That(t, len(got) == 2 && len(got[1].frames[0]) >= 19, "%d sessions", len(got))
}

func TestNobodyThere(t *testing.T) {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ln.Close()
	err := demo.Run(t.Context(), ln.Addr().String(), demo.Options{Patience: time.Millisecond})
	testkit.That(t, err != nil, "no error without a viewer")
}
