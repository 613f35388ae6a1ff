// The panel on the parts of the selected frame, while live of the newest, that took longer or shorter than in the
// frames around it. It knows tables, and the causes of the view.

package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
	"framescope/model/why"
)

// Parts of a frame that are rows are those that differ most: up to mostParts of them, and beyond the
// first leastParts only those that have a partShare of the greatest difference.
const (
	mostParts  = 10
	leastParts = 4
	partShare  = 0.003
	hidden     = 10 // of the whole difference one part of so many is in no row, whatever room there is
)

// In a low inspector there are fewer rows, so that the parts below stay visible: of the rows that fit
// in all, otherRows are for others, and fewParts are there in any case.
const (
	otherRows = 26
	fewParts  = 2
)

// AgainstSource compares a frame with the frames around it: the selected one, or the newest while live. Its rows
// are the collectors on the frame's thread with their self times, the greatest difference first.
type AgainstSource struct {
	table.List[partRow]
	parts   []why.Part
	around  int
	waits   bool             // it stays the one that is shown
	of      *store.Track     // the frame's
	several bool             // frames are selected
	base    *compare.Against // source of typical values; nil: the frames around
	words   panel.CachedText
	most    int  // parts that there is room for, 0: mostParts
	laid    int  // of these, as the rows are
	all     bool // the user wants to see them anyway
	buf     []byte
}

// partRow is a part of a frame, or the row that sums up the other parts.
type partRow struct {
	part why.Part
	size float32 // of its bar, −1…1; beyond that where it does not fit
	rest string
}

// NewAgainstPanel returns the panel.
func NewAgainstPanel() *table.Table {
	src := &AgainstSource{}
	t := table.New("Against the typical frame", src)
	t.Words = src.Words
	return t
}

// partNs makes a column of a time.
func partNs(id string, of func(*why.Part) int64) table.Column[partRow] {
	return table.Column[partRow]{
		ID: id, Unit: "ns", Kind: table.Number, Width: 64, Fixed: true, Time: true, Scale: frameScale,
		Value: func(_ *panel.Env, r *partRow) float64 {
			return table.Known(float64(of(&r.part)), r.rest == "")
		},
		Cell: func(_ *panel.Env, r *partRow, c *table.Cell) {
			if r.rest != "" {
				c.Buf = c.Buf[:0]
			}
		},
	}
}

// frameScale is a tenth of what the selected frame took: its parts are in the unit of that, so that the unit
// changes with the kind of game, not from frame to frame.
func frameScale(env *panel.Env) int64 {
	t, at := env.View.Shown(), env.View.FrameA()
	if t == nil || at < 0 || at >= t.NumFrames() {
		return 0
	}
	begin, end, _ := t.FrameTimes(at, at)
	return (end - begin) / 10
}

// partColumns are those of parts.
var partColumns = func() []table.Column[partRow] {
	over := partNs("over_typical", (*why.Part).ExcessNs)
	over.Title, over.Width = "over typical", 88
	over.Cell = func(env *panel.Env, r *partRow, c *table.Cell) {
		switch ns := r.part.ExcessNs(); {
		case r.rest != "":
			c.Buf = c.Buf[:0]
		case ns > 0 && string(c.Buf) != format.None:
			c.Buf = slices.Insert(c.Buf, 0, '+')
		}
	}
	self, typical := partNs("self", func(p *why.Part) int64 { return p.SelfNs }),
		partNs("typical_self", func(p *why.Part) int64 { return p.TypicalNs })
	self.Title, self.Drop, self.Quiet = "self", 3, true
	typical.Title, typical.Drop, typical.Quiet = "typical self", 4, true
	return []table.Column[partRow]{
		{
			ID: "collector", Title: "collector", Least: 100, Fixed: true,
			Cell: func(env *panel.Env, r *partRow, c *table.Cell) {
				switch id := r.part.Collector; {
				case r.rest != "":
					c.Text, c.Color, c.Wide = r.rest, draw.Color(env.Theme.TextDim), true
				case id == model.NoCollector:
					c.Text, c.Color = "In no collector", draw.Color(env.Theme.Text2)
				default:
					c.Swatch, c.Hollow = env.Palette().Fill(id), env.View.Look().Hidden(id)
					c.Found, c.Text = env.Palette().Found(id), subject.NameApart(env.View.Session(), id)
				}
			},
			Swatch: func(env *panel.Env, r *partRow) {
				if id := r.part.Collector; id != model.NoCollector {
					env.View.Look().SetHidden(id, !env.View.Look().Hidden(id))
				}
			},
		},
		{ID: "bar", Kind: table.Delta, Width: 72, Drop: 2, Cell: func(env *panel.Env, r *partRow, c *table.Cell) {
			if c.Share, c.Color = r.size, draw.Color(env.Theme.Slower); r.size < 0 {
				c.Color = draw.Color(env.Theme.Faster)
			}
			if r.part.Waits && r.rest == "" {
				c.Color = draw.Color(env.Theme.TextDim)
			}
		}},
		over, self, typical,
	}
}()

// Settled implements table.Settled.
func (t *AgainstSource) Settled() {}

// Wait implements table.Waiter.
func (t *AgainstSource) Wait(on bool) { t.waits = on }

// Columns implements table.Source.
func (t *AgainstSource) Columns() []table.Column[partRow] { return partColumns }

// Empty implements table.Source.
func (t *AgainstSource) Empty(bool) string {
	if t.Fresh.Done && t.base != nil {
		return "The baseline has too few frames of this thread."
	}
	if t.Fresh.Done {
		return "The frames around are too few to compare with."
	}
	if t.several {
		return "Select one frame, not several."
	}
	return "Select a frame to see which calls took longer."
}

// Rows implements table.Source.
func (t *AgainstSource) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	track := v.Shown()
	at, last, s := v.FrameA(), v.FrameB(), v.Session()
	live := v.Live() && track != nil
	if live {
		if t.waits && t.around > 0 && t.of == track {
			return t.Listed()
		}
		at = track.NumFrames() - 1
		t.of, last = track, at
	}
	t.several = track != nil && at >= 0 && at != last
	if track == nil || at < 0 || at != last || at >= track.NumFrames() {
		t.around = 0
		return t.None()
	}
	base := subject.Baseline(env)
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Track: v.Track(), First: at, Last: at, Live: live}
	if due := t.Fresh.Due(env, key); due || t.base != base || t.laid != t.room() || v.Causes().Pending() {
		t.base = base
		t.parts, t.around = v.Causes().Parts(base, v.Track(), at, t.parts[:0])
		t.lay()
		t.Revision++
	}
	return t.Listed()
}

// Room implements table.Roomed.
func (t *AgainstSource) Room(rows int) { t.most = min(max(rows-otherRows, fewParts), mostParts) }

// Least implements table.Roomed: where there is little room pausing moves nothing that lies below.
func (t *AgainstSource) Least() int {
	return format.Pick(t.room() == fewParts, fewParts+1, 0)
}

// room is how many parts are rows at most.
func (t *AgainstSource) room() int {
	return format.Pick(t.all || t.most == 0, mostParts, t.most)
}

// lay makes the rows.
func (t *AgainstSource) lay() {
	t.laid = t.room()
	t.All = t.All[:0]
	if len(t.parts) == 0 {
		return
	}
	var top [3]int64 // the greatest are among these, as the first one may lead without being it
	for i := range t.parts[:min(len(t.parts), len(top))] {
		top[i] = abs(t.parts[i].ExcessNs())
	}
	slices.Sort(top[:])
	most, next := max(top[2], 1), top[1]
	full := most
	if len(t.parts) > 1 && next < most/4 { // a far longer bar is cut, so that the others stay readable
		full = max(2*next, most/20, 1)
	}
	left, all := int64(0), int64(0)
	for i := range t.parts {
		left, all = left+abs(t.parts[i].ExcessNs()), all+t.parts[i].ExcessNs()
	}
	for i := range t.parts[:min(len(t.parts), mostParts)] {
		p := t.parts[i]
		small := i >= leastParts && float64(abs(p.ExcessNs())) < partShare*float64(most)
		if small || i >= t.laid && hidden*left < abs(all) {
			break
		}
		left -= abs(p.ExcessNs())
		t.All = append(t.All, partRow{part: p, size: float32(p.ExcessNs()) / float32(full)})
	}
	if rest := t.parts[len(t.All):]; len(rest) > 0 {
		t.buf = format.AppendCount(t.buf[:0], int64(len(rest)))
		if ns := abs(rest[0].ExcessNs()); ns > 0 {
			t.buf = format.AppendDuration(append(t.buf, " more within ± "...), ns)
		} else {
			t.buf = append(t.buf, " more, as long as is typical"...)
		}
		t.All = append(t.All, partRow{part: why.Part{Collector: model.NoCollector}, rest: string(t.buf)})
	}
}

func abs(ns int64) int64 { return max(ns, -ns) }

// Row implements table.Describer.
func (t *AgainstSource) Row(env *panel.Env, r *partRow) table.RowInfo {
	if r.part.Collector == model.NoCollector {
		return table.RowInfo{Hit: panel.NoHit()}
	}
	return collectorRow(env.View, r.part.Collector)
}

// Click implements table.Clicker: a click selects the collector; on the summary row it toggles
// between all rows and those that fit.
func (t *AgainstSource) Click(env *panel.Env, r *partRow, _ *panel.Input) panel.Action {
	if r.rest != "" {
		t.all = !t.all
	} else if r.part.Collector != model.NoCollector {
		env.View.SelectCollector(r.part.Collector)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *AgainstSource) Tip(env *panel.Env, r *partRow, l *panel.TipLines) {
	p := &r.part
	switch {
	case r.rest != "" && t.all && t.most > 0 && t.most < mostParts:
		l.Add("click: fewer")
	case r.rest != "" && t.laid < mostParts:
		l.Add("click: more of them")
	}
	if p.Collector == model.NoCollector {
		return
	}
	l.Add(env.View.Session().Collector(p.Collector).Title())
	l.Text("self\t").Duration(p.SelfNs).End()
	l.Text("typical self\t").Duration(p.TypicalNs).End()
	l.Text("starts\t").Count(p.Calls).End()
	l.Text("typical starts\t").Count(p.TypicalCalls).End()
	where := "in frames around\t"
	if t.base != nil {
		where = "in frames of the baseline\t"
	}
	l.Text(where).Count(int64(p.Seen)).Text(" of ").Count(int64(t.around)).End()
}

// Words names the source of typical values: "of 128 frames", "baseline of 128".
func (t *AgainstSource) Words(*panel.Env) string {
	if t.around == 0 {
		return ""
	}
	b := t.words.New()
	if t.base != nil {
		return t.words.Set(format.AppendCount(append(b, "baseline of "...), int64(t.around)))
	}
	return t.words.Set(append(format.AppendCount(append(b, "of "...), int64(t.around)), " frames"...))
}
