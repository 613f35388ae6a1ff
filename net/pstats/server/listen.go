package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// listen opens the listeners for an address: two when it means the loopback of both families.
func listen(ctx context.Context, addr string) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("pstats: cannot listen on %q: %w (give --listen HOST:PORT)", addr, err)
	}
	if host != "localhost" && host != "127.0.0.1" {
		l, err := listenOne(ctx, "tcp", addr)
		if err != nil {
			return nil, err
		}
		return []net.Listener{l}, nil
	}

	// With port 0 the port that is free by IPv4 may be taken by IPv6: try another then.
	tries := 1
	if port == "0" {
		tries = 8
	}
	var last error
	for range tries {
		l4, err := listenOne(ctx, "tcp4", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			return nil, err
		}
		at := strconv.Itoa(int(addrOf(l4.Addr()).Port()))
		l6, err := listenOne(ctx, "tcp6", net.JoinHostPort("::1", at))
		switch {
		case err == nil:
			return []net.Listener{l4, l6}, nil
		case !taken(err):
			return []net.Listener{l4}, nil // no IPv6 on this machine
		}
		l4.Close()
		last = err
	}
	return nil, last
}

func listenOne(ctx context.Context, network, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, network, addr)
	if err == nil {
		return l, nil
	}
	if taken(err) {
		return nil, fmt.Errorf("pstats: the address %s is taken, perhaps by another viewer: close it, or listen "+
			"elsewhere with --listen HOST:PORT "+
			"and point the game there (pstats-host, pstats-port): %w", addr, err)
	}
	return nil, fmt.Errorf("pstats: cannot listen on %s: %w", addr, err)
}

// taken reports whether err says that another program has the address.
func taken(err error) bool {
	const windowsAddrInUse = syscall.Errno(10048)
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddrInUse)
}
