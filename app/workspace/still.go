package workspace

import "framescope/app/input"

// still keeps the section under the mouse in place while sections above it change their height: a press
// in a list, with details above it, must not move that list.
type still struct {
	tab   *Tab    // the tab of the section under the mouse, nil: none
	y     float32 // where it begins in the window
	from  float32 // how far was scrolled then
	at    float32 // how far must be scrolled to keep it there, beyond the ends if need be
	holds bool
}

// reach widens the scroll range of sections to include the held place.
func (k *still) reach(lo, hi float32) (float32, float32) {
	if k.holds {
		return min(lo, k.at), max(hi, k.at)
	}
	return lo, hi
}

// keepStill scrolls so that the section under the mouse stays where it was in the last tick; it reports
// whether it scrolled. Scrolling by others does move it.
func (p *pane) keepStill(over, scrolled bool) bool {
	k := &p.stack.still
	if !over || scrolled || k.tab == nil {
		again := k.holds
		*k = still{}
		return again
	}
	for i, t := range p.tabs {
		if place := &p.stack.places[i]; t == k.tab && place.shown {
			if moved := place.head.Y0 - k.y; moved != 0 {
				p.stack.scroll += moved
				k.at, k.holds = p.stack.scroll, true
				return true
			}
		}
	}
	return false
}

// watch notes which section the mouse is over now.
func (p *pane) watch(m *input.Mouse, over bool) {
	k := &p.stack.still
	i := p.headAt(m.X, m.Y)
	if i < 0 {
		i = p.sectionAt(m.X, m.Y)
	}
	if k.tab = nil; over && i >= 0 {
		k.tab, k.y, k.from = p.tabs[i], p.stack.places[i].head.Y0, p.stack.scroll
	}
}
