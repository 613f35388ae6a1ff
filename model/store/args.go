package store

import (
	"framescope/model"
	"framescope/model/args"
	"framescope/model/spans"
)

// argued is how far the arguments of a batch have come on their way into a session.
type argued struct {
	next int     // in Batch.Args
	at   []int64 // of each span that has some its position in its lane, -1: there is none
}

// noteArgs adds the spans up to the last one that has arguments, of those up to a position, and notes
// where these came to lie: a span may have gone on with the one before it, or was dropped.
func (p *pending) noteArgs(to int, w *spans.Work) {
	list := p.batch.Args
	for p.args.next < len(list) {
		span := int(list[p.args.next].Span)
		if span >= to && to < len(p.batch.Spans) {
			return
		}
		position := int64(-1)
		if span >= p.taken && span < to {
			p.append(span+1, w)
			if lane := int(p.batch.Spans[span].Lane); lane < p.track.spans.Lanes() {
				position = p.track.spans.Stack()[lane].Behind() - 1
			}
		}
		p.args.at = append(p.args.at, position)
		p.args.next = endOfArgs(list, p.args.next)
	}
}

// endOfArgs returns where the arguments of a span end that begin at a position.
func endOfArgs(list []model.Arg, i int) int {
	span := list[i].Span
	for i < len(list) && list[i].Span == span {
		i++
	}
	return i
}

// appendArgs adds the batch's arguments. Its spans were added.
func (s *Session) appendArgs(p *pending) {
	t, list, k := p.track, p.batch.Args, 0
	var bad args.Problems
	lost := int64(0)
	for i := 0; i < len(list); k++ {
		end := endOfArgs(list, i)
		span := int(list[i].Span)
		if at := p.args.at[k]; at < 0 {
			lost += int64(end - i)
		} else if lane := int(p.batch.Spans[span].Lane); at >= t.spans.Stack()[lane].First() {
			t.args.Append(lane, at, list[i:end], &bad)
		}
		i = end
	}
	for _, x := range []struct {
		n    int64
		what string
	}{
		{lost, "arguments of spans that are not there"},
		{bad.Keys, "arguments with more than 4,096 different keys were dropped"},
		{bad.Many, "arguments beyond 128 of a span were dropped"},
		{bad.Cut, "texts of arguments longer than 2 KiB were cut"},
	} {
		if x.n > 0 {
			s.limit(t.Def.ID, x.n, x.what)
		}
	}
	s.account()
}

// cutArgs frees the arguments of spans that left or were taken back.
func (t *Track) cutArgs() {
	if t.args.Empty() {
		return
	}
	for n, l := range t.spans.Stack() {
		if l != nil {
			t.args.Truncate(n, l.Behind())
			t.args.DropBefore(n, l.First())
		}
	}
}
