package app

import (
	"encoding/json"
	"strconv"

	"framescope/model"
)

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
	if id, chosen := p.chosen[kind]; chosen {
		if i := p.find(string(id)); i >= 0 && !p.hiddenTabs[i] {
			best = i
		}
	}
	p.active = max(best, 0)
}

// choose brings a tab to the front, for all sessions of the kind that is shown.
func (p *pane) choose(tab int) {
	if p.chosen == nil {
		p.chosen = map[string]tabName{}
	}
	p.chosen[p.kind] = tabName(p.panels[tab].id)
	p.active = tab
}

// tabKey is the name under which the settings keep the chosen tab of a pane.
func tabKey(pane, kind string) string {
	if kind == "" {
		return pane
	}
	return pane + "/" + kind
}

// tabName is the id of a tab, as settings keep it.
type tabName string

// earlierTabs are the tabs of the panes when settings kept their places.
var earlierTabs = map[string][]tabName{
	paneTimeline: {"timeline", "dashboard"},
	paneFlame:    {"flame", "piano", "calltree", "topology", "locks", "processors", "leaks"},
	paneStrip:    {"strip", "statistics", "calls", "series", "counters", "messages", "contention"},
}

// UnmarshalJSON reads the name, or the place that earlier settings have.
func (t *tabName) UnmarshalJSON(data []byte) error {
	var place int
	if json.Unmarshal(data, &place) == nil {
		*t = tabName(strconv.Itoa(place))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// of returns the tab's name in a pane.
func (t tabName) of(pane string) tabName {
	tabs := earlierTabs[pane]
	if i, err := strconv.Atoi(string(t)); err == nil && i >= 0 && i < len(tabs) {
		return tabs[i]
	}
	return t
}
