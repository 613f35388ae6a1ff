// This file writes speedscope's own JSON: the calls of each thread as a profile of events, the samples
// of each sampled one as a profile of stacks, and sums without times as stacks with weights.

package convert

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// SpeedscopeFormat is the format of speedscope.
var SpeedscopeFormat = Format{
	ID: "speedscope", Name: "speedscope JSON", Ext: ".speedscope.json",
	Help:  "calls, samples or sums of each thread, a profile each: speedscope.app",
	Why:   speedscopeWhy,
	Write: speedscopeWrite,
}

func speedscopeWhy(p *Part) error {
	if timeless(p) {
		return unmeasured(p)
	}
	for _, id := range p.Tracks {
		if t := p.Session.Track(id); t.Def.Kind.Calls() && t.NumSpans() > 0 {
			return nil
		}
	}
	return errors.New("no thread has calls")
}

func timeless(p *Part) bool { return p.Session.Info().Sampling.Timeless }

// speedscopeWriter writes profiles, one after the other, and then the frames that they name by number.
type speedscopeWriter struct {
	ctx      context.Context
	p        *Part
	out      *bufio.Writer
	line     []byte // scratch
	profiles int
	main     int   // the profile of the main track
	zero     int64 // ns of the session that are 0 in the file
	frame    []int // of a collector, 1 more than its number; 0: none yet
	frames   []model.CollectorID
	stack    []model.CollectorID // scratch
	beside   int64               // spans that have no callers
	empty    int64               // threads without calls
	events   int64               // of the profile
}

func speedscopeWrite(ctx context.Context, p *Part, w io.Writer) error {
	x := &speedscopeWriter{ctx: ctx, p: p, out: bufio.NewWriterSize(w, 1<<18)}
	x.zero, _, _ = p.Session.Bounds()
	x.zero = max(x.zero, p.Begin)
	x.out.WriteString(`{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"Framescope","name":`)
	x.out.Write(AppendString(nil, cmp.Or(p.Session.Info().Program, "session")))
	x.out.WriteString(`,"profiles":[`)
	for _, id := range p.Tracks {
		t, before := p.Session.Track(id), x.profiles
		if id == p.Session.MainTrack() {
			x.main = x.profiles
		}
		stack := p.Session.Spans().Stack(id)
		var err error
		switch {
		case !t.Def.Kind.Calls():
			x.beside += t.NumSpans()
		case timeless(p):
			err = x.sums(id, t)
		case stack != nil && stack.Len() > 0:
			err = x.samples(id, t, stack)
		default:
			err = x.calls(id, t)
		}
		if err != nil {
			return err
		}
		if t.Def.Kind.Calls() && x.profiles == before {
			x.empty++
		}
	}
	x.out.WriteString(`],"shared":{"frames":[`)
	for i, c := range x.frames {
		x.describe(i, c)
	}
	fmt.Fprintf(x.out, "\n]},\"activeProfileIndex\":%d}\n", min(x.main, max(x.profiles-1, 0)))
	x.left()
	return x.out.Flush()
}

// left reports the data that is not written.
func (x *speedscopeWriter) left() {
	p := x.p
	if timeless(p) {
		if m, err := p.Measure(); err == nil {
			p.LeaveMeasures(m)
		}
	}
	p.Leave(x.empty, "thread", "threads", "they have no calls")
	p.Leave(x.beside, "span beside threads", "spans beside threads", "they have no callers")
	p.leaveRows(&Frames, "")
	if gaps := p.Session.Info().Sampling.Gaps; !timeless(p) {
		p.Leave(gaps, "gap between samples", "gaps between samples", "written as samples without a stack")
	}
	p.LeaveRest()
	p.LeaveTopology()
}

// number returns the number of a collector among the frames.
func (x *speedscopeWriter) number(c model.CollectorID) int {
	for len(x.frame) <= int(c) {
		x.frame = append(x.frame, 0)
	}
	if x.frame[c] == 0 {
		x.frames = append(x.frames, c)
		x.frame[c] = len(x.frames)
	}
	return x.frame[c] - 1
}

// describe writes a frame: its name, and its parent as the file.
func (x *speedscopeWriter) describe(i int, c model.CollectorID) {
	b := append(x.line[:0], "\n{\"name\":"...)
	if i > 0 {
		b = append(x.line[:0], ",\n{\"name\":"...)
	}
	b = AppendString(b, cmp.Or(x.p.Name(c), "?"))
	if col := x.p.Session.Collector(c); col != nil {
		file := col.File
		if up := x.p.Session.Collector(col.Parent); file == "" && col.Parent > 0 && up != nil {
			file = up.FullName
		}
		if file != "" {
			b = AppendString(append(b, `,"file":`...), file)
		}
		if col.Line > 0 {
			b = strconv.AppendInt(append(b, `,"line":`...), int64(col.Line), 10)
		}
	}
	x.line = append(b, '}')
	x.out.Write(x.line)
}

// begin begins a profile.
func (x *speedscopeWriter) begin(kind, name, unit string) {
	if x.profiles > 0 {
		x.out.WriteByte(',')
	}
	x.profiles++
	x.events = 0
	b := append(append(x.line[:0], "\n{\"type\":\""...), kind...)
	b = AppendString(append(b, `","name":`...), name)
	b = append(append(append(b, `,"unit":"`...), unit...), '"')
	x.line = b
	x.out.Write(b)
}

// end ends a profile.
func (x *speedscopeWriter) end(from, to int64) {
	b := strconv.AppendInt(append(x.line[:0], `],"startValue":`...), from, 10)
	b = strconv.AppendInt(append(b, `,"endValue":`...), to, 10)
	x.line = append(b, '}')
	x.out.Write(x.line)
}

// list begins an element of a list.
func (x *speedscopeWriter) list() []byte {
	x.events++
	if x.events > 1 {
		return append(x.line[:0], ",\n"...)
	}
	return append(x.line[:0], '\n')
}

// calls writes the calls of a thread: calls that overlap without being caller and callee get separate
// profiles.
func (x *speedscopeWriter) calls(id model.TrackID, t *store.Track) error {
	for row, rows := 0, 1; row < rows; row++ {
		begun, last := false, int64(0)
		err := x.p.Nested(id, func(e Edge) error {
			rows = max(rows, e.Row+1)
			if e.Row != row {
				return nil
			}
			if !begun {
				begun = true
				name := t.Title()
				if row > 0 {
					name = fmt.Sprintf("%s (overlapping %d)", name, row)
				}
				x.begin("evented", name, "nanoseconds")
				x.out.WriteString(`,"events":[`)
			}
			kind, n := `{"type":"O","frame":`, int64(1)
			last = e.Begin
			if !e.Begins {
				kind, n, last = `{"type":"C","frame":`, 0, e.End
			}
			b := strconv.AppendInt(append(x.list(), kind...), int64(x.number(e.Collector)), 10)
			b = strconv.AppendInt(append(b, `,"at":`...), last-x.zero, 10)
			x.line = append(b, '}')
			x.out.Write(x.line)
			return x.p.Done(x.ctx, n)
		})
		if err != nil {
			return err
		}
		if begun {
			x.end(0, max(last-x.zero, 0))
		}
	}
	return nil
}

// samples writes the samples of a thread. Each lasts until the next, or until its thread was not
// sampled any more.
func (x *speedscopeWriter) samples(id model.TrackID, t *store.Track, stack *spans.Series) error {
	begun, weights := false, []int64(nil)
	var at, first int64
	path := model.PathRoot
	runs := outermost{table: x.p.Session.Spans(), track: id}
	stop := func(next int64) error { // ends the sample before
		if !begun {
			return nil
		}
		end := next
		if path != model.PathRoot {
			end = min(runs.endAt(at), next)
		}
		if next == model.MaxTime && path == model.PathRoot {
			end = at
		}
		weights = append(weights, max(end-at, 0))
		if end = max(end, at); next != model.MaxTime && end < next {
			x.sample(model.PathRoot)
			weights = append(weights, next-end)
		}
		return nil
	}
	err := x.p.Samples(stack, func(s model.Sample) error {
		stop(s.Time)
		if !begun {
			begun, first = true, s.Time
			x.begin("sampled", t.Title(), "nanoseconds")
			x.out.WriteString(`,"samples":[`)
		}
		at, path = s.Time, model.PathID(s.Value)
		x.sample(path)
		return x.p.Done(x.ctx, 1)
	})
	if err != nil || !begun {
		return err
	}
	stop(model.MaxTime)
	x.weights(weights, first-x.zero)
	return nil
}

// weights writes the weights of the samples of a profile, and ends it.
func (x *speedscopeWriter) weights(list []int64, from int64) {
	x.out.WriteString(`],"weights":[`)
	to := from
	for i, w := range list {
		b := x.line[:0]
		if i > 0 {
			b = append(b, ',')
		}
		x.line = strconv.AppendInt(b, w, 10)
		x.out.Write(x.line)
		to += w
	}
	x.end(from, to)
}

// sample writes a stack, the outermost frame first.
func (x *speedscopeWriter) sample(path model.PathID) {
	x.stack = x.stack[:0]
	for path != model.PathRoot {
		up, c := x.p.Session.Path(path)
		x.stack = append(x.stack, c)
		path = up
	}
	slices.Reverse(x.stack)
	x.frameList()
}

func (x *speedscopeWriter) frameList() {
	b := append(x.list(), '[')
	for i, c := range x.stack {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x.number(c)), 10)
	}
	x.line = append(b, ']')
	x.out.Write(x.line)
}

// sums writes the own sums of the call paths of a thread.
func (x *speedscopeWriter) sums(id model.TrackID, t *store.Track) error {
	m, err := x.p.Measure()
	if err != nil {
		return err
	}
	var tree spans.Tree
	x.p.Tree(m, id, &tree)
	if len(tree.Nodes) == 0 {
		return nil
	}
	x.begin("sampled", t.Title(), x.unit(m))
	x.out.WriteString(`,"samples":[`)
	var weights []int64
	var way []model.CollectorID
	for k := range tree.Nodes {
		n := &tree.Nodes[k]
		way = append(way[:n.Depth], n.Collector)
		if n.Self > 0 {
			x.stack = append(x.stack[:0], way...)
			x.frameList()
			weights = append(weights, n.Self)
		}
		if err := x.p.Done(x.ctx, 1); err != nil {
			return err
		}
	}
	x.weights(weights, 0)
	return nil
}

// unit is the unit of a measure, in the words of the format.
func (x *speedscopeWriter) unit(m spans.Measure) string {
	w, ok := x.p.Session.Spans().Weight(m)
	switch {
	case ok && w.Unit == "B":
		return "bytes"
	case ok && w.Unit == "ns" || m == spans.MeasureDuration:
		return "nanoseconds"
	}
	return "none"
}

// outermost walks over the outermost spans of a track.
type outermost struct {
	table *spans.Table
	track model.TrackID
	index int64
}

// endAt returns when the outermost span that runs at a time ends, the time itself where none does. Times
// go up.
func (o *outermost) endAt(ns int64) int64 {
	first, behind := o.table.Kept(o.track, 0)
	for o.index = max(o.index, first); o.index < behind; o.index++ {
		b, ok := o.table.ByRef(spans.Ref{Track: o.track, Index: o.index})
		if ok && b.Begin > ns {
			break
		}
		if ok && b.End > ns {
			return b.End
		}
	}
	return ns
}
