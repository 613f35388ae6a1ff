package convert

import (
	"fmt"

	"framescope/model"
	"framescope/net/trace"
)

// AppendSeriesInfo appends the description of a counter for Framescope's reader (trace.Series), a JSON
// object without its brackets.
func (p *Part) AppendSeriesInfo(dst []byte, c *Counter) []byte {
	kind, group, name := trace.Level, c.Group, ""
	var states []string
	if c.Series != nil {
		d := &c.Series.Def
		kind, group, name, states = d.Kind.Word(), d.Group, d.Name, d.States
	} else {
		name = p.Name(c.Collector)
	}
	dst = member(dst, trace.Unit, c.Unit)
	dst = member(append(dst, ','), trace.Kind, kind)
	dst = member(append(dst, ','), trace.Group, group)
	dst = member(append(dst, ','), trace.Name, name)
	if c.Series != nil {
		dst = appendRole(dst, &c.Series.Def)
	}
	if c.Process == Nobody {
		dst = append(dst, `,"`+trace.Alone+`":true`...)
	}
	for i, state := range states {
		before := byte(',')
		if i == 0 {
			dst, before = append(dst, `,"`+trace.States+`":`...), '['
		}
		dst = AppendString(append(dst, before), state)
	}
	if len(states) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendRole appends the role of a series.
func appendRole(dst []byte, d *model.SeriesDef) []byte {
	if word := trace.RoleWord(d.Role); word != "" {
		dst = member(append(dst, ','), trace.Role, word)
	}
	dst = appendOn(dst, d.Object, d.Peer)
	if d.Description != "" {
		dst = member(append(dst, ','), trace.Description, d.Description)
	}
	if d.HasRange {
		dst = member(append(dst, ','), trace.Range, fmt.Sprint(d.Min, " ", d.Max))
	}
	return dst
}

// AppendTrackInfo appends the description of a track for Framescope's reader (trace.Track), a JSON
// object; nothing for a plain thread with spans or messages.
func (p *Part) AppendTrackInfo(dst []byte, th *Thread) []byte {
	d := &th.Track.Def
	rowed, own, alone := p.Rowed(th.ID), d.OwnClock, d.Process == "" && p.apart()
	if d.Kind == model.TrackThread && th.Track.NumSpans()+th.Track.NumMessages() > 0 && !p.measured(th.ID) &&
		!rowed && !own && !alone && !d.Sums && !d.Skips && d.Kin == "" && int64(d.Index) == th.TID {
		return dst
	}
	dst = member(append(dst, '{'), trace.Of, trace.KindWord(d.Kind))
	if d.Kind == model.TrackElement || d.Kind == model.TrackStream {
		dst = appendOn(dst, d.Object, d.Peer)
	}
	if int64(d.Index) != th.TID {
		dst = fmt.Appendf(dst, `,"%s":%d`, trace.Index, d.Index)
	}
	if d.Sums {
		dst = append(dst, `,"`+trace.Sums+`":true`...)
	}
	if d.Skips {
		dst = append(dst, `,"`+trace.Skips+`":true`...)
	}
	if d.Kin != "" {
		dst = member(append(dst, ','), trace.Kin, d.Kin)
	}
	if !d.Kind.Calls() {
		dst = member(append(dst, ','), trace.Name, th.Name)
	}
	if rowed {
		dst = append(dst, `,"`+trace.Rows+`":true`...)
	}
	if own {
		dst = append(dst, `,"`+trace.OwnClock+`":true`...)
	}
	if alone {
		dst = append(dst, `,"`+trace.Alone+`":true`...)
	}
	return append(dst, '}')
}

// measured reports whether a series of the part is of a track.
func (p *Part) measured(id model.TrackID) bool {
	if p.ofSeries == nil {
		p.ofSeries = map[model.TrackID]bool{}
		for _, s := range p.Series() {
			p.ofSeries[s.Def.Track] = true
		}
	}
	return p.ofSeries[id]
}

func member(dst []byte, key, text string) []byte {
	return AppendString(append(append(append(dst, '"'), key...), `":`...), text)
}
