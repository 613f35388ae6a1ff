package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"framescope/internal/aside"
	"framescope/net/feed"
	"framescope/net/follow"
)

// Program is a GStreamer program that is started with its tracers on. It may be run once.
type Program struct {
	// Args are the program and its arguments.
	Args []string
	// Tracers is GST_TRACERS; empty: DefaultTracers.
	Tracers string
	// Debug is GST_DEBUG, to which the needs of the tracers are added; empty: the environment's value.
	Debug string
	// Leaks adds the leaks tracer.
	Leaks bool
	// Wait makes the program wait for the decoding rather than lose data: for reports.
	Wait bool
	// Environ is the environment to start with; nil: the present one.
	Environ []string
	// Source decodes the trace.
	Source feed.Streamer
	// Stdin, Stdout and Stderr are the program's.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Exited is called, unless nil, when the program has ended by itself, with its exit status.
	Exited func(status int)

	noFIFO bool // the trace goes by way of a temporary file, as where there are no FIFOs
	status atomic.Int64
}

// DefaultTracers are the tracers for a complete picture of a pipeline.
const DefaultTracers = "latency(flags=pipeline+element+reported);stats;rusage"

// LightTracers report how long each element had each buffer, for a fraction of the cost.
const LightTracers = "latency(flags=pipeline+element)"

// ErrNoTrace means that a program has ended without having written anything to its trace.
var ErrNoTrace = errors.New("the program wrote no trace: is it a GStreamer program? Tracing needs GStreamer 1.8 " +
	"or later " +
	"with the plugin coretracers " +
	"(check with `gst-inspect-1.0 coretracers`)")

// Title implements Input: the command line.
func (p *Program) Title() string { return strings.Join(p.Args, " ") }

// Status returns the exit status of the program once Run has returned: as a shell has it, 128 and
// the signal's number if a signal ended it.
func (p *Program) Status() int { return int(p.status.Load()) }

// Find looks for the program, so that a mistake is noticed before anything is opened.
func (p *Program) Find() error {
	_, err := exec.LookPath(p.Args[0])
	return err
}

// environment returns the environment of the program, which writes its trace to the file.
func (p *Program) environment(file string) []string {
	env := p.Environ
	if env == nil {
		env = os.Environ()
	}
	debug := p.Debug
	var out []string
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case "GST_DEBUG":
			if debug == "" {
				debug = value
			}
		case "GST_TRACERS", "GST_DEBUG_FILE", "GST_DEBUG_NO_COLOR", "GST_DEBUG_COLOR_MODE":
		default:
			out = append(out, e)
		}
	}
	tracers := p.Tracers
	if tracers == "" {
		tracers = DefaultTracers
	}
	if p.Leaks {
		debug = join(",", debug, "leaks:7") // the lines around a listing distinguish leaks from live objects
		if !strings.Contains(tracers, "leaks") {
			tracers = join(";", tracers, "leaks(check-refs=true)")
		}
	}
	return append(out, "GST_TRACERS="+tracers, "GST_DEBUG="+join(",", debug, "GST_TRACER:7"), "GST_DEBUG_NO_COLOR=1",
		"GST_DEBUG_FILE="+file)
}

func join(sep, a, b string) string {
	if a == "" {
		return b
	}
	return a + sep + b
}

// Run implements Input. When ctx is done it interrupts the program, and kills it if it goes on. Its
// exit status is no error; ErrNoTrace is one.
func (p *Program) Run(ctx context.Context, open Opener) (err error) {
	p.status.Store(126) // as in a shell, for a program that could not be started
	dir, err := aside.Dir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	trace := filepath.Join(dir, "trace.fifo")
	if p.noFIFO || follow.MakeFIFO(trace) != nil {
		trace = filepath.Join(dir, "trace.log") // % is no character of these names, which GStreamer would replace
	}

	// Read the trace until the program has ended, even after the session was closed: a program with an
	// unread trace would block.
	r := &recorder{ctx: context.WithoutCancel(ctx), open: open, name: p.Title(), program: filepath.Base(p.Args[0]),
		source: p.Source, wait: p.Wait, drains: true}
	reading, stopReading := context.WithCancel(r.ctx)
	defer stopReading()
	exited, followed, ready, known := make(chan struct{}), make(chan error, 1), make(chan struct{}), make(chan struct{})
	r.ending = func() string { // the trace may end before the program has
		select {
		case <-known:
			return p.ending()
		case <-time.After(time.Second):
			return ""
		}
	}
	r.begin()
	first := r.rec
	opened := false
	go func() {
		followed <- follow.Follow(reading, trace, r, follow.Options{Done: exited, State: func(s follow.State, why string) {
			r.noteState(s, why)
			if !opened {
				opened = true
				close(ready)
			}
		}})
	}()
	<-ready // the FIFO has its reader, so the program does not wait for one
	end := func() error {
		close(exited)
		return r.followed(<-followed)
	}

	cmd := exec.Command(p.Args[0], p.Args[1:]...)
	cmd.Env = p.environment(trace)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, p.Stdout, p.Stderr
	cmd.SysProcAttr = endsWithUs()
	runtime.LockOSThread() // the system treats the end of this thread as ours
	defer runtime.UnlockOSThread()
	cmd.WaitDelay = time.Second // for children of the program that keep its output open
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			p.status.Store(127)
		}
		first.fail(err)
		close(known)
		return errors.Join(err, end())
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	asked, stopSignals := forwardSignals(cmd.Process)
	p.await(ctx, cmd.Process, asked, waited)
	stopSignals()
	p.status.Store(int64(statusOf(cmd.ProcessState)))
	close(known)
	err = end()
	if p.Exited != nil && ctx.Err() == nil {
		p.Exited(p.Status())
	}
	if err == nil && r.bytes == 0 {
		if ctx.Err() == nil {
			first.fail(ErrNoTrace)
		}
		return ErrNoTrace
	}
	return err
}

// ending is why the session of a program ended that did not succeed.
func (p *Program) ending() string {
	const signals = 128
	switch status := p.Status(); {
	case status > signals:
		return "by a signal: " + syscall.Signal(status-signals).String()
	case status > 0:
		return fmt.Sprintf("with status %d", status)
	}
	return ""
}

// await waits for the program to end, and ends it when ctx is done. asked reports whether it already
// got a signal to end.
func (p *Program) await(ctx context.Context, process *os.Process, asked func() bool, waited <-chan error) {
	select {
	case <-waited:
		return
	case <-ctx.Done():
	}
	interrupt := func() error {
		if asked() { // a second time many programs take for impatience
			return nil
		}
		return process.Signal(os.Interrupt)
	}
	for _, end := range []func() error{interrupt, process.Kill} {
		if err := end(); err != nil {
			continue // such as interrupting on Windows
		}
		select {
		case <-waited:
			return
		case <-time.After(closing):
		}
	}
	<-waited
}
