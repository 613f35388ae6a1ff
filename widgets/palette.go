package widgets

import (
	"cmp"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// PaletteItem is something that can be looked up by its name.
type PaletteItem struct {
	Name, Key string
	// Also is found like the name, but not shown.
	Also string
	// Group is the head that it stands under; empty: none. Note describes it or its effect.
	Group, Note string
	// Says is Note if that changes while the list is open; nil: it does not.
	Says func() string
	// Swatch is its color; transparent: it has none.
	Swatch draw.Color
	// Same is its name in every state, the key of its settings; empty: Name.
	Same string
	// Means is the text of a field that searches for names: an expression for this one alone; empty:
	// there is none.
	Means string
	// Recent orders items by last use: greater is later; 0: never.
	Recent int
	Run    func()
	// Back is run in the place of Run where Shift is held; nil: Run is. Keep lets the list stay open.
	Back func()
	Keep bool
	// On reports whether an item that can be switched is on; it has a mark then. nil: it has no
	// such state.
	On func() bool

	low, lowAlso string // in lower case
}

// Palette is a field with a list under it: type a part of a name, Enter runs the first that
// matches. With Answer it is a question, and the items, if any, are answers that can be chosen
// instead of typing.
type Palette struct {
	Name  string
	Field TextField
	// Outer is the text field if it is not the palette's own: then the list lies under it, and is
	// as high as its hits.
	Outer *TextField
	Items []PaletteItem
	// Behind are the groups that are not meant: they come last where there are others in which a word of
	// a name begins with each that was typed, however they are called.
	Behind []string
	// Typed returns items for the meaning of a text: a frame, a time. They come first.
	Typed func(text string) []PaletteItem
	// Empty has the lines of text for a palette without items.
	Empty []string
	// Nothing returns the text for a failed search, if the text is no name; nil: the default.
	Nothing func() string
	// Answer is called with the text on Enter unless an item was chosen; it returns a complaint, or
	// nothing if all is well.
	Answer func(text string) (complaint string)
	// Choices are what the question is about, as rows of buttons; ↑ and ↓ go through those of the last row,
	// Tab through those of the first.
	// Plot paints what speaks for an answer below them. Both may be nil.
	Choices func() []Setting
	Plot    func(l *draw.List, env *panel.Env, r draw.Rect)
	// Does is the verb of Enter, on the button of a dialog; empty: it has no buttons.
	Does  string
	Close func()

	list  *draw.List
	rect  draw.Rect
	about Settings // of Choices
	typed []PaletteItem
	hits  []paletteHit
	rows  []paletteRow
	at    int // the chosen hit, -1 none
	// brief: the list under a field is only the row of the item just run, and Enter runs it again, so
	// that its effect is visible; up to the next change of the text or the choice.
	brief           bool
	scroll          Scroll
	complaint, last string
	fresh           bool
	foot            foot
	most            int // rows that it had at most
}

// paletteHit is an item that answers, and how well.
type paletteHit struct {
	item  *PaletteItem
	group string
	rank  int
	order int // of its group
}

// paletteRow is a row of the list: a head, or a hit.
type paletteRow struct {
	head, note string
	hit        int // -1: a head
}

const (
	paletteRowHeight = 24
	palettePlot      = 170
	// paletteGroup is how many hits a group shows beside others.
	paletteGroup = 8
	// groupRecent is the head over recently chosen items.
	groupRecent = "Recent"
)

// Title implements panel.Panel.
func (p *Palette) Title(*panel.Env) string { return p.Name }

// Mode implements panel.Panel.
func (p *Palette) Mode(*panel.Env) string { return "" }

// List implements panel.Panel.
func (p *Palette) List() *draw.List { return p.list }

// HitTest implements panel.Panel.
func (p *Palette) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// Text is the field that is typed into.
func (p *Palette) Text() *TextField {
	if p.Outer != nil {
		return p.Outer
	}
	return &p.Field
}

// Hits returns how many things answer to the text.
func (p *Palette) Hits() int {
	p.match()
	return len(p.hits)
}

// Chosen returns the item that Enter runs; an empty one if there is none.
func (p *Palette) Chosen() PaletteItem {
	if p.match(); p.at < 0 || p.at >= len(p.hits) {
		return PaletteItem{}
	}
	return *p.hits[p.at].item
}

// match refreshes the hits. The best come first, by groups; the answers to a question are all
// there, whatever the text is.
func (p *Palette) match() {
	if text := p.Text().Text(); p.fresh && p.last == text {
		return
	} else {
		p.fresh, p.last, p.brief = true, text, false
	}
	p.hits, p.typed, p.at = p.hits[:0], nil, 0
	text := p.last
	if p.Answer != nil {
		p.at, text, p.complaint = -1, "", ""
	}
	m := NewMatcher(text)
	if p.Typed != nil && (m.Whole != "" || p.Answer != nil) {
		p.typed = p.Typed(p.last)
	}
	for i := range p.typed {
		it := &p.typed[i]
		p.hits = append(p.hits, paletteHit{it, it.Group, Same, -2})
	}
	orders := map[string]int{}
	best := map[string]int{groupRecent: Same}
	for i := range p.Items {
		it := &p.Items[i]
		if it.low == "" {
			it.low, it.lowAlso = strings.ToLower(it.Name), strings.ToLower(it.Also)
		}
		rank := m.Rank(it.low, it.lowAlso)
		if rank == None {
			continue
		}
		h := paletteHit{it, it.Group, rank, orders[it.Group]}
		if _, known := orders[it.Group]; !known {
			orders[it.Group], h.order = len(orders)+1, len(orders)+1
		}
		if m.Whole == "" && it.Recent > 0 {
			h.group, h.order = groupRecent, -1
		}
		if now, some := best[h.group]; !some || rank < now {
			best[h.group] = rank
		}
		p.hits = append(p.hits, h)
	}
	if slices.ContainsFunc(p.hits, func(h paletteHit) bool {
		return h.rank <= Word && !slices.Contains(p.Behind, h.group)
	}) {
		for _, group := range p.Behind {
			best[group] = None
		}
	}
	if m.Whole != "" || slices.ContainsFunc(p.hits, func(h paletteHit) bool { return h.order < 0 }) {
		slices.SortStableFunc(p.hits, func(a, b paletteHit) int {
			return cmp.Or(
				cmp.Compare(min(a.order, 0), min(b.order, 0)), cmp.Compare(best[a.group], best[b.group]),
				cmp.Compare(a.order, b.order), cmp.Compare(a.rank, b.rank), cmp.Compare(b.item.Recent, a.item.Recent))
		})
	}
	p.layRows(m.Whole != "")
	p.most = max(p.most, len(p.rows))
	p.scroll.Px = 0
}

// layRows puts heads above the groups. While something is looked for a group shows its best hits
// only, unless it is the only one.
func (p *Palette) layRows(some bool) {
	p.rows = p.rows[:0]
	kept := p.hits[:0]
	groups := 0
	for i := range p.hits {
		if i == 0 || p.hits[i].group != p.hits[i-1].group {
			groups++
		}
	}
	hits := slices.Clone(p.hits)
	for from := 0; from < len(hits); {
		to := from
		for to < len(hits) && hits[to].group == hits[from].group {
			to++
		}
		shown := hits[from:to]
		head := paletteRow{head: hits[from].group, hit: -1}
		if some && groups > 1 && len(shown) > paletteGroup {
			shown = shown[:paletteGroup]
			head.note = CountOf(int64(len(shown)), int64(to-from))
		}
		if head.head != "" {
			p.rows = append(p.rows, head)
		}
		for _, h := range shown {
			p.rows = append(p.rows, paletteRow{hit: len(kept)})
			kept = append(kept, h)
		}
		from = to
	}
	p.hits = kept
}

// Refresh looks things up again, as others may answer now. A list that was shortened stays so.
func (p *Palette) Refresh() { p.fresh = p.fresh && p.brief }

// shorten leaves of a list under a field only the chosen row.
func (p *Palette) shorten() {
	p.brief, p.rows = true, append(p.rows[:0], paletteRow{hit: p.at})
	p.scroll.Px = 0
}

// Turn takes the next choice of the first row.
func (p *Palette) Turn() {
	if p.Choices != nil {
		p.about.list = p.Choices()
		p.about.turn()
	}
}

// Move chooses another hit.
func (p *Palette) Move(n int) {
	if p.Choices != nil {
		p.about.list = p.Choices()
		p.about.step(n)
		return
	}
	p.fresh = p.fresh && !p.brief
	if p.match(); len(p.hits) > 0 {
		least := 0
		if p.Answer != nil {
			least = -1 // back to the typed text
		}
		p.at = min(max(p.at+n, least), len(p.hits)-1)
		p.reveal()
	}
}

// reveal scrolls to the chosen hit in the next picture.
func (p *Palette) reveal() { p.scroll.Reveal = true }

// Enter runs the chosen hit, or gives the answer.
func (p *Palette) Enter() { p.run(false) }

// Back is Enter with Shift held.
func (p *Palette) Back() { p.run(true) }

func (p *Palette) run(back bool) {
	p.match()
	switch {
	case p.Answer != nil && p.at < 0:
		if p.complaint = p.Answer(p.Text().Text()); p.complaint == "" {
			p.Close()
		}
	case p.at < len(p.hits):
		it := p.hits[p.at].item
		switch {
		case !it.Keep:
			p.Close()
		case p.Outer != nil:
			p.shorten()
		}
		if back && it.Back != nil {
			it.Back()
		} else {
			it.Run()
		}
	}
}

// answerLine is the height of a further line of an answer, at scale 1.
const answerLine = 18

// dialogRows is how many rows a dialog has room for, before it scrolls, typedRows for how many at least where
// they follow the text.
const dialogRows, typedRows = 16, 10

// Height is how high the list is under a field that is not its own, or all of a dialog of a width in
// physical pixels.
func (p *Palette) Height(env *panel.Env, width float32) float32 {
	p.match()
	if p.Outer == nil {
		p.rect = draw.Rect{X1: width}
		rows, _ := p.places(env)
		h := rows.Y0 + env.Px(footHeight) + p.plotHeight(env)
		n := max(p.most, len(p.Empty))
		if p.Typed != nil { // its rows come and go, and its buttons stay
			n = max(n, typedRows)
		}
		if n = min(n, dialogRows); n > 0 {
			h += float32(n)*env.Px(paletteRowHeight) + env.Px(palettePad)
		}
		return h
	}
	return float32(max(1, len(p.rows)))*env.Px(paletteRowHeight) + 2*env.Px(palettePad)
}

// palettePad is the room above and below the rows under a field that is not its own, at scale 1.
const palettePad = 6

// Update implements panel.Panel.
func (p *Palette) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	p.rect = rect
	p.match()
	if p.Outer == nil {
		p.Field.Point(in)
	}
	rows, answer := p.places(env)
	foot := rect
	foot.Y0 = max(rect.Y0, rect.Y1-env.Px(footHeight))
	least := min(float32(len(p.rows)), 3) * env.Px(paletteRowHeight) // in a low window rows go before buttons
	buttons := p.Does != "" && p.Outer == nil && foot.Y0-rows.Y0 >= least
	if buttons {
		rows.Y1 = foot.Y0
		if p.press(p.foot.update(env, foot, in, p.buttons()...)) {
			return panel.Action{}
		}
	}
	if p.Choices != nil {
		p.about.press(p.choices(env, rows), in)
	}
	h := env.Px(paletteRowHeight)
	content := float32(len(p.rows)) * h
	p.scroll.Update(env, rows, in, content)
	if in.Over && rows.Contains(in.X, in.Y) {
		i := int((in.Y - rows.Y0 + p.scroll.Px) / h)
		if i < len(p.rows) && p.rows[i].hit >= 0 && in.Left.Released {
			p.at = p.rows[i].hit
			p.Enter()
			return panel.Action{}
		}
	}
	p.follow(rows, h)
	panel.ListFor(&p.list, env)
	l, t := p.list, env.Theme
	l.Reset(rect)
	defer l.Filled()
	if p.Outer != nil {
		l.Rect(rect, draw.Color(t.Panel))
		l.Outline(rect, max(1, env.Px(1)), draw.Color(t.TooltipBorder))
	} else {
		p.Field.Draw(l, env, draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(9),
			Y1: rect.Y0 + env.Px(34)}, "")
	}
	if p.Answer != nil {
		c := format.Pick(p.complaint != "", t.Over, t.TextDim)
		for i, words := range p.answerLines(env, answer.W()) {
			line := answer
			line.Y0 += float32(i) * env.Px(answerLine)
			line.Y1 = line.Y0 + env.Px(22)
			l.TextIn(draw.Regular, line, draw.Left, words, draw.Color(c))
		}
	}
	if p.Choices != nil {
		above := p.choices(env, rows)
		p.about.drawValues(l, env, above)
		rows.Y0 = above.Y1
	}
	if p.Plot != nil {
		p.Plot(l, env, draw.Rect{X0: answer.X0, Y0: rows.Y0, X1: answer.X1, Y1: rows.Y1})
	}
	p.drawRows(env, rows, in)
	p.scroll.Draw(l, env, rows, content)
	if buttons {
		p.foot.draw(l, env, foot)
	}
	return panel.Action{}
}

// choices places what the question is about at the top of a rectangle.
func (p *Palette) choices(env *panel.Env, rows draw.Rect) draw.Rect {
	p.about.list = p.Choices()
	p.about.lay(env, rows.W())
	rows.Y1 = min(rows.Y1, rows.Y0+p.about.height)
	return rows
}

// plotHeight is the height of choices and plot.
func (p *Palette) plotHeight(env *panel.Env) (h float32) {
	if p.Choices != nil {
		h = p.choices(env, draw.Rect{X1: p.rect.W(), Y1: endless}).H()
	}
	if p.Plot != nil {
		h += env.Px(palettePlot)
	}
	return h
}

// buttons are those of a dialog.
func (p *Palette) buttons() []footButton {
	if p.Answer == nil && len(p.Items) == 0 && p.Typed == nil {
		return []footButton{{Label: "Close", Key: "Esc"}}
	}
	does := p.Does
	if p.Answer != nil && p.at >= 0 {
		does = "Choose"
	}
	return []footButton{
		{Label: does, Key: "Enter", Off: p.Answer == nil && p.at >= len(p.hits)}, {Label: "Cancel", Key: "Esc"},
	}
}

// press does what a button is for; false: none was clicked.
func (p *Palette) press(button int) bool {
	switch {
	case button < 0:
		return false
	case button == 1 || len(p.foot.buttons) == 1:
		p.Close()
	default:
		p.Enter()
	}
	return true
}

// answerLines are the hint or the complaint under the field, in lines.
func (p *Palette) answerLines(env *panel.Env, width float32) []string {
	text := format.Pick(p.complaint != "", p.complaint, p.Field.Hint)
	return panel.WrapWords(env.Atlas, draw.Regular, text, width)
}

// places returns the rectangles of the rows and of the answer.
func (p *Palette) places(env *panel.Env) (rows, answer draw.Rect) {
	rows = p.rect
	if p.Outer != nil {
		rows.Y0 += env.Px(palettePad)
		rows.Y1 -= env.Px(palettePad)
		return rows, draw.Rect{}
	}
	rows.Y0 += env.Px(40)
	answer = draw.Rect{X0: rows.X0 + env.Px(12), Y0: rows.Y0, X1: rows.X1 - env.Px(12), Y1: rows.Y0}
	if p.Answer != nil {
		lines := len(p.answerLines(env, answer.W()))
		answer.Y1 += env.Px(4) + env.Px(answerLine)*float32(max(1, lines))
		rows.Y0 = answer.Y1 + env.Px(6)
	}
	return rows, answer
}

// follow scrolls to the chosen hit, and to the head above it.
func (p *Palette) follow(rows draw.Rect, h float32) {
	if !p.scroll.Reveal {
		return
	}
	p.scroll.Reveal = false
	i := slices.IndexFunc(p.rows, func(r paletteRow) bool { return r.hit == max(p.at, 0) })
	top := i
	if i > 0 && p.rows[i-1].hit < 0 {
		top--
	}
	if y := float32(top) * h; y < p.scroll.Px {
		p.scroll.Px = y
	} else if y := float32(i+1) * h; y > p.scroll.Px+rows.H() {
		p.scroll.Px = y - rows.H()
	}
}

// drawRows paints the rows in sight.
func (p *Palette) drawRows(env *panel.Env, rows draw.Rect, in *panel.Input) {
	l, t, h := p.list, env.Theme, env.Px(paletteRowHeight)
	l.PushClip(rows)
	defer l.PopClip()
	for k := range p.rows {
		y := rows.Y0 - p.scroll.Px + float32(k)*h
		if y+h < rows.Y0 || y > rows.Y1 {
			continue
		}
		r := draw.Rect{X0: rows.X0, Y0: y, X1: rows.X1, Y1: y + h}
		row := &p.rows[k]
		switch {
		case row.hit < 0:
			r.X0, r.X1 = r.X0+env.Px(12), r.X1-env.Px(14)
			l.TextIn(draw.Small, r, draw.Right, row.note, draw.Color(t.TextDim))
			l.TextIn(draw.Small, r, draw.Left, row.head, draw.Color(t.Text2))
			continue
		case row.hit == p.at:
			l.Rect(r, draw.Color(t.Hover))
			l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(2), Y1: r.Y1}, draw.Color(t.Accent))
		case in.Over && r.Contains(in.X, in.Y):
			l.Rect(r, draw.Color(t.Hover))
		}
		p.drawItem(env, r, p.hits[row.hit].item)
	}
	switch {
	case len(p.Items) == 0 && len(p.Empty) > 0:
		Words(l, env, rows, p.Empty...)
	case len(p.hits) == 0 && (p.Answer == nil || p.Nothing != nil):
		Words(l, env, rows, p.NothingWords())
	}
}

// NothingWords returns the text for a search without matches.
func (p *Palette) NothingWords() string {
	if p.Nothing != nil {
		return p.Nothing()
	}
	return "No match"
}

// drawItem paints an item: its name, its note, and its key.
func (p *Palette) drawItem(env *panel.Env, r draw.Rect, it *PaletteItem) {
	l, t := p.list, env.Theme
	r.X0, r.X1 = r.X0+env.Px(12), r.X1-env.Px(14)
	if it.Group != "" { // a place for a color, so that names stand below each other
		s := env.Px(8)
		mid := panel.Snap((r.Y0 + r.Y1 - s) / 2)
		if it.On != nil && it.On() {
			Check(l, env, r.X0+s/2, (r.Y0+r.Y1)/2)
		} else if it.Swatch.A > 0 {
			l.Rect(draw.Rect{X0: r.X0, Y0: mid, X1: r.X0 + s, Y1: mid + s}, it.Swatch)
		}
		r.X0 += env.Px(16)
	}
	if it.Key != "" {
		w := env.Atlas.Measure(draw.Small, it.Key)
		l.TextIn(draw.Small, r, draw.Right, it.Key, draw.Color(t.Text2))
		r.X1 -= w + env.Px(8)
	}
	w := env.Atlas.Measure(draw.Regular, it.Name)
	l.NameIn(draw.Regular, r, draw.Left, it.Name, draw.Color(t.Text))
	note := it.Note
	if it.Says != nil {
		note = it.Says()
	}
	if r.X0 += w + env.Px(10); r.W() > env.Px(24) {
		l.TextIn(draw.Small, r, draw.Left, note, draw.Color(t.Text2))
	}
}

// CountOf writes a number of all, or an index: "3 of 399".
func CountOf(n, all int64) string {
	return string(format.AppendCount(append(format.AppendCount(nil, n), " of "...), all))
}
