package convert

import (
	"math"
	"strconv"

	"framescope/model"
)

// Args returns the arguments of a span of the part, for a moving span only with the first of its parts.
// They are valid until the next call.
func (p *Part) Args(s *Span) []model.Arg {
	table := p.Session.Args()
	if !table.Any() || s.Flags&model.SpanMoves != 0 {
		return nil
	}
	p.args = table.Of(s.Ref.Track, int(s.Ref.Lane), s.Ref.Index, p.args[:0])
	return p.args
}

// AppendArg appends an argument as a member of an object of JSON. Numbers that JSON does not have are texts.
func AppendArg(dst []byte, a *model.Arg) []byte {
	dst = append(AppendString(dst, a.Key), ':')
	v := a.Value.Float
	switch {
	case a.Value.Kind == model.ArgInt:
		return strconv.AppendInt(dst, a.Value.Int(), 10)
	case a.Value.Kind == model.ArgFloat && !math.IsNaN(v()) && !math.IsInf(v(), 0):
		return strconv.AppendFloat(dst, v(), 'g', -1, 64)
	}
	return AppendString(dst, a.Value.String())
}

// LeaveArgs notes the arguments of calls that are in the part.
func (p *Part) LeaveArgs() {
	if !p.Session.Args().Any() {
		return
	}
	var n int64
	for _, id := range p.Tracks {
		p.Spans(id, func(s *Span) error { n += int64(len(p.Args(s))); return nil })
	}
	p.Leave(n, "argument of a call", "arguments of calls", "")
}
