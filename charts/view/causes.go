package view

import (
	"cmp"
	"slices"
	"time"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// Causes returns why frames of the view's session are slow.
func (v *View) Causes() *Causes {
	if !v.causes.Of(v.session) {
		made, revision, turn := v.causes.made, v.causes.revision, v.causes.turn
		*v.causes = NewCauses(v.session)
		v.causes.made, v.causes.revision = made, revision+1
		if v.causes.turn = turn; turn > 0 {
			v.causes.Pace()
		}
	}
	return v.causes
}

// PrepareCauses finds and explains hitches of the leading thread further: see Causes.Prepare.
func (v *View) PrepareCauses(wholly, calm bool) {
	v.Causes().Prepare(v.LeadTrack(), v.pace.tick, v.window.nowNs, wholly, format.Pick[time.Duration](calm, calmCausesNs,
		causesNs))
}

// CausesPending reports whether PrepareCauses had more to do in this tick than its time allowed.
func (v *View) CausesPending() bool {
	c := v.causes
	return c.Of(v.session) && (c.tick == v.pace.tick && !c.ready || c.turn > 0 && c.asked == c.turn && c.answer.Pending)
}

// Cause returns the chosen cause: only hitches with it are stepped through. The zero value means
// none.
func (s *selection) Cause() Cause { return s.cause }

// ChooseCause lets the keys walk through the hitches of one cause alone; of the zero value through all.
func (v *View) ChooseCause(c Cause) {
	if c != v.cause {
		v.remembers(false)
		v.cause = c
	}
}

// nextOfCause returns the next frame (dir < 0: the previous one) with the chosen cause, from one on.
func (v *View) nextOfCause(from, dir int) (index int, ok bool) {
	t, g := v.Lead(), v.Causes().GroupOf(v.cause)
	if t == nil || g == nil || t.NumFrames() == 0 {
		return 0, false
	}
	number := t.Frame(min(max(from, 0), t.NumFrames()-1)).Number
	if from >= t.NumFrames() {
		number++
	}
	k := CauseFrom(g.Hitches, number)
	if dir < 0 {
		k--
	} else if k < len(g.Hitches) && g.Hitches[k].Number == number {
		k++
	}
	if k < 0 || k >= len(g.Hitches) {
		return 0, false
	}
	return t.FrameByNumber(g.Hitches[k].Number)
}

// ChoseCause reports whether the selection is the one that SelectCause makes.
func (v *View) ChoseCause(l *why.Link) bool {
	if v.track != l.Track {
		return false
	}
	if v.hasSpan {
		return v.span.Collector == l.Collector && v.span.Begin == l.BeginNs && v.span.End == l.EndNs
	}
	return l.EndNs > l.BeginNs && v.rangeA == l.BeginNs && v.rangeB == l.EndNs ||
		l.EndNs == l.BeginNs && v.chosen == l.Collector && v.Collector() != model.NoCollector
}

// causeSpan returns the longest span of a link.
func (v *View) causeSpan(l *why.Link) (b spans.Bar, ok bool) {
	var one [1]spans.Bar
	for _, b := range v.session.Spans().Longest(l.Track, l.Collector, -1, l.BeginNs, l.EndNs, 1, one[:0]) {
		return b, l.How != why.NotMeasured
	}
	return spans.Bar{}, false
}

// whereOf is the key of an answer on the time of buffers.
type whereOf struct {
	way      model.TrackID
	element  model.ObjectID
	t0, t1   int64
	revision uint64
}

// where is such an answer.
type where struct {
	of           whereOf
	asked, known bool
	made         uint64
	answer       flow.Answer
}

// Where returns where the time of buffers goes in [t0, t1), as of a revision of the session: on a way, on
// NoTrack the longest one; for an element, or for NoObject the one that has them longest. The last
// answers of both are cached. nil: nothing was traced then. made is another number for each answer.
func (c *Causes) Where(
	way model.TrackID, element model.ObjectID, t0, t1 int64, revision uint64,
) (a *flow.Answer, made uint64) {
	x := &c.wheres[0]
	if element != model.NoObject {
		x = &c.wheres[1]
	}
	if of := (whereOf{way, element, t0, t1, revision}); !x.asked || of != x.of {
		c.made++
		x.of, x.asked, x.made = of, true, c.made
		x.known = c.asker.Ask(c.Session(), way, element, t0, t1, &x.answer)
	}
	if !x.known {
		return nil, x.made
	}
	return &x.answer, x.made
}

// Flow returns the index of the series of the session's elements.
func (c *Causes) Flow() *flow.Index {
	c.asker.Update(c.Session())
	return &c.asker.Index
}

// File causes_causes.go caches for all panels why frames of a session are slow: single frames, and all hitches
// of a thread, which it finds a piece a tick. It knows the model alone.

// Causes caches why frames of a session are slow: of one frame, and of all hitches of the view's
// thread. All panels of a session share one, so that none repeats a query.
type Causes struct {
	engine *why.Engine
	treats int // as of what the user says of collectors
	answer why.Answer
	of     answered
	known  bool
	made   uint64
	turn   int64 // counts calls of Pace
	asked  int64 // the turn in which the answer was worked on last

	track         model.TrackID // that hitches are known of; NoTrack: of the ways
	tick          int64         // in which more of them were looked for last
	atNs          int64
	nowNs         int64   // of the last Tick
	asOf          uint64  // the session's revision that explanations are of
	share         float64 // looked at when marks and lists last changed
	looked, ready bool
	groups        []why.Group
	changes       uint64 // revision of the engine for the groups
	revision      uint64
	ways          []model.TrackID
	late          []why.Hitch // of all ways, in order of time
	passed        spans.Passage

	asker  flow.Asker
	wheres [2]where // of a way, and of an element
}

// answered is the key of an answer.
type answered struct {
	track           model.TrackID
	thing           spans.Ref // of a thing on a way
	number, beginNs int64
	revision        uint64
	base            *compare.Against
}

// NewCauses returns the empty cache of a session.
func NewCauses(s *store.Session) Causes {
	_, treats := s.Collectors().Treated()
	return Causes{engine: why.NewEngine(s), treats: treats, asOf: s.Revision()}
}

// Tick lets explanations be of the session's present data: while data come four times a second at most, so that
// they can be read and all panels show the same.
func (c *Causes) Tick(nowNs int64) {
	_, ended := c.Session().Ended()
	if ended || nowNs == c.nowNs || nowNs/causesEveryNs != c.nowNs/causesEveryNs {
		c.asOf = c.Session().Revision()
	}
	c.nowNs = nowNs
}

// Pace begins a tick whose explanations take little time: one that takes more is Pending, and goes on in the next.
func (c *Causes) Pace() {
	c.turn++
	c.engine.Pace(why.LearnStep)
}

// Pending reports whether the last explanation, or list of parts, is Pending.
func (c *Causes) Pending() bool { return c.engine.Pending() }

// AsOf returns the session's revision that explanations are of.
func (c *Causes) AsOf() uint64 { return c.asOf }

// Of reports whether it belongs to a session, as the user says now which of its collectors wait.
func (c *Causes) Of(s *store.Session) bool {
	_, treats := s.Collectors().Treated()
	return c.engine != nil && c.engine.Session() == s && c.treats == treats
}

// Session returns its session.
func (c *Causes) Session() *store.Session { return c.engine.Session() }

// Frame explains the length of the frame with an index, and caches the last answer until AsOf changes. base is the
// source of typical values; nil: the frames around. The answer is valid until the next call, and may be Pending until
// a later tick; nil if there is no such frame. made is another number for each answer.
func (c *Causes) Frame(base *compare.Against, track model.TrackID, index int) (a *why.Answer, made uint64) {
	t := c.Session().Track(track)
	if t == nil || index < 0 || index >= t.NumFrames() {
		return nil, 0
	}
	f := t.Frame(index)
	of := answered{track: track, number: f.Number, beginNs: f.Begin, revision: c.asOf, base: base}
	if of != c.of || !c.known || c.answer.Pending && c.asked != c.turn {
		c.of, c.known = of, c.engine.FrameOver(base, track, index, &c.answer)
		c.made, c.asked = c.made+1, c.turn
	}
	return &c.answer, c.made
}

// Typical answers how long a frame is, and what is typical, without causes: live, these would be made for each frame.
func (c *Causes) Typical(base *compare.Against, track model.TrackID, index int, out *why.Answer) {
	c.engine.TypicalOver(base, track, index, out)
}

// Thing explains the time of a thing on its way, as Frame does; nil if a span belongs to none, and
// while too much of the way is unread, which Prepare has to read.
func (c *Causes) Thing(ref spans.Ref) (a *why.Answer, made uint64) {
	if t := c.Session().Track(ref.Track); t == nil || t.Def.Kind != model.TrackStream ||
		c.engine.Unread(ref.Track) > mostUnread {
		return nil, 0
	}
	if of := (answered{track: ref.Track, thing: ref, revision: c.asOf}); of != c.of || !c.known {
		index, ok := c.engine.ThingOf(ref)
		if !ok {
			return nil, 0
		}
		c.of, c.known = of, c.engine.Thing(ref.Track, index, &c.answer)
		c.made++
	}
	return &c.answer, c.made
}

// Sizes of the work of finding hitches.
const (
	causesNs      = 1_500_000   // of a tick
	calmCausesNs  = 6_000_000   // of one that draws nothing else
	causesEveryNs = 250_000_000 // while data come, and as often marks and lists are others
	mostUnread    = 1 << 16     // spans of a way that are read for an answer
)

// Prepare finds and explains hitches of a thread, or of things on ways if these stand for it (see
// OfWays): once a tick, for atMost of its time, and only while something has changed; wholly: all of
// them at once.
func (c *Causes) Prepare(track model.TrackID, tick, now int64, wholly bool, atMost time.Duration) {
	if c.findWays(track); len(c.ways) > 0 {
		track = model.NoTrack
	}
	if c.track != track || !c.looked {
		c.track, c.looked, c.ready = track, true, false
		c.group()
	} else if !wholly && (c.tick == tick || c.ready && now/causesEveryNs == c.atNs/causesEveryNs) {
		return
	}
	c.tick = tick
	more := true
	for begin := time.Now(); more && (wholly || time.Since(begin) < atMost); {
		if more = c.piece(); c.engine.Pending() {
			break
		}
	}
	if was := c.ready; !more || wholly || now/causesEveryNs != c.atNs/causesEveryNs {
		c.share = c.prepared()
		if c.ready, c.atNs = !more, now; c.changes != c.changed() || c.ready != was {
			c.group()
		}
	}
}

// piece does a piece of the work, and reports whether there is more.
func (c *Causes) piece() (more bool) {
	if c.track != model.NoTrack {
		return c.engine.Prepare(c.track, 1)
	}
	for _, way := range c.ways {
		if c.engine.Prepare(way, 1) {
			return true
		}
	}
	return false
}

// changed returns another number when hitches are others.
func (c *Causes) changed() (n uint64) {
	if c.track != model.NoTrack {
		return c.engine.Changes(c.track)
	}
	for _, way := range c.ways {
		n += c.engine.Changes(way)
	}
	return n
}

// group puts the hitches together by their causes.
func (c *Causes) group() {
	if c.track != model.NoTrack {
		c.groups = c.engine.Groups(c.track, c.groups[:0])
	} else {
		c.mergeWays()
		c.groups = c.engine.GroupsOf(c.late, c.groups[:0])
	}
	c.changes = c.changed()
	c.revision++
}

// Revision changes whenever the hitches or their causes are others.
func (c *Causes) Revision() uint64 { return c.revision }

// Ready reports whether all present hitches were found and explained.
func (c *Causes) Ready() bool { return c.ready }

// Looked returns the share of the frames, or of the things on ways, that had been looked at for hitches when marks and
// lists last changed: were it to change with every tick, every tick would draw.
func (c *Causes) Looked() float64 { return c.share }

func (c *Causes) prepared() float64 {
	n, of := c.engine.Prepared(c.track)
	for _, way := range c.ways {
		more, all := c.engine.Prepared(way)
		n, of = n+more, of+all
	}
	return float64(n) / float64(max(of, 1))
}

// Hitches returns the hitches of the view's thread with the numbers of frames [first, last], in order.
func (c *Causes) Hitches(first, last int64) []why.Hitch {
	all := c.engine.Hitches(c.track)
	return all[CauseFrom(all, first):CauseFrom(all, last+1)]
}

// CauseFrom returns the place of the first hitch with a number or a higher one.
func CauseFrom(all []why.Hitch, number int64) int {
	k, _ := slices.BinarySearchFunc(all, number, func(h why.Hitch, n int64) int { return cmp.Compare(h.Number, n) })
	return k
}

// GroupsOf appends some hitches by their causes: see why.Engine.GroupsOf.
func (c *Causes) GroupsOf(hitches []why.Hitch, out []why.Group) []why.Group {
	return c.engine.GroupsOf(hitches, out)
}

// Group returns the group of the hitch with a number of a frame, nil where it is no hitch, or not
// explained yet.
func (c *Causes) Group(number int64) *why.Group {
	all := c.engine.Hitches(c.track)
	k := CauseFrom(all, number)
	if k >= len(all) || all[k].Number != number {
		return nil
	}
	return c.groupOf(&all[k])
}

// GroupOf returns the group of a cause, nil where it has no hitches.
func (c *Causes) GroupOf(of Cause) *why.Group {
	for i := range c.groups {
		if g := &c.groups[i]; By(g) == of {
			return g
		}
	}
	return nil
}

func (c *Causes) groupOf(h *why.Hitch) *why.Group { return c.GroupOf(OfHitch(h)) }

// Cause is a root cause of hitches; the zero value is none.
type Cause struct {
	why.Cause
	some bool
}

// By returns the root cause of a group.
func By(g *why.Group) Cause { return Cause{g.Cause, true} }

// OfHitch returns the root cause of a hitch.
func OfHitch(h *why.Hitch) Cause { return Cause{h.Cause(), true} }

// Parts appends the parts of a frame, beside their typical values: see why.Engine.PartsOver.
func (c *Causes) Parts(
	base *compare.Against, track model.TrackID, index int, out []why.Part,
) (list []why.Part, around int) {
	return c.engine.PartsOver(base, track, index, out)
}

// Place returns the index, from 1 on, and the count of a frame among the hitches of a thread, or of
// those of one cause; if there are ways, of the thing that a span belongs to. It is 0 for others, and
// until all are explained.
func (c *Causes) Place(track model.TrackID, number int64, span spans.Bar, selected bool, cause Cause) (n, of int) {
	if !c.ready || c.track != track {
		return 0, 0
	}
	ways := c.OfWays(track)
	all := c.late
	if !ways {
		all = c.engine.Hitches(track)
	}
	if g := c.GroupOf(cause); g != nil {
		all = g.Hitches
	}
	var at int
	var is bool
	if !ways {
		at = CauseFrom(all, number)
		is = at < len(all) && all[at].Number == number
	} else if thing, ok := c.thingOf(span); selected && ok {
		at, is = slices.BinarySearchFunc(all, thing.Begin, func(h why.Hitch, begin int64) int {
			return inOrder(&h, begin, thing.Ref)
		})
	}
	if !is {
		return 0, 0
	}
	return at + 1, len(all)
}

// OfWays reports whether things on ways (buffers of a pipeline) stand for a thread in queries for
// hitches: it has no frames, and the session has ways.
func (c *Causes) OfWays(track model.TrackID) bool {
	s := c.Session()
	if t := s.Track(track); t != nil && t.HasFrames() {
		return false
	}
	return s.Contents().Ways
}

func isWay(t *store.Track) bool { return t.Def.Kind == model.TrackStream && t.NumSpans() > 0 }

// findWays lists the ways that stand for a thread, none where it has frames.
func (c *Causes) findWays(track model.TrackID) {
	c.ways = c.ways[:0]
	if !c.OfWays(track) {
		return
	}
	s := c.Session()
	for id := range model.TrackID(s.NumTracks()) {
		if isWay(s.Track(id)) {
			c.ways = append(c.ways, id)
		}
	}
}

// mergeWays merges the late things of all ways into one order of time.
func (c *Causes) mergeWays() {
	c.late = c.late[:0]
	for _, way := range c.ways {
		c.late = append(c.late, c.engine.Hitches(way)...)
	}
	slices.SortFunc(c.late, func(a, b why.Hitch) int { return inOrder(&a, b.BeginNs, b.Of) })
}

// inOrder compares a late thing with one that set out at a time.
func inOrder(h *why.Hitch, begin int64, of spans.Ref) int {
	return cmp.Or(cmp.Compare(h.BeginNs, begin), cmp.Compare(h.Of.Track, of.Track), cmp.Compare(h.Of.Lane, of.Lane),
		cmp.Compare(h.Of.Index, of.Index))
}

// Places in the order: before all that set out at a time, and behind them.
var before, behind = spans.Ref{Track: -1}, spans.Ref{Track: 1<<31 - 1}

// placeOf returns how many late things come before a place in the order.
func (c *Causes) placeOf(begin int64, of spans.Ref) int {
	k, _ := slices.BinarySearchFunc(c.late, begin, func(h why.Hitch, begin int64) int { return inOrder(&h, begin, of) })
	return k
}

// Late returns the late things of all ways that set out in [t0, t1), in order.
func (c *Causes) Late(t0, t1 int64) []why.Hitch {
	return c.late[c.placeOf(t0, before):c.placeOf(t1, before)]
}

// thingOf returns the thing that a span belongs to: on its way, or a stop of it.
func (c *Causes) thingOf(b spans.Bar) (of spans.Bar, ok bool) {
	switch t := c.Session().Track(b.Ref.Track); {
	case t == nil:
		return of, false
	case t.Def.Kind == model.TrackElement:
		c.Session().Spans().Passage(b.Ref, &c.passed)
		return c.passed.Way, c.passed.Way.Count > 0
	default:
		return b, t.Def.Kind == model.TrackStream
	}
}

// LateThing returns the group of the late thing that a span belongs to, nil if there is none, or if it
// is not explained yet.
func (c *Causes) LateThing(b spans.Bar) *why.Group {
	b, ok := c.thingOf(b)
	if k := c.placeOf(b.Begin, b.Ref); ok && k < len(c.late) && c.late[k].Of == b.Ref {
		return c.groupOf(&c.late[k])
	}
	return nil
}

// NextLate returns the late thing that set out next after a time, or after the one of the selected span,
// or for dir < 0 before: only those of one cause, if given. ways is false if the session has no ways.
func (c *Causes) NextLate(span spans.Bar, selected bool, at int64, dir int, cause Cause) (b spans.Bar, ok, ways bool) {
	if ways = c.Session().Contents().Ways; !ways {
		return b, false, false
	}
	place, all := format.Pick(dir < 0, before, behind), c.GroupOf(cause) == nil
	if of, ok := c.thingOf(span); selected && ok {
		at, place = of.Begin, of.Ref
	}
	k := c.placeOf(at, place)
	if dir < 0 {
		k--
	} else if k < len(c.late) && c.late[k].Of == place {
		k++
	}
	for ; k >= 0 && k < len(c.late); k += dir {
		if all || OfHitch(&c.late[k]) == cause {
			b, ok = c.Session().Spans().ByRef(c.late[k].Of)
			return b, ok, true
		}
	}
	return b, false, true
}
