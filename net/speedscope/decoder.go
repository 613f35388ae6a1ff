package speedscope

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// ours is the exporter that always names profiles after their threads.
const ours = "Framescope"

// decoder hands the profiles of a file to a sink.
type decoder struct {
	sink  feed.Sink
	room  *feed.Names
	info  model.Info
	names *trace.Table
	files trace.Files
	out   *trace.StackWriter

	title, exporter        string
	active                 int // index of a profile, -1: not given
	hasFrames, hasProfiles bool
	frames                 []model.CollectorID
	unknown                map[int64]model.CollectorID // of frames that are not there
	profiles               []profile
	moreFrames             int64
	moreProfiles           int64

	name, file, key []byte // scratch
	timeless        bool
	kind            trace.WeightKind
	zero            trace.Instant // of all profiles
	space           trace.Spacing
	sums            map[counted]float64
	order           []counted
	tooMany         int64 // stacks that the sums have no place for
	broken          bool  // the file ended early

	at                  int // of the profile that is read
	stacks              stacks
	problems            [numProblems]trace.Tally
	badBounds, badNames trace.Tally // invalid bounds and names

	place   int64 // file offset of the current profile or event
	idle    int64
	mixed   []string // profiles that seem to be in no order of time
	skipped []string // profiles that are not shown
	calls   calls
}

// counted is a stack of a thread.
type counted struct {
	track model.TrackID
	path  model.PathID
}

// problem is a kind of fault in the file.
type problem uint8

const (
	backward problem = iota
	unopened
	notOnTop
	unclosed
	badEvent
	badTime
	badFrame
	negative
	noWeight
	tooMuch
	noRoom
	numProblems
)

var problemWords = [numProblems]string{
	backward: "events go back in time: they count as of the latest time before",
	unopened: "ends of calls that never began are left out",
	notOnTop: "ends of calls are missing: they end with the call around them",
	unclosed: "calls have no end: they go on to the end of their profile",
	badEvent: "events lack a type, a time or a frame: they are left out",
	badTime:  "events without a valid time are left out",
	badFrame: "frames are not in the list: they are shown by their number",
	negative: "weights are negative or not numbers: they count as 0",
	noWeight: "samples have no weight, or weights no sample: they are left out",
	tooMuch:  trace.TooMuch,
	noRoom:   "memory has no room for more samples of a profile: further ones are left out",
}

func newDecoder(sink feed.Sink, room *feed.Names, path string) *decoder {
	d := &decoder{
		sink: sink, room: room, active: -1, unknown: map[int64]model.CollectorID{}, sums: map[counted]float64{},
		info: model.Info{Source: "speedscope", Peer: path, PID: -1, File: true, Version: "speedscope JSON"},
	}
	d.info.Program = programOf(path)
	d.names = trace.New(sink, room, "All")
	d.files.Names = d.names
	d.out = trace.NewStackRuns(sink, room)
	return d
}

// programOf guesses the name of a program from that of a file.
func programOf(path string) string { return feed.Stem(path, ".json", ".speedscope") }

// begin defines the threads, and decides whether there are times.
func (d *decoder) begin() error {
	if !d.hasProfiles {
		return errors.New("has no profiles")
	}
	d.timeless = true
	for i := range d.profiles {
		p := &d.profiles[i]
		p.skip = p.kind != "evented" && p.kind != "sampled"
		d.timeless = d.timeless && (p.skip || !p.unit.time)
	}
	shown := 0
	for i := range d.profiles {
		p := &d.profiles[i]
		kind := kindOf(p)
		switch {
		case p.skip:
		case d.timeless && shown == 0:
			d.kind = kind
		case d.timeless && kind != d.kind, !d.timeless && !p.unit.time:
			p.skip = true
		}
		if p.skip {
			d.skipped = append(d.skipped, fmt.Sprintf("%q (%s, %s)", trace.Shown(p.name), trace.Shown(p.kind), trace.Shown(p.unit.name)))
			continue
		}
		def := trackOf(p, i)
		def.Main = i == d.active
		if d.title != "" && len(d.profiles) == 1 && p.name == d.title && d.exporter != ours {
			def.Name = "main" // it is called as the whole file
		}
		track, ok := d.names.Track(fmt.Sprint(i), def)
		if !ok {
			p.skip = true
			continue
		}
		p.track = track
		if shown++; p.started && !d.timeless && (shown == 1 || p.start.Minus(d.zero).Ns < 0) {
			d.zero = p.start
		}
	}
	if shown == 0 && len(d.skipped) > 0 {
		return fmt.Errorf("has no profile that can be shown: %s", strings.Join(d.skipped[:min(len(d.skipped), 3)], ", "))
	}
	d.info.Sampling.Timeless = d.timeless
	var detail []string
	if d.title != "" {
		detail = append(detail, fmt.Sprintf("%q", trace.Shown(d.title)))
	}
	if d.exporter != "" {
		detail = append(detail, "by "+trace.Shown(d.exporter))
	}
	if d.timeless {
		detail = append(detail, "without times")
	} else if d.zero.Ns != 0 {
		detail = append(detail, fmt.Sprintf("0 is %d ns of its clock", d.zero.Ns))
	}
	d.info.Detail = strings.Join(detail, ", ")
	d.sink.Define(d.info)
	return nil
}

// kindOf returns the kind of the weights in a profile without times.
func kindOf(p *profile) trace.WeightKind {
	switch {
	case p.unit.name == "bytes":
		return trace.WeightKind{Name: "bytes", Unit: "B"}
	case p.known && !p.evented(), p.unit.name == "":
		return trace.WeightKind{Name: model.WeightSamples}
	case p.known:
		return trace.WeightKind{Name: "weight"}
	}
	return trace.WeightKind{Name: trace.Shown(p.unit.name)}
}

// read reads the file the second time: samples and events.
func (d *decoder) read(r *trace.Reader) {
	d.at = 0
	r.Object(func(key []byte) {
		if string(key) != "profiles" {
			return
		}
		r.Array(func() {
			if d.at < len(d.profiles) && !d.profiles[d.at].skip {
				d.place = r.At()
				d.profile(r, &d.profiles[d.at])
			}
			if d.at++; d.out.Cancelled() {
				r.Stop(feed.ErrCancelled)
			}
		})
	})
}

// profile reads the content of a profile.
func (d *decoder) profile(r *trace.Reader, p *profile) {
	d.stacks = stacks{frames: d.stacks.frames[:0], samples: d.stacks.samples[:0]}
	d.calls = calls{d: d, p: p, stack: d.calls.stack[:0], last: p.start}
	if p.evented() && !d.timeless {
		d.calls.out = d.out.Calls(p.track)
	}
	r.Object(func(key []byte) {
		switch {
		case string(key) == "events" && p.evented():
			r.Array(func() { d.calls.event(r) })
		case string(key) == "samples" && !p.evented():
			r.Array(func() { d.keep(r) })
		case string(key) == "weights" && !p.evented():
			r.Array(func() { d.weight(r) })
		}
	})
	d.broken = r.Err() != nil
	if p.evented() {
		d.calls.close()
	} else {
		d.play(p)
	}
}

// problem counts n faults at the current place.
func (d *decoder) problem(p problem, n int64) {
	if n > 0 {
		d.problems[p].AddN(n, d.place)
	}
}

// collector returns the collector of a frame by its number.
func (d *decoder) collector(n int64) model.CollectorID {
	if n >= 0 && n < int64(len(d.frames)) {
		return d.frames[n]
	}
	d.problem(badFrame, 1)
	c, ok := d.unknown[n]
	if !ok {
		c = d.names.Keyed(fmt.Appendf(nil, "\x00\x00%d", n), func() model.CollectorDef {
			return model.CollectorDef{Name: fmt.Sprintf("frame %d?", n)}
		})
		if c != trace.Other {
			d.unknown[n] = c
		}
	}
	return c
}

// count adds a weight without a time to a stack of a thread.
func (d *decoder) count(track model.TrackID, path model.PathID, n float64) {
	if n > trace.MostOne {
		d.problem(tooMuch, 1)
		return
	}
	at := counted{track, path}
	if _, ok := d.sums[at]; !ok {
		if !d.room.TakeData(2 * trace.StackBytes) {
			d.tooMany++
			return
		}
		d.order = append(d.order, at)
	}
	d.sums[at] += n
}

// finish publishes the rest and reports the losses. broken is why the file was not read to its end,
// nil where it was.
func (d *decoder) finish(broken error) error {
	if d.out.Cancelled() {
		return feed.ErrCancelled
	}
	if d.timeless {
		if err := d.publishSums(); err != nil {
			return err
		}
	} else if !d.out.Close() {
		return feed.ErrCancelled
	}
	d.space.Measured(&d.info.Sampling)
	d.info.Clock.StepNs = d.info.Sampling.MedianNs
	if d.idle > 0 {
		d.info.Detail = strings.TrimPrefix(fmt.Sprintf("%s, %d samples found it idle", d.info.Detail, d.idle), ", ")
	}
	d.sink.Define(d.info)
	d.tell(broken)
	return nil
}

// publishSums publishes the weights without times.
func (d *decoder) publishSums() error {
	least, total := 0.0, 0.0
	for _, sum := range d.sums {
		if total += sum; sum > 0 && (least == 0 || sum < least) {
			least = sum
		}
	}
	parts := trace.Parts(least, total)
	all := trace.NewWeighted(nil, d.kind.In(parts))
	rounded := false
	for _, at := range d.order {
		n := math.Round(d.sums[at] * parts)
		rounded = rounded || d.sums[at] != math.Round(d.sums[at])
		if all.Add(at.track, at.path, int64(min(n, trace.Most))) != nil {
			d.tooMany++
		}
	}
	if rounded {
		trace.WarnRounded(d.sink, "weights", parts)
	}
	return all.Publish(d.sink)
}

// tell defines the losses with their reasons.
func (d *decoder) tell(broken error) {
	losses := trace.Losses{Define: d.sink.Define}
	lose := losses.Lose
	losses.LoseRest(broken)
	d.badBounds.Tell(d.sink.Define, model.LossMalformed, "starts or ends of profiles are impossible: they count as 0")
	d.badNames.Tell(d.sink.Define, model.LossMalformed, "names or files of frames are not texts: they are left out")
	for p, t := range d.problems {
		switch {
		case problem(p) == noRoom:
			lose(model.LossLimit, t.N, d.room.FullOfData(problemWords[p]))
		case problem(p) == badFrame && errors.Is(broken, trace.ErrCut): // the list is behind what uses it
			lose(model.LossUnseen, t.N, t.Within(problemWords[p]))
		default:
			lose(model.LossMalformed, t.N, t.Within(problemWords[p]))
		}
	}
	lose(model.LossLimit, d.moreFrames, d.room.FullOfNames("there is no room for the names of all frames: further ones are shown by their number"))
	lose(model.LossLimit, d.moreProfiles, fmt.Sprintf("there are more than %d profiles: further ones are left out", maxProfiles))
	lose(model.LossLimit, d.tooMany, trace.LeftOut)
	lose(model.LossLimit, d.out.Refused, fmt.Sprintf("stacks deeper than %d frames are shown without their innermost part", trace.MaxDepth))
	d.names.Tell()
	warn := func(text string) { d.sink.Define(model.Warning{Text: text}) }
	if n := len(d.skipped); n > 0 {
		warn(fmt.Sprintf("Not shown from the file: %d profiles of another kind or unit: %s.", n, some(d.skipped)))
	}
	if len(d.mixed) > 0 {
		warn("All stacks of a profile differ: they may be sums, in no order of time: " + some(d.mixed) + ".")
	}
	if strings.HasPrefix(d.exporter, "py-spy") && !d.timeless {
		warn("py-spy leaves out samples of idle threads without --idle: times are those of samples, one after the other, not of a clock.")
	}
}

// some lists the first of many.
func some(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
