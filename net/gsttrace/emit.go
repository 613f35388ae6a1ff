// The output publishes the data of a log: definitions at once, the rest in batches, samples in order of time. It
// knows the sink and the limits, and nothing of logs.

package gsttrace

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	// BatchItems is how many spans, samples and messages are gathered before they are published.
	BatchItems = 4096
	// holdNs is how long samples wait for earlier ones that come late: times of one log are out of
	// order by 6 ms at most (FORMAT.md section 2.4).
	holdNs = 10e6
	// maxHeld bounds the samples that wait.
	maxHeld = 16 * BatchItems
)

// Output gathers what a log gives and publishes it in batches: of one track each its spans and
// messages, and all samples together, those in order of time.
type Output struct {
	sink      feed.Sink
	cancelled bool      // the sink refused a batch: nothing goes out any more
	tracks    []pending // by TrackID
	dirty     []model.TrackID
	samples   []model.Sample // of all series, in order of arrival but for those that waited
	items     int            // since the last publish
	newestNs  int64          // the greatest time of a line
	bytes     int            // read since the last publish
	bad       trace.Diagnostics
	line      int64 // number of the newest line
	live      bool  // diagnostics are told as they come
	// Names is the room for names.
	Names *feed.Names
	// Settle, if set, adds samples derived from other samples, before they are published.
	Settle func(beforeNs int64)
}

// pending is the waiting data of one track.
type pending struct {
	spans    []model.Span
	messages []model.Message
}

// New returns an output to a sink. That of a live log tells diagnostics as they come.
func New(sink feed.Sink, live bool) *Output {
	return &Output{sink: sink, Names: feed.NamesOf(sink), bad: trace.Diagnostics{Unit: "line"}, live: live}
}

// At notes the time and the number of a line.
func (o *Output) At(timeNs, line int64) { o.newestNs, o.line = max(o.newestNs, timeNs), line }

// Settled is the time before which no line is expected any more, in ns.
func (o *Output) Settled() int64 { return o.newestNs - holdNs }

// Beyond counts something that was too much.
func (o *Output) Beyond(k trace.Kind) { o.bad.Bad(k, o.line) }

// Define hands over a definition.
func (o *Output) Define(c model.Change) {
	if !o.cancelled {
		o.sink.Define(c)
	}
}

// Admit takes room for a definition; a refused one is counted as beyond a limit.
func (o *Output) Admit(c model.Change, limit trace.Kind) bool {
	if !o.Names.Admit(c) {
		o.Beyond(limit)
		return false
	}
	return true
}

func (o *Output) touch(id model.TrackID) *pending {
	for int(id) >= len(o.tracks) {
		o.tracks = append(o.tracks, pending{})
	}
	p := &o.tracks[id]
	if len(p.spans)+len(p.messages) == 0 {
		o.dirty = append(o.dirty, id)
	}
	o.items++
	return p
}

// Span takes a span of a track; none of model.NoTrack.
func (o *Output) Span(id model.TrackID, s model.Span) {
	if id != model.NoTrack {
		p := o.touch(id)
		p.spans = append(p.spans, s)
	}
}

// Message takes a message of a track; none of model.NoTrack.
func (o *Output) Message(id model.TrackID, m model.Message) {
	if id != model.NoTrack {
		p := o.touch(id)
		p.messages = append(p.messages, m)
	}
}

// Sample takes a sample of a series, at a time in ns; none of model.NoSeries.
func (o *Output) Sample(id model.SeriesID, timeNs int64, value float64) {
	if id == model.NoSeries {
		return
	}
	o.samples = append(o.samples, model.Sample{Series: id, Time: timeNs, Value: value})
	o.items++
}

// Full publishes if enough waits.
func (o *Output) Full() {
	if o.items >= BatchItems {
		o.Publish(false)
	}
}

// Publish passes on the waiting data. Unless all is set, samples younger than holdNs stay: earlier ones may still
// come.
func (o *Output) Publish(all bool) {
	if o.Settle != nil {
		before := o.Settled()
		if all {
			before = math.MaxInt64
		}
		o.Settle(before)
	}
	o.items = 0
	if o.live {
		o.bad.Define(o.Define, o.Names)
	}
	for _, id := range o.dirty {
		p := &o.tracks[id]
		b := o.sink.Begin()
		b.Track = id
		trace.Order(p.spans, nil)
		b.Spans = append(b.Spans, p.spans...)
		b.Messages = append(b.Messages, p.messages...)
		p.spans = p.spans[:0]
		clear(p.messages)
		p.messages = p.messages[:0]
		o.push(b)
	}
	o.dirty = o.dirty[:0]
	trace.SortRuns(o.samples, func(a, b model.Sample) int { return cmp.Compare(a.Time, b.Time) })
	n := len(o.samples)
	if !all && n < maxHeld {
		n, _ = slices.BinarySearchFunc(
			o.samples, o.Settled(), func(s model.Sample, t int64) int { return cmp.Compare(s.Time, t) },
		)
	}
	if n == 0 {
		return
	}
	for part := range slices.Chunk(o.samples[:n], BatchItems) {
		b := o.sink.Begin()
		b.Track = model.NoTrack
		b.Samples = append(b.Samples, part...)
		o.push(b)
	}
	o.samples = o.samples[:copy(o.samples, o.samples[n:])]
}

func (o *Output) push(b *model.Batch) {
	b.Bytes, o.bytes = o.bytes, 0
	if !o.sink.Publish(b) {
		o.cancelled = true
	}
}
