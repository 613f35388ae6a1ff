package subject

import (
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/store"
)

// FlowQuestion is the question behind an answer on the time of a way.
func FlowQuestion(a *flow.Answer) string {
	switch {
	case a.Dropped > 0:
		return "Why are buffers dropped?"
	case len(a.Chain) > 0 && a.Chain[0].How == flow.Waits:
		return "Where do buffers wait?"
	}
	return "Where does the time of buffers go?"
}

// ObjectName is the name of an object.
func ObjectName(s *store.Session, id model.ObjectID) string {
	o, ok := s.Topology().Object(id)
	if !ok {
		return "?"
	}
	return escape.Name(o.Name)
}

// AppendFlowFigures appends the figures of a link of such an answer, below its name.
func AppendFlowFigures(dst []byte, l *flow.Link) []byte {
	switch l.How {
	case flow.Unmeasured:
		dst = format.AppendPercent(dst, l.Share)
		return append(dst, " of the time from one buffer to the next lies behind the end of the trace"...)
	case flow.Behind:
		dst = appendTook(dst, l)
		dst = format.AppendPercent(append(dst, ", has them "...), l.Share)
		return append(dst, " of the time between two buffers"...)
	}
	return appendFill(appendTook(dst, l), &l.Fill)
}

func appendTook(dst []byte, l *flow.Link) []byte {
	dst = format.AppendDuration(append(dst, "median "...), int64(l.Figures.MedianNs+0.5))
	dst = format.AppendDuration(append(dst, ", p99 "...), int64(l.Figures.P99Ns+0.5))
	return format.AppendPlural(append(dst, " of "...), l.Figures.N, "buffer", "buffers")
}

// appendFill appends how full a queue was.
func appendFill(dst []byte, f *flow.Fill) []byte {
	if !f.Known {
		return dst
	}
	return AppendFill(append(dst, "; in it "...), f)
}

// AppendFill appends how many buffers were in a queue: "29 of 30", where it is known how many it takes,
// else "29, at most 31".
func AppendFill(dst []byte, f *flow.Fill) []byte {
	dst = format.AppendCount(dst, int64(f.Median+0.5))
	if f.Limit > 0 {
		return format.AppendCount(append(dst, " of "...), int64(f.Limit))
	}
	return format.AppendCount(append(dst, ", at most "...), int64(f.Most+0.5))
}

// AppendFlow appends where the time of a way goes, as a sentence.
func AppendFlow(dst []byte, s *store.Session, a *flow.Answer) []byte {
	dst = append(append(dst, escape.Name(s.Track(a.Way.Track).Title())...), ": "...)
	if a.Dropped > 0 {
		dst = append(append(dst, ObjectName(s, a.Dropper)...), " dropped "...)
		dst = format.AppendPlural(dst, int64(a.Dropped), "buffer", "buffers")
		if len(a.Chain) > 0 {
			dst = append(dst, "; "...)
		}
	}
	for i := range a.Chain {
		l := &a.Chain[i]
		name := ObjectName(s, l.Object)
		switch l.How {
		case flow.Waits, flow.Works:
			if l.How == flow.Waits {
				dst = append(append(dst, "buffers wait in "...), name...)
			} else {
				dst = append(append(dst, "most of the time goes by in "...), name...)
			}
			dst = format.AppendPercent(append(dst, ", "...), l.Share)
			dst = append(dst, " of the way ("...)
		case flow.Behind:
			dst = append(append(dst, ", behind "...), name...)
			dst = append(dst, " ("...)
		case flow.Unmeasured:
			dst = append(append(dst, ", before "...), name...)
			dst = append(dst, " ("...)
		}
		dst = append(AppendFlowFigures(dst, l), ')')
	}
	return append(dst, '.')
}
