package view

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"framescope/assets"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/model/store"
)

// Look is how a session is shown: hidden and folded things, colors, the measure, and the filter of
// messages.
type Look struct {
	session *store.Session
	view    *View // its history records hidden things and how tracks are shown
	lookState
	hidden    map[model.CollectorID]bool
	colors    map[string]assets.Color // the user's, by full name
	filter    MessageFilter
	tracks    TrackLook
	tracksRev uint64
	names     trackNames
	found     []found // by collector
	calls     *find.Hits
	named     *find.Hits // the calls of names that a search found, once all are known
	palette   Palette
	idle      idleTracks
	counts    counters
	kept      keptLook
	sized     model.TrackID // the track resized last; NoTrack: the last change was another
	shownTracks
	processes processes // see SeveralProcesses
}

// lookState is the part that pictures depend on. It is compared as a whole: every field added here
// changes the stamp.
type lookState struct {
	budgetNs                           int64
	interpolated, flows, wall, dayTime bool
	goneShown                          bool
	measure                            spans.Measure
	sent, searching                    bool
	foundRev                           uint64
	shownRev                           uint64 // of hidden things and of how tracks are shown
	colorsRev, filterRev, baseRev      uint64
}

// MeasuredBy notes that bars and rows are measured by another baseline: that of a revision.
func (l *Look) MeasuredBy(revision uint64) { l.baseRev = revision }

// Look returns how the session is looked at.
func (v *View) Look() *Look { return v.look }

// activity orders the threads of a sampled program, with its hundreds of waiting threads, by their
// work. It is coarse, so that they do not change places all the time.
func activity(t *store.Track) int { return bits.Len64(uint64(t.NumSpans())) / 2 }

// maxSortedTracks bounds the work of a tick.
const maxSortedTracks = 4096

// TrackRank orders tracks: the main one, the ways through a program and its parts (latencies of a
// pipeline), then threads, mostly idle ones after the others, and tracks with messages only last.
func TrackRank(t *store.Track) int {
	switch {
	case t.Def.Main:
		return 0
	case t.Def.Kind == model.TrackStream && t.NumSpans() > 0:
		return 1
	case t.Def.Kind == model.TrackElement && t.NumSpans() > 0:
		return 2
	case t.NumFrames() > 0 || t.NumSpans() >= busySpans:
		return 3
	case t.NumSpans() > 0:
		return 4 // a thread that did next to nothing: those of a virtual machine itself
	case t.Def.Name != "" && t.NumMessages() == 0:
		return 4 // is about to get something
	}
	return 5
}

// busySpans is how many spans a thread without frames needs to stand among those that do something.
// Spans only become more, so a thread moves up once.
const busySpans = 16

// Hidden reports whether the user hid a collector.
func (l *Look) Hidden(c model.CollectorID) bool { return l.hidden[c] }

// HidesCollectors reports whether the user hid any collector.
func (l *Look) HidesCollectors() bool { return len(l.hidden) > 0 }

// SetFrameBudget sets the time that a frame should take at most, ns; 0 or less: the default.
func (l *Look) SetFrameBudget(ns int64) {
	if l.budgetNs = ns; ns <= 0 {
		l.budgetNs = DefaultBudgetNs
	}
}

// SetShowInterpolated shows or hides bridged gaps.
func (l *Look) SetShowInterpolated(on bool) { l.interpolated = on }

// ShowDayTime reports whether rulers show the time of day.
func (l *Look) ShowDayTime() bool { return l.dayTime }

// SetShowDayTime shows the time of day on rulers, or that of the session.
func (l *Look) SetShowDayTime(on bool) { l.dayTime = on }

// ShowWall reports whether the figures of threads are from begin to end of their frames, waits included, and
// not the time in which they were busy.
func (l *Look) ShowWall() bool { return l.wall }

// SetShowWall shows the time from begin to end, or that in which threads were busy.
func (l *Look) SetShowWall(on bool) { l.wall = on }

// ShowFlows reports whether the timeline shows all flows, not those of a span alone.
func (l *Look) ShowFlows() bool { return l.flows }

// SetShowFlows shows all flows in the timeline, or those of a span alone.
func (l *Look) SetShowFlows(on bool) { l.flows = on }

// SetGoneShown gives each thread that is gone, or did little and nothing in view, a row, or all of
// them one.
func (l *Look) SetGoneShown(on bool) {
	if on == l.goneShown {
		return
	}
	l.rearranges()
	l.goneShown = on
	l.shownRev++
}

// SetMeasure chooses the measure of flame graphs and call trees.
func (l *Look) SetMeasure(m spans.Measure) { l.measure = m }

// CycleMeasure goes on to the next measure that the visible tracks can give: duration, CPU time,
// samples. It returns the new one.
func (l *Look) CycleMeasure() spans.Measure {
	can := l.session.Spans().Measures(l.VisibleTracks(), nil)
	at := max(slices.Index(can, l.measure), slices.Index(can, spans.MeasureDuration))
	l.measure = spans.MeasureDuration
	if len(can) > 0 {
		l.measure = can[(at+1)%len(can)]
	}
	return l.measure
}

// SetColors gives collectors the user's colors, by their full names. The Look keeps the map.
func (l *Look) SetColors(colors map[string]assets.Color) {
	l.colors = colors
	l.colorsRev++
}

// SetColorsAsSent shows the colors that senders suggest as they were sent, or brought to the
// lightness and chroma of all others.
func (l *Look) SetColorsAsSent(on bool) { l.sent = on }

// ColorsAsSent reports whether colors are shown as they were sent.
func (l *Look) ColorsAsSent() bool { return l.sent }

// SetFound sets the results of a search, or that there is no search. Everything else steps back in
// all panels.
func (l *Look) SetFound(searching bool, ids []model.CollectorID) {
	l.found, l.searching, l.calls, l.named = l.found[:0], searching, nil, nil
	l.foundRev++
	l.found = append(l.found, make([]found, l.session.Collectors().Len())...)
	for _, id := range ids {
		if id < 0 || int(id) >= len(l.found) {
			continue
		}
		l.found[id].is = true
		for id >= 0 && int(id) < len(l.found) && !l.found[id].holds {
			l.found[id].holds = true
			c := l.session.Collector(id)
			if c == nil {
				break
			}
			id = c.Parent
		}
	}
}

// SetFoundCalls is SetFound for a search for calls, which may find only some calls of a collector. It
// reads hits from then on; call it again whenever they changed.
func (l *Look) SetFoundCalls(hits *find.Hits) {
	l.SetFound(true, hits.Collectors(nil))
	l.calls = hits
}

// SetFoundNames sets the calls of the names given to SetFound: a bar of several calls is looked up
// among these.
func (l *Look) SetFoundNames(hits *find.Hits) { l.named = hits; l.foundRev++ }

// FoundCalls returns the calls that a search found, nil where it looks for names alone, or by now in
// another session.
func (l *Look) FoundCalls() *find.Hits {
	if l.calls == nil || !l.calls.Of(l.session) {
		return nil
	}
	return l.calls
}

// found is the result of a search for a collector.
type found struct{ is, holds bool }

// Searching reports whether there is a search.
func (l *Look) Searching() bool { return l.searching }

// Found reports whether there is a search, and it finds a collector; holds, that it finds it or
// something that belongs to it.
func (l *Look) Found(c model.CollectorID) (is, holds bool) {
	if !l.searching || c < 0 || int(c) >= len(l.found) {
		return false, false
	}
	return l.found[c].is, l.found[c].holds
}

// SetColor gives the collector with a full name a color of the user's; ResetColor takes it back.
func (l *Look) SetColor(fullName string, c assets.Color) {
	if l.colors == nil {
		l.colors = map[string]assets.Color{}
	}
	l.colors[fullName] = c
	l.colorsRev++
}

// ResetColor takes the user's color of a collector back.
func (l *Look) ResetColor(fullName string) {
	delete(l.colors, fullName)
	l.colorsRev++
}

// HasColor reports whether the user gave the collector of a full name a color.
func (l *Look) HasColor(fullName string) bool {
	_, own := l.colors[fullName]
	return own
}

// FrameBudgetNs returns the time that a frame should take at most: it colors frames.
func (l *Look) FrameBudgetNs() int64 { return l.budgetNs }

// ShowInterpolated reports whether bridged gaps are shown.
func (l *Look) ShowInterpolated() bool { return l.interpolated }

// GoneShown reports whether each thread that is gone, or did little and nothing in view, has a row.
func (l *Look) GoneShown() bool { return l.goneShown }

// Measure returns the measure of flame graphs and call trees of sampled sessions. If tracks do not
// support it they show durations.
func (l *Look) Measure() spans.Measure { return l.measure }

// ShownStamp changes whenever something was hidden, folded, or shown again.
func (l *Look) ShownStamp() uint64 { return l.shownRev }

// MessageFilter selects the messages that the timeline and the message table show. The zero value
// shows all.
type MessageFilter struct {
	// Least is the least grave severity that is shown, when HasLeast is set.
	Least    model.Severity
	HasLeast bool
	// Categories are the categories that are shown, empty: all. Messages without a category belong
	// to the category "".
	Categories []string
	// Track is the thread with the shown messages, if OnlyTrack is set.
	Track     model.TrackID
	OnlyTrack bool
	// Object and Text are contained in the object and in the text of shown messages, ignoring case.
	Object, Text string
}

// All reports whether the filter lets everything through.
func (f *MessageFilter) All() bool {
	return !f.HasLeast && len(f.Categories) == 0 && !f.OnlyTrack && f.Object == "" && f.Text == ""
}

// JustTrack reports whether the filter selects a thread and nothing else.
func (f *MessageFilter) JustTrack() bool {
	g := *f
	g.OnlyTrack = false
	return f.OnlyTrack && g.All()
}

// ToggleCategory returns the filter with a category added to those that are shown, or taken away.
func (f MessageFilter) ToggleCategory(name string) MessageFilter {
	f.Categories = slices.Clone(f.Categories)
	if i := slices.Index(f.Categories, name); i >= 0 {
		f.Categories = slices.Delete(f.Categories, i, i+1)
	} else {
		f.Categories = append(f.Categories, name)
	}
	return f
}

// Query returns the query of the messages that pass the filter, at any time.
func (f *MessageFilter) Query() messages.Query {
	q := messages.Query{MinSeverity: model.SeverityTrace, Categories: f.Categories, Object: f.Object, Text: f.Text}
	if f.HasLeast {
		q.MinSeverity = f.Least
	}
	return q
}

func (f *MessageFilter) equal(o *MessageFilter) bool {
	return f.HasLeast == o.HasLeast && (f.Least == o.Least || !f.HasLeast) &&
		f.OnlyTrack == o.OnlyTrack && (f.Track == o.Track || !f.OnlyTrack) &&
		f.Object == o.Object && f.Text == o.Text && slices.Equal(f.Categories, o.Categories)
}

// MessageFilter returns the filter of messages. Its categories must not be changed.
func (l *Look) MessageFilter() MessageFilter { return l.filter }

// MessageStamp changes with the filter of messages.
func (l *Look) MessageStamp() uint64 { return l.filterRev }

// SetMessageFilter sets the filter of messages.
func (l *Look) SetMessageFilter(f MessageFilter) {
	if l.filter.equal(&f) {
		return
	}
	f.Categories = slices.Clone(f.Categories)
	l.filter = f
	l.filterRev++
}

// Path is a chain of calls in a flame graph, from the outermost in. The zero value is none. Paths
// are equal when they are the same, so that one can go back to them.
type Path struct {
	// Of is the root of the graph: a collector, NoCollector for everything.
	Of model.CollectorID
	// Track is its thread, NoTrack for several added up.
	Track model.TrackID
	calls string // the collectors, 4 bytes each
}

// PathOf returns a chain of calls as a path, none for an empty one.
func PathOf(of model.CollectorID, track model.TrackID, chain []model.CollectorID) Path {
	if len(chain) == 0 {
		return Path{}
	}
	calls := make([]byte, 0, 4*len(chain))
	for _, c := range chain {
		calls = binary.LittleEndian.AppendUint32(calls, uint32(c))
	}
	return Path{Of: of, Track: track, calls: string(calls)}
}

// None reports whether it is no path.
func (p Path) None() bool { return p.calls == "" }

// Append appends the path's collectors, the outermost first.
func (p Path) Append(dst []model.CollectorID) []model.CollectorID {
	for i := 0; i+4 <= len(p.calls); i += 4 {
		dst = append(dst, p.at(i))
	}
	return dst
}

// Last returns the innermost collector, NoCollector of none.
func (p Path) Last() model.CollectorID {
	if p.None() {
		return model.NoCollector
	}
	return p.at(len(p.calls) - 4)
}

func (p Path) at(i int) model.CollectorID {
	return model.CollectorID(uint32(p.calls[i]) | uint32(p.calls[i+1])<<8 | uint32(p.calls[i+2])<<16 | uint32(p.calls[i+3])<<24)
}

// SelectPath is SelectCollectorOf of the innermost collector of a path on a thread: of its bars in
// a flame graph it is this one from which keys go on.
func (v *View) SelectPath(id model.TrackID, p Path) {
	if p.None() {
		return
	}
	if p != v.path {
		v.chooses(false)
	}
	v.SelectCollectorOf(id, p.Last())
	v.path = p
}

// Path returns the selected call path, or none if another collector is selected now.
func (s *selection) Path() Path {
	if s.path.None() || s.path.Last() != s.Collector() {
		return Path{}
	}
	return s.path
}

// FocusOn fills flame graphs with a path of calls, with everything for none. Back returns.
func (v *View) FocusOn(p Path) {
	if p != v.focus {
		v.chooses(false)
		v.focus = p
	}
}

// Focus returns the path of calls that flame graphs are filled with, none for everything. It
// belongs to the thread that it names: graphs of others show everything.
func (s *selection) Focus() Path { return s.focus }
