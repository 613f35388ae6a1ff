package frametimes

import "framescope/model"

// looseRows is how many spans or samples outside of frames one batch has.
const looseRows = 512

// lane is a track of spans that follow each other, and samples, outside of frames.
type lane struct {
	d       *decoder
	track   model.TrackID
	end     int64
	spans   []model.Span
	samples []model.Sample
}

// add adds a span. One that begins before the end of the one before is cut.
func (n *lane) add(from, to int64, path model.PathID) {
	if from = max(from, n.end); to <= from {
		return
	}
	n.spans = append(n.spans, model.Span{Begin: from, End: to, Path: path})
	n.end = to
	n.flush(looseRows)
}

// flush publishes all, if there is so much.
func (n *lane) flush(least int) {
	if len(n.samples)+len(n.spans) < least {
		return
	}
	b := n.d.sink.Begin()
	b.Track, b.Samples, b.Spans = n.track, append(b.Samples, n.samples...), append(b.Spans, n.spans...)
	n.samples, n.spans = n.samples[:0], n.spans[:0]
	n.d.publish(b)
}

// The names of spans.
const (
	wholeFrame = iota
	cpuBusy
	cpuWait
	inPresent
	gpuWork
)

// spanNames are their names; the layout names the GPU's spans.
var spanNames = [...]string{"Frame", "CPU busy", "CPU wait", "In Present", ""}

// path returns the call path of one of the spans.
func (s *stream) path(k int) model.PathID {
	if s.paths[k] == 0 {
		parent, name := model.PathRoot, spanNames[k]
		switch k {
		case wholeFrame:
		case gpuWork:
			name = s.d.l.gpuName
		default:
			parent = s.path(wholeFrame)
		}
		s.paths[k] = s.d.names.Path(parent, s.d.names.Collector([]byte(name)))
	}
	return s.paths[k]
}

// frameSpans adds the frame and the processor's spans in it. A frame that follows another at once begins in the
// other's call of Present.
func (s *stream) frameSpans(b *model.Batch, r *row, follows bool) {
	at := max(r.begin, s.spanEnd)
	present := s.present
	s.present = r.present
	if r.end <= at {
		return
	}
	s.spanEnd = r.end
	b.Spans = append(b.Spans, model.Span{Begin: at, End: r.end, Path: s.path(wholeFrame)})
	add := func(k int, from, to int64) {
		if from, to = max(from, at), min(to, r.end); to > from {
			b.Spans = append(b.Spans, model.Span{Begin: from, End: to, Path: s.path(k), Lane: 1})
			at = to
		}
	}
	if follows {
		add(inPresent, at, at+present)
	}
	add(cpuBusy, r.begin, r.begin+r.busy)
	add(cpuWait, r.begin+r.busy, r.begin+r.busy+r.wait)
	b.Self = s.d.self.Whole(b.Self, b.Spans, b.Spans[0].Begin, r.end, s.d.names)
}
