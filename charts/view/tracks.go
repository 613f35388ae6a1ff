package view

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// TrackOrder is the order in which tracks are shown.
type TrackOrder string

// The orders. Pinned tracks come first in each of them, and groups stay together.
const (
	TracksAsSent TrackOrder = ""     // see TrackRank
	TracksByName TrackOrder = "name" // numbers in names by their value
	TracksByBusy TrackOrder = "busy" // the busiest in the whole session first, without waits
	TracksByHand TrackOrder = "own"  // as the user put them
)

// TrackGrouping is the way tracks are grouped.
type TrackGrouping string

// The groupings.
const (
	TracksAsFits    TrackGrouping = "" // by process where there are several, else not grouped
	TracksAlone     TrackGrouping = "alone"
	TracksByKind    TrackGrouping = "kind"    // threads, elements, paths
	TracksByProcess TrackGrouping = "process" // by their process
	TracksByPool    TrackGrouping = "pool"    // names that differ in their number alone
)

// Bounds of the stored settings of a program's tracks.
const (
	mostTrackNames = 512 // in each list
	mostLanes      = 64  // of a track with a height set by the user
)

// TrackLook is how the user wants the tracks of a program to be shown. It is kept for the program:
// tracks are known by their titles, the second of a title as "title #2".
type TrackLook struct {
	Order  TrackOrder     `json:",omitempty"`
	Groups TrackGrouping  `json:",omitempty"`
	Own    []string       `json:",omitempty"` // by hand: the top one first
	Pinned []string       `json:",omitempty"` // at the top, in the order of the tracks
	Hidden []string       `json:",omitempty"`
	Folded []string       `json:",omitempty"` // to a thin row
	Closed []string       `json:",omitempty"` // groups, by their key
	NoIdle bool           `json:",omitempty"` // those that are idle are hidden, see Look.TrackIdle
	Sums   bool           `json:",omitempty"` // those that have sums instead of calls are shown
	Kept   []string       `json:",omitempty"` // and these shown all the same
	Lanes  map[string]int `json:",omitempty"` // how many lanes of a track have room, where the user set it

	Counters       CounterChoice `json:",omitempty"` // which of them have a row; those below in any case, or never
	CountersShown  []string      `json:",omitempty"`
	CountersHidden []string      `json:",omitempty"`
	CountersPinned []string      `json:",omitempty"` // above all tracks
	CountersLog    []string      `json:",omitempty"` // with a logarithmic scale
}

// lists are the names that a TrackLook keeps, by what the user marked them with.
func (t *TrackLook) lists() [numMarks]*[]string {
	return [numMarks]*[]string{
		markPinned: &t.Pinned, markHidden: &t.Hidden, markFolded: &t.Folded, markClosed: &t.Closed, markKept: &t.Kept,
		markCounter + trackMark(CounterShown): &t.CountersShown, markCounter + trackMark(CounterHidden): &t.CountersHidden,
		markCounter + trackMark(CounterPinned): &t.CountersPinned, markCounter + trackMark(CounterLog): &t.CountersLog,
	}
}

// Plain reports whether tracks have the default look.
func (t *TrackLook) Plain() bool {
	n := len(t.Own) + len(t.Lanes)
	for _, names := range t.lists() {
		n += len(*names)
	}
	return n == 0 && t.Order == TracksAsSent && t.Groups == TracksAsFits && t.Counters == CountersFit && !t.NoIdle &&
		!t.Sums
}

// Sane reports whether it is within its bounds and has only known values.
func (t *TrackLook) Sane() bool {
	for _, names := range t.lists() {
		if len(*names) > mostTrackNames {
			return false
		}
	}
	for _, n := range t.Lanes {
		if n < 1 || n > mostLanes {
			return false
		}
	}
	return len(t.Lanes) <= mostTrackNames && len(t.Own) <= mostTrackNames &&
		slices.Contains([]CounterChoice{CountersFit, CountersChanging, CountersAll, CountersNone}, t.Counters) &&
		slices.Contains([]TrackOrder{TracksAsSent, TracksByName, TracksByBusy, TracksByHand}, t.Order) &&
		slices.Contains([]TrackGrouping{TracksAsFits, TracksAlone, TracksByKind, TracksByProcess, TracksByPool}, t.Groups)
}

// trackMark is a user's yes or no setting of a track or a group of them.
type trackMark uint8

const (
	markPinned trackMark = iota
	markHidden
	markFolded
	markClosed
	markKept // shown though idle, or sums
	markCounter
	numMarks = markCounter + trackMark(numCounterMarks)
)

// marked reports whether the user marked something by its name.
func (t *TrackLook) marked(m trackMark, name string) bool {
	_, ok := slices.BinarySearch(*t.lists()[m], name)
	return ok
}

// mark marks something, or takes the mark away.
func (t *TrackLook) mark(m trackMark, name string, on bool) {
	list := t.lists()[m]
	switch at, marked := slices.BinarySearch(*list, name); {
	case on && !marked:
		*list = slices.Insert(*list, at, name)
	case marked && !on:
		*list = slices.Delete(*list, at, at+1)
	}
}

// clone returns a copy within its bounds, with sorted lists.
func (t TrackLook) clone() TrackLook {
	t.Own, t.Lanes = slices.Clone(t.Own), maps.Clone(t.Lanes)
	for _, names := range t.lists() {
		all := slices.Compact(slices.Sorted(slices.Values(*names)))
		*names = all[:min(len(all), mostTrackNames)]
	}
	for name := range t.Lanes {
		if len(t.Lanes) > mostTrackNames {
			delete(t.Lanes, name)
		}
	}
	return t
}

// Tracks returns how tracks are shown.
func (l *Look) Tracks() TrackLook { return l.tracks.clone() }

// SetTracks shows tracks as they were wanted before. It is no step that Back returns from: verbs
// that are push one.
func (l *Look) SetTracks(t TrackLook) {
	l.tracks = t.clone()
	l.tracksChanged()
}

// TracksRev changes whenever the user changed how tracks are shown.
func (l *Look) TracksRev() uint64 { return l.tracksRev }

func (l *Look) tracksChanged() {
	l.tracksRev++
	l.shownRev++
}

// TrackOrder returns the order of the tracks.
func (l *Look) TrackOrder() TrackOrder { return l.tracks.Order }

// TrackGrouping returns the way tracks are grouped, never TracksAsFits.
func (l *Look) TrackGrouping() TrackGrouping {
	switch {
	case l.tracks.Groups != TracksAsFits:
		return l.tracks.Groups
	case l.SeveralProcesses():
		return TracksByProcess
	}
	return TracksAlone
}

// SeveralProcesses reports whether the tracks of the session are of two processes or more.
func (l *Look) SeveralProcesses() bool {
	w := &l.processes
	if s := l.session; w.session != s || w.tracks != s.NumTracks() {
		*w = processes{session: s, tracks: s.NumTracks()}
		first := ""
		for id := range model.TrackID(w.tracks) {
			name := s.Track(id).Def.Process
			if first = cmp.Or(first, name); name != "" && name != first {
				w.several = true
			}
		}
	}
	return w.several
}

// processes is whether tracks are of several, as it was looked up for so many tracks.
type processes struct {
	session *store.Session
	tracks  int
	several bool
}

// ProcessOf returns the name of the process of a track.
func ProcessOf(s *store.Session, t *store.Track) string {
	return cmp.Or(t.Def.Process, s.Info().Program, "process not known")
}

// TrackName returns the name of a track where its process is named above it.
func TrackName(t *store.Track) string {
	name := t.Title()
	if of := t.Def.Process; of != "" {
		if short, ok := strings.CutSuffix(name, " ("+of+")"); ok && short != "" {
			return short
		}
	}
	return name
}

// SetTrackOrder changes the order of the tracks.
func (l *Look) SetTrackOrder(o TrackOrder) {
	if o == l.tracks.Order {
		return
	}
	l.rearranges()
	l.tracks.Order = o
	l.tracksChanged()
}

// SetTrackGrouping changes the way tracks are grouped.
func (l *Look) SetTrackGrouping(g TrackGrouping) {
	if g == l.TrackGrouping() {
		return
	}
	l.rearranges()
	l.tracks.Groups = g
	l.tracksChanged()
}

func (l *Look) markTrack(m trackMark, id model.TrackID, on bool) {
	if l.trackMarked(m, id) == on {
		return
	}
	l.rearranges()
	l.tracks.mark(m, l.trackName(id), on)
	l.tracksChanged()
}

func (l *Look) trackMarked(m trackMark, id model.TrackID) bool {
	return len(*l.tracks.lists()[m]) > 0 && l.tracks.marked(m, l.trackName(id))
}

// TrackPinned reports whether a track stands at the top.
func (l *Look) TrackPinned(id model.TrackID) bool { return l.trackMarked(markPinned, id) }

// SetTrackPinned brings a track to the top, or back to its place.
func (l *Look) SetTrackPinned(id model.TrackID, on bool) { l.markTrack(markPinned, id, on) }

// TrackFolded reports whether the user folded a track to one thin row.
func (l *Look) TrackFolded(id model.TrackID) bool { return l.trackMarked(markFolded, id) }

// SetTrackFolded folds a track to one thin row, or unfolds it.
func (l *Look) SetTrackFolded(id model.TrackID, folded bool) { l.markTrack(markFolded, id, folded) }

// GroupClosed reports whether the user folded a group of tracks to one row.
func (l *Look) GroupClosed(key string) bool { return l.tracks.marked(markClosed, key) }

// SetGroupClosed folds a group of tracks to one row, or unfolds it.
func (l *Look) SetGroupClosed(key string, closed bool) {
	if closed == l.GroupClosed(key) {
		return
	}
	l.rearranges()
	l.tracks.mark(markClosed, key, closed)
	l.tracksChanged()
}

// TrackLanes returns for how many lanes of a track there is room, 0: for as many as are in view.
func (l *Look) TrackLanes(id model.TrackID) int {
	if len(l.tracks.Lanes) == 0 { // no name is looked for
		return 0
	}
	return l.tracks.Lanes[l.trackName(id)]
}

// SetTrackLanes gives a track room for so many lanes, 0: for as many as are in view.
func (l *Look) SetTrackLanes(id model.TrackID, n int) {
	n = min(max(n, 0), mostLanes)
	if n == l.TrackLanes(id) {
		return
	}
	l.resizes(id)
	if n == 0 {
		delete(l.tracks.Lanes, l.trackName(id))
	} else if l.tracks.Lanes == nil {
		l.tracks.Lanes = map[string]int{l.trackName(id): n}
	} else {
		l.tracks.Lanes[l.trackName(id)] = n
	}
	l.tracksChanged()
}

// MoveTrack puts a track above another, or below it. From now on the order is the user's.
func (l *Look) MoveTrack(id, other model.TrackID, below bool) {
	if id == other {
		return
	}
	l.rearranges()
	name, own := l.trackName(id), make([]string, 0, len(l.tracks.Own))
	for _, at := range l.VisibleTracks() {
		switch at {
		case id:
		case other:
			own = append(own, l.trackName(at), name)
			if n := len(own); !below {
				own[n-2], own[n-1] = name, own[n-2]
			}
		default:
			own = append(own, l.trackName(at))
		}
	}
	for _, old := range l.tracks.Own { // of tracks that are absent at present
		if !slices.Contains(own, old) {
			own = append(own, old)
		}
	}
	l.tracks.Own, l.tracks.Order = own[:min(len(own), mostTrackNames)], TracksByHand
	l.tracksChanged()
}

// MoveTrackBy moves a track up (-1) or down (1) by a place among those that it can stand among.
func (l *Look) MoveTrackBy(id model.TrackID, dir int) {
	all := l.VisibleTracks()
	i := slices.Index(all, id)
	if j := i + dir; i >= 0 && j >= 0 && j < len(all) && l.SameSection(id, all[j]) {
		l.MoveTrack(id, all[j], dir > 0)
	}
}

// SameSection reports whether two tracks can stand beside each other: both are pinned, or neither is
// and they are in one group.
func (l *Look) SameSection(a, b model.TrackID) bool {
	x, y := l.sectionOf(a), l.sectionOf(b)
	return x == y
}

// section is where a track can be moved.
type section struct {
	pinned bool
	group  string
}

func (l *Look) sectionOf(id model.TrackID) section {
	if l.TrackPinned(id) {
		return section{pinned: true}
	}
	for _, g := range l.TrackGroups() {
		if slices.Contains(g.Tracks, id) {
			return section{group: g.Key}
		}
	}
	return section{}
}

// trackNames are the names by which tracks are remembered.
type trackNames struct {
	session *store.Session
	rev     uint64
	titles  []string // as they were when the names were made
	names   []string
}

// trackName returns the name by which a track is remembered: its title, and which of that title it
// is where there are several.
func (l *Look) trackName(id model.TrackID) string {
	n := &l.names
	if s := l.session; n.session != s || n.rev != s.Revision() || len(n.names) != s.NumTracks() {
		n.refresh(s)
	}
	if id < 0 || int(id) >= len(n.names) {
		return ""
	}
	return n.names[id]
}

func (n *trackNames) refresh(s *store.Session) {
	same := n.session == s && len(n.names) == s.NumTracks()
	n.session, n.rev = s, s.Revision()
	for id := 0; same && id < len(n.titles); id++ {
		same = s.Track(model.TrackID(id)).Def.Name == n.titles[id]
	}
	if same {
		return
	}
	n.titles, n.names = n.titles[:0], n.names[:0]
	times := map[string]int{}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		name := t.Title()
		if times[name]++; times[name] > 1 {
			name += " #" + strconv.Itoa(times[name])
		}
		n.titles, n.names = append(n.titles, t.Def.Name), append(n.names, name)
	}
}

// TrackGroup is tracks that are shown together. Those that the user pinned, and those of no group,
// have an empty key.
type TrackGroup struct {
	Key, Title string
	Tracks     []model.TrackID
}

// trackKinds are the kinds of tracks in the order of their groups.
var trackKinds = [...]struct {
	title string
	kinds []model.TrackKind
}{
	{"threads", []model.TrackKind{model.TrackThread, model.TrackGPU}},
	{"elements", []model.TrackKind{model.TrackElement}},
	{"paths", []model.TrackKind{model.TrackStream}},
	{"tasks", []model.TrackKind{model.TrackAsync}},
	{"processors", []model.TrackKind{model.TrackProcessor}},
	{"output", []model.TrackKind{model.TrackOutput}},
}

// NumKindGroups is how many groups of kinds there are.
const NumKindGroups = len(trackKinds)

// KindGroup returns the place and the name of the group that tracks of a kind are in.
func KindGroup(k model.TrackKind) (at int, title string) {
	for i := range trackKinds {
		if slices.Contains(trackKinds[i].kinds, k) {
			return i, trackKinds[i].title
		}
	}
	return 0, trackKinds[0].title
}

// poolOf returns the name of the pool of a thread: the part of its title before the number.
func poolOf(title string) string {
	pool := strings.TrimRight(title, "0123456789")
	if pool == title || pool == "" {
		return ""
	}
	return strings.TrimRight(pool, " -_#.:/")
}

// shownTracks are the visible tracks as they were put in order.
type shownTracks struct {
	session    *store.Session
	rev, shown uint64
	ids        []model.TrackID
	groups     []TrackGroup
	hidden     [NumWhyHidden]int // how many are not shown
	calls      [2]int            // of the tracks of calls: how many are shown, and all
	places     []trackPlace
	busy       busyTimes
}

// trackPlace is the sort key of a track.
type trackPlace struct {
	id                    model.TrackID
	unpinned, group, hand int
	busy                  int64
	rank, activity        int
	title                 string
}

func (p *trackPlace) compare(o *trackPlace) int {
	return cmp.Or(cmp.Compare(p.unpinned, o.unpinned), cmp.Compare(p.group, o.group), cmp.Compare(p.hand, o.hand),
		compareNames(p.title, o.title), cmp.Compare(o.busy, p.busy), cmp.Compare(p.rank, o.rank),
		cmp.Compare(o.activity, p.activity))
}

// VisibleTracks returns the tracks that panels show, in order (see TrackOrder): not hidden, and
// with data or a name. The slice is the Look's own.
func (l *Look) VisibleTracks() []model.TrackID {
	l.showTracks()
	return l.shownTracks.ids
}

// CallTracks returns how many tracks of calls are visible, and how many there are.
func (l *Look) CallTracks() (visible, all int) {
	l.showTracks()
	return l.shownTracks.calls[0], l.shownTracks.calls[1]
}

// TrackGroups returns the visible tracks in groups, in order: one without a key where they are not
// put together. The slices are the Look's own.
func (l *Look) TrackGroups() []TrackGroup {
	l.showTracks()
	return l.shownTracks.groups
}

// showTracks puts the tracks in order where anything changed.
func (l *Look) showTracks() {
	w, s := &l.shownTracks, l.session
	if w.session == s && w.rev == s.Revision() && w.shown == l.shownRev {
		return
	}
	if w.session != s {
		w.busy = busyTimes{}
	}
	w.session, w.rev, w.shown = s, s.Revision(), l.shownRev
	w.places, w.hidden, w.calls = w.places[:0], [NumWhyHidden]int{}, [2]int{}
	for id := range model.TrackID(s.NumTracks()) {
		if !shows(s, id) {
			continue
		}
		calls := format.Pick(s.Track(id).Def.Kind.Calls(), 1, 0)
		w.calls[1] += calls
		if why := l.WhyHidden(id); why != NotHidden {
			w.hidden[why]++
			continue
		}
		w.calls[0] += calls
		w.places = append(w.places, trackPlace{id: id})
	}
	titles := l.groupTracks()
	// Sorting moves nothing in most sessions: the order is that of appearance.
	if len(w.places) <= maxSortedTracks {
		l.placeTracks()
		slices.SortStableFunc(w.places, func(a, b trackPlace) int { return a.compare(&b) })
	}
	w.ids, w.groups = w.ids[:0], w.groups[:0]
	for i := range w.places {
		w.ids = append(w.ids, w.places[i].id)
	}
	for i := 0; i < len(w.places); {
		j, p := i+1, &w.places[i]
		for j < len(w.places) && w.places[j].unpinned == p.unpinned && w.places[j].group == p.group {
			j++
		}
		g := TrackGroup{Tracks: w.ids[i:j:j]}
		if len(titles) > 0 && p.unpinned == 1 {
			g.Title = titles[p.group]
			g.Key = string(l.TrackGrouping()) + ":" + g.Title
		}
		w.groups = append(w.groups, g)
		i = j
	}
}

// shows reports whether a track has data or a name.
func shows(s *store.Session, id model.TrackID) bool {
	t := s.Track(id)
	return t != nil && (t.NumFrames() > 0 || t.NumSpans() > 0 || t.NumMessages() > 0 || t.Def.Name != "" ||
		s.Spans().Sampled(id))
}

// groupTracks gives each place its group, and returns the names of the groups.
func (l *Look) groupTracks() (titles []string) {
	w, s := &l.shownTracks, l.session
	number := func(title string) int {
		i := slices.Index(titles, title)
		if i < 0 {
			i, titles = len(titles), append(titles, title)
		}
		return i
	}
	switch l.TrackGrouping() {
	case TracksByKind:
		for i := range trackKinds {
			if slices.ContainsFunc(w.places, func(p trackPlace) bool {
				at, _ := KindGroup(s.Track(p.id).Def.Kind)
				return at == i
			}) {
				number(trackKinds[i].title)
			}
		}
		for i := range w.places {
			_, title := KindGroup(s.Track(w.places[i].id).Def.Kind)
			w.places[i].group = number(title)
		}
	case TracksByProcess:
		if main := s.Track(s.MainTrack()); main != nil { // its process comes first
			number(ProcessOf(s, main))
		}
		for i := range w.places {
			w.places[i].group = number(ProcessOf(s, s.Track(w.places[i].id)))
		}
	case TracksByPool:
		const others = "other threads"
		size := map[string]int{}
		for i := range w.places {
			size[poolOf(s.Track(w.places[i].id).Title())]++
		}
		for i := range w.places {
			if pool := poolOf(s.Track(w.places[i].id).Title()); pool != "" && size[pool] > 1 {
				w.places[i].group = number(pool)
			} else {
				w.places[i].group = -1
			}
		}
		for i := range w.places {
			if w.places[i].group < 0 {
				w.places[i].group = number(others)
			}
		}
	}
	return titles
}

// placeTracks sets the sort keys of places.
func (l *Look) placeTracks() {
	w, s := &l.shownTracks, l.session
	var hand map[string]int
	switch l.tracks.Order {
	case TracksByHand:
		hand = make(map[string]int, len(l.tracks.Own))
		for i, name := range l.tracks.Own {
			hand[name] = i
		}
	case TracksByBusy:
		w.busy.refresh(s)
	}
	sampled := s.Spans().AnySampled()
	for i := range w.places {
		p := &w.places[i]
		t := s.Track(p.id)
		p.unpinned, p.rank = 1, TrackRank(t)
		if l.TrackPinned(p.id) {
			p.unpinned, p.group = 0, 0
		}
		if sampled {
			p.activity = activity(t)
		}
		switch l.tracks.Order {
		case TracksByHand:
			at, known := hand[l.trackName(p.id)]
			if p.hand = at; !known {
				p.hand = len(hand)
			}
		case TracksByName:
			p.title = t.Title()
		case TracksByBusy:
			p.busy = w.busy.busyOf(p.id)
		}
	}
}

// busyTimes is the work of tracks in a whole session, ns. It is computed again only when the
// session has become a quarter longer, so that tracks don't change places all the time.
type busyTimes struct {
	ns    []int64
	until int64 // length of the session from which on it is looked at again
	did   did
}

func (b *busyTimes) busyOf(id model.TrackID) int64 {
	if int(id) < len(b.ns) {
		return b.ns[id]
	}
	return 0
}

func (b *busyTimes) refresh(s *store.Session) {
	t0, t1, ok := s.Bounds()
	if length := t1 - t0; !ok || b.ns != nil && length < b.until {
		return
	} else {
		b.until = length + length/4 + 1
	}
	b.ns = b.ns[:0]
	for id := range model.TrackID(s.NumTracks()) {
		b.ns = append(b.ns, b.did.workIn(s, id, t0, t1))
	}
}

// did adds up the work of a track: its CPU time, else its self time without waits.
type did struct {
	tree spans.Tree
	one  [1]model.TrackID
}

// workIn returns the work in [t0, t1], ns.
func (d *did) workIn(s *store.Session, id model.TrackID, t0, t1 int64) (busy int64) {
	if cpu, ok := s.Spans().CPUTime(id, t0, t1+1); ok {
		return int64(cpu)
	}
	d.one[0] = id
	s.Spans().Tree(d.one[:], t0, t1+1, &d.tree)
	for i := range d.tree.Nodes {
		n := &d.tree.Nodes[i]
		if c := s.Collector(n.Collector); n.Collector != 0 && (c == nil || !c.Waits) {
			busy += n.Self
		}
	}
	return busy
}

// compareNames compares names; runs of digits in them by their value, however many zeros they have
// in front.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
