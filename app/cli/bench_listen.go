package cli

import (
	"context"
	"io"
	"net"

	"framescope/net/pstats"
)

// listen returns the address of a viewer that reads and forgets, until ctx is done.
func listen(ctx context.Context) (addr string, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := conn.Write(pstats.AppendTCP(nil, pstats.AppendServerHello(nil, pstats.ServerHello{Program: "bench"}))); err == nil {
					io.Copy(io.Discard, conn)
				}
			}()
		}
	}()
	return ln.Addr().String(), nil
}
