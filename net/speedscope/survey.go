package speedscope

import (
	"framescope/model"
	"framescope/net/trace"
)

const (
	maxFrames   = 10 << 20
	maxProfiles = 1 << 14
	frameBytes  = 8
)

// scales are the units of time: one is 10^scale ns.
var scales = map[string]int{"nanoseconds": 0, "microseconds": 3, "milliseconds": 6, "seconds": 9}

// profile is a profile's description.
type profile struct {
	name       string
	evented    bool // it has begins and ends of calls, else samples
	unit       string
	scale      int  // of the unit
	timed      bool // it is a unit of time
	kind       trace.WeightKind
	start, end trace.Instant
	started    bool
	track      model.TrackID
	usable     bool
	unweighed  bool // the file ends before the weights: each sample counts as one
}

// survey reads the file the first time: frames, and the descriptions of profiles.
func (d *decoder) survey(r *trace.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			d.title = trace.JSONText(r.String())
		case "exporter":
			d.exporter = trace.JSONText(r.String())
		case "activeProfileIndex":
			if n, ok := r.Int(); ok {
				d.active = n
			}
		case "shared":
			r.Object(func(key []byte) {
				if string(key) == "frames" {
					r.Array(func() { d.frame(r) })
				}
			})
		case "profiles":
			d.hasProfiles = true
			r.Array(func() {
				if len(d.profiles) >= maxProfiles {
					d.Bad.Bad(trace.ManyThreads, r.At())
					return
				}
				d.profiles = append(d.profiles, d.describe(r))
			})
		}
	})
}

// describe reads a profile's description. Its unit may stand behind its begin.
func (d *decoder) describe(r *trace.Reader) (p profile) {
	var start, end []byte
	samples, whole, weights := false, false, false
	at := r.At()
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			p.name = trace.JSONText(r.String())
		case "type":
			kind := string(r.String())
			p.evented = kind == "evented"
			p.usable = p.evented || kind == "sampled"
		case "unit":
			p.unit = trace.JSONText(r.String())
		case "startValue":
			start = append(start, r.Plain()...)
		case "endValue":
			end = append(end, r.Plain()...)
		case "events":
			r.Array(func() {}) // it passes over the same places as the second reading
		case "samples":
			r.Entries(r.Skip)
			samples, whole = true, r.Err() == nil
		case "weights":
			weights = r.Peek() == '['
		}
	})
	p.scale = scales[p.unit]
	p.start, p.started = trace.ParseTime(start, p.scale)
	p.end, _ = trace.ParseTime(end, p.scale)
	lasts := whole && p.end.Minus(p.start).Float() > 0
	if p.unweighed = r.Err() != nil && samples && !weights && !lasts; p.unweighed {
		p.unit = "none"
	}
	_, p.timed = scales[p.unit]
	p.timed = p.timed && p.usable
	p.kind = kindOf(p.unit, p.evented)
	if p.timed && !p.started && len(start) > 0 {
		d.Bad.Bad(trace.BadTime, at)
	}
	return p
}

// kindOf returns the kind of the weights in a profile of a unit.
func kindOf(unit string, evented bool) trace.WeightKind {
	switch {
	case unit == "bytes":
		return trace.WeightKind{Name: "bytes", Unit: "B"}
	case unit == "none" && evented:
		return trace.WeightKind{Name: "weight"}
	case unit == "none", unit == "":
		return trace.WeightKind{Name: model.WeightSamples}
	}
	return trace.WeightKind{Name: trace.Shown(unit)}
}

// frame reads a frame. Those of one name and file are one function.
func (d *decoder) frame(r *trace.Reader) {
	d.name, d.file = d.name[:0], d.file[:0]
	line, at := int64(0), r.At()
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			d.name = d.ReadName(r, d.name)
		case "file":
			d.file = d.ReadName(r, d.file)
		case "line":
			line, _ = r.Int()
		}
	})
	if len(d.frames) >= maxFrames || !d.Room.Take(frameBytes) {
		d.Bad.Bad(trace.NoMemoryForNames, at)
		return
	}
	d.key = append(append(append(d.key[:0], d.name...), 0), d.file...)
	d.frames = append(d.frames, d.Names.Keyed(d.key, func() model.CollectorDef {
		def := model.CollectorDef{Name: trace.JSONText(d.name), Place: trace.Place(trace.JSONText(d.file), line)}
		def.Parent, _ = d.Files.Collector(d.file)
		return def
	}))
}
