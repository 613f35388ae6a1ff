// The user's actions on places of the shown session: bookmarks with their notes, and links. It makes
// the commands, and the items of menus and of the palette; app/library stores the bookmarks.

package sessions

import (
	"fmt"
	"strconv"
	"strings"

	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/place"
	"framescope/widgets"
)

// Places are the user's actions on them.
type Places struct {
	View  func() *view.View
	Ask   *workspace.Prompt
	KeyOf func(command string) string
	// Link returns the link to a place; ok is false where nothing of the session is on disk.
	Link func(p place.Place) (link string, ok bool)
}

// Commands returns the commands for bookmarks and links.
func (n *Places) Commands(group string) []input.Command {
	list := []input.Command{
		{ID: "bookmark", Name: "Bookmark the selection", Words: "mark flag annotate", Group: group, Keys: []string{"B"},
			Run: func() { n.here(n.bookmark) }},
		{ID: "bookmark.note", Name: "Bookmark with a note, or change its note", Words: "annotate comment", Group: group,
			Keys: []string{"Alt+B"}, Run: func() { n.here(n.noteAt) }},
		{ID: "bookmark.remove", Name: "Remove the bookmark of the selection", Words: "delete", Group: group,
			Keys: []string{"Ctrl+Shift+B"}, Run: func() { n.here(n.removeAt) }},
		{ID: "link", Name: "Copy a link to the selection", Words: "url share anchor clipboard", Group: group,
			Keys: []string{"Ctrl+Shift+L"}, Run: func() { n.here(n.copyLink) }},
	}
	for i := 1; i <= place.MaxNumber; i++ {
		key := strconv.Itoa(i)
		list = append(list, input.Command{ID: "bookmark." + key, Name: "Go to bookmark " + key, Group: group,
			Keys: []string{"Ctrl+" + key}, Shy: true, Run: func() { n.recall(i) }})
	}
	return list
}

// here does something with the place of the selection.
func (n *Places) here(do func(p place.Place)) {
	p, ok := n.View().Here()
	if !ok {
		n.Ask.Notify("Select something to bookmark first")
		return
	}
	do(p)
}

// bookmark marks a place.
func (n *Places) bookmark(p place.Place) {
	if m, added, ok := n.mark(p); ok && added {
		n.Ask.Notify("%s: %s", bookmarkName(&m), subject.PlaceName(p))
	} else if ok {
		n.Ask.Notify("It has %s already: %s adds a note", bookmarkName(&m), n.KeyOf("bookmark.note"))
	}
}

// mark adds a bookmark; an existing one stays unchanged.
func (n *Places) mark(p place.Place) (m place.Mark, added, ok bool) {
	v := n.View()
	if v.None() {
		return m, false, false
	}
	f, err := p.Find(v.Session())
	if err != nil {
		n.Ask.Warn(err)
		return m, false, false
	}
	if m, added, ok = v.Marks().Add(p, f.BeginNs, f.EndNs); !ok {
		n.Ask.Notify("There are %d bookmarks, the maximum: remove some first", place.MaxMarks)
	}
	return m, added, ok
}

func bookmarkName(m *place.Mark) string {
	if m.Number == 0 {
		return "Bookmark"
	}
	return fmt.Sprintf("Bookmark %d", m.Number)
}

// noteAt asks for the note of a place, and marks it if it is not yet.
func (n *Places) noteAt(p place.Place) {
	if m, _, ok := n.mark(p); ok {
		n.Note(m.ID)
	}
}

// Note asks for the note of a bookmark.
func (n *Places) Note(id uint64) {
	list := n.View().Marks()
	m, ok := list.ByID(id)
	if !ok {
		return
	}
	q := &widgets.Palette{Name: bookmarkName(&m) + ": " + subject.PlaceName(m.Place), Does: "Save",
		Answer: func(text string) string {
			if len(text) > place.MaxNote {
				return fmt.Sprintf("A note has at most %d bytes", place.MaxNote)
			}
			list.SetNote(id, strings.ReplaceAll(text, lineEnd, "\n"))
			return ""
		}}
	q.Field.Hint = "a note; empty: none"
	q.Field.SetText(strings.ReplaceAll(m.Note, "\n", lineEnd))
	n.Ask.Ask(q, 460)
}

// lineEnd is the end of a line of a note where it is written in one.
const lineEnd = " ¶ "

// removeAt takes the bookmark of a place away.
func (n *Places) removeAt(p place.Place) {
	m, ok := n.View().Marks().At(p)
	if !ok {
		n.Ask.Notify("The selection has no bookmark")
		return
	}
	n.Remove(m.ID)
}

// Remove takes a bookmark away.
func (n *Places) Remove(id uint64) {
	list := n.View().Marks()
	if m, ok := list.ByID(id); ok {
		list.Remove(id)
		n.Ask.Notify("%s removed: %s", bookmarkName(&m), subject.PlaceName(m.Place))
	}
}

// recall goes to the bookmark of a number.
func (n *Places) recall(number int) {
	m, ok := n.View().Marks().Numbered(number)
	if !ok {
		n.Ask.Notify("There is no bookmark %d: %s marks the selection", number, n.KeyOf("bookmark"))
		return
	}
	n.GoTo(m.ID)
}

// GoTo goes to a bookmark.
func (n *Places) GoTo(id uint64) {
	if err := n.View().GoToMark(id); err != nil {
		n.Ask.Warn(fmt.Errorf("cannot go to the bookmark: %w", err))
	}
}

// copyLink copies the link to a place.
func (n *Places) copyLink(p place.Place) {
	link, ok := n.Link(p)
	if !ok {
		n.Ask.Notify("There is no link: this session is not on disk")
		return
	}
	n.Ask.Copy(link)
}

// Things are the bookmarks as items of the palette under a head, by their notes and places.
func (n *Places) Things(head string) (items []widgets.PaletteItem) {
	for _, m := range n.View().Bookmarks() {
		what := subject.PlaceName(m.Place)
		it := widgets.PaletteItem{
			Name: m.Name(what), Also: "bookmark " + m.Place.Thread, Group: head,
			Note: string(format.AppendClock(nil, m.Found.BeginNs, 1e6)), Run: func() { n.GoTo(m.ID) },
		}
		if first, _, _ := strings.Cut(m.Note, "\n"); first != "" {
			it.Name, it.Also, it.Note = m.Name(first), "bookmark "+what+" "+m.Note+" "+m.Place.Thread, what
		}
		if m.Number > 0 {
			it.Key = n.KeyOf("bookmark." + strconv.Itoa(m.Number))
		}
		items = append(items, it)
	}
	return items
}

// Menu returns the actions on the target under the mouse in a panel of a thread: a bookmark, with its
// name, or a place.
func (n *Places) Menu(hit *panel.Hit, track model.TrackID) (name string, items []widgets.MenuItem) {
	add := func(label, key string, run func()) {
		items = append(items, widgets.MenuItem{Label: label, Key: key, Run: run})
	}
	v := n.View()
	if m, ok := v.Marks().ByID(hit.Mark); ok {
		add("Go there", "", func() { n.GoTo(m.ID) })
		add("Note…", "", func() { n.Note(m.ID) })
		add("Copy link", "", func() { n.copyLink(m.Place) })
		if m.Note != "" {
			add("Copy the note", "", func() { n.Ask.Copy(m.Note) })
		}
		add("Remove the bookmark", "", func() { n.Remove(m.ID) })
		return bookmarkName(&m), items
	}
	p, ok := placeOf(v, hit, track)
	if !ok {
		return "", nil
	}
	key := func(id string) string { // of commands, which act on the selection
		if here, ok := v.Here(); !ok || here != p {
			return ""
		}
		return n.KeyOf(id)
	}
	if m, marked := v.Marks().At(p); marked {
		add("Note on the bookmark…", key("bookmark.note"), func() { n.Note(m.ID) })
		add("Remove the bookmark", key("bookmark.remove"), func() { n.Remove(m.ID) })
	} else {
		add("Bookmark", key("bookmark"), func() { n.bookmark(p) })
		add("Bookmark with a note…", key("bookmark.note"), func() { n.noteAt(p) })
	}
	add("Copy link", key("link"), func() { n.copyLink(p) })
	items[0].Line = true
	return "", items
}

// placeOf returns the place under the mouse: a span, a frame, a time; inside the selection, all of it.
func placeOf(v *view.View, h *panel.Hit, track model.TrackID) (p place.Place, ok bool) {
	s := v.Session()
	frames := func() (place.Place, bool) {
		if track == v.Track() && v.FrameA() <= h.Frame && h.Frame <= v.FrameB() && h.Frame >= 0 {
			return place.OfFrames(s, track, v.FrameA(), v.FrameB())
		}
		return place.OfFrames(s, track, h.Frame, h.Frame)
	}
	if h.Kind == panel.HitSpan {
		return place.OfSpan(s, h.Bar)
	}
	inside := !v.Live() && v.RangeA() <= h.TimeNs && h.TimeNs < v.RangeB()
	inRange := inside && v.ChoseRange() && !v.RangeIsFrames()
	switch h.Kind {
	case panel.HitFrame:
		return frames()
	case panel.HitNothing, panel.HitAxis:
		if inRange {
			return v.Here()
		}
		if inside && h.Kind == panel.HitNothing && v.FrameA() >= 0 && v.FrameB() > v.FrameA() {
			return place.OfFrames(s, v.Track(), v.FrameA(), v.FrameB())
		}
	}
	if h.Kind != panel.HitAxis {
		return p, false
	}
	if p, ok = frames(); ok {
		return p, true
	}
	return v.Moment(h.TimeNs)
}

// Act runs a panel's request about a bookmark.
func (n *Places) Act(a panel.Action) {
	switch a.Kind {
	case panel.ActionGoToMark:
		n.GoTo(a.Hit.Mark)
	case panel.ActionRemoveMark:
		n.Remove(a.Hit.Mark)
	case panel.ActionNote:
		n.Note(a.Hit.Mark)
	}
}
