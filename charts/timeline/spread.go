package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

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
