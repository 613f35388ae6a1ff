package workspace

import "framescope/charts/panel"

// foldNs is how long a section takes to fold or unfold, where things move.
const foldNs = 120_000_000

// foldMove is the motion of a section that was folded or unfolded by a press on its head. There is
// one at a time: where another begins, the one before is at its end.
type foldMove struct {
	section int // from 1; 0: none moves
	beganNs int64
	from    float32 // the share of its height that it had
	at      float32 // that it has now
}

// moveFold begins the motion of a section that was just folded or unfolded, from the share of its
// height that it had.
func (s *stack) moveFold(env *panel.Env, i int, from float32) {
	s.move = foldMove{}
	if env.Animate {
		s.move = foldMove{section: i + 1, beganNs: env.NowNs, from: from, at: from}
	}
}

// stepFold moves it on.
func (s *stack) stepFold(env *panel.Env) {
	m := &s.move
	if m.section == 0 {
		return
	}
	u := float32(env.NowNs-m.beganNs) / foldNs
	if u >= 1 || u < 0 || !env.Animate {
		*m = foldMove{}
		return
	}
	u = 1 - (1-u)*(1-u)*(1-u) // ease out
	m.at = m.from + (s.aim(m.section-1)-m.from)*u
}

// aim is the share of its height that a section has at rest.
func (s *stack) aim(i int) float32 {
	if s.folds(i) {
		return 0
	}
	return 1
}

// share is the share of its height that a section has now.
func (s *stack) share(i int) float32 {
	if s.move.section == i+1 {
		return s.move.at
	}
	return s.aim(i)
}
