package gsttrace

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

const (
	// batchItems is how many spans, samples and messages are gathered before they are published.
	batchItems = 4096
	// holdNs is how long samples wait for earlier ones that come late: times of one log are out of order by 6 ms at most (FORMAT.md section 2.4).
	holdNs = 10e6
	// maxHeld bounds the samples that wait.
	maxHeld = 16 * batchItems
)

// output gathers what a log gives and publishes it in batches: of one track each its spans and messages, and all samples together, those in order of time.
type output struct {
	sink      feed.Sink
	cancelled bool
	tracks    []pending // by TrackID
	dirty     []model.TrackID
	samples   []model.Sample // of all series, in order of arrival but for those that waited
	items     int            // since the last publish
	newestNs  int64          // the greatest time of a line
	bytes     int            // read since the last publish
	limits    limitCounts
	names     *feed.Names
	settle    func(beforeNs int64) // takes samples of what follows from other samples, before they are published
}

// pending is what waits of one track.
type pending struct {
	spans    []model.Span
	messages []model.Message
	dirty    bool
}

// newOutput returns an output to a sink.
func newOutput(sink feed.Sink) *output { return &output{sink: sink, names: feed.NamesOf(sink)} }

// isCancelled tells whether the sink refused a batch: nothing goes out any more.
func (o *output) isCancelled() bool { return o.cancelled }

// waits tells whether anything waits to be published.
func (o *output) waits() bool { return o.items > 0 }

// read counts bytes of the log; the next batch says how many there were.
func (o *output) read(n int) { o.bytes += n }

// at notes the time of a line.
func (o *output) at(timeNs int64) { o.newestNs = max(o.newestNs, timeNs) }

// newest is the greatest time of a line, settled the time before which no line is expected any more, both in ns.
func (o *output) newest() int64  { return o.newestNs }
func (o *output) settled() int64 { return o.newestNs - holdNs }

// end tells the sink that the session is over, and why. Nothing comes after it.
func (o *output) end(reason string) {
	o.sink.Define(model.End{Reason: reason})
	o.names.Close()
}

// beyond counts something that was too much.
func (o *output) beyond(k limitKind) { o.limits.add(k) }

// define hands over a definition.
func (o *output) define(c model.Change) {
	if !o.cancelled {
		o.sink.Define(c)
	}
}

// admit asks for room for a definition; what is refused is counted as beyond a limit.
func (o *output) admit(c model.Change, limit limitKind) bool {
	if !o.names.Admit(c) {
		o.beyond(limit)
		return false
	}
	return true
}

func (o *output) touch(id model.TrackID) *pending {
	for int(id) >= len(o.tracks) {
		o.tracks = append(o.tracks, pending{})
	}
	p := &o.tracks[id]
	if !p.dirty {
		p.dirty = true
		o.dirty = append(o.dirty, id)
	}
	o.items++
	return p
}

func (o *output) span(id model.TrackID, s model.Span) {
	p := o.touch(id)
	p.spans = append(p.spans, s)
}

func (o *output) message(id model.TrackID, m model.Message) {
	p := o.touch(id)
	p.messages = append(p.messages, m)
}

func (o *output) sample(id model.SeriesID, timeNs int64, value float64) {
	if id == model.NoSeries {
		return
	}
	o.samples = append(o.samples, model.Sample{Series: id, Time: timeNs, Value: value})
	o.items++
}

// full publishes if enough waits.
func (o *output) full() {
	if o.items >= batchItems {
		o.publish(false)
	}
}

// publish hands over what waits. Unless all is asked for, samples younger than holdNs stay: earlier ones may still come.
func (o *output) publish(all bool) {
	if o.settle != nil {
		before := o.settled()
		if all {
			before = math.MaxInt64
		}
		o.settle(before)
	}
	o.items = 0
	o.limits.report(o.define)
	for _, id := range o.dirty {
		p := &o.tracks[id]
		p.dirty = false
		b := o.sink.Begin()
		b.Track = id
		sortSpans(p.spans)
		b.Spans = append(b.Spans, p.spans...)
		b.Messages = append(b.Messages, p.messages...)
		p.spans = p.spans[:0]
		clear(p.messages)
		p.messages = p.messages[:0]
		o.push(b)
	}
	o.dirty = o.dirty[:0]
	sortSamples(o.samples)
	n := len(o.samples)
	if !all && n < maxHeld {
		n, _ = slices.BinarySearchFunc(o.samples, o.settled(), func(s model.Sample, t int64) int { return cmp.Compare(s.Time, t) })
	}
	if n == 0 {
		return
	}
	for at := 0; at < n; at += batchItems {
		b := o.sink.Begin()
		b.Track = model.NoTrack
		b.Samples = append(b.Samples, o.samples[at:min(at+batchItems, n)]...)
		o.push(b)
	}
	o.samples = o.samples[:copy(o.samples, o.samples[n:])]
}

func (o *output) push(b *model.Batch) {
	b.Bytes, o.bytes = o.bytes, 0
	if !o.sink.Publish(b) {
		o.cancelled = true
	}
}

// sortSpans brings the spans of a batch in order of begin and lane. Those of one lane are in order already.
func sortSpans(s []model.Span) {
	compare := func(a, b model.Span) int {
		if c := cmp.Compare(a.Begin, b.Begin); c != 0 {
			return c
		}
		return cmp.Compare(a.Lane, b.Lane)
	}
	if !slices.IsSortedFunc(s, compare) {
		slices.SortStableFunc(s, compare)
	}
}

// sortSamples brings samples in order of time and keeps the order of equals. They are nearly in order, so each goes back a few places; when that takes too
// long, because somebody wrote them backwards, the rest is left to a sort that doesn't mind.
func sortSamples(s []model.Sample) {
	work := 8*len(s) + 1024
	for i := 1; i < len(s); i++ {
		if s[i-1].Time <= s[i].Time {
			continue
		}
		x, k := s[i], i
		for ; k > 0 && s[k-1].Time > x.Time; k-- {
			s[k] = s[k-1]
			work--
		}
		s[k] = x
		if work < 0 {
			slices.SortStableFunc(s, func(a, b model.Sample) int { return cmp.Compare(a.Time, b.Time) })
			return
		}
	}
}
