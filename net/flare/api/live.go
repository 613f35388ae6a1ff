package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"

	"framescope/net/flare"
)

// Limits of a live session.
const (
	maxThreads    = 1 << 14
	maxRecords    = 1 << 24
	apiMaxMethods = 1 << 20
)

// live is the recording of an agent as it grows. Returned recordings do not change: samples are only ever
// appended.
type live struct {
	addr   string
	log    func(line string)
	own    *attached       // how it was attached, nil if this server did not do it
	ctx    context.Context // done at the end of the session
	cancel context.CancelFunc
	done   chan struct{} // closed at the end of the input

	mu      sync.Mutex
	rec     flare.Recording
	stacks  flare.StackPool
	records int
	dir     string // of the recording on disk, empty if there is none
	reason  string // why it ended

	// Of the goroutine that takes events.
	writer *flare.FolderWriter // of the recording on disk, nil if there is none
	failed error               // why it ended too early

	// The last returned recording: it is returned again until something new comes.
	shown        *flare.Recording
	shownMethods map[flare.MethodID]string
}

func newLive(ctx context.Context, cancel context.CancelFunc, addr string, log func(string)) *live {
	return &live{
		addr: addr, log: log, ctx: ctx, cancel: cancel, done: make(chan struct{}),
		rec: flare.Recording{Info: flare.Info{AgentAddr: addr}, Methods: map[flare.MethodID]string{}},
	}
}

// addEvent adds one event of the agent.
func (l *live) addEvent(e flare.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case e.Info != nil:
		l.rec.SampleStartMs, l.rec.IntervalMs = e.Info.StartMs, e.Info.IntervalMs
		l.rec.RecordStartMs = cmp.Or(l.rec.RecordStartMs, min(max(e.Info.LastSampleMs, 0), flare.MaxTimeMs))
	case e.Method != nil:
		if l.rec.Methods[e.Method.ID] == e.Method.Name {
			return
		}
		if _, known := l.rec.Methods[e.Method.ID]; !known && len(l.rec.Methods) >= apiMaxMethods {
			return
		}
		l.rec.Methods[e.Method.ID] = e.Method.Name
		l.shownMethods = nil
	case e.Sample != nil:
		l.sample(e.Sample)
	}
	l.shown = nil
}

// take takes one event of the agent, into the recording on disk as well. The disk makes nobody wait but the agent.
func (l *live) take(e flare.Event) {
	l.addEvent(e)
	if l.writer == nil || l.failed != nil {
		return
	}
	if err := flare.WriteEvent(l.writer, e); err != nil {
		l.failed = fmt.Errorf("recording stopped: %w", err)
		l.log(l.failed.Error())
	}
	if dirs := l.writer.Dirs(); len(dirs) > 0 {
		l.mu.Lock()
		l.dir = prefix + filepath.Base(dirs[len(dirs)-1])
		l.mu.Unlock()
	}
}

// closeRecording ends the recording on disk, and returns why it is not whole.
func (l *live) closeRecording() error {
	if l.writer != nil && l.failed == nil {
		l.failed = l.writer.Close()
	}
	return l.failed
}

func (l *live) sample(e *flare.SampleEvent) {
	x := e.Record
	t := l.rec.Thread(e.Thread)
	if x.TimeMs < 0 || x.TimeMs > flare.MaxTimeMs || l.records >= maxRecords ||
		t == nil && len(l.rec.Threads) >= maxThreads {
		return
	}
	stack, ok := l.stacks.Intern(x.Stack)
	if !ok {
		return
	}
	x.Stack = stack
	if t == nil {
		t = l.rec.EnsureThread(e.Thread)
		t.CPU = flare.Series{BeginMs: x.TimeMs, StepMs: l.rec.StepMs()}
	}
	if n := len(t.Records); n > 0 {
		// Returned samples must not change, so a late sample counts as one of now.
		x.TimeMs = max(x.TimeMs, t.Records[n-1].TimeMs)
	}
	if e.Name != "" {
		t.Name = e.Name
	}
	x.Count = int64(len(t.Records)) + 1
	t.Records = append(t.Records, x)
	l.records++
	l.rec.RecordStartMs = cmp.Or(l.rec.RecordStartMs, x.TimeMs)
	l.rec.LastRecordMs = max(l.rec.LastRecordMs, x.TimeMs)
}

// snapshot returns the recording as it is now, and the folder it is recorded in. Series have steps
// but no values.
func (l *live) snapshot() (rec *flare.Recording, dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown == nil {
		if l.shownMethods == nil {
			l.shownMethods = maps.Clone(l.rec.Methods)
		}
		rec := &flare.Recording{Info: l.rec.Info, Methods: l.shownMethods}
		for _, t := range l.rec.Threads {
			now := *t
			now.Records = t.Records[:len(t.Records):len(t.Records)]
			rec.Threads = append(rec.Threads, &now)
		}
		l.shown = rec
	}
	return l.shown, l.dir
}

// ended reports whether the agent is gone, and why.
func (l *live) ended() (reason string, ended bool) {
	select {
	case <-l.done:
		return l.reason, true
	default:
		return "", false
	}
}

// end disconnects and waits until all that came is recorded.
func (l *live) end() {
	l.cancel()
	<-l.done
}
