package view

import (
	"slices"

	"framescope/model"
	"framescope/model/messages"
)

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
