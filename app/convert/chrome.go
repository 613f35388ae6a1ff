// This file writes Chrome trace JSON: events of threads with times in µs, which Chromium, Perfetto,
// Tracy, speedscope and Framescope itself read.

package convert

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// ChromeFormat is the format of Chrome traces.
var ChromeFormat = Format{
	ID: "chrome", Name: "Chrome trace JSON", Ext: ".json",
	Help:  "threads, spans, frames, counters, messages: chrome://tracing, Perfetto, speedscope, Tracy",
	Why:   (*Part).WhyTimeless,
	Write: write,
}

// writer writes events, one after the other.
type writer struct {
	ctx     context.Context
	p       *Part
	out     *bufio.Writer
	line    []byte   // scratch
	begun   bool     // there is an event already
	names   [][]byte // of collectors: their part of an event
	procs   []Process
	threads []Thread
	last    int64 // the latest time of all that was written

	open  []chromeOpen // spans that have not ended, which are written last
	trees int64        // asynchronous spans with all that is in them
	steps uint64       // flows
}

// chromeOpen is a span of a thread that has not ended.
type chromeOpen struct {
	thread *Thread
	Span
}

func write(ctx context.Context, p *Part, w io.Writer) error {
	x := &writer{ctx: ctx, p: p, out: bufio.NewWriterSize(w, 1<<18), last: math.MinInt64}
	x.procs, x.threads = p.Threads()
	x.out.WriteString("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
	x.metadata()
	for i := range x.threads {
		if err := x.thread(&x.threads[i]); err != nil {
			return err
		}
	}
	if err := x.flows(); err != nil {
		return err
	}
	if err := x.counters(); err != nil {
		return err
	}
	for i := range x.threads {
		if err := x.frames(&x.threads[i]); err != nil {
			return err
		}
	}
	x.opened()
	x.out.WriteString("\n]}\n")
	p.LeaveSamples()
	p.leaveRows(&Locks, "")
	p.LeaveTopology()
	return x.out.Flush()
}

// metadata writes the names of processes and threads.
func (x *writer) metadata() {
	say := func(pid, tid int64, what, key string, value func(dst []byte) []byte) {
		x.event('M', pid, tid)
		b := append(append(append(x.line, `,"name":"`...), what...), `","args":{"`...)
		b = append(append(b, key...), `":`...)
		x.line = append(value(b), '}')
		x.end()
	}
	text := func(s string) func([]byte) []byte {
		return func(dst []byte) []byte { return AppendString(dst, s) }
	}
	number := func(n int) func([]byte) []byte {
		return func(dst []byte) []byte { return strconv.AppendInt(dst, int64(n), 10) }
	}
	for i := range x.procs {
		if p := &x.procs[i]; p.Name != "" {
			say(p.PID, 0, "process_name", "name", text(p.Name))
		}
	}
	for i := range x.threads {
		th := &x.threads[i]
		pid := x.procs[th.Process].PID
		if th.Name != "" && (th.Track.Def.Kind.Calls() || th.Track.NumMessages() > 0) { // else its spans belong to no thread
			say(pid, th.TID, "thread_name", "name", text(th.Name))
		}
		say(pid, th.TID, "thread_sort_index", "sort_index", number(i))
	}
}

// event begins an event in line.
func (x *writer) event(phase byte, pid, tid int64) {
	b := x.line[:0]
	if x.begun {
		b = append(b, ',')
	}
	x.begun = true
	b = append(append(b, "\n{\"ph\":\""...), phase)
	b = strconv.AppendInt(append(b, `","pid":`...), pid, 10)
	x.line = strconv.AppendInt(append(b, `,"tid":`...), tid, 10)
}

// at puts a time into line.
func (x *writer) at(ns int64) {
	x.line = AppendMicros(append(x.line, `,"ts":`...), ns)
	x.last = max(x.last, ns)
}

// text puts a text into line; key has its quotes and punctuation.
func (x *writer) text(key, s string) { x.line = AppendString(append(x.line, key...), s) }

// end ends the event in line.
func (x *writer) end() {
	x.line = append(x.line, '}')
	x.out.Write(x.line)
}

// called is a collector's part of an event: its name, and its parent as the category.
func (x *writer) called(c model.CollectorID) []byte {
	if c < 0 { // damage took the call path from the recording
		return []byte(`,"name":"#-1"`)
	}
	if int(c) >= len(x.names) {
		x.names = append(x.names, make([][]byte, int(c)+1-len(x.names))...)
	}
	if x.names[c] == nil {
		b := AppendString([]byte(`,"name":`), x.p.Name(c))
		if col := x.p.Session.Collector(c); col != nil && col.Parent > 0 {
			if up := x.p.Session.Collector(col.Parent); up != nil {
				b = AppendString(append(b, `,"cat":`...), up.FullName)
			}
		}
		x.names[c] = b
	}
	return x.names[c]
}

// thread writes the spans and messages of a track.
func (x *writer) thread(th *Thread) error {
	pid := x.procs[th.Process].PID
	var err error
	if th.Track.Def.Kind.Calls() {
		err = x.p.Spans(th.ID, func(s *Span) error { return x.span(th, s) })
	} else {
		err = x.async(th)
	}
	if err != nil {
		return err
	}
	return x.p.Messages(th.ID, func(m *model.Message) error {
		x.event('i', pid, th.TID)
		x.at(m.Time)
		x.message(m)
		x.end()
		return x.p.Done(x.ctx, 1)
	})
}

// span writes a span of a thread.
func (x *writer) span(th *Thread, s *Span) error {
	if s.Flags&model.SpanOpenEnd != 0 {
		x.open = append(x.open, chromeOpen{th, *s})
	} else {
		x.complete(th, s)
	}
	return x.p.Done(x.ctx, 1)
}

func (x *writer) complete(th *Thread, s *Span) {
	x.event('X', x.procs[th.Process].PID, th.TID)
	x.at(s.Begin)
	x.line = AppendMicros(append(x.line, `,"dur":`...), s.End-s.Begin)
	x.line = append(x.line, x.called(s.Collector)...)
	x.args(s)
	x.end()
	x.last = max(x.last, s.End)
}

// args writes the arguments of a span into line.
func (x *writer) args(s *Span) {
	before := `,"args":{`
	for _, a := range x.p.Args(s) {
		x.line = AppendArg(append(x.line, before...), &a)
		before = ","
	}
	if before == "," {
		x.line = append(x.line, '}')
	}
}

// opened writes the spans that have not ended. A begin without an end lasts until the latest time of
// the file: so are those written that do. Where nothing else happens at that time, one of them says it, by its
// end.
func (x *writer) opened() {
	last := x.last
	for i := range x.open {
		last = max(last, x.open[i].End)
	}
	for i := range x.open {
		s := &x.open[i]
		if s.End < last || x.last < last {
			x.complete(s.thread, &s.Span)
			continue
		}
		x.event('B', x.procs[s.thread.Process].PID, s.thread.TID)
		x.at(s.Begin)
		x.line = append(x.line, x.called(s.Collector)...)
		x.args(&s.Span)
		x.end()
	}
}

// async writes the spans of a track that is not a thread: nested spans share an id.
func (x *writer) async(th *Thread) error {
	pid := x.procs[th.Process].PID
	var depth []int
	var ids []int64
	cat := AppendString(nil, th.Track.Title())
	return x.p.Nested(th.ID, func(e Edge) error {
		for len(depth) <= e.Row {
			depth, ids = append(depth, 0), append(ids, 0)
		}
		phase, ns, n := byte('e'), e.End, int64(0)
		if e.Begins {
			phase, ns, n = 'b', e.Begin, 1
			if depth[e.Row] == 0 {
				x.trees++
				ids[e.Row] = x.trees
			}
			depth[e.Row]++
		} else {
			depth[e.Row]--
		}
		x.event(phase, pid, th.TID)
		x.at(ns)
		x.line = strconv.AppendInt(append(x.line, `,"id":"0x`...), ids[e.Row], 16)
		x.line = append(append(append(x.line, `","cat":`...), cat...), `,"name":`...)
		x.line = AppendString(x.line, x.p.Name(e.Collector))
		if e.Begins {
			x.args(e.Span)
		}
		x.end()
		return x.p.Done(x.ctx, n)
	})
}

// flows writes arrows from thread to thread. Their ends are the spans around them.
func (x *writer) flows() error {
	at := map[model.TrackID]*Thread{}
	for i := range x.threads {
		if th := &x.threads[i]; th.Track.Def.Kind.Calls() {
			at[th.ID] = th
		}
	}
	beside, outside := int64(0), int64(0)
	for _, id := range x.p.Tracks {
		err := x.p.Flows(id, func(a *spans.Arrow) error {
			from, to := at[a.FromTrack], at[a.ToTrack]
			switch {
			case from == nil || to == nil:
				beside++
				return nil
			case a.From > a.To || !x.p.has(a.FromTrack, a.From) || !x.p.has(a.ToTrack, a.To):
				outside++
				return nil
			}
			x.steps++
			x.step('s', from, a.From, a)
			x.step('f', to, a.To, a)
			return x.p.Done(x.ctx, 1)
		})
		if err != nil {
			return err
		}
	}
	x.p.Leave(beside, "flow", "flows", "they begin or end beside threads")
	x.p.Leave(outside, "flow", "flows", "they begin outside of the range, or end before they begin")
	return nil
}

// step writes an end of an arrow.
func (x *writer) step(phase byte, th *Thread, ns int64, a *spans.Arrow) {
	x.event(phase, x.procs[th.Process].PID, th.TID)
	x.at(ns)
	x.line = strconv.AppendUint(append(x.line, `,"cat":"flow","id":"0x`...), x.steps, 16)
	x.text(`","name":`, x.p.Session.Flows().Name(a.Name))
	if phase == 'f' {
		x.line = append(x.line, `,"bp":"e"`...)
	}
	x.end()
}

// message writes an instant. A text that begins like a frame would be read as one.
func (x *writer) message(m *model.Message) {
	name, said := m.Text, ""
	if len(name) >= len("frame") && strings.EqualFold(name[:len("frame")], "frame") {
		name, said = "message", m.Text
	}
	x.line = append(x.line, `,"s":"t"`...)
	x.text(`,"name":`, name)
	if m.Category != "" {
		x.text(`,"cat":`, m.Category)
	}
	level := ""
	if m.Severity != model.SeverityInfo {
		level = m.Severity.Word()
	}
	before := `,"args":{`
	for _, arg := range [...][2]string{{`"message":`, said}, {`"severity":`, level}, {`"object":`, m.Object}} {
		if arg[1] != "" {
			x.line = append(x.line, before...)
			x.text(arg[0], arg[1])
			before = ","
		}
	}
	if before == "," {
		x.line = append(x.line, '}')
	}
}

// counters writes values along time.
func (x *writer) counters() error {
	list := x.p.Counters(x.threads)
	heads := map[*Counter][]byte{}
	for i := range list {
		c := &list[i]
		b := AppendString([]byte(`,"name":`), c.Group)
		b = AppendString(append(b, `,"args":{`...), c.Name)
		heads[c] = append(b, ':')
	}
	odd := int64(0)
	err := x.p.Values(list, func(c *Counter, ns int64, v float64) error {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			odd++
			return nil
		}
		x.event('C', x.pid(c), 0)
		x.at(ns)
		x.line = strconv.AppendFloat(append(x.line, heads[c]...), v, 'g', -1, 64)
		x.line = append(x.line, '}')
		x.end()
		return x.p.Done(x.ctx, 1)
	})
	x.p.Leave(odd, "value that is no number", "values that are no numbers", "")
	return err
}

// pid is the number of the process of a counter, 0 without one.
func (x *writer) pid(c *Counter) int64 {
	if c.Process == Nobody {
		return 0
	}
	return x.procs[c.Process].PID
}

// frames writes where the frames of a process begin.
func (x *writer) frames(th *Thread) error {
	p := &x.procs[th.Process]
	if th.ID != p.Host {
		return nil
	}
	return x.p.EachFrame(th.ID, func(f frames.Frame) error {
		x.event('i', p.PID, th.TID)
		x.at(f.Begin)
		x.line = append(strconv.AppendInt(append(x.line, `,"s":"p","name":"frame `...), f.Number, 10), '"')
		x.end()
		return x.p.Done(x.ctx, 1)
	})
}
