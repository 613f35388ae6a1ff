package speedscope

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// ours is the exporter that always names profiles after their threads.
const ours = "Framescope"

// decoder hands the profiles of a file to a sink.
type decoder struct {
	*trace.Profile
	title, exporter string
	active          int64 // index of a profile, -1: not given
	hasProfiles     bool
	frames          []model.CollectorID
	profiles        []profile
	zero            trace.Instant // of all profiles
	place           int64         // of the current profile or event

	name, file, key []byte                                   // scratch
	samples         trace.Sized[model.PathID, trace.Instant] // of the current profile
	calls           calls
}

func newDecoder(sink feed.Sink, path string) *decoder {
	d := &decoder{active: -1, Profile: trace.NewProfile(sink, model.Info{
		Source: "speedscope", Program: feed.Stem(path, ".json", ".speedscope"), Peer: path, Version: "speedscope JSON",
	})}
	d.Bad.Within = true
	d.samples.Float, d.samples.Size = trace.Instant.Float,
		func(v float64) trace.Instant { return trace.Instant{Ns: int64(v)} }
	return d
}

// begin chooses the profiles that are shown, and defines their threads: of those with times, or else of all with
// weights of the kind that the first has.
func (d *decoder) begin() error {
	if !d.hasProfiles {
		return errors.New("has no profiles")
	}
	d.Info.Sampling.Timeless = !slices.ContainsFunc(d.profiles, func(p profile) bool { return p.timed })
	shown, hidden := 0, ""
	for i := range d.profiles {
		p := &d.profiles[i]
		if shown == 0 {
			d.Kind = p.kind
		}
		if !p.usable || p.timed == d.Info.Sampling.Timeless || !p.timed && p.kind != d.Kind {
			p.usable, hidden = false, fmt.Sprintf("%q (%s)", trace.Shown(p.name), trace.Shown(p.unit))
			continue
		}
		if p.track, p.usable = d.Names.Track(fmt.Sprint(i), d.thread(p, i)); !p.usable {
			continue
		}
		if shown++; p.started && p.timed && (shown == 1 || p.start.Minus(d.zero).Ns < 0) {
			d.zero = p.start
		}
	}
	if shown == 0 && hidden != "" {
		return errors.New("has no profile that can be shown, such as " + hidden)
	}
	if hidden != "" {
		d.Warn("Not shown from the file: profiles of another kind or unit, such as %s.", hidden)
	}
	d.describeFile()
	return nil
}

// describeFile publishes the description of the file.
func (d *decoder) describeFile() {
	if d.title != "" {
		d.Facts = append(d.Facts, fmt.Sprintf("%q", trace.Shown(d.title)))
	}
	if d.exporter != "" {
		d.Facts = append(d.Facts, "by "+trace.Shown(d.exporter))
	}
	switch {
	case d.Info.Sampling.Timeless:
		d.Facts = append(d.Facts, "without times")
	case d.zero.Ns != 0:
		d.Facts = append(d.Facts, fmt.Sprintf("0 is %d ns of its clock", d.zero.Ns))
	}
	d.Define()
	if strings.HasPrefix(d.exporter, "py-spy") && !d.Info.Sampling.Timeless {
		d.Warn("py-spy leaves out samples of idle threads without --idle: times are those of samples, one after the other, " +
			"not of a clock.")
	}
}

// read reads the file the second time: samples and events.
func (d *decoder) read(r *trace.Reader) {
	at := 0
	r.Object(func(key []byte) {
		if string(key) != "profiles" {
			return
		}
		r.Array(func() {
			if at < len(d.profiles) && d.profiles[at].usable {
				d.place = r.At()
				d.profile(r, &d.profiles[at])
			}
			if at++; d.Out.Cancelled() {
				r.Stop(feed.ErrCancelled)
			}
		})
	})
}

// profile reads the content of a profile.
func (d *decoder) profile(r *trace.Reader, p *profile) {
	d.samples.Clear()
	d.calls = calls{d: d, p: p, stack: d.calls.stack[:0], last: p.start}
	if p.evented && p.timed {
		d.calls.out = d.Out.Calls(p.track)
	}
	r.Object(func(key []byte) {
		switch {
		case string(key) == "events" && p.evented:
			r.Array(func() { d.calls.event(r) })
		case string(key) == "samples" && !p.evented:
			d.samples.Of.Read(r, func() { d.stack(r) })
		case string(key) == "weights" && !p.evented:
			d.samples.Sizes.Read(r, func() { d.weight(r, p) })
		}
	})
	if p.evented {
		d.calls.close(r.Err() == nil)
	} else {
		d.play(p, r.Err() == nil)
	}
}

// collector returns the collector of a frame by its number.
func (d *decoder) collector(n int64) model.CollectorID {
	if n >= 0 && n < int64(len(d.frames)) {
		return d.frames[n]
	}
	d.Bad.Bad(trace.BadReference, d.place)
	return d.Names.Keyed(fmt.Appendf(nil, "\x00\x00%d", n), func() model.CollectorDef {
		return model.CollectorDef{Name: fmt.Sprintf("frame %d?", n)}
	})
}
