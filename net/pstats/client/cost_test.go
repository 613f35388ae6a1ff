package client

import (
	"io"
	"net"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/pstats"
)

// sink is a viewer that reads and forgets without allocating.
func sink(t testing.TB) string {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "sink"})))
			go func() {
				defer conn.Close()
				io.Copy(io.Discard, conn)
			}()
		}
	}()
	return ln.Addr().String()
}

func connected(t testing.TB, opt Options) *Client {
	opt.Addr = sink(t)
	opt.MaxRate = -1
	c := New(opt)
	testkit.OK(t, c.Dial(t.Context()))
	t.Cleanup(func() { c.Close() })
	return c
}

func TestNoAllocationWithoutViewer(t *testing.T) {
	c := New(Options{})
	main, app, mem := c.MainThread(), c.Collector("App"), c.Collector("System memory")
	main.Level(mem, 1)
	if n := testing.AllocsPerRun(1000, func() {
		main.Start(app)
		func() { defer main.Scope(app).End() }()
		main.Stop(app)
		main.Level(mem, 2)
		main.EndFrame()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestNoAllocationInSteadyState(t *testing.T) {
	c := connected(t, Options{Lossless: true, MaxQueue: 2})
	main, app, mem := c.MainThread(), c.Collector("App"), c.Collector("System memory")
	beat := func() {
		for range 500 {
			run(main, app)
		}
		main.Level(mem, 2)
		main.EndFrame()
	}
	for range 500 { // until every buffer has grown
		beat()
	}
	if n := testing.AllocsPerRun(200, beat); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkStartStop(b *testing.B) {
	c := connected(b, Options{Lossless: true})
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		run(main, app)
		if n++; n%1000 == 0 {
			main.EndFrame()
		}
	}
}

func BenchmarkEndFrame(b *testing.B) {
	c := connected(b, Options{Lossless: true})
	main, app := c.MainThread(), c.Collector("App")
	main.EndFrame()
	b.ReportAllocs()
	for b.Loop() {
		for range 11 { // 24 events
			main.StartAt(app, 0)
			main.StopAt(app, 0)
		}
		main.EndFrame()
	}
}
