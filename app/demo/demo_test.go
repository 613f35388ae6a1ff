package demo

import (
	"io"
	"net"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

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

func fast(t *testing.T, sessions int, opt Options) []recording {
	return record(t, sessions, func(addr string) {
		opt.Fast = true
		err := Run(t.Context(), addr, opt)
		testkit.That(t, err == nil, "%v", err)
	})
}

func TestEqualSeedsPlayTheSameGame(t *testing.T) {
	a := fast(t, 1, Options{Seed: 7, Frames: 400})[0]
	b := fast(t, 1, Options{Seed: 7, Frames: 400})[0]
	c := fast(t, 1, Options{Seed: 8, Frames: 400})[0]
	testkit.That(t, reflect.DeepEqual(a.frames, b.frames), "equal seeds differ")
	testkit.That(t, !reflect.DeepEqual(a.frames, c.frames), "different seeds are equal")
}

func TestEveryPathologyIsThere(t *testing.T) {
	r := fast(t, 1, Options{Seed: 1, Frames: 1500})[0]
	id := map[string]uint16{}
	var full func(i uint16) string
	full = func(i uint16) string {
		d := r.defs[i]
		if d.Parent == 0 {
			return d.Name
		}
		return full(uint16(d.Parent)) + ":" + d.Name
	}
	for i := range r.defs {
		id[full(i)] = i
	}
	testkit.MustThat(t, len(r.frames[0]) >= 1300, "%d frames of the main thread", len(r.frames[0]))

	// The loader comes again and again, ends each time, and has the same index.
	if len(r.indices) < 3 || len(r.expired) < 2 || r.indices[0] != r.indices[2] || len(r.frames[r.indices[0]]) < 50 {
		t.Errorf("loader: indices %v, ends %v, %d frames", r.indices, r.expired, len(r.frames[r.indices[0]]))
	}
	for _, d := range []string{"App:Scripts:Level 1:Director", "App:Scripts:Level 2:Director"} {
		_, ok := id[d]
		testkit.That(t, ok, "no collector %s", d)
	}
	missing, hitches, recursive, unmatched, backwards, overlap := 0, 0, 0, 0, 0, 0
	for _, th := range []uint16{0, 1, 2, 3, 4} {
		fs := r.frames[th]
		for i, f := range fs {
			if i > 0 {
				if th < 3 && f.Events[0].Time != fs[i-1].Events[len(fs[i-1].Events)-1].Time && f.Number == fs[i-1].Number+1 {
					t.Fatalf("thread %d: frame %d does not begin where frame %d ends", th, f.Number, fs[i-1].Number)
				}
				testkit.MustThat(t, f.Number > fs[i-1].Number, "thread %d: frame %d after %d", th, f.Number, fs[i-1].Number)
				if f.Number > fs[i-1].Number+1 {
					missing++
				}
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
				at := slices.Index(stack, c)
				if at < 0 {
					unmatched++
					continue
				}
				if stack[len(stack)-1] != c {
					overlap++
				}
				at = len(stack) - 1 - slices.Index(reversed(stack), c)
				stack = slices.Delete(stack, at, at+1)
			}
			unmatched += len(stack)
			if e := f.Events; th == 0 && e[len(e)-1].Time-e[0].Time > 0.04 {
				hitches++
			}
		}
	}
	for what, n := range map[string]int{
		"gaps": missing, "hitches": hitches, "recursion": recursive, "spans across borders": unmatched, "times running backwards": backwards, "overlaps": overlap,
	} {
		testkit.That(t, n != 0, "no %s", what)
	}
	// The causes of hitches: each takes long once.
	for name, th := range map[string]uint16{
		"Wait:Mutex block": 0, "Wait:Disk": 0, "GC:Mark": 0, "Draw:Compile shader": 2, "IO:Upload": r.indices[0],
	} {
		testkit.That(t, longest(r.frames[th], id[name]) >= 0.007, "no hitch with %s", name)
	}
	testkit.That(t, longest(r.frames[2], id["Wait:Mutex block"]) >= 0.01, "Draw never waits for the loader")
	l := r.frames[0][100].Levels
	testkit.That(t, len(l) >= 6, "%d levels", len(l))
}

// longest returns how long the longest span of a collector took, in seconds.
func longest(frames []pstats.Frame, collector uint16) (sec float32) {
	for _, f := range frames {
		began := float32(0)
		for _, e := range f.Events {
			if e.Word == collector {
				began = e.Time
			} else if e.Word == collector|pstats.StopBit {
				sec = max(sec, e.Time-began)
			}
		}
	}
	return sec
}

func reversed(s []uint16) []uint16 {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

func TestRestartOpensAnotherSession(t *testing.T) {
	got := fast(t, 2, Options{Frames: 40, Restart: 20})
	testkit.That(t, len(got) == 2 && len(got[1].frames[0]) >= 19, "%d sessions", len(got))
}

func TestNobodyThere(t *testing.T) {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ln.Close()
	err := Run(t.Context(), ln.Addr().String(), Options{Patience: time.Millisecond})
	testkit.That(t, err != nil, "no error without a viewer")
}
