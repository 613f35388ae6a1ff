package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"framescope/model"

	"framescope/net/trace"
)

// SessionInfo describes the session for Framescope's reader (trace.Session), a JSON object.
func (p *Part) SessionInfo() []byte {
	info := p.Session.Info()
	b := member([]byte{'{'}, trace.RetoldProgram, info.Program)
	b = member(append(b, ','), trace.Host, info.Host)
	b = fmt.Appendf(b, `,"%s":%d`, trace.PID, info.PID)
	if name, ok := p.root(); ok {
		b = member(append(b, ','), trace.RetoldRoot, name)
	}
	each := !slices.ContainsFunc(p.Tracks, func(id model.TrackID) bool { return p.Session.Track(id).Def.Main })
	b = fmt.Appendf(b, `,"%s":%t`, trace.Each, each)
	if words := cmp.Or(info.Origin, info.VersionWords()); words != "" {
		b = member(append(b, ','), trace.Origin, words)
	}
	if info.Clock.Float32Seconds {
		b = append(b, `,"`+trace.Floats+`":true`...)
	}
	if info.Clock.StepNs > 0 {
		b = fmt.Appendf(b, `,"%s":%d`, trace.Step, info.Clock.StepNs)
	}
	if p.apart() {
		b = append(b, `,"`+trace.Apart+`":true`...)
	}
	if ledger := p.Session.Ledger(); p.Whole() {
		b = fmt.Appendf(b, `,"%s":%d`, trace.Unframed, ledger.Unframed)
	}
	return append(b, '}')
}

// apart reports whether the part distinguishes processes: a track has one.
func (p *Part) apart() bool {
	if p.several == nil {
		several := slices.ContainsFunc(p.Tracks, func(id model.TrackID) bool { return p.Session.Track(id).Def.Process != "" })
		p.several = &several
	}
	return *p.several
}

// Notes passes the warnings of the session to fn, for Framescope's reader (trace.Note), a JSON object
// each.
func (p *Part) Notes(fn func(info []byte)) {
	for _, text := range p.Session.Warnings() {
		fn(append(member([]byte{'{'}, trace.RetoldText, text), '}'))
	}
	p.noted = true
}

// root returns the name of the root collector, false where one directly below it has the same name.
func (p *Part) root() (name string, ok bool) {
	table := p.Session.Collectors()
	name = table.ByID(0).Name
	for id := range model.CollectorID(table.Len()) {
		if x := table.ByID(id); id > 0 && x.Parent <= 0 && x.Name == name {
			return "", false
		}
	}
	return name, true
}

// Collectors describes each collector to fn, for Framescope's reader (trace.Collector), a JSON object
// each. It passes none if the part has neither frames nor places of spans, which may refer to
// collectors.
func (p *Part) Collectors(fn func(info []byte)) {
	p.numbers = map[model.CollectorID]int{}
	speaks := func(id model.TrackID) bool { first, end := p.Frames(id); return first < end || p.Rowed(id) }
	if !slices.ContainsFunc(p.Tracks, speaks) {
		return
	}
	table := p.Session.Collectors()
	var info []byte
	var tell func(id model.CollectorID) int
	tell = func(id model.CollectorID) int {
		n, told := p.numbers[id]
		if told {
			return n
		}
		x, in := table.ByID(id), 0
		if id > 0 && x.Parent > 0 {
			in = tell(x.Parent)
		}
		n = len(p.numbers)
		p.numbers[id] = n
		info = appendCollector(info[:0], n, in, x)
		fn(info)
		return n
	}
	tell(0)
	for id := range model.CollectorID(table.Len()) {
		if x := table.ByID(id); x.HasTime || x.HasLevel {
			tell(id)
		}
	}
}

func appendCollector(dst []byte, n, in int, x *model.Collector) []byte {
	dst = fmt.Appendf(dst, `{"%s":%d,"%s":%d,`, trace.N, n, trace.In, in)
	dst = member(dst, trace.Name, x.Name)
	if x.Color.Set {
		dst = appendColor(append(dst, ','), x.Color)
	}
	if x.Sort != -1 {
		dst = fmt.Appendf(dst, `,"%s":%d`, trace.Sort, x.Sort)
	}
	if x.Unit != "" {
		dst = member(append(dst, ','), trace.Unit, x.Unit)
	}
	for _, f := range [...]struct {
		key   string
		value float64
	}{{trace.Scale, x.Scale}, {trace.Factor, x.Factor}} {
		if f.value != 0 {
			dst = append(append(append(dst, `,"`...), f.key...), `":`...)
			dst = strconv.AppendFloat(dst, f.value, 'g', -1, 64)
		}
	}
	return append(dst, '}')
}

func appendColor(dst []byte, c model.RGB) []byte {
	return fmt.Appendf(dst, `"%s":"#%02x%02x%02x"`, trace.Color, c.R, c.G, c.B)
}
