package framescope

import (
	"slices"

	"framescope/model"
)

// Part is a part of a session: the frames and what else overlaps a stretch of time. The zero value is all of it.
type Part struct {
	model.Stretch
	// Frames are those of each track, by their numbers, where these are not the ones that overlap the
	// stretch: of tracks that are not among them there are none. nil: they are.
	Frames map[model.TrackID]Run
}

// Run is a run of frames, by the numbers of the first and the last one.
type Run struct{ First, Last int64 }

// Whole reports whether it is all of a session.
func (p *Part) Whole() bool { return p.Stretch == model.Stretch{} }

// cut leaves of a batch what belongs to a part of the session, of frames the whole batch. It returns false
// when nothing is left.
func cut(b *model.Batch, part *Part) bool {
	in := func(at int64) bool { return part.Begin <= at && at < part.End }
	if b.HasFrame {
		run, some := part.Frames[b.Track]
		over := in(b.Begin) || b.Begin < part.Begin && part.Begin < b.End
		return part.Frames == nil && over || some && run.First <= b.Number && b.Number <= run.Last
	}
	if b.Open && b.Begin >= part.End {
		b.Open = false
	}
	cutSpans(b, part.Stretch)
	b.Levels = slices.DeleteFunc(b.Levels, func(l model.Level) bool { return !in(l.Time) })
	b.Messages = slices.DeleteFunc(b.Messages, func(m model.Message) bool { return !in(m.Time) })
	b.Locks = slices.DeleteFunc(b.Locks, func(l model.LockEvent) bool { return !in(l.Time) })
	b.Samples = slices.DeleteFunc(b.Samples, func(s model.Sample) bool { return !in(s.Time) })
	b.Flows = slices.DeleteFunc(b.Flows, func(f model.Flow) bool { return !in(f.To) })
	return b.Open || b.Rewind || b.Anew ||
		len(b.Spans)+len(b.Levels)+len(b.Messages)+len(b.Locks)+len(b.Samples)+len(b.Flows) > 0
}

// cutSpans leaves the spans that overlap a part, with their arguments.
func cutSpans(b *model.Batch, part model.Stretch) {
	kept, args, next := b.Spans[:0], b.Args[:0], 0
	for i := range b.Spans {
		s := b.Spans[i]
		keep := s.Begin < part.End && (s.End > part.Begin || s.Begin >= part.Begin)
		for ; next < len(b.Args) && int(b.Args[next].Span) <= i; next++ {
			if a := b.Args[next]; keep {
				a.Span = int32(len(kept))
				args = append(args, a)
			}
		}
		if keep {
			kept = append(kept, s)
		}
	}
	b.Spans, b.Args = kept, args
}
