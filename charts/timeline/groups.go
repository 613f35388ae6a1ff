package timeline

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

const headH = 22 // of the row above a group of tracks, in scale-1 pixels

// addGroup adds the blocks of a group of tracks: a row with its name, and below it the tracks, or
// if it is folded none; their spans then lie in that row.
func (t *Timeline) addGroup(env *panel.Env, g *view.TrackGroup) {
	tracks, closed := g.Tracks, g.Key != "" && env.View.Look().GroupClosed(g.Key)
	if closed || len(t.inGoneRow) > 0 { // the slice is kept, or others are in it
		tracks = slices.DeleteFunc(slices.Clone(tracks), func(id model.TrackID) bool { return t.inGoneRow[id] })
	}
	if len(tracks) == 0 {
		return
	}
	if g.Key != "" {
		head := block{track: tracks[0], head: groupHead{g.Key, g.Title, len(tracks), view.NotHidden}, folded: true}
		if closed {
			head.many, head.lanes = tracks, foldedLanes
		}
		t.stack.Add(head)
	}
	for _, id := range tracks {
		t.addTrack(env, id, !closed)
	}
}

// groupHead is the name of a group of tracks, the zero value of none.
type groupHead struct {
	key, title string
	n          int
	why        view.WhyHidden // the tracks are hidden, and the row stands for them
}

// drawHead draws the ground of the row above a group; for hidden tracks also the action.
func (s *spanLane) drawHead(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	r := p.Plot()
	r.Y0, r.Y1 = at.Y0, at.Y1
	p.List().Rect(r, draw.Color(env.Theme.PanelTitle))
	if b.head.why == view.NotHidden {
		return
	}
	r.X0 += env.Px(6)
	p.List().TextFit(draw.Small, r, draw.Left, b.head.title+":", draw.Color(env.Theme.Text2))
	r.X0 += env.Atlas.Measure(draw.Small, b.head.title+": ")
	p.List().TextFit(draw.Small, r, draw.Left, "show", draw.Color(env.Theme.Accent))
}

// addHidden adds a row with the number of hidden tracks for each reason; none if nothing else is
// shown, as the whole panel then shows a text.
func (t *Timeline) addHidden(env *panel.Env) {
	look := env.View.Look()
	if len(t.stack.Groups()) == 0 {
		return
	}
	for why := view.NotHidden + 1; why < view.NumWhyHidden; why++ {
		n := look.NumHidden(why)
		if n == 0 {
			continue
		}
		as := &hiddenAs[why]
		head := groupHead{as.key, string(format.AppendPlural(nil, int64(n), as.one, as.many)) + " hidden", n, why}
		t.stack.Add(block{track: t.stack.Groups()[0].track, head: head, folded: true})
		t.gutterW = max(t.gutterW, env.Atlas.Measure(draw.Medium, hiddenLabel(n))+env.Px(28))
	}
}

// hiddenAs are the rows of hidden tracks: a key, which no group of tracks is called, what the tracks are, and why they
// are hidden.
var hiddenAs = [view.NumWhyHidden]struct{ key, one, many, words string }{
	view.HiddenByHand: {"hidden", "track", "tracks", ""},
	view.HiddenIdle:   {"idle", "idle track", "idle tracks", "They did nothing in the whole session, or next to nothing."},
	view.HiddenSums: {
		"sums", "track with sums", "tracks with sums", "Their bars are not calls, but sums that the tracer drew.",
	},
}

// HiddenGroup returns the reason why the tracks of a row are hidden; NotHidden: it is the row of a
// group of tracks.
func HiddenGroup(key string) view.WhyHidden {
	for why := view.NotHidden + 1; why < view.NumWhyHidden; why++ {
		if hiddenAs[why].key == key {
			return why
		}
	}
	return view.NotHidden
}

// hiddenLabel is the label of such a row in the gutter.
func hiddenLabel(n int) string { return string(format.AppendCount(nil, int64(n))) + " hidden" }

// labelHead writes the name of a group, and how many tracks it has where that leaves the name room.
func (s *spanLane) labelHead(p *timepane.Pane, env *panel.Env, row draw.Rect, b *block) {
	l, th := p.List(), env.Theme
	if b.head.why != view.NotHidden {
		l.TextFit(draw.Medium, row, draw.Left, hiddenLabel(b.head.n), draw.Color(th.Text2))
		return
	}
	s.buf = format.AppendCount(s.buf[:0], int64(b.head.n))
	n := panel.ScratchText(s.buf)
	if w := env.Atlas.Measure(draw.Small, n) + env.Px(6); panel.RoomBeside(env, draw.Medium, b.head.title, row.W(), w) {
		l.TextIn(draw.Small, row, draw.Right, n, draw.Color(th.TextDim))
		row.X1 -= w
	}
	l.NameIn(draw.Medium, row, draw.Left, b.head.title, draw.Color(th.Text2))
}

// tipHead describes the row above a group.
func tipHead(tip *panel.TipLines, b *block) {
	tip.Text(b.head.title).End()
	if words := hiddenAs[b.head.why].words; words != "" {
		tip.Add(words)
	}
	switch {
	case b.head.why != view.NotHidden:
		tip.Add("Click: show them")
		return
	case b.many != nil:
		tip.Text("tracks\t").Count(int64(b.head.n)).End()
		tip.Add("Click: a row for each")
	default:
		tip.Text("tracks\t").Count(int64(b.head.n)).End()
		tip.Add("Click: one row for all")
	}
}

// drawSpread shades, around the time under the mouse, or else the playhead, where that time may be on threads of other
// programs: their clocks compare with that of the shown thread's only so exactly.
func (t *Timeline) drawSpread(env *panel.Env) {
	v, p := env.View, &t.pane
	shown := v.Shown()
	if shown == nil || shown.Def.Program == "" {
		return
	}
	at := v.Playhead()
	if v.Pointer().HasTime() {
		at = v.Pointer().Time()
	}
	p.List().PushClip(p.Plot())
	for i, blocks := 0, t.stack.Groups(); i < len(blocks); i++ {
		top, h := t.stack.Band(i)
		y := p.ScreenY(top)
		if y > p.Plot().Y1 {
			break
		}
		of := v.Session().Track(blocks[i].track)
		if y+h < p.Plot().Y0 || of == nil || blocks[i].head != (groupHead{}) {
			continue
		}
		if ns := spreadOf(shown, of); ns > 0 {
			r := draw.Rect{X0: p.PxOf(env, model.AddSat(at, -ns)), X1: p.PxOf(env, model.AddSat(at, ns)), Y0: y, Y1: y + h}
			p.List().Rect(r, draw.Color(env.Theme.Text).WithAlpha(spreadAlpha))
		}
	}
	p.List().PopClip()
}

const spreadAlpha = 28

// spreadOf is to ± how many ns times of two threads compare, 0 within a program.
func spreadOf(a, b *store.Track) int64 {
	if a.Def.Program == b.Def.Program {
		return 0
	}
	return model.AddSat(a.Def.ProgramSpreadNs, b.Def.ProgramSpreadNs)
}
