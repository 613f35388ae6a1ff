package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
)

const headH = 22 // of the row above a group of tracks, in scale-1 pixels

// addGroup adds the blocks of a group of tracks: a row with its name, and below it the tracks, or
// where it is folded none, and what they did lies in that row.
func (t *Timeline) addGroup(env *panel.Env, g *view.TrackGroup) {
	var tracks []model.TrackID
	for _, id := range g.Tracks {
		if !t.inGoneRow[id] {
			tracks = append(tracks, id)
		}
	}
	if len(tracks) == 0 {
		return
	}
	closed := g.Key != "" && env.View.Look().GroupClosed(g.Key)
	if g.Key != "" {
		head := block{track: tracks[0], head: groupHead{g.Key, g.Title, len(tracks)}, folded: true}
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
}

// drawHead draws the ground of the row above a group.
func (s *spanLane) drawHead(p *timepane.Pane, env *panel.Env, at timepane.Place) {
	r := p.Plot()
	r.Y0, r.Y1 = at.Y0, at.Y1
	p.List().Rect(r, draw.Color(env.Theme.PanelTitle))
}

// labelHead writes the name of a group, and how many tracks it has.
func (s *spanLane) labelHead(p *timepane.Pane, env *panel.Env, row draw.Rect, b *block) {
	l, th := p.List(), env.Theme
	s.buf = format.AppendCount(s.buf[:0], int64(b.head.n))
	n := panel.ScratchText(s.buf)
	l.TextIn(draw.Small, row, draw.Right, n, draw.Color(th.TextDim))
	row.X1 -= env.Atlas.Measure(draw.Small, n) + env.Px(6)
	l.NameIn(draw.Medium, row, draw.Left, b.head.title, draw.Color(th.Text2))
}

// tipHead describes the row above a group.
func tipHead(tip *panel.TipLines, b *block) {
	tip.Text(b.head.title).End()
	tip.Text("tracks\t").Count(int64(b.head.n)).End()
	if b.many != nil {
		tip.Add("Click: a row for each")
	} else {
		tip.Add("Click: one row for all")
	}
}
