package firefox

import (
	"cmp"
	"errors"
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
	any             bool
	version         int64 // none: it is not processed
	interval        ns
	start           word // unix time in ms, as it is written
	product, system string
	symbolicated    word
	timeUnit        string
	cpuUnit         string // of threadCPUDelta
	categories      []category
	refs            map[string]bool // fields of markers that are indexes of strings: type, 0, key
	selected        int64           // index of the thread that was looked at, none
}

type category struct {
	name  string
	color model.RGB
}

// header is a thread's description.
type header struct {
	name, process, site string
	pid, tid, main      word
	samples, markers    count
	weight              string
	frames              int           // markers that are called as frames are to be
	marked              map[int32]int // all of them by name, until that is known
	track               model.TrackID
	cpu                 float64 // CPU time of all samples, ns
}

// survey reads the file the first time: all but samples and the content of markers.
func (d *decoder) survey(r *trace.Reader) {
	d.meta = meta{version: none, selected: none, refs: map[string]bool{}}
	d.keep.read(r, fields{
		"meta": func() {
			d.meta.any = true
			d.readMeta(r)
		},
		"libs": each(func() {
			var name []byte
			r.Object(func(key []byte) {
				if string(key) == "name" {
					name = append(name, r.String()...)
				}
			})
			d.libs.add(&d.keep, name)
		}),
		"shared":    d.all.fields(),
		"processes": func() { d.nested = r.Peek() == '[' },
		"counters":  func() { d.hasCounters = true },
		"threads": each(func() {
			if len(d.threads) >= maxThreads {
				d.Bad.Bad(trace.ManyThreads, r.At())
				return
			}
			d.threads = append(d.threads, d.head(r))
		}),
	})
	if name, ok := d.want.Named(); ok {
		all := d.all.strings.find(name)
		for i := range d.threads {
			t := &d.threads[i]
			t.frames += t.marked[all]
			t.marked = nil
		}
	}
}

func (d *decoder) readMeta(r *trace.Reader) {
	m := &d.meta
	d.keep.read(r, fields{
		"preprocessedProfileVersion": &m.version, "interval": &m.interval, "startTime": &m.start, "product": &m.product,
		"oscpu": &m.system, "symbolicated": &m.symbolicated,
		"sampleUnits": fields{"time": &m.timeUnit, "threadCPUDelta": &m.cpuUnit},
		"initialSelectedThreads": each(func() {
			if n, ok := r.Int(); ok && m.selected < 0 {
				m.selected = n
			}
		}),
		"categories": each(func() {
			var name, color string
			d.keep.read(r, fields{"name": &name, "color": &color})
			if len(m.categories) == maxCategories {
				return
			}
			c := category{name: name}
			if !plain[name] {
				c.color = colors[color]
			}
			m.categories = append(m.categories, c)
		}),
		"markerSchema": each(func() { d.schema(r) }),
	})
	m.interval = max(m.interval, 0)
}

// colors are the words for colors of categories; grey and transparent mean none.
var colors = map[string]model.RGB{
	"purple": {R: 0x98, G: 0x68, B: 0xd0, Set: true}, "green": {R: 0x58, G: 0xa8, B: 0x58, Set: true},
	"orange": {R: 0xe0, G: 0x88, B: 0x38, Set: true}, "yellow": {R: 0xd0, G: 0xb0, B: 0x38, Set: true},
	"lightblue": {R: 0x60, G: 0xb0, B: 0xe0, Set: true}, "blue": {R: 0x48, G: 0x80, B: 0xd8, Set: true},
	"brown": {R: 0xa8, G: 0x78, B: 0x50, Set: true}, "magenta": {R: 0xd0, G: 0x58, B: 0xb0, Set: true},
	"red": {R: 0xd0, G: 0x50, B: 0x50, Set: true}, "lightred": {R: 0xe0, G: 0x80, B: 0x80, Set: true},
	"lightgreen": {R: 0x90, G: 0xc8, B: 0x78, Set: true},
}

// plain are categories of all code that is nothing in particular: its colors are those of its names.
var plain = map[string]bool{"Other": true, "User": true, "Regular": true, "Native": true}

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
	list := each(func() {
		var name, format string
		d.keep.read(r, fields{"key": &name, "format": &format})
		if format == "unique-string" || strings.HasSuffix(format, "flow-id") {
			keys = append(keys, name)
		}
	})
	d.keep.read(r, fields{"name": &kind, "data": list, "fields": list})
	for _, key := range keys {
		if len(d.meta.refs) < maxFields {
			d.meta.refs[kind+"\x00"+key] = true
		}
	}
}

// head reads the description of a thread and counts its content.
func (d *decoder) head(r *trace.Reader) header {
	h := header{track: model.NoTrack}
	want, isNamed := d.want.Named()
	isThere := func(there *bool, first byte) func() { return func() { *there = *there || r.Peek() == first } }
	f := fields{
		"name": &h.name, "processName": &h.process, "eTLD+1": &h.site, "pid": &h.pid, "tid": &h.tid, "isMainThread": &h.main,
		"samples":       fields{"stack": &h.samples, "schema": isThere(&d.gecko, '{'), "weightType": &h.weight},
		"jsAllocations": isThere(&d.allocations, '{'), "nativeAllocations": isThere(&d.allocations, '{'),
		"markers": fields{"name": &h.markers},
	}
	if isNamed {
		f["stringArray"], f["stringTable"] = &d.own.strings, &d.own.strings
		f["markers"] = fields{"name": each(func() {
			if h.markers++; h.marked == nil {
				h.marked = map[int32]int{}
			}
			if i, ok := r.Int(); ok && i >= 0 && i < math.MaxInt32 && len(h.marked) < maxFields {
				h.marked[int32(i)]++
			}
		})}
	}
	d.keep.read(r, f)
	h.weight = cmp.Or(h.weight, "samples")
	if len(d.own.strings.ends) > 0 {
		h.frames, h.marked = h.marked[d.own.strings.find(want)], nil
	}
	return h
}

// leading is the number that a word begins with, none without.
func leading[S ~string](s S) int64 {
	end := 0
	for end < len(s) && s[end]-'0' <= 9 {
		end++
	}
	n, err := strconv.ParseInt(string(s[:end]), 10, 32)
	if err != nil {
		return none
	}
	return n
}

// refusal returns why a profile is unreadable, nil if it is readable.
func (d *decoder) refusal() error {
	const save = "open it in profiler.firefox.com, which reads it, and save it from there"
	processed := d.meta.version != none
	switch {
	case d.gecko, d.nested && !processed:
		return errors.New("is a raw (gecko) profile of Firefox: " + save)
	case !d.meta.any:
		return errors.New("has no meta, so its format is unknown")
	case !processed:
		return errors.New("is an unprocessed profile of Firefox, or one from before 2019: " + save)
	case d.meta.version < oldest:
		return fmt.Errorf("is a profile of version %d, older than %d: %s", d.meta.version, oldest, save)
	}
	return nil
}
