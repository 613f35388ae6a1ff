package firefox

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

const (
	mostRows   = 4000 // of a thread's markers: so many at the same time
	atOnce     = 1 << 13
	mostFields = 32
	mostValue  = 200 // bytes of a value
)

// markers are those of a thread.
type markers struct {
	name, phase, category []int32
	start, end            []int64
	data                  texts // of each: type, then keys and values, each with a 0 behind
	causes                int64
	line                  []byte // scratch
}

func (m *markers) len() int { return len(m.name) }

// fieldsOf are where the columns of markers stand.
func (m *markers) fieldsOf(k *keeper, r *trace.Reader) fields {
	m.data.reset()
	m.causes = 0
	return fields{
		"name": indexes(&m.name), "phase": indexes(&m.phase), "category": indexes(&m.category),
		"startTime": times(&m.start), "endTime": times(&m.end), "time": times(&m.start), // up to version 29
		"data": func() {
			m.data.cut(r.Entries(func() {
				m.fields(r)
				if r.Err() == nil {
					m.data.add(k, m.line)
				}
			}))
		},
	}
}

// fields reads the data of a marker beside its name: its type, and its plain texts and numbers. Texts
// are prefixed with a quote.
func (m *markers) fields(r *trace.Reader) {
	m.line = m.line[:0]
	if r.Peek() != '{' {
		return
	}
	kind, rest, n := "", m.line, 0
	r.Object(func(key []byte) {
		switch c := r.Peek(); {
		case string(key) == "type":
			kind = string(r.String())
		case string(key) == "cause", string(key) == "stack":
			if c == '{' {
				m.causes++
			}
		case c == '{', c == '[', n >= mostFields:
		case c == '"':
			rest = append(append(rest, key...), 0, '"')
			s := r.String()
			rest = append(append(rest, s[:min(len(s), mostValue)]...), 0)
			n++
		default:
			from := len(rest)
			rest = append(append(rest, key...), 0)
			if v := r.Plain(); v != nil {
				rest = append(append(rest, v[:min(len(v), mostValue)]...), 0)
				n++
			} else {
				rest = rest[:from]
			}
		}
	})
	m.line = append(append(append(rest, kind...), 0), rest...)[len(rest):]
}

// bar is a marker with a begin and an end.
type bar struct {
	begin, end     int64
	name, category int32
	of             int32 // position of the marker, which has its fields
	row            uint16
	flags          model.SpanFlags
}

// bars returns the interval markers of the thread, in order of their begin. The others are instants;
// their names stay in the table.
func (d *decoder) bars() []bar {
	t := &d.now
	m := &t.markers
	if d.meta.version < markerTimes {
		d.readTimesOfData()
	}
	n := min(len(m.name), len(m.start))
	d.Bad.BadN(trace.BadEvent, int64(len(m.name)-n), d.place)
	d.causes += m.causes
	m.name = m.name[:n]
	first, last := t.bounds()
	d.barList = d.barList[:0]
	open := map[int32][]bar{}
	for k := range n {
		b := bar{begin: m.start[k], end: noTime, name: m.name[k], category: at(m.category, int32(k)), of: int32(k)}
		if k < len(m.end) {
			b.end = m.end[k]
		}
		phase := at(m.phase, int32(k))
		switch {
		case d.stacks.strings.at(b.name) == nil, b.begin == noTime && b.end == noTime:
			d.Bad.Bad(trace.BadEvent, d.place)
		case phase == 2:
			open[b.name] = append(open[b.name], b)
		case phase == 3:
			end := b.end
			if end == noTime {
				end = b.begin
			}
			b.begin = noTime
			if of := open[b.name]; len(of) > 0 {
				open[b.name] = of[:len(of)-1]
				if b = of[len(of)-1]; len(m.data.at(b.of)) == 0 {
					b.of = int32(k)
				}
			} else {
				d.Bad.Bad(trace.NoBegin, d.place)
			}
			b.end = end
			d.addBar(b, first, last)
		case phase == 0, phase == none && (b.end == noTime || b.begin == noTime):
			if b.begin == noTime {
				m.start[k] = b.end
			}
			continue // an instant
		default:
			d.addBar(b, first, last)
		}
		m.name[k] = none
	}
	for _, of := range open {
		for _, b := range of {
			d.Bad.Bad(trace.NoEnd, d.place)
			b.end = noTime
			d.addBar(b, first, last)
		}
	}
	trace.SortRuns(d.barList, func(a, b bar) int {
		return cmp.Or(
			cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end), cmp.Compare(a.name, b.name),
			cmp.Compare(a.category, b.category),
		)
	})
	return d.barList
}

// markerTimes is the version from which on the begin, the end and the phase of markers are columns.
const markerTimes = 30

// readTimesOfData fills these columns for an older profile: each marker has one time, and an interval has
// its begin and end, or which of these it is, in its data.
func (d *decoder) readTimesOfData() {
	m := &d.now.markers
	m.end, m.phase = m.end[:0], m.phase[:0]
	for k := range m.start {
		end, phase := int64(noTime), int32(0)
		d.eachField(m.data.at(int32(k)), func(key, value []byte, _ bool) {
			at, ok := trace.ParseTime(value, 6)
			switch {
			case ok && string(key) == "startTime":
				m.start[k] = at.Round()
			case ok && string(key) == "endTime":
				end, phase = at.Round(), 1
			case string(key) == "interval" && string(value) == "start":
				phase = 2
			case string(key) == "interval" && string(value) == "end":
				phase = 3
			}
		})
		m.end, m.phase = more(&d.keep, m.end, end), more(&d.keep, m.phase, phase)
	}
}

// addBar adds an interval. One without begin or end is shown from the begin of its thread, or up to its end.
func (d *decoder) addBar(b bar, first, last int64) {
	if b.begin == noTime {
		b.begin, b.flags = min(first, b.end), model.SpanOpenBegin
	}
	if b.end == noTime {
		b.end, b.flags = max(last, b.begin), model.SpanOpenEnd
	}
	b.begin = model.ClampTime(b.begin)
	b.end = max(b.begin, model.ClampTime(b.end))
	d.barList = more(&d.keep, d.barList, b)
}

// bounds are the first and the last time of all that has one.
func (t *thread) bounds() (first, last int64) {
	first, last = model.MaxTime, model.MinTime
	for _, list := range [][]int64{t.times, t.markers.start, t.markers.end} {
		for _, at := range list {
			if at != noTime {
				first, last = min(first, at), max(last, at)
			}
		}
	}
	return first, last
}

// frames makes frames from the thread's markers of the requested name.
func (d *decoder) frames(out *trace.StackThread, bars []bar) {
	name, _ := d.want.Named()
	index := d.stacks.strings.find(name)
	var list []trace.StackFrame
	for i := range bars {
		switch b := &bars[i]; {
		case b.name != index || b.end == b.begin:
		case len(list) > 0 && b.begin < list[len(list)-1].End:
			d.Bad.Bad(trace.BadFrame, d.place)
		default:
			list = more(&d.keep, list, trace.StackFrame{
				Number: int64(len(list)), Begin: b.begin, End: b.end, Open: b.flags&model.SpanOpenEnd != 0,
			})
		}
	}
	out.Frames(&trace.StackFrames{List: list})
	out.Lead(0)
}

// publishBars publishes intervals, in a track of their own beside the thread's: they overlap as they
// like.
func (d *decoder) publishBars(i int, of model.TrackDef, bars []bar) {
	if len(bars) == 0 || d.cancelled {
		return
	}
	def := model.TrackDef{Name: of.Name + " markers", Kind: model.TrackAsync, Index: of.Index, Process: of.Process}
	track, ok := d.Names.Track(fmt.Sprint("m", i), def)
	if !ok {
		d.Bad.Bad(trace.ManyThreads, d.place)
		return
	}
	var rows trace.FreeRows
	kept := bars[:0]
	for _, b := range bars {
		row, ok := rows.Take(b.begin, b.end, 1, mostRows)
		if !ok {
			d.Bad.Bad(trace.ManyRows, d.place)
			continue
		}
		b.row = uint16(row)
		kept = append(kept, b)
	}
	trace.SortRuns(kept, func(a, b bar) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.row, b.row))
	})
	for len(kept) > 0 && !d.cancelled {
		n := min(len(kept), atOnce)
		b := d.sink.Begin()
		b.Track = track
		for _, x := range kept[:n] {
			path := d.Names.Path(model.PathRoot, d.markerOf(x.name, x.category))
			b.Spans = append(b.Spans, model.Span{Begin: x.begin, End: x.end, Path: path, Lane: x.row, Flags: x.flags})
			b.Args = d.args(b.Args, len(b.Spans)-1, d.now.markers.data.at(x.of))
		}
		kept = kept[n:]
		d.cancelled = !d.sink.Publish(b)
	}
}

// markerOf is the collector of markers of a name, which have no functions to be mistaken for.
func (d *decoder) markerOf(name, category int32) model.CollectorID {
	text := d.stacks.strings.at(name)
	return d.Names.Keyed(append([]byte{0, 0}, text...), func() model.CollectorDef {
		parent := d.Names.Group([]byte{0}, func() string { return "Markers" })
		return model.CollectorDef{Name: trace.JSONText(text), Parent: parent, Color: d.color(category)}
	})
}

// notes publishes instants as messages, in order of time.
func (d *decoder) notes(track model.TrackID) {
	m := &d.now.markers
	order := d.noteList[:0]
	for k, name := range m.name {
		if name != none {
			order = more(&d.keep, order, int32(k))
		}
	}
	d.noteList = order
	trace.SortRuns(order, func(a, b int32) int { return cmp.Compare(m.start[a], m.start[b]) })
	out := d.Out.Calls(track)
	for _, k := range order {
		x := model.Message{Time: model.ClampTime(m.start[k]), Text: d.text(m.name[k], m.data.at(k))}
		if c := at(m.category, k); c >= 0 && int(c) < len(d.meta.categories) {
			x.Category = d.meta.categories[c].name
		}
		out.Note(x)
	}
	d.cancelled = !out.Close()
}

// eachField calls take with the data of a marker beside its name, and whether each is a text.
func (d *decoder) eachField(data []byte, take func(key, value []byte, isText bool)) {
	kind, rest, _ := bytes.Cut(data, []byte{0})
	for len(rest) > 0 {
		var key, value []byte
		key, rest, _ = bytes.Cut(rest, []byte{0})
		value, rest, _ = bytes.Cut(rest, []byte{0})
		s, isText := bytes.CutPrefix(value, []byte{'"'})
		if !isText && d.meta.refs[string(kind)+"\x00"+string(key)] {
			if s = d.stacks.strings.at(int32(leading(string(value)))); s != nil {
				s, isText = s[:min(len(s), mostValue)], true
			} else {
				s = value
			}
		}
		take(key, s, isText)
	}
}

// args appends the data of an interval beside its name: its type, and its fields.
func (d *decoder) args(out []model.Arg, span int, data []byte) []model.Arg {
	add := func(key string, v model.ArgValue) {
		if key != "" {
			out = append(out, model.Arg{Span: int32(span), Key: key, Value: v})
		}
	}
	if kind, _, _ := bytes.Cut(data, []byte{0}); len(kind) > 0 {
		add("type", model.TextArg(d.said.Of(kind)))
	}
	d.eachField(data, func(key, value []byte, isText bool) {
		word := string(value)
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && !isText {
			add(d.said.Of(key), model.IntArg(n))
		} else if f, err := strconv.ParseFloat(word, 64); err == nil && !isText {
			add(d.said.Of(key), model.FloatArg(f))
		} else {
			add(d.said.Of(key), model.TextArg(d.said.Of(value)))
		}
	})
	return out
}

// text returns the text of an instant: its name, and its fields.
func (d *decoder) text(name int32, data []byte) string {
	out := append(d.textKey[:0], trace.Shown(trace.JSONText(d.stacks.strings.at(name)))...)
	d.eachField(data, func(key, value []byte, _ bool) {
		out = fmt.Appendf(out, " %s=%s", trace.Shown(trace.JSONText(key)), trace.Shown(trace.JSONText(value)))
	})
	d.textKey = out
	return d.said.Of(out)
}
