// This file writes pprof profiles (perftools.profiles.Profile, gzipped): the self sums of the call
// paths of each thread, in all available measures, without times.

package convert

import (
	"context"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"framescope/model"
	"framescope/model/spans"
	"framescope/net/pprof"
)

// PprofFormat is the format of pprof profiles.
var PprofFormat = Format{
	ID: "pprof", Name: "pprof profile", Ext: ".pb.gz",
	Help:  "self time, samples and what these stand for, by call path: go tool pprof, pprof, speedscope",
	Why:   unmeasured,
	Write: pprofWrite,
}

// pprofWrite writes a sample for each call path of each thread, with the thread as its label.
func pprofWrite(ctx context.Context, p *Part, w io.Writer) error {
	first, err := p.Measure()
	if err != nil {
		return err
	}
	b := builder{p: p, measures: p.Session.Spans().Measures(p.Tracks, nil), at: map[model.CollectorID]*profile.Location{}}
	b.types(first)
	titles := p.Titles()
	var below int64
	for _, id := range p.Tracks {
		t := p.Session.Track(id)
		if !t.Def.Kind.Calls() {
			below += t.NumSpans()
			continue
		}
		if err := b.track(ctx, id, titles[id]); err != nil {
			return err
		}
	}
	if p.Session.Info().Source == pprof.Kind {
		const why = "what reads profiles does not keep them"
		p.Leave(int64(len(b.out.Function)), "function's lines but one, program and labels",
			"functions' lines but one, programs and labels", why)
		p.Leave(1, "time and length of a profile", "", why)
	}
	p.LeaveSums(below, "a pprof profile has sums without times")
	return b.out.Write(w)
}

// builder makes a profile.
type builder struct {
	p        *Part
	out      profile.Profile
	measures []spans.Measure
	at       map[model.CollectorID]*profile.Location
	tree     spans.Tree
}

// units are the units of values in pprof's words.
var units = map[string]string{"ns": "nanoseconds", "B": "bytes", "": "count"}

// types describes the values of samples; first is the default measure.
func (b *builder) types(first spans.Measure) {
	b.out.Comments = []string{"written by Framescope"}
	if info := b.p.Session.Info(); !info.Sampling.Timeless {
		b.out.DurationNanos = b.p.End - b.p.Begin
		if ns := max(info.Sampling.AskedNs, info.Sampling.MedianNs); ns > 0 {
			b.out.PeriodType, b.out.Period = &profile.ValueType{Type: "time", Unit: "nanoseconds"}, ns
		}
	}
	if b.p.Weigh == "" && first == spans.MeasureSamples { // if the duration of a sample is known, time comes first
		if k := slices.IndexFunc(b.measures, func(m spans.Measure) bool { return b.p.MeasureUnit(m) == "ns" }); k >= 0 {
			first = b.measures[k]
		}
	}
	for _, m := range b.measures {
		name := b.p.WeightName(m)
		unit := b.p.MeasureUnit(m)
		if u, ok := units[unit]; ok {
			unit = u
		}
		b.out.SampleType = append(b.out.SampleType, &profile.ValueType{Type: name, Unit: unit})
		if m == first {
			b.out.DefaultSampleType = name
		}
	}
}

// track adds the call paths of a thread with a title of its own. A path with no self value in any
// measure appears only as a caller.
func (b *builder) track(ctx context.Context, id model.TrackID, title string) error {
	t := b.p.Session.Track(id)
	label := map[string][]string{"thread": {title}}
	if t.Def.Process != "" {
		label["process"] = []string{t.Def.Process}
	}
	samples := map[model.PathID]*profile.Sample{}
	for k, m := range b.measures {
		b.p.Tree(m, id, &b.tree)
		var stack []*profile.Location // the outermost first
		for i := range b.tree.Nodes {
			n := &b.tree.Nodes[i]
			stack = append(stack[:n.Depth], b.location(n.Collector))
			if n.Self == 0 {
				continue
			}
			s := samples[n.Path]
			if s == nil {
				s = &profile.Sample{Value: make([]int64, len(b.measures)), Label: label}
				for d := len(stack) - 1; d >= 0; d-- {
					s.Location = append(s.Location, stack[d])
				}
				samples[n.Path] = s
				b.out.Sample = append(b.out.Sample, s)
			}
			s.Value[k] = n.Self
			if err := b.p.Done(ctx, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// location returns where a collector is: a place of its own, in a function with its name and those above.
func (b *builder) location(c model.CollectorID) *profile.Location {
	l := b.at[c]
	if l == nil {
		id := uint64(len(b.at) + 1)
		f, line := &profile.Function{ID: id}, 0
		if def := b.p.Session.Collector(c); def != nil {
			f.Name, f.Filename, line = def.Title(), def.File, def.Line
		}
		l = &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: int64(line)}}}
		b.at[c] = l
		b.out.Function, b.out.Location = append(b.out.Function, f), append(b.out.Location, l)
	}
	return l
}
