package perfetto

import (
	"cmp"
	"math"

	"framescope/model"
	"framescope/net/trace"
)

// looseSpans is how many spans, and how many messages, one batch without a frame has.
const looseSpans = 1 << 14

// cursor goes over the spans of a line, in order of time.
type cursor struct {
	d    *decoder
	rows []Row
	base int
	kind int
	next int
	open []opened
	span call
}

// call is a span, with the events that began and ended it where more of these is kept, else 0.
type call struct {
	model.Span
	name       uint32
	event, end uint32
}

type opened struct {
	end  uint32 // position of the end
	path model.PathID
}

// step goes to the next span. It returns false where there is none.
func (c *cursor) step() bool {
	for ; c.next < len(c.rows); c.next++ {
		r := &c.rows[c.next]
		if r.Ends() {
			continue
		}
		n := len(c.open)
		for n > 0 && c.open[n-1].end < uint32(c.next) {
			n--
		}
		c.open = c.open[:n]
		if c.base+n >= MostRows {
			c.d.faults.Count(NoRows, trace.Unknown)
			continue
		}
		parent, end, ended := model.PathRoot, c.d.last, uint32(0)
		if n > 0 {
			parent = c.open[n-1].path
		}
		if !r.Open() {
			end, ended = c.rows[r.Last()].Time, c.rows[r.Last()].Event
		}
		path := c.d.names.Path(parent, c.d.texts.Collector(c.d.names, c.kind, r.Text))
		c.open = append(c.open, opened{r.Last(), path})
		c.span = call{model.Span{
			Begin: r.Time - c.d.first, End: end - c.d.first, Path: path, Lane: uint16(c.base + n),
			Flags: openEnd(r.Open()),
		}, r.Text, r.Event, ended}
		c.next++
		return true
	}
	return false
}

// publisher publishes the spans, notes and frames of a track.
type publisher struct {
	d      *decoder
	out    *output
	cursor *cursor // spans of one line,
	spans  []call  // or of several
	at     int
	more   bool // there is a span that comes next
	noted  int
	framed bool
	alone  *trace.SelfTimes
}

// publishTrack publishes all of a track.
func (d *decoder) publishTrack(o *output) {
	p := publisher{d: d, out: o}
	switch {
	case len(o.timed) > 0:
		p.spans = d.timedSpans(o)
	case len(o.tracks) == 1:
		rows, _ := d.rowsOf(o.tracks[0], true)
		p.cursor = &cursor{d: d, rows: rows, kind: kindOf(o)}
	case o.thread != nil:
		base := 0
		for _, t := range o.tracks {
			rows, depth := d.rowsOf(t, true)
			for c := (cursor{d: d, rows: rows, base: base}); c.step(); {
				p.spans = append(p.spans, c.span)
			}
			base += depth
		}
		sortSpans(p.spans)
	default:
		p.spans = d.packed(o)
	}
	p.step()
	if o.thread == nil && (o.proc == nil || o.proc.main != o) || o.proc == nil {
		p.Loose(math.MaxInt64)
		return
	}
	p.all(&o.proc.frames, o == o.proc.main)
}

func kindOf(o *output) int {
	if o.thread != nil {
		return OfThreads
	}
	return OfTasks
}

func sortSpans(list []call) {
	trace.SortRuns(list, func(a, b call) int {
		if a.Begin != b.Begin {
			return cmp.Compare(a.Begin, b.Begin)
		}
		return cmp.Compare(a.Lane, b.Lane)
	})
}

// step goes to the next span.
func (p *publisher) step() {
	if p.cursor != nil {
		p.more = p.cursor.step()
		return
	}
	p.more = p.at < len(p.spans)
	p.at++
}

// span is the next one.
func (p *publisher) span() *call {
	if p.cursor != nil {
		return &p.cursor.span
	}
	return &p.spans[p.at-1]
}

// begins reports whether the next span begins before a time.
func (p *publisher) begins(before int64) bool { return p.more && p.span().Begin < before }

func (p *publisher) batch() *model.Batch {
	b := p.d.sink.Begin()
	b.Track = p.out.def.ID
	return b
}

func (p *publisher) send(b *model.Batch) {
	for i := 1; i < len(b.Spans); i++ {
		if x, y := &b.Spans[i-1], &b.Spans[i]; x.Begin == y.Begin && x.Lane > y.Lane {
			trace.Order(b.Spans, b.Args)
			break
		}
	}
	if !p.d.sink.Publish(b) {
		p.d.cancelled = true
	}
}

// add puts the next span into a batch, and returns it.
func (p *publisher) add(b *model.Batch) model.Span {
	s := p.span()
	b.Spans = append(b.Spans, s.Span)
	d, at := p.d, len(b.Spans)-1
	if s.event != 0 {
		b.Args = d.args.Append(b.Args, at, s.event)
		d.bind(s.event, s.Lane, s.Begin+d.first, s.name)
	}
	if s.end != 0 {
		b.Args = d.args.Append(b.Args, at, s.end)
		d.bind(s.end, s.Lane, max(s.Begin, s.End-1)+d.first, s.name) // within it, and not within the next one
	}
	return s.Span
}

// addNotes puts the messages before a time into a batch, up to so many.
func (p *publisher) addNotes(b *model.Batch, before int64, most int) {
	list := p.d.texts
	for ; p.noted < len(p.out.notes) && most > 0; most-- {
		n := &p.out.notes[p.noted]
		if n.time-p.d.first >= before {
			break
		}
		text := list.Text(n.text)
		if text == "" {
			text = "(unnamed)"
		}
		b.Messages = append(b.Messages, model.Message{
			Time: n.time - p.d.first, Text: text, Category: list.Text(n.cat), Object: list.Text(n.object), Severity: model.Severity(n.severity),
		})
		p.noted++
	}
}

// Loose implements trace.Publisher: it publishes everything that began before a time without a frame.
func (p *publisher) Loose(before int64) {
	calls := int64(0)
	for !p.d.cancelled && (p.begins(before) || p.noted < len(p.out.notes) && p.out.notes[p.noted].time-p.d.first < before) {
		b := p.batch()
		for ; p.begins(before) && len(b.Spans) < looseSpans; p.step() {
			s := p.add(b)
			if p.framed {
				p.alone.Run(p.d.names.Of(s.Path), s.End)
				calls++
			}
		}
		p.addNotes(b, before, looseSpans)
		p.send(b)
	}
	p.d.unframed += calls
}

// Frame implements trace.Publisher: it publishes all that begins in f, and the self time of each name, even of
// spans that began earlier. Spans are published whole where they begin.
func (p *publisher) Frame(f border, to int64) {
	b := p.batch()
	b.HasFrame, b.Open, b.Number, b.Begin, b.End = !f.Open, f.Open, f.Number, f.Begin, f.End
	p.alone.Frame(f.Begin, f.End)
	for ; p.begins(to); p.step() {
		s := p.add(b)
		p.alone.Start(p.d.names.Of(s.Path), s.Begin, s.End, 1)
	}
	p.addNotes(b, to, len(p.out.notes))
	b.Self = p.alone.End(b.Self)
	p.send(b)
}

// Idle implements trace.Publisher: it reports whether nothing begins before to.
func (p *publisher) Idle(to int64) bool {
	return !p.begins(to) &&
		(p.noted == len(p.out.notes) || p.out.notes[p.noted].time-p.d.first >= to)
}

// all publishes everything, cut at the frames of the process if it has any.
func (p *publisher) all(f *frames, main bool) {
	p.framed = len(f.borders) > 0
	p.alone = &p.d.alone
	p.alone.Forget()
	trace.Frames(p, p.alone, f.borders, p.d.first, p.d.last, main)
}

// Refuse implements trace.Publisher.
func (p *publisher) Refuse() bool {
	if p.d.credit--; p.d.credit >= 0 {
		return false
	}
	p.d.faults.Count(NoEmptyFrames, trace.Unknown)
	return true
}

// Cancelled implements trace.Publisher.
func (p *publisher) Cancelled() bool { return p.d.cancelled }

// tree is a span with all inside it.
type tree struct {
	begin, end int64
	from, to   int // of the spans
	rows       int
}

// packed returns the spans of several tracks that are shown as one: what does not overlap shares
// rows.
func (d *decoder) packed(o *output) (out []call) {
	var all []call
	var trees []tree
	for _, t := range o.tracks {
		rows, _ := d.rowsOf(t, true)
		for c := (cursor{d: d, rows: rows, kind: OfTasks}); c.step(); {
			s := c.span
			if s.Lane == 0 {
				trees = append(trees, tree{s.Begin, s.End, len(all), len(all), 0})
			}
			all = append(all, s)
			t := &trees[len(trees)-1]
			t.to, t.rows = len(all), max(t.rows, int(s.Lane)+1)
		}
	}
	trace.SortRuns(trees, func(a, b tree) int { return cmp.Compare(a.begin, b.begin) })
	var taken trace.FreeRows
	for _, t := range trees {
		row, ok := taken.Take(t.begin, t.end, t.rows, MostRows)
		if !ok {
			d.faults[NoRows].AddN(int64(t.to-t.from), trace.Unknown)
			continue
		}
		for _, s := range all[t.from:t.to] {
			s.Lane += uint16(row)
			out = append(out, s)
		}
	}
	sortSpans(out)
	return out
}

// timedSpans returns the spans of frames of a timeline, and notes the late ones.
func (d *decoder) timedSpans(o *output) (out []call) {
	var taken trace.FreeRows
	for i := range o.timed {
		f := &o.timed[i]
		row, ok := taken.Take(f.begin, f.end, 1, MostRows)
		if !ok {
			d.faults.Count(NoRows, trace.Unknown)
			continue
		}
		c := d.texts.Collector(d.names, OfTasks, d.texts.Of([]byte(f.how().Called())))
		out = append(out, call{Span: model.Span{
			Begin: f.begin - d.first, End: f.end - d.first, Path: d.names.Path(model.PathRoot, c), Lane: uint16(row),
			Flags: openEnd(f.open),
		}})
		if text := f.detail(d.deadline(f)); text != "" {
			o.notes = append(o.notes, note{
				time: f.begin, text: d.texts.Of([]byte(text)), cat: None, object: None,
				severity: int8(model.SeverityWarning),
			})
		}
	}
	return out
}
