package storm

import (
	"context"
	"fmt"
	"io"
	"net"

	"framescope/net/pstats"
)

// Wide is a client with as many threads as there can be, each with a name and few frames, all by
// TCP.
type Wide struct {
	Addr    string
	Threads int
	Frames  int // of each thread
}

// Run sends everything, and stays connected until ctx is done.
func (w Wide) Run(ctx context.Context) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", w.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	go io.Copy(io.Discard, c)
	if err := w.send(c); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func (w Wide) send(c net.Conn) error {
	const together = 500 // names in a message
	v := pstats.Newest()
	out := pstats.AppendTCP(nil, pstats.AppendClientHello(nil, pstats.ClientHello{
		Host: "host", Program: "wide", PID: 1, Version: v,
	}))
	out = pstats.AppendTCP(out, pstats.AppendCollectors(nil, []pstats.CollectorDef{
		{Index: 0, Name: "Frame"}, {Index: 1, Name: "App"},
	}))
	names := make([]string, w.Threads)
	for i := range names {
		names[i] = fmt.Sprintf("Worker %d", i)
	}
	for i := 0; i < len(names); i += together {
		out = pstats.AppendTCP(out, pstats.AppendThreads(nil, i, names[i:min(i+together, len(names))]))
	}
	var payload []byte
	for k := range w.Frames {
		t := float32(1 + k)
		f := pstats.Frame{Number: uint32(1 + k), Events: []pstats.Event{
			{Word: 0, Time: t}, {Word: 1, Time: t + 0.001}, {Word: 1 | pstats.StopBit, Time: t + 0.002},
			{Word: pstats.StopBit, Time: t + 0.003},
		}}
		for i := range w.Threads {
			f.Thread = uint16(i)
			payload = pstats.AppendFrame(payload[:0], v, &f)
			if out = pstats.AppendTCP(out, payload); len(out) > 64<<10 {
				if _, err := c.Write(out); err != nil {
					return err
				}
				out = out[:0]
			}
		}
	}
	_, err := c.Write(out)
	return err
}
