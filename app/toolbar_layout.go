package app

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
)

// widgetSpacing is the widget library's space between widgets, in its own pixels.
const widgetSpacing = 4

// layOut places the items: from the left, then those at the right from the right end; items that do not
// fit leave by rank, and those that never leave are cut at the end. Gaps between neighbours equal those
// of the widget library, so that its buttons lie exactly under the painted ones.
func (b *Toolbar) layOut() {
	env, rect := b.Env, b.rect
	s := float32(widgetScale(env.Scale))
	gap := widgetSpacing * s
	least, need := b.leave(rect.W())
	if more := b.more(); b.leavers(least) {
		more.label = "»"
		least, need = b.leave(rect.W())
	}
	out := func(it *item) bool { return it.leaves(least) }
	for i := range b.items {
		b.items[i].label, b.items[i].room = b.items[i].said(least)
	}
	spare := b.whole(max(0, rect.W()-need)) - s
	y0 := s * float32(int(env.Px(6)/s))
	y1 := y0 + s*float32(int(env.Px(ToolbarHeight-12)/s))
	end := s * float32(int((rect.X1-6*s)/s))
	for i := len(b.items) - 1; i >= 0; i-- {
		it := &b.items[i]
		w := b.width(it)
		it.rect = draw.Rect{}
		if !it.right || w == 0 || out(it) {
			continue
		}
		it.rect = draw.Rect{X0: end - w, Y0: rect.Y0 + y0, X1: end, Y1: rect.Y0 + y1}
		end -= w + gap
	}
	x := rect.X0 + 6*s
	for i := range b.items {
		it := &b.items[i]
		w := b.width(it)
		if it.right || w == 0 || out(it) {
			continue
		}
		if it.kind == itemSearch {
			w += max(0, min(spare, b.whole(env.Px(290))))
		}
		w = min(w, end-x)
		it.rect = draw.Rect{X0: x, Y0: rect.Y0 + y0, X1: x + w, Y1: rect.Y0 + y1}
		x += w + gap
	}
}

// more is the item for things without room.
func (b *Toolbar) more() *item {
	return &b.items[slices.IndexFunc(b.items, func(it item) bool { return it.command == ToolbarMore })]
}

// leavers reports whether anything that can be pressed leaves the bar from a rank on.
func (b *Toolbar) leavers(least int) bool {
	return slices.ContainsFunc(b.items, func(it item) bool { return it.leaves(least) && it.pressed() })
}

// pressed reports whether the item is one that is pressed, or typed into, and is there now.
func (it *item) pressed() bool { return it.command != "" && it.label != "" || it.kind == itemSearch }

// Left returns the buttons without room, in the order of the bar.
func (b *Toolbar) Left() (list []ToolbarItem) {
	for i := range b.items {
		if it := &b.items[i]; it.rect.Empty() && it.pressed() {
			list = append(list, ToolbarItem{ID: it.id, Command: cmp.Or(it.command, "find"), Tip: it.tip, Off: !it.enabled})
		}
	}
	return list
}

// leave returns the rank from which on items leave a bar of a width, and the width of the others.
func (b *Toolbar) leave(width float32) (least int, need float32) {
	const ranks = 14
	s := float32(widgetScale(b.Env.Scale))
	gap := widgetSpacing * s
	for least = ranks; ; least-- {
		need = 6*s + gap + 2*s
		for i := range b.items {
			if it := &b.items[i]; !it.leaves(least) {
				label, room := it.said(least)
				if w := b.widthOf(it, label, room); w > 0 {
					need += w + gap
				}
			}
		}
		if least <= 1 || need <= width {
			return least, need
		}
	}
}

func (it *item) leaves(least int) bool {
	at := format.Pick(it.short != "", it.leaveAt, it.dropAt)
	return at >= least && at > 0
}

// said is the label of an item in a bar without the items from a rank on, and the label that it
// reserves room for.
func (it *item) said(least int) (label, room string) {
	if it.short != "" && it.dropAt >= least {
		return it.short, it.shortRoom
	}
	return it.label, it.room
}

// width returns how wide an item is, 0 where it has nothing to say.
func (b *Toolbar) width(it *item) float32 { return b.widthOf(it, it.label, it.room) }

// widthOf is width with a label, and with another that it has room for.
func (b *Toolbar) widthOf(it *item, label, room string) float32 {
	env := b.Env
	pad := env.Px(10)
	most := func(face draw.Face) float32 {
		return max(env.Atlas.Measure(face, label), env.Atlas.Measure(face, room))
	}
	switch {
	case it.kind == itemGap:
		return b.whole(env.Px(8))
	case it.kind == itemSearch:
		return b.whole(env.Px(130))
	case label == "":
		return 0
	}
	switch it.kind {
	case itemText:
		return b.whole(steps(most(draw.Medium)+pad, env.Px(16)))
	case itemTab:
		return b.whole(most(draw.Medium) + env.Px(14))
	case itemChip:
		return b.whole(steps(most(draw.Medium)+2*pad, env.Px(8)))
	}
	return b.whole(max(most(draw.Regular)+2*pad, env.Px(30)))
}

// whole rounds a width up to pixels of the widget library.
func (b *Toolbar) whole(w float32) float32 {
	s := float32(widgetScale(b.Env.Scale))
	return s * float32(int(w/s+0.99))
}

// steps rounds a width up, so that the neighbours of a number do not move with its every digit.
func steps(w, step float32) float32 { return step * float32(int(w/step+0.999)) }

// widgetScale is the widget library's scale, a whole number.
func widgetScale(scale float32) int { return max(1, int(scale)) }
