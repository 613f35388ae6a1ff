package app

import "framescope/model"

// kindOf is the word under which a choice of tabs is remembered: what fits a pipeline does not fit a game. Sessions of frames, and no session, have the empty word.
func kindOf(s *model.Session) string {
	if s == nil {
		return ""
	}
	if source := s.Info().Source; source != "pstats" {
		return source
	}
	return ""
}

// settle chooses the tab that is in front for a session: the one that the user chose for sessions of this kind, else the one that fits best. Tabs that have nothing to
// show for the session are left out.
func (p *pane) settle(s *model.Session) {
	kind := kindOf(s)
	p.kind = kind
	if len(p.hiddenTabs) != len(p.panels) {
		p.hiddenTabs = make([]bool, len(p.panels))
	}
	best, rank := -1, 0
	for i, q := range p.panels {
		p.hiddenTabs[i] = q.shows != nil && !q.shows(s)
		if p.hiddenTabs[i] {
			continue
		}
		r := 0
		if q.rank != nil {
			r = q.rank(s)
		}
		if best < 0 || r > rank {
			best, rank = i, r
		}
	}
	if i, chosen := p.chosen[kind]; chosen && i < len(p.panels) && !p.hiddenTabs[i] {
		best = i
	}
	p.active = max(best, 0)
}

// choose brings a tab to the front, for all sessions of the kind that is shown.
func (p *pane) choose(tab int) {
	if p.chosen == nil {
		p.chosen = map[string]int{}
	}
	p.chosen[p.kind] = tab
	p.active = tab
}

// tabKey is the name under which the settings keep the chosen tab of a pane.
func tabKey(pane, kind string) string {
	if kind == "" {
		return pane
	}
	return pane + "/" + kind
}
