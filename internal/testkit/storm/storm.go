// Package storm makes hostile clients for tests of servers and viewers: sessions that are damaged
// somewhere, thousands of them. Equal seeds make equal sessions.
package storm

import (
	"cmp"
	"context"
	le "encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"framescope/net/pstats"
)

// Storm is many clients that connect, send a session that is damaged somewhere, and hang up.
type Storm struct {
	Addr     string
	Sessions int
	Parallel int // of them at a time; 0: eight
	Seed     uint64
	// Each is how long a session takes at least, so that there are no more in a second than are
	// wanted.
	Each time.Duration
}

// Run sends all sessions. It stops early when ctx is done, and returns how many were sent.
func (s Storm) Run(ctx context.Context) (sent int) {
	next := make(chan int)
	var work sync.WaitGroup
	var mu sync.Mutex
	for range cmp.Or(s.Parallel, 8) {
		work.Go(func() {
			for n := range next {
				pace := time.NewTimer(s.Each)
				if s.one(ctx, rand.New(rand.NewPCG(s.Seed, uint64(n)))) == nil {
					mu.Lock()
					sent++
					mu.Unlock()
				}
				select {
				case <-pace.C:
				case <-ctx.Done():
				}
			}
		})
	}
	for n := range s.Sessions {
		select {
		case next <- n:
		case <-ctx.Done():
		}
	}
	close(next)
	work.Wait()
	return sent
}

func (s Storm) one(ctx context.Context, rng *rand.Rand) error {
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, err = conn.Write(mutated(rng))
	if err == nil && rng.IntN(2) == 0 {
		hello := readHello(conn)
		if hello.UDPPort != 0 && rng.IntN(2) == 0 {
			datagrams(rng, netip.AddrPortFrom(conn.RemoteAddr().(*net.TCPAddr).AddrPort().Addr(), hello.UDPPort))
		}
		conn.(*net.TCPConn).CloseWrite()
	}
	return nil
}

// readHello reads the server's hello; the zero value if there is none.
func readHello(conn net.Conn) (h pstats.ServerHello) {
	var scan pstats.Scanner
	for {
		n, err := conn.Read(scan.Space())
		scan.Advance(n)
		if payload, ok, _ := scan.Next(); ok {
			h, _ = pstats.DecodeServerHello(payload)
			return h
		}
		if err != nil {
			return h
		}
	}
}

// datagrams sends some frames by UDP, most of them damaged.
func datagrams(rng *rand.Rand, to netip.AddrPort) {
	udp, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		return
	}
	defer udp.Close()
	for n := range rng.IntN(20) {
		d := pstats.AppendUDP(nil, pstats.AppendFrame(nil, pstats.Newest(), stormFrame(rng, n)))
		switch rng.IntN(4) {
		case 0:
			d = d[:rng.IntN(len(d)+1)]
		case 1:
			d[rng.IntN(len(d))] ^= 1 << rng.IntN(8)
		}
		udp.Write(d)
	}
}

// mutated makes the bytes of a session, damaged in one of many ways, or not at all.
func mutated(rng *rand.Rand) []byte {
	var parts [][]byte
	add := func(payload []byte) { parts = append(parts, pstats.AppendTCP(nil, payload)) }
	v := pstats.Newest()
	add(pstats.AppendClientHello(nil, pstats.ClientHello{
		Host: "storm", Program: fmt.Sprintf("storm %d", rng.IntN(1000)), Version: v, PID: 1,
	}))
	var defs []pstats.CollectorDef
	for i := range 1 + rng.IntN(30) {
		index := i
		if rng.IntN(40) == 0 {
			index = rng.IntN(32768)
		}
		defs = append(defs, pstats.CollectorDef{
			Index: int16(index), Name: fmt.Sprintf("c%d", i), Parent: int16(rng.IntN(i + 1)),
		})
	}
	add(pstats.AppendCollectors(nil, defs))
	add(pstats.AppendThreads(nil, 0, []string{"Main", "Worker"}))
	for n := range rng.IntN(20) {
		add(pstats.AppendFrame(nil, v, stormFrame(rng, n)))
	}
	switch rng.IntN(8) {
	case 0: // whole
	case 1: // only the hello
		parts = parts[:1]
	case 2: // no hello
		parts = parts[1:]
	case 3: // in another order
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	case 4: // a length that lies
		p := parts[rng.IntN(len(parts))]
		le.LittleEndian.PutUint32(p, rng.Uint32())
	}
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	switch rng.IntN(4) {
	case 0: // cut off
		all = all[:rng.IntN(len(all)+1)]
	case 1: // damaged here and there
		for range 1 + rng.IntN(20) {
			all[rng.IntN(len(all))] = byte(rng.Uint32())
		}
	case 2: // bits
		all[rng.IntN(len(all))] ^= 1 << rng.IntN(8)
	}
	return all
}

func stormFrame(rng *rand.Rand, n int) *pstats.Frame {
	f := &pstats.Frame{Thread: uint16(rng.IntN(2)), Number: uint32(n)}
	if rng.IntN(10) == 0 {
		f.Thread, f.Number = uint16(rng.Uint32()), rng.Uint32()
	}
	at := float32(n) / 60
	for i := range rng.IntN(200) {
		w := uint16(1 + rng.IntN(30))
		if i%2 == 1 {
			w |= 0x8000
		}
		f.Events = append(f.Events, pstats.Event{Word: w, Time: at + float32(i)*1e-5})
	}
	return f
}
