package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// eventWriter writes the trace events of text-stats' JSON (section 15.3), one a line: with names
// escaped and a closing bracket, so that any JSON parser reads them.
type eventWriter struct {
	out   *bufio.Writer
	s     *store.Session
	raw   *sessionfile.Raw             // the events as they were sent, nil if they were not kept
	names map[model.CollectorID][]byte // full names, quoted
	pid   int64
	any   bool // something was written already
	line  []byte
}

func writeEvents(out *bufio.Writer, c *scope, raw *sessionfile.Raw) error {
	s := c.s
	w := &eventWriter{out: out, s: s, raw: raw, names: map[model.CollectorID][]byte{}, pid: max(0, s.Info().PID)}
	out.WriteString("[\n")
	for _, id := range c.tracks {
		w.thread(s.Track(id))
	}
	var err error
	if raw != nil {
		err = c.each(func(track model.TrackID, i int) error {
			t := s.Track(track)
			f := raw.FrameOf(t.Def.Index, int32(t.Frame(i).Number))
			if f == nil {
				return nil
			}
			for _, e := range f.Events {
				w.event(model.CollectorID(e.Word&^wire.StopBit), micros(e.Time), e.Word&wire.StopBit == 0, t.Def.Index)
			}
			return nil
		})
	} else {
		for _, id := range c.tracks {
			w.spans(id, c)
		}
	}
	out.WriteString("\n]\n")
	return err
}

// thread writes the name of a thread.
func (w *eventWriter) thread(t *store.Track) {
	w.begin()
	w.line = append(w.line, `{"name":"thread_name","ph":"M","pid":`...)
	w.line = strconv.AppendInt(w.line, w.pid, 10)
	w.line = append(w.line, `,"tid":`...)
	w.line = strconv.AppendInt(w.line, int64(t.Def.Index), 10)
	w.line = append(w.line, `,"args":{"name":`...)
	w.line = append(w.line, quote(t.Title())...)
	w.line = append(w.line, "}}"...)
	w.end()
}

func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return []byte(`""`) // a string always encodes
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (w *eventWriter) begin() {
	w.line = w.line[:0]
	if w.any {
		w.line = append(w.line, ",\n"...)
	}
	w.any = true
}

func (w *eventWriter) end() { w.out.Write(w.line) }

func (w *eventWriter) event(c model.CollectorID, micros int64, begin bool, tid int) {
	name, ok := w.names[c]
	if !ok {
		col := w.s.Collector(c)
		if col == nil {
			col = &collectors.Collector{Name: "Unknown"}
		}
		name = quote(sentFullName(w.s, w.raw, col))
		if col.Defined { // otherwise its name may still come
			w.names[c] = name
		}
	}
	w.begin()
	w.line = append(w.line, `{"name":`...)
	w.line = append(w.line, name...)
	w.line = append(w.line, `,"ts":`...)
	w.line = strconv.AppendInt(w.line, micros, 10)
	if begin {
		w.line = append(w.line, `,"ph":"B","tid":`...)
	} else {
		w.line = append(w.line, `,"ph":"E","tid":`...)
	}
	w.line = strconv.AppendInt(w.line, int64(tid), 10)
	w.line = append(w.line, `,"pid":`...)
	w.line = strconv.AppendInt(w.line, w.pid, 10)
	w.line = append(w.line, '}')
	w.end()
}

// spans writes a track's spans as begins and ends, for sessions whose events were not kept.
func (w *eventWriter) spans(id model.TrackID, c *scope) {
	t := w.s.Track(id)
	from, to, ok := t.Bounds()
	if !ok {
		return
	}
	part := c.of(id)
	from, to = max(from, part.beginNs), min(to, part.endNs)
	type span struct {
		spans.Bar
		lane int
	}
	var all []span
	var bars []spans.Bar
	for lane := range t.Lanes() {
		bars = w.s.Spans().Visible(id, lane, from, to, 0, bars[:0])
		for i := range bars {
			if part.has(&bars[i]) {
				all = append(all, span{bars[i], lane})
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.lane, b.lane)) })
	var open []span // ascending by end, the next to end last
	closeUntil := func(ns int64) {
		for len(open) > 0 && open[len(open)-1].End <= ns {
			o := open[len(open)-1]
			open = open[:len(open)-1]
			w.event(o.Collector, o.End/1000, false, t.Def.Index)
		}
	}
	for _, s := range all {
		closeUntil(s.Begin)
		w.event(s.Collector, s.Begin/1000, true, t.Def.Index)
		at := len(open)
		for at > 0 && open[at-1].End < s.End {
			at--
		}
		open = slices.Insert(open, at, s)
	}
	closeUntil(math.MaxInt64)
}
