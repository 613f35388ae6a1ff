package pprof

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// threadKeys are the labels that name threads, the first that a profile has.
var threadKeys = []string{"thread", "thread_name", "tid"}

// describe returns the description of a profile.
func describe(p *profile.Profile) model.Info {
	info := model.Info{Source: Kind, PID: -1, Version: "pprof"}
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	var types []string
	for _, t := range p.SampleType {
		types = append(types, t.Type)
	}
	add("stacks with %s", strings.Join(types, ", "))
	if p.DurationNanos > 0 {
		add("of %s", time.Duration(p.DurationNanos).Round(time.Millisecond))
	}
	info.ZeroAt.UnixNs = max(p.TimeNanos, 0)
	if t := p.PeriodType; t != nil && p.Period > 0 && t.Type != "" {
		add("one sample for each %d %s of %s", p.Period, t.Unit, t.Type)
	}
	info.Detail = strings.Join(facts, ", ")
	return info
}

// column is a kind of weight, and where its values are: those above zero, or those below it.
type column struct {
	trace.WeightKind
	at     int
	factor int64 // of a value to the unit
	less   bool
}

// units are the units of values in the model's, and the factor to these.
var units = map[string]struct {
	name   string
	factor int64
}{
	"nanoseconds": {"ns", 1}, "microseconds": {"ns", 1e3}, "milliseconds": {"ns", 1e6}, "seconds": {"ns", 1e9},
	"bytes": {"B", 1}, "kilobytes": {"B", 1 << 10}, "megabytes": {"B", 1 << 20}, "count": {"", 1}, "": {"", 1},
}

// columnsOf returns the weights of a profile's stacks, with the shown one first: the default if the
// profile names one, else the last. A difference of two profiles may have negative values: it gets two
// weights, for increases and decreases.
func columnsOf(p *profile.Profile) (out []column) {
	first := len(p.SampleType) - 1
	for i, t := range p.SampleType {
		if t.Type == p.DefaultSampleType {
			first = i
		}
	}
	order := []int{first}
	for i := range p.SampleType {
		if i != first {
			order = append(order, i)
		}
	}
	for _, i := range order {
		t := p.SampleType[i]
		c := column{WeightKind: trace.WeightKind{Name: trace.Shown(t.Type), Unit: trace.Shown(t.Unit)}, at: i, factor: 1}
		if u, ok := units[t.Unit]; ok {
			c.Unit, c.factor = u.name, u.factor
		}
		if slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return s.Value[i] < 0 }) {
			less := c
			c.Name, less.Name, less.less = c.Name+", more", c.Name+", less", true
			out = append(out, c, less)
			continue
		}
		if c.Name == "samples" && t.Unit == "count" {
			c.Name = model.WeightSamples
		}
		out = append(out, c)
	}
	return out
}

// weightOf returns the weight of a sample.
func (c *column) weightOf(s *profile.Sample) (n int64, ok bool) {
	n = s.Value[c.at]
	if c.less {
		n = -max(n, -1<<62)
	}
	n = max(n, 0)
	return n * c.factor, n <= trace.Most/c.factor
}

// mapper gives the functions of a profile their collectors.
type mapper struct {
	names   *trace.Table
	sink    feed.Sink
	calls   map[*profile.Function]bool // whether it is ever called: else it is inlined wherever it stands
	inline  map[model.CollectorID]bool // those that were never called in any profile
	bad     trace.Diagnostics
	numbers int64 // samples with labels that are numbers
}

// Publish gives the session all of a profile, divided into threads by a label.
func Publish(p *profile.Profile, label string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	m := newMapper(sink, room)
	columns := columnsOf(p)
	all := trace.NewWeighted(room, kindsOf(columns)...)
	key := labelOf(p, label)
	m.each(p, columns, key, all.Add)
	if err := all.Publish(sink); err != nil {
		return err
	}
	m.defineDiagnostics(sink)
	m.warn(p, sink, key)
	return nil
}

func kindsOf(columns []column) []trace.WeightKind {
	kinds := make([]trace.WeightKind, len(columns))
	for i, c := range columns {
		kinds[i] = c.WeightKind
	}
	return kinds
}

// each hands on the stacks of a profile with their weights, which are the mapper's own.
func (m *mapper) each(p *profile.Profile, columns []column, key string, add adder) {
	m.begin(p)
	values := make([]int64, len(columns))
	for _, s := range p.Sample {
		fits := true
		for i := range columns {
			n, ok := columns[i].weightOf(s)
			values[i], fits = n, fits && ok
		}
		if len(s.NumLabel) > 0 {
			m.numbers++
		}
		if !fits || add(m.track(s, key), m.stack(s), values...) != nil {
			m.bad.Bad(trace.ManyStacks, trace.Unknown)
		}
	}
}

type adder = func(track model.TrackID, path model.PathID, weights ...int64) error

// defineDiagnostics reports the names and stacks left out since its last call.
func (m *mapper) defineDiagnostics(sink feed.Sink) {
	m.bad.Define(sink.Define, nil)
	m.names.Report()
	m.names.Refused = 0
}

// warn reports remarks on the profile.
func (m *mapper) warn(p *profile.Profile, sink feed.Sink, key string) {
	var more []string
	for k := range labelKeys(p) {
		if k != key {
			more = append(more, k)
		}
	}
	slices.Sort(more)
	if len(more) > 0 {
		sink.Define(model.Warning{Text: fmt.Sprintf("Samples have labels (%s): --label %s divides them into threads by one.",
			strings.Join(more, ", "), more[0])})
	}
	if m.numbers > 0 {
		sink.Define(model.Warning{Text: fmt.Sprintf("%d samples have labels that are numbers: these are not shown.",
			m.numbers)})
	}
}

func newMapper(sink feed.Sink, room *feed.Names) *mapper {
	return &mapper{names: trace.NewTable(sink, room, "All"), sink: sink, inline: map[model.CollectorID]bool{}}
}

// begin makes ready for a profile.
func (m *mapper) begin(p *profile.Profile) {
	m.calls = map[*profile.Function]bool{}
	for _, l := range p.Location {
		if n := len(l.Line); n > 0 && l.Line[n-1].Function != nil {
			m.calls[l.Line[n-1].Function] = true
		}
	}
}

// labelKeys returns the keys of the labels that samples have.
func labelKeys(p *profile.Profile) map[string]bool {
	keys := map[string]bool{}
	for _, s := range p.Sample {
		for k := range s.Label {
			keys[k] = true
		}
	}
	return keys
}

// labelOf returns the key of the label that divides samples into threads, empty where none does.
func labelOf(p *profile.Profile, asked string) string {
	has := labelKeys(p)
	for _, k := range append([]string{asked}, threadKeys...) {
		if has[k] {
			return k
		}
	}
	return ""
}

// track returns the thread of a sample.
func (m *mapper) track(s *profile.Sample, key string) model.TrackID {
	name := "all stacks"
	if key != "" {
		if name = strings.Join(s.Label[key], ", "); name == "" {
			name = "(no " + key + ")"
		}
	}
	id, ok := m.names.Track(name, model.TrackDef{Name: name})
	if !ok {
		return 0
	}
	return id
}

// stack returns the call path of a sample: its locations begin with the innermost, and so do the calls
// of a location, which are inlined into its last.
func (m *mapper) stack(s *profile.Sample) model.PathID {
	p, depth := model.PathRoot, 0
	call := func(c model.CollectorID) {
		if depth++; depth <= trace.MaxWeighed {
			p = m.names.Path(p, c)
		}
	}
	for i := len(s.Location) - 1; i >= 0; i-- {
		l := s.Location[i]
		if len(l.Line) == 0 {
			call(m.address(l))
		}
		for k := len(l.Line) - 1; k >= 0; k-- {
			call(m.function(&l.Line[k], l))
		}
	}
	if depth == 0 {
		call(m.names.Collector([]byte("[empty stack]")))
	}
	if depth > trace.MaxWeighed {
		m.bad.Bad(trace.DeepStack, trace.Unknown)
	}
	return p
}

// function returns the collector of a function. Those of one name in several files are several.
func (m *mapper) function(line *profile.Line, l *profile.Location) model.CollectorID {
	f := line.Function
	if f == nil {
		return m.address(l)
	}
	name, inline := cmp.Or(f.Name, f.SystemName), !m.calls[f]
	if name == "" && l.Mapping != nil && l.Mapping.File != "" { // it has no symbols
		return m.address(l)
	}
	def := model.CollectorDef{Name: name, Sort: -1, Place: trace.Place(f.Filename, cmp.Or(f.StartLine, line.Line))}
	made := false
	id := m.names.Keyed([]byte(f.Name+"\x00"+f.Filename), func() model.CollectorDef {
		made = true
		if inline {
			def.Name += " (inline)"
		}
		return def
	})
	switch {
	case id == trace.Other:
	case made && inline:
		m.inline[id] = true
	case m.inline[id] && !inline: // in a profile that came later
		delete(m.inline, id)
		def.ID, def.Name = id, cmp.Or(trace.Text(name), "(unnamed)")
		m.sink.Define(def)
	}
	return id
}

// address returns the collector of an unnamed address, below its library.
func (m *mapper) address(l *profile.Location) model.CollectorID {
	def := model.CollectorDef{Name: fmt.Sprintf("%#x", l.Address)}
	if l.Mapping == nil || l.Mapping.File == "" {
		return m.names.Collector([]byte(def.Name))
	}
	file := l.Mapping.File
	return m.names.Keyed([]byte(def.Name+"\x00\x00"+file), func() model.CollectorDef {
		def.Parent = m.names.Group([]byte(file), func() string { return path.Base(base(file)) })
		return def
	})
}
