package details

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// fates are the words for the states of an object in a listing.
var fates = map[model.ResourceFate]string{
	model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added", model.ResourceRemoved: "removed",
}

// drawResource describes the selected object of a leak tracer: its listing.
func (p *Panel) drawResource(env *panel.Env, of subjectOf, id model.ResourceID) {
	list := of.session.Topology().Resources()
	if int(id) >= len(list) {
		p.title = ""
		return
	}
	d, t := &list[id], env.Theme
	p.title, p.mode = d.Type+" "+d.Address, fates[d.Fate]
	r := rows{p: p, env: env, y: p.rect.Y0 + env.Px(6)}
	r.add("listing", string(format.AppendCount(nil, int64(d.Listing))), t.Text)
	r.add("listed at", string(format.AppendClock(nil, d.Time, 1e6)), t.Text)
	r.If(d.RefCount >= 0).add("references", string(format.AppendCount(nil, d.RefCount)), t.Text)
	if n := len(of.session.Topology().RefEvents(id)); n > 0 {
		r.add("references taken or released", string(format.AppendCount(nil, int64(n))), t.Text)
	}
	room := p.rect.X1 - p.rect.X0 - env.Px(20)
	for text := d.Description; text != "" && r.y+env.Px(20) <= p.rect.Y1; {
		var line string
		line, text = fitting(env, text, room)
		r.note(line)
	}
}
