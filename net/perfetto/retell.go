package perfetto

import (
	"bytes"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// retell takes the metadata of a Framescope export from the description of a track, one item per line.
func (d *decoder) retell(t *track, text []byte) {
	for line := range bytes.Lines(text) {
		word, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		if d.session.Take(string(word), rest, d.at, d.room.TakeData, d.sink.Define) {
			if root := d.session.Root; root != nil && string(word) == trace.Session {
				d.texts.SetRoot(d.texts.Of([]byte(trace.JSONText(root))))
			}
			continue
		}
		switch string(word) {
		case trace.ToldframesNote:
			if t.thread != nil && d.room.TakeData(trace.NoteBytes(rest)) {
				t.thread.frames.TakeNote(rest)
			}
		case trace.Track:
			if t.info = (trace.TrackInfo{Told: true}); d.room.TakeData(int64(len(rest))) {
				t.info = trace.ReadTrack(rest)
			}
		case trace.Series:
			if d.room.TakeData(trace.SeriesBytes(rest)) {
				info := trace.ReadSeries(rest)
				if t.series = &info; info.Bad {
					d.session.Unread.Add(trace.Series, d.at)
				}
			}
		case trace.Flows:
			d.flowTold = d.flowTold[:0]
			trace.ReadFlows(rest, func(name []byte) {
				if d.room.TakeData(4) {
					d.flowTold = append(d.flowTold, d.texts.Of([]byte(trace.JSONText(name))))
				}
			})
		case trace.Groups:
			cat, path, ok := trace.ReadGroup(rest)
			if !ok {
				d.session.Unread.Add(trace.Groups, d.at)
			}
			if ok && d.room.TakeData(64) {
				g := d.texts.Of([]byte(trace.JSONText(path[0])))
				for _, name := range path[1:] {
					g = d.texts.In(g, d.texts.Of([]byte(trace.JSONText(name))))
				}
				d.groups[d.texts.Of([]byte(trace.JSONText(cat)))] = g
			}
		case trace.Collector:
			d.collectorTold(rest)
		}
	}
}

// collectorTold takes the metadata of a collector.
func (d *decoder) collectorTold(text []byte) {
	c, ok := trace.ReadCollector(text)
	if !ok || !d.room.TakeData(192) || !d.texts.Tell(c.N, c.In, d.texts.Of([]byte(trace.JSONText(c.Name))), c.Def) {
		d.session.Unread.Add(trace.Collector, d.at)
		return
	}
	if c.N > 0 {
		d.toldCollector(c.N) // in the order of the file
	}
}

// toldCollector returns the collector with number n of the metadata.
func (d *decoder) toldCollector(n int) (model.CollectorID, bool) {
	if n == 0 {
		return trace.Root, true
	}
	text := d.texts.Told(n)
	return d.texts.Collector(d.names, OfThreads, text), text != More
}

// marked takes which ends of a span are open.
func (d *decoder) marked(flags model.SpanFlags) bool {
	if flags == 0 || !d.room.TakeData(32) {
		return false
	}
	if d.openEnds == nil {
		d.openEnds = map[uint32]model.SpanFlags{}
	}
	d.openEnds[uint32(d.events)] = flags
	return true
}

// placed takes the place of a span, and where in it its flows are.
func (d *decoder) placed(key []byte, v *Value) bool {
	switch {
	case v.Kind == Text && string(key) == trace.FlowTimes:
		d.flowTimes = trace.ReadFlowTimes(d.flowTimes[:0], v.Text)
		return true
	case v.Kind == Text && string(key) == trace.Marks && d.session.Told():
		return d.marked(trace.ReadMarks(v.Text) & (trace.Open | model.SpanUncertain))
	case v.Kind != Text || string(key) != trace.Place:
		return false
	}
	p, ok := trace.ReadPlace(v.Text, MostRows)
	if ok && d.room.TakeData(64) {
		if d.places == nil {
			d.places = map[uint32]trace.SpanPlace{}
		}
		d.places[uint32(d.events)] = p
	}
	return ok
}

// inRows returns the spans of a thread in the lanes and call paths of the metadata.
func (d *decoder) inRows(o *output) (out []call) {
	for _, t := range o.tracks {
		rows, _ := d.rowsOf(t, true)
		for c := (cursor{d: d, rows: rows, kind: OfThreads, told: true}); c.step(); {
			out = append(out, c.span)
		}
	}
	slices.SortStableFunc(out, func(a, b call) int {
		return trace.SortRunPairs(a.Begin, b.Begin, int64(a.Lane), int64(b.Lane), a.End, b.End)
	})
	var rows trace.Rowed
	for i := range out {
		s := &out[i]
		p, ok := d.places[s.event]
		if !ok {
			p.Caller = -1
			d.faults.Count(BadPlace, trace.Unknown)
		}
		p.Flags |= s.Flags
		s.Path, s.Flags = rows.Put(p, s.Begin, s.End, func(parent model.PathID, collector int) model.PathID {
			text := s.name
			if collector >= 0 {
				text = d.texts.Told(collector)
			}
			return d.names.Path(parent, d.texts.Collector(d.names, OfThreads, text))
		})
	}
	return out
}
