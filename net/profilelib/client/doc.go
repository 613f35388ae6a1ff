// Package client lets a Go program write a stream of the Foundation profiler ("profile_lib",
// FORMAT.md beside the parent package), as the C library does: nested blocks of time on each
// thread, frames, log messages and the life of locks, as records of 64 bytes that a writer gets one
// by one.
//
//	slots := make([]client.Slot, 4096)
//	p, err := client.New(slots, client.Options{})
//	conn, err := client.Dial(ctx, "127.0.0.1:7170", p)
//	p.Enable(true)
//	main := p.Thread()
//	for frame := uint64(0); running; frame++ {
//		main.BeginBlock("Update")
//		update()
//		main.EndBlock()
//		main.EndFrame(frame)
//	}
//	p.Close()
//
// The slots given to New are all the room there is: what does not fit is counted (Profiler.Dropped)
// and not written. Taking and giving back a slot, and handing over a finished tree, are
// compare-and-swap loops; nothing blocks and nothing is allocated after New, except that
// Profiler.Thread makes a handle. Go has no storage that belongs to a thread, so each goroutine
// that is to have a track of its own uses its own Thread handle; a handle must not be used by two
// goroutines at once.
//
// The package imports the standard library only.
package client
