package firefox

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

const (
	maxThreads    = 1 << 14
	maxCategories = 1 << 10
	maxFields     = 1 << 12
	oldest        = 24 // the version from which on tables are columns as they are now
	newest        = 70 // the newest supported version
)

// meta is the profile's description.
type meta struct {
	processed        bool
	version          int64
	intervalNs       int64
	start            string // unix time in ms, as it is written
	product, system  string
	symbolicated     bool
	bytes            bool   // samples are offsets in a file, not times
	cpuUnit          string // of threadCPUDelta
	categories       []category
	refs             map[string]bool // fields of markers that are indexes of strings: type, 0, key
	selected         int64           // index of the thread that was looked at, -1: none
	allocations, any bool
}

type category struct {
	name  string
	color model.RGB
}

// header is a thread's description.
type header struct {
	name, process, pid, tid, site string
	main                          bool
	samples, markers              int
	weight                        string
	frames                        int // markers that are called as frames are to be
	track                         model.TrackID
	cpu                           float64 // CPU time of all samples, ns
}

// survey reads the file the first time: all but samples and the content of markers.
func (d *decoder) survey(r *trace.Reader) {
	d.meta = meta{selected: none, refs: map[string]bool{}}
	d.all.reset()
	d.libs.reset()
	r.Object(func(key []byte) {
		switch string(key) {
		case "meta":
			d.meta.any = true
			d.readMeta(r)
		case "libs":
			r.Array(func() {
				var name []byte
				r.Object(func(key []byte) {
					if string(key) == "name" {
						name = append(name, r.String()...)
					}
				})
				d.libs.add(&d.keep, name)
			})
		case "shared":
			r.Object(func(key []byte) { d.all.read(&d.keep, r, key) })
		case "processes":
			d.nested = d.nested || r.Peek() == '['
		case "threads":
			d.hasThreads = true
			r.Array(func() {
				if len(d.threads) >= maxThreads {
					d.moreThreads++
					return
				}
				d.threads = append(d.threads, d.head(r))
			})
		case "counters":
			d.hasCounters = true
		}
	})
	if name, ok := d.want.Named(); ok {
		all := d.all.strings.find(name)
		for i := range d.threads {
			if t := &d.threads[i]; t.frames == 0 && d.named[i] != nil {
				t.frames = d.named[i][all]
			}
		}
		d.named = nil
	}
}

func (d *decoder) readMeta(r *trace.Reader) {
	m := &d.meta
	r.Object(func(key []byte) {
		switch string(key) {
		case "preprocessedProfileVersion":
			m.version, m.processed = r.Int()
		case "interval":
			m.intervalNs = max(d.keep.time(r, 0), 0)
		case "startTime":
			m.start = string(r.Plain())
		case "product":
			m.product = trace.Shown(trace.JSONText(r.String()))
		case "oscpu":
			m.system = trace.Shown(trace.JSONText(r.String()))
		case "symbolicated":
			m.symbolicated = string(r.Plain()) != "false"
		case "initialSelectedThreads":
			r.Array(func() {
				if n, ok := r.Int(); ok && m.selected < 0 {
					m.selected = n
				}
			})
		case "sampleUnits":
			r.Object(func(key []byte) {
				switch string(key) {
				case "time":
					m.bytes = string(r.String()) == "bytes"
				case "threadCPUDelta":
					m.cpuUnit = trace.JSONText(r.String())
				}
			})
		case "categories":
			r.Array(func() {
				if len(m.categories) < maxCategories {
					m.categories = append(m.categories, readCategory(r))
				}
			})
		case "markerSchema":
			r.Array(func() { d.schema(r) })
		}
	})
}

// colors are the words for colours of categories; grey and transparent mean none.
var colors = map[string]model.RGB{
	"purple": {R: 0x98, G: 0x68, B: 0xd0, Set: true}, "green": {R: 0x58, G: 0xa8, B: 0x58, Set: true},
	"orange": {R: 0xe0, G: 0x88, B: 0x38, Set: true}, "yellow": {R: 0xd0, G: 0xb0, B: 0x38, Set: true},
	"lightblue": {R: 0x60, G: 0xb0, B: 0xe0, Set: true}, "blue": {R: 0x48, G: 0x80, B: 0xd8, Set: true},
	"brown": {R: 0xa8, G: 0x78, B: 0x50, Set: true}, "magenta": {R: 0xd0, G: 0x58, B: 0xb0, Set: true},
	"red": {R: 0xd0, G: 0x50, B: 0x50, Set: true}, "lightred": {R: 0xe0, G: 0x80, B: 0x80, Set: true},
	"lightgreen": {R: 0x90, G: 0xc8, B: 0x78, Set: true},
}

// plain are categories of all code that is nothing in particular: its colours are those of its names.
var plain = map[string]bool{"Other": true, "User": true, "Regular": true, "Native": true}

func readCategory(r *trace.Reader) (c category) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			c.name = trace.Shown(trace.JSONText(r.String()))
		case "color":
			c.color = colors[string(r.String())]
		}
	})
	if plain[c.name] {
		c.color = model.RGB{}
	}
	return c
}

// color is that of a category.
func (d *decoder) color(category int32) model.RGB {
	if category < 0 || int(category) >= len(d.meta.categories) {
		return model.RGB{}
	}
	return d.meta.categories[category].color
}

// schema reads which fields of a type of markers are indexes of strings.
func (d *decoder) schema(r *trace.Reader) {
	var kind string
	var keys []string
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			kind = string(r.String())
		case "data", "fields":
			r.Array(func() {
				var name, format string
				r.Object(func(key []byte) {
					switch string(key) {
					case "key":
						name = string(r.String())
					case "format":
						format = string(r.String())
					}
				})
				if format == "unique-string" || strings.HasSuffix(format, "flow-id") {
					keys = append(keys, name)
				}
			})
		}
	})
	for _, key := range keys {
		if len(d.meta.refs) < maxFields {
			d.meta.refs[kind+"\x00"+key] = true
		}
	}
}

// head reads the description of a thread and counts its content.
func (d *decoder) head(r *trace.Reader) header {
	h := header{track: model.NoTrack, weight: "samples"}
	want, isNamed := d.want.Named()
	var marked map[int32]int
	own := int32(none)
	d.own.reset()
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			h.name = trace.Shown(trace.JSONText(r.String()))
		case "processName":
			h.process = trace.Shown(trace.JSONText(r.String()))
		case "eTLD+1":
			h.site = trace.Shown(trace.JSONText(r.String()))
		case "pid":
			h.pid = word(r)
		case "tid":
			h.tid = word(r)
		case "isMainThread":
			h.main = string(r.Plain()) == "true"
		case "samples":
			length := none
			r.Object(func(key []byte) {
				switch string(key) {
				case "length":
					length = count(r)
				case "stack", "schema":
					if d.gecko = d.gecko || r.Peek() == '{'; length == none {
						r.Array(func() { h.samples++ })
					}
				case "weightType":
					if w := trace.JSONText(r.String()); w != "" {
						h.weight = w
					}
				}
			})
			h.samples = max(length, h.samples)
		case "jsAllocations", "nativeAllocations":
			d.meta.allocations = d.meta.allocations || r.Peek() == '{'
		case "markers":
			length := none
			r.Object(func(key []byte) {
				switch {
				case string(key) == "length":
					length = count(r)
				case string(key) == "name" && isNamed:
					marked = map[int32]int{}
					h.markers = 0
					r.Array(func() {
						if i, ok := r.Int(); ok && i >= 0 && i < math.MaxInt32 && len(marked) < maxFields {
							marked[int32(i)]++
						}
						h.markers++
					})
				case string(key) == "name" && length == none:
					r.Array(func() { h.markers++ })
				}
			})
			h.markers = max(length, h.markers)
		case "stringArray", "stringTable":
			if isNamed {
				d.own.strings.read(&d.keep, r)
				own = d.own.strings.find(want)
			}
		}
	})
	if isNamed {
		h.frames = marked[own]
		if d.named = append(d.named, nil); len(d.own.strings.ends) == 0 {
			d.named[len(d.named)-1] = marked
		}
	}
	return h
}

// count is the length of a table, which is not to be trusted.
func count(r *trace.Reader) int {
	n, ok := r.Int()
	if !ok || n < 0 || n > math.MaxInt32 {
		return none
	}
	return int(n)
}

// word reads a number or string.
func word(r *trace.Reader) string {
	if r.Peek() == '"' {
		return trace.Shown(trace.JSONText(r.String()))
	}
	return string(r.Plain())
}

// leading is the number that a word begins with, -1 without.
func leading(s string) int64 {
	end := 0
	for end < len(s) && s[end]-'0' <= 9 {
		end++
	}
	n, err := strconv.ParseInt(s[:end], 10, 32)
	if err != nil {
		return none
	}
	return n
}

// refusal returns why a profile is unreadable, nil if it is readable.
func (d *decoder) refusal() error {
	const save = "open it in profiler.firefox.com, which reads it, and save it from there"
	switch {
	case d.gecko, d.nested && !d.meta.processed:
		return fmt.Errorf("is a raw (gecko) profile of Firefox: %s", save)
	case d.meta.any && !d.meta.processed:
		return fmt.Errorf("is an unprocessed profile of Firefox, or one from before 2019: %s", save)
	case d.meta.processed && d.meta.version < oldest:
		return fmt.Errorf("is a profile of version %d, older than %d: %s", d.meta.version, oldest, save)
	case !d.meta.any:
		return fmt.Errorf("has no meta, so its format is unknown")
	}
	return nil
}
