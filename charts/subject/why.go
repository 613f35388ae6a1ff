package subject

import (
	"strings"

	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// AppendFrameName appends the name of a frame: "Frame 251", for threads other than the main one,
// with frame numbers of their own, "Frame 250 of Draw".
func AppendFrameName(dst []byte, s *store.Session, track model.TrackID, number int64) []byte {
	dst = format.AppendCount(append(dst, "Frame "...), number)
	if s.MainTrack() != track {
		dst = append(append(dst, " of "...), ThreadName(s, track)...)
	}
	return dst
}

// AppendWhy appends why a frame, or a buffer on its way, took so long, in whole sentences: its length, its
// excess over the typical, the causes from its own thread to the root, other causes, and the unexplained rest.
func AppendWhy(dst []byte, s *store.Session, a *why.Answer) []byte {
	others := "frames"
	if onWay(s, a.Track) {
		others = "buffers"
		dst = format.AppendCount(append(dst, "Buffer "...), a.Number)
		dst = append(append(dst, " of "...), ThreadName(s, a.Track)...)
	} else {
		dst = AppendFrameName(dst, s, a.Track, a.Number)
	}
	dst = format.AppendDuration(append(dst, ": "...), a.DurationNs)
	switch {
	case a.TypicalNs == 0 && a.Baseline:
		return append(dst, ". The baseline has no frames of this thread."...)
	case a.TypicalNs == 0:
		dst = append(append(dst, ". There are too few "...), others...)
		return append(dst, " around it for a typical length."...)
	case a.DurationNs <= a.TypicalNs:
		dst = append(append(dst, ", not over "...), typicalWords(a.Baseline)...)
		dst = format.AppendDuration(dst, a.TypicalNs)
		return append(dst, '.')
	}
	dst = format.AppendDuration(append(dst, ", "...), a.ExcessNs())
	dst = append(append(dst, " over "...), typicalWords(a.Baseline)...)
	dst = format.AppendDuration(dst, a.TypicalNs)
	switch {
	case a.Stands:
	case a.Baseline:
		dst = append(dst, ", as usual there"...)
	default:
		dst = append(append(dst, ", which is no hitch: "...), NoHitch(s, a)...)
	}
	dst = append(dst, '.')
	if len(a.Chain) > 0 {
		dst = append(appendChain(append(dst, ' '), s, a.Chain), '.')
	}
	for from := 0; from < len(a.Others); {
		to := from + 1
		for to < len(a.Others) && a.Others[to-1].How == why.Waiting {
			to++
		}
		lead := format.Pick(from == 0, " Also: ", "; ")
		dst = appendChain(append(dst, lead...), s, a.Others[from:to])
		from = to
	}
	if len(a.Others) > 0 {
		dst = append(dst, '.')
	}
	for _, words := range [...]string{Less(s, a), Unexplained(a)} {
		if words != "" {
			dst = append(append(append(dst, ' '), words...), '.')
		}
	}
	return dst
}

// NoHitch says why a frame, or a buffer, that took longer than typical is no hitch.
func NoHitch(s *store.Session, a *why.Answer) string {
	switch {
	case a.DurationNs < a.HitchNs:
		return string(append(format.AppendDuration([]byte("a hitch takes "), a.HitchNs), " or more here"...))
	case s.Track(a.Track).Stopped(a.Frame):
		return "the program stood still"
	}
	return "others here are about as long"
}

// AppendLasting says from which frame on frames take longer, or less long, for good, and why.
func AppendLasting(dst []byte, s *store.Session, l *why.Lasting) []byte {
	word, ns := "Slower", l.AfterNs-l.BeforeNs
	if ns < 0 {
		word, ns = "Faster", -ns
	}
	if dst = append(dst, word...); l.Drifts {
		dst = append(append(dst, " and "...), strings.ToLower(word)...)
	}
	dst = append(dst, " since f"...)
	dst = append(dst, AppendFrameName(nil, s, l.Track, l.Number)[1:]...)
	dst = format.AppendDuration(append(dst, ", by "...), ns)
	dst = format.AppendDuration(append(dst, " ("...), l.AfterNs)
	dst = append(format.AppendDuration(append(dst, " instead of "...), l.BeforeNs), ")."...)
	if len(l.Chain) > 0 {
		dst = append(appendChain(append(dst, ' '), s, l.Chain), '.')
	}
	return dst
}

// Less describes by how much less than typical the rest of a frame took, if its causes exceed its
// excess, and where it saved most of that; it returns nothing if that is little.
func Less(s *store.Session, a *why.Answer) string {
	ns := a.LessNs()
	if root, _ := a.Root(); ns*10 < a.ExcessNs() || ns == 0 || root.Nothing {
		return ""
	}
	rest := format.Pick(onWay(s, a.Track), "The rest of its way took ", "The rest of the frame took ")
	b := append(format.AppendDuration([]byte(rest), ns), " less than typical"...)
	if in, ok := a.LessIn(); ok {
		name := "outside all spans"
		if in.Collector != model.NoCollector {
			name = escape.Name(s.Collector(in.Collector).Title())
		}
		b = format.AppendDuration(append(append(append(b, " ("...), name...), ' '), -in.ExcessNs())
		b = append(b, " less)"...)
	}
	return string(b)
}

// Unexplained returns the unexplained part of the excess in words, and its share; nothing if that is little.
func Unexplained(a *why.Answer) string {
	ns := a.RestNs()
	if ns*10 < a.ExcessNs() {
		return ""
	}
	b := append(format.AppendDuration(nil, ns), " ("...)
	b = format.AppendPercent(b, float64(ns)/float64(a.ExcessNs()))
	return string(append(b, ") of the excess is not explained"...))
}

// typicalWords name the typical length in sentences.
func typicalWords(baseline bool) string {
	return format.Pick(baseline, "the baseline's ", "the typical ")
}

// aroundWords name the frames with the typical values.
func aroundWords(l *why.Link) string {
	return format.Pick(l.Baseline, " frames of the baseline", " frames around")
}

func appendChain(dst []byte, s *store.Session, chain []why.Link) []byte {
	for i := range chain {
		if i > 0 {
			dst = append(dst, ", while "...)
		}
		dst = AppendLinkAt(dst, s, chain, i)
	}
	return dst
}

// AppendLinkAt appends one link of a chain.
func AppendLinkAt(dst []byte, s *store.Session, chain []why.Link, i int) []byte {
	if l := &chain[i]; onWay(s, l.Track) {
		return appendWayLink(dst, s, l, i == 0 || chain[i-1].How != why.Waiting)
	}
	return appendLink(dst, s, &chain[i])
}

// AppendCause appends a summary of hitches with one root cause: "Compile shader on Draw ×14, worst
// 74.8 ms (frame 5431), every ~11 s".
func AppendCause(dst []byte, s *store.Session, g *why.Group) []byte {
	way := onWay(s, g.Track)
	if way {
		dst = appendWayCause(dst, s, g, false)
	} else {
		full := func(id model.CollectorID) string { return escape.Name(s.Collector(id).Title()) }
		dst = appendOnThreads(appendCause(dst, g, full), s, g)
	}
	of := format.Pick(way, " (buffer ", " (frame ")
	dst = format.AppendCount(append(dst, " ×"...), int64(len(g.Hitches)))
	dst = format.AppendDuration(append(dst, ", worst "...), g.Worst.DurationNs)
	dst = append(format.AppendCount(append(dst, of...), g.Worst.Number), ')')
	if g.Regular {
		dst = format.AppendRoundDuration(append(dst, ", every ~"...), g.PeriodNs)
	}
	const much = 0.2
	switch {
	case g.Trend > much:
		dst = format.AppendPercent(append(dst, ", growing: the newer half is "...), g.Trend)
		dst = append(dst, " worse"...)
	case g.Trend < -much:
		dst = format.AppendPercent(append(dst, ", shrinking: the newer half is "...), -g.Trend)
		dst = append(dst, " better"...)
	}
	return dst
}

// AppendCauseName appends the name of the root cause of hitches for a list; on request with its
// thread; for late things on their way the element that kept them, and the way.
func AppendCauseName(dst []byte, s *store.Session, g *why.Group, thread bool) []byte {
	if g.Collector != model.NoCollector && onWay(s, g.Track) {
		return appendWayCause(dst, s, g, thread)
	}
	dst = appendCause(dst, g, func(id model.CollectorID) string { return NameApart(s, id) })
	if thread && g.Collector != model.NoCollector {
		dst = appendOnThreads(dst, s, g)
	}
	return dst
}

// appendOnThreads names the thread of the worst root cause, and says of how many of its role it is one.
func appendOnThreads(dst []byte, s *store.Session, g *why.Group) []byte {
	dst = append(append(dst, " on "...), ThreadName(s, g.Track)...)
	if g.Threads > 1 {
		dst = format.AppendPlural(append(dst, " and "...), int64(g.Threads-1), "like it", "like it")
	}
	return dst
}

// appendCause appends the name of the root cause of hitches.
func appendCause(dst []byte, g *why.Group, name func(model.CollectorID) string) []byte {
	switch {
	case g.Collector == model.NoCollector:
		return append(dst, "Not explained"...)
	case g.NoProcessor:
		return append(dst, "No processor"...)
	case g.How == why.NotMeasured:
		return append(dst, "Not measured"...)
	case g.How == why.Spread && g.Collector == 0:
		return append(dst, "Everything slower"...)
	case g.How == why.Spread:
		return append(append(dst, "All of "...), name(g.Collector)...)
	}
	dst = append(dst, name(g.Collector)...)
	if g.Within > 0 {
		dst = append(append(dst, " in "...), name(g.Within)...)
	}
	return dst
}

// ranInstead says what had the processors while a thread had none; empty if that is unknown.
func ranInstead(s *store.Session, l *why.Link) string {
	text := ""
	for i, c := range l.Ran {
		if c > 0 {
			text += [...]string{", while ", " and "}[i] + escape.Name(s.Collector(c).Title())
		}
	}
	if text == "" {
		return ""
	}
	return text + " ran"
}

func appendLink(dst []byte, s *store.Session, l *why.Link) []byte {
	name := escape.Name(s.Collector(l.Collector).Title())
	dst = append(dst, ThreadName(s, l.Track)...)
	switch l.How {
	case why.Waiting, why.Unknown:
		if l.State == why.Runnable {
			dst = format.AppendDuration(append(dst, " spent "...), l.ExcessNs)
			dst = append(append(dst, " longer in "...), name...)
			dst = append(appendWithin(dst, s, l, " inside "), " without a processor"...)
			return append(dst, ranInstead(s, l)...)
		}
		dst = format.AppendDuration(append(dst, " waited "...), l.ExcessNs)
		dst = append(append(dst, " longer in "...), name...)
		dst = appendWithin(dst, s, l, " inside ")
		if words := waitReason(l); words != "" {
			dst = append(append(dst, " ("...), words...)
			if l.State == "" {
				dst = append(dst, "; is what it waits for, a thread or the GPU, not recorded?"...)
			}
			dst = append(dst, ')')
		}
		if l.Taken.Waits {
			dst = append(AppendTaken(append(dst, " (probably a wait: "...), s, &l.Taken), ')')
		}
		return dst
	case why.Spread:
		dst = format.AppendDuration(append(dst, " took "...), l.ExcessNs)
		dst = append(dst, " longer, spread over many calls"...)
		if l.Collector == 0 {
			return dst
		}
		return append(append(dst, " in "...), name...)
	case why.NotMeasured:
		dst = format.AppendDuration(append(dst, " took "...), l.ExcessNs)
		if l.Nothing {
			return append(dst, " longer, and none of its calls were received"...)
		}
		switch one, n := recorded(s, l); n {
		case 0:
			return append(dst, " longer; only how long frames took was recorded"...)
		case 1:
			dst = append(append(dst, " longer outside "...), escape.Name(s.Collector(one).Title())...)
			return append(dst, ", the only part of frames that was recorded"...)
		}
		return append(dst, " longer outside all spans, in code that nothing measures"...)
	}
	dst = format.AppendDuration(append(dst, " spent "...), l.ExcessNs)
	if !isNew(l) {
		dst = append(dst, " longer"...)
	}
	dst = append(append(dst, " in "...), name...)
	switch {
	case isNew(l) && l.Around > 0:
		dst = format.AppendPlural(append(dst, " ("...), l.Calls, "call", "calls")
		if l.Seen == 0 {
			dst = append(dst, ", in none"...)
		} else {
			dst = format.AppendCount(append(dst, ", in "...), int64(l.Seen))
		}
		dst = format.AppendCount(append(dst, " of the "...), int64(l.Around))
		return append(append(dst, aroundWords(l)...), ')')
	case callsDiffer(l):
		dst = format.AppendPlural(append(dst, " ("...), l.Calls, "call", "calls")
		return append(format.AppendCount(append(dst, " instead of "...), l.TypicalCalls), ')')
	}
	return dst
}

// AppendTaken appends how a call was taken for a wait that is not called one.
func AppendTaken(dst []byte, s *store.Session, k *why.Kind) []byte {
	if k.Evens {
		dst = append(dst, "it ends at the same time of the frame, however late it begins"...)
	} else {
		dst = append(append(dst, "it ends when "...), escape.Name(s.Collector(k.With).Title())...)
		dst = append(append(append(dst, " on "...), ThreadName(s, k.WithTrack)...), " ends"...)
	}
	if k.Of > 1 {
		dst = format.AppendCount(append(dst, ", in "...), int64(k.Seen))
		dst = format.AppendCount(append(dst, " of "...), int64(k.Of))
		return append(dst, " cases"...)
	}
	return append(dst, ", in this case"...)
}

// waitReason words the reason that a recording gives for a wait.
func waitReason(l *why.Link) string {
	reason, given := strings.CutPrefix(l.State, "waiting: ")
	switch {
	case given:
		return "reason: " + escape.Name(reason)
	case l.State != "" && l.State != "waiting":
		return escape.Name(l.State)
	case l.How == why.Unknown:
		return "nothing recorded says why"
	}
	return ""
}

// isNew reports whether most frames around a link have no such call.
func isNew(l *why.Link) bool { return l.How == why.New || l.TypicalCalls == 0 && l.Calls > 0 }

// callsDiffer reports whether the number of calls of a link tells something: it is the reason, or beyond
// a fifth of what is typical. A call that began before the frame is none of its calls.
func callsDiffer(l *why.Link) bool {
	const share = 5
	far := l.Calls - l.TypicalCalls
	return l.How == why.MoreCalls || l.Calls > 0 && share*max(far, -far) > l.TypicalCalls
}

// AppendLinkFigures appends the figures of a link of a chain, below its name: how much longer than
// typical, and in what way.
func AppendLinkFigures(dst []byte, s *store.Session, l *why.Link) []byte {
	dst = format.AppendDuration(append(dst, '+'), l.ExcessNs)
	if onWay(s, l.Track) {
		return appendWayFigures(dst, l)
	}
	switch l.How {
	case why.Waiting, why.Unknown:
		if l.State == why.Runnable {
			return append(append(dst, " without a processor"...), ranInstead(s, l)...)
		}
		dst = appendWithin(append(dst, " waited"...), s, l, " inside ")
		if words := waitReason(l); words != "" {
			dst = append(append(dst, ", "...), words...)
		}
		if l.Taken.Waits {
			dst = AppendTaken(append(dst, "; probably a wait: "...), s, &l.Taken)
		}
		return dst
	case why.Spread:
		return append(dst, " spread over many calls"...)
	case why.NotMeasured:
		if l.Nothing {
			return append(dst, ", none of its calls were received"...)
		}
		if _, n := recorded(s, l); n == 0 {
			return append(dst, ", only its length was recorded"...)
		}
		return append(dst, " outside all spans"...)
	}
	switch {
	case isNew(l):
		return append(format.AppendPlural(append(dst, ", "...), l.Calls, "call", "calls"), ", new"...)
	case callsDiffer(l):
		dst = format.AppendPlural(append(dst, ", "...), l.Calls, "call", "calls")
		return format.AppendCount(append(dst, " instead of "...), l.TypicalCalls)
	}
	return append(dst, " longer"...)
}

// recorded counts what a recording has beside the lengths of frames, and returns one of that: a table of frame times
// may have nothing.
func recorded(s *store.Session, l *why.Link) (one model.CollectorID, n int) {
	for _, c := range s.Collectors().Tree().All {
		if frame := c.Name == "Frame" && l.How == why.NotMeasured; c.HasTime && c.ID > 0 && c.ID != l.Collector && !frame {
			one, n = c.ID, n+1
		}
	}
	return one, n
}

// appendWithin appends the call that contains a wait, if it is of interest.
func appendWithin(dst []byte, s *store.Session, l *why.Link, in string) []byte {
	if l.Within == 0 {
		return dst
	}
	return append(append(dst, in...), escape.Name(s.Collector(l.Within).Title())...)
}

// LinkThread returns the name of the thread of a link; empty if the link's name has it already.
func LinkThread(s *store.Session, l *why.Link) string {
	if onWay(s, l.Track) {
		return ""
	}
	return ThreadName(s, l.Track)
}

// LinkName returns the name of a link of a chain, without its thread; for an element its own name.
func LinkName(s *store.Session, l *why.Link) string {
	switch {
	case l.Nothing:
		return "Not received"
	case l.How == why.NotMeasured:
		return "Not measured"
	}
	if onWay(s, l.Track) {
		return ThreadName(s, l.Track)
	}
	return NameApart(s, l.Collector)
}

// NameApart returns the name of a collector; if others have the same one, with as many of its parents'
// names as needed: "Draw:Scene".
func NameApart(s *store.Session, id model.CollectorID) string {
	of, all := s.Collector(id), s.Collectors().Tree().All
	name, above := of.Name, of.Parent
	for i := 0; i < len(all) && above > 0; {
		c := &all[i]
		if c.ID == id || c.Name != of.Name || !strings.HasSuffix(":"+c.FullName, ":"+name) {
			i++
			continue
		}
		up := s.Collector(above)
		name, above = up.Name+":"+name, up.Parent
	}
	return escape.Name(name)
}

// ThreadName returns the name of a thread, with that of its program if that is not the main thread's.
func ThreadName(s *store.Session, id model.TrackID) string {
	t, main := s.Track(id), s.Track(s.MainTrack())
	if of := t.Def.Program; of != "" && main != nil && main.Def.Program != of {
		return escape.Name(t.Title()) + " of " + escape.Name(of)
	}
	return escape.Name(t.Title())
}
