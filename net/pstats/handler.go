// Package pstats defines the wire format of PStats, the profiling protocol of Panda3D, the Handler for
// the messages of one client, and the limits of plausible values. Its subpackages are server (live
// clients), sessionfile (files), decode (messages to the model, live sessions on disk), and,
// for games and tests, client, gen, pstatstest and storm. PROTOCOL.md beside this file describes the
// protocol and the file format byte by byte. It knows only the model's words for losses.
package pstats

import "framescope/model"

// A Handler takes the messages of one client, in order of arrival. A connection calls it from one
// goroutine at a time, though not always from the same one: a handler needs no lock for state that
// only these methods use. It must return soon, because a client stalls while its socket is not read
// (PROTOCOL.md section 5.3). If it has the method AwaitRoom of a journal.Patient, too, the TCP goroutine
// waits for room before it reads more, while others call its methods.
type Handler interface {
	// Hello gives the client's identity. It comes first, and again if the client repeats it: then the
	// identity is overwritten and nothing else changes.
	Hello(h ClientHello)
	// Collectors defines collectors, or defines them again. Indices may be negative and parents
	// undefined. The slice is only valid during the call, the strings stay.
	Collectors(defs []CollectorDef)
	// Threads names the threads first, first+1, …; an empty name stands for a thread that is gone. The
	// slice is only valid during the call.
	Threads(first int, names []string)
	// Expire says that a thread has ended. Frames of it may still come.
	Expire(thread int)
	// Frame gives one frame that took so many bytes of payload on the wire. f and its slices are only
	// valid during the call and must not be changed. Times may be NaN, negative or run backwards.
	Frame(f *Frame, bytes int)
	// Lost says that datagrams, frames or messages did not come, were not understood or not taken.
	// The track of l is model.NoTrack.
	Lost(l model.Loss)
	// Close says that nothing more will come, and why. It is called once, last.
	Close(reason string)
}

// Tee returns a handler that passes every call to all of handlers, in order. Nil handlers are left
// out.
func Tee(handlers ...Handler) Handler {
	var t tee
	for _, h := range handlers {
		if h != nil {
			t = append(t, h)
		}
	}
	if len(t) == 1 {
		return t[0]
	}
	return t
}

type tee []Handler

func (t tee) Hello(h ClientHello) {
	for _, to := range t {
		to.Hello(h)
	}
}

func (t tee) Collectors(defs []CollectorDef) {
	for _, to := range t {
		to.Collectors(defs)
	}
}

func (t tee) Threads(first int, names []string) {
	for _, to := range t {
		to.Threads(first, names)
	}
}

func (t tee) Expire(thread int) {
	for _, to := range t {
		to.Expire(thread)
	}
}

func (t tee) Frame(f *Frame, bytes int) {
	for _, to := range t {
		to.Frame(f, bytes)
	}
}

func (t tee) Lost(l model.Loss) {
	for _, to := range t {
		to.Lost(l)
	}
}

// AwaitRoom implements patient.
func (t tee) AwaitRoom(stop <-chan struct{}, bytes int) {
	for _, to := range t {
		AwaitRoom(to, stop, bytes)
	}
}

// patient is journal.Patient, which is not named here: clients for games use this package, and a journal
// needs packages that are not of the standard library.
type patient interface {
	AwaitRoom(stop <-chan struct{}, bytes int)
}

// AwaitRoom waits until a handler that writes to a disk will take so many bytes: see
// journal.Patient.
func AwaitRoom(h Handler, stop <-chan struct{}, bytes int) {
	if p, ok := h.(patient); ok {
		p.AwaitRoom(stop, bytes)
	}
}

func (t tee) Close(reason string) {
	for _, to := range t {
		to.Close(reason)
	}
}
