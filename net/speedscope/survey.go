package speedscope

import (
	"regexp"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

const (
	maxFrames   = 10 << 20
	maxProfiles = 1 << 14
	frameBytes  = 8
)

// unit is the unit of the weights of a profile.
type unit struct {
	name  string
	scale int // of times: one is 10^scale ns
	time  bool
}

var units = map[string]unit{
	"nanoseconds": {"nanoseconds", 0, true}, "microseconds": {"microseconds", 3, true},
	"milliseconds": {"milliseconds", 6, true}, "seconds": {"seconds", 9, true},
	"bytes": {"bytes", 0, false}, "none": {"none", 0, false},
}

// profile is a profile's description.
type profile struct {
	name    string
	kind    string // evented or sampled
	unit    unit
	known   bool // the unit
	start   trace.Instant
	end     trace.Instant
	started bool
	track   model.TrackID
	skip    bool
	// unweighed marks a profile of samples that the file ends before their weights: each counts as
	// one.
	unweighed bool
}

func (p *profile) evented() bool { return p.kind == "evented" }

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
				d.active = int(min(max(n, -1), maxProfiles))
			}
		case "shared":
			r.Object(func(key []byte) {
				if string(key) == "frames" {
					d.hasFrames = true
					r.Array(func() { d.frame(r) })
				}
			})
		case "profiles":
			d.hasProfiles = true
			r.Array(func() {
				if len(d.profiles) >= maxProfiles {
					d.moreProfiles++
					return
				}
				d.profiles = append(d.profiles, d.describe(r))
			})
		}
	})
}

// describe reads a profile's description.
func (d *decoder) describe(r *trace.Reader) profile {
	var p profile
	var start, end bound
	samples, weights := false, false
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			p.name = trace.JSONText(r.String())
		case "type":
			p.kind = trace.JSONText(r.String())
		case "unit":
			word := trace.JSONText(r.String())
			if p.unit, p.known = units[word]; !p.known {
				p.unit.name = word
			}
		case "startValue":
			start.read(r)
		case "endValue":
			end.read(r)
		case "samples":
			samples = true
		case "weights":
			weights = r.Peek() == '[' && r.Err() == nil
		}
	})
	if p.unweighed = r.Err() != nil && samples && !weights; p.unweighed {
		p.unit, p.known = units["none"], true
	}
	p.start, p.started = d.bound(&start, p.unit)
	p.end, _ = d.bound(&end, p.unit)
	return p
}

// bound is a begin or an end as it is in the file: its unit may come behind it.
type bound struct {
	text []byte
	at   int64
	told bool
}

func (b *bound) read(r *trace.Reader) {
	b.told, b.at = r.Peek() != 'n', r.At()
	b.text = append(b.text[:0], r.Plain()...)
	b.told = b.told && r.Err() == nil
}

// bound parses a begin or an end in a unit; ok is false without one. It counts values that are not
// times.
func (d *decoder) bound(b *bound, u unit) (t trace.Instant, ok bool) {
	if t, ok = trace.ParseTime(b.text, u.scale); !ok && b.told && u.time {
		d.badBounds.Add(b.at)
	}
	return t, ok
}

// frame reads a frame: a name and a file, whatever the line.
func (d *decoder) frame(r *trace.Reader) {
	d.name, d.file = d.name[:0], d.file[:0]
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			d.name = append(d.name, d.text(r)...)
		case "file":
			d.file = append(d.file, d.text(r)...)
		}
	})
	if len(d.frames) >= maxFrames || !d.room.Take(frameBytes) {
		d.moreFrames++
		return
	}
	d.key = append(append(append(d.key[:0], d.name...), 0), d.file...)
	d.frames = append(d.frames, d.names.Keyed(d.key, func() model.CollectorDef {
		def := model.CollectorDef{Name: trace.JSONText(d.name)}
		def.Parent, _ = d.files.Collector(d.file)
		return def
	}))
}

// text reads a name of a frame, or null.
func (d *decoder) text(r *trace.Reader) []byte {
	first, at := r.Peek(), r.At()
	s := r.String()
	if first != '"' && first != 'n' && r.Err() == nil {
		d.badNames.Add(at)
	}
	return s
}

// pySpyThread is how py-spy calls profiles; where it does not know the system's numbers of threads, they are addresses.
var pySpyThread = regexp.MustCompile(`^(?:Process (\d+) )?Thread (\d+|0x[0-9A-Fa-f]+) "(.*)"$`)

// trackOf describes the thread of a profile by its name, as py-spy writes it.
func trackOf(p *profile, n int) model.TrackDef {
	def := model.TrackDef{Name: p.name, Index: n}
	if x := pySpyThread.FindStringSubmatch(p.name); x != nil {
		def.Name = x[3]
		if id, err := strconv.ParseInt(x[2], 0, 0); err == nil {
			def.Index = int(id)
		}
		if def.Name == "" {
			def.Name, def.Kin = "thread "+x[2], "thread"
		}
		if x[1] != "" {
			def.Process = "process " + x[1]
		}
	}
	if def.Name == "" {
		def.Name = "profile " + strconv.Itoa(n+1)
	}
	return def
}
