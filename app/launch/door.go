package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// RetryEvery is how often an address that another program has is tried again.
const RetryEvery = 3 * time.Second

// Door is an address for programs to connect to. While another program has it, it is tried again every
// few seconds. Any goroutine may call its methods.
type Door struct {
	// Addr is the requested address, HOST:PORT.
	Addr string
	// Flag is how another one is named on the command line, for people: "--listen".
	Flag string
	// Open begins to listen, and returns the actual address. Only one goroutine at a time calls it.
	Open func(ctx context.Context) (addr string, err error)

	every   time.Duration // instead of RetryEvery, in tests
	opening sync.Mutex    // held while Open runs

	mu    sync.Mutex
	open  string // the address that is listened on
	err   error
	knock chan struct{} // asks Keep to try at once
}

// DoorState is the present state of a door.
type DoorState struct {
	// Addr is the address that is listened on; empty: none is.
	Addr string
	// Problem is why not, in a few words, such as "localhost:5185 is taken by another program"; empty: it has not been
	// tried yet, or all is well.
	Problem string
	// Short is the problem in fewer words: "port 5185 is taken".
	Short string
	// Remedy is the advice, in words.
	Remedy string
}

// Taken reports whether an error says that another program has an address.
func Taken(err error) bool {
	const windowsAddrInUse = syscall.Errno(10048)
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddrInUse)
}

// Try opens the door unless it is open. It returns the error, which State reports too.
func (d *Door) Try(ctx context.Context) error {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.State().Addr != "" {
		return nil
	}
	addr, err := d.Open(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.err = addr, err
	return err
}

// State returns the present state of the door.
func (d *Door) State() DoorState {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.open != "":
		return DoorState{Addr: d.open}
	case d.err == nil:
		return DoorState{}
	case !Taken(d.err):
		return DoorState{Problem: d.err.Error(), Short: "not listening", Remedy: "Name another address with " + d.Flag +
			" HOST:PORT."}
	}
	return DoorState{
		Problem: d.Addr + " is taken by another program",
		Short:   fmt.Sprintf("port %d is taken", port(d.Addr)),
		Remedy: fmt.Sprintf("Close it, or start with %s HOST:PORT. It is tried again every %.0f s.",
			d.Flag, RetryEvery.Seconds()),
	}
}

// Again makes Keep try at once.
func (d *Door) Again() {
	select {
	case d.knocks() <- struct{}{}:
	default: // a request is already pending
	}
}

func (d *Door) knocks() chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.knock == nil {
		d.knock = make(chan struct{}, 1)
	}
	return d.knock
}

// Keep tries until the door is open, and returns true then; false when ctx is done. It only waits for
// Again where a retry cannot succeed by itself. tried, if not nil, is called after each attempt that
// Again triggered, with its error.
func (d *Door) Keep(ctx context.Context, tried func(err error)) bool {
	tick := time.NewTicker(cmp.Or(d.every, RetryEvery))
	defer tick.Stop()
	for {
		if d.State().Addr != "" {
			d.Again() // another Keep of this door sees it at once, too
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-d.knocks():
			if err := d.Try(ctx); tried != nil {
				tried(err)
			}
		case <-tick.C:
			d.mu.Lock()
			wait := Taken(d.err)
			d.mu.Unlock()
			if wait {
				d.Try(ctx)
			}
		}
	}
}

// port returns the port of HOST:PORT, 0: none.
func port(addr string) int {
	_, text, err := net.SplitHostPort(addr)
	if err != nil {
		return 0
	}
	n, err := net.LookupPort("tcp", text)
	if err != nil {
		return 0
	}
	return n
}
