package app

import (
	"image/color"
	"strconv"
	"strings"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
)

func rgba(c assets.Color) color.Color { return color.NRGBA{c.R, c.G, c.B, c.A} }

// statusLine shows the target under the mouse at the left, and the viewer's cost at the right.
type statusLine struct {
	ss     *sessions.Sessions
	under  *under
	find   *finder
	paint  *painter
	still  bool // measured times are left out
	opened int  // doors that had opened
	list   *draw.List
	right  []byte
	cost   draw.Rect // where it is
	nextN  int64
	known  int // changes of the picture at the last update of the cost, with the change by that update
	// the values that the list shows
	rect               draw.Rect
	scale              float32
	theme              assets.Color
	first, rest, shown string
	walked             string // the selected hit or spike
	over               bool   // more memory is in use than may be
}

func (s *statusLine) update(env *panel.Env, rect draw.Rect) {
	if panel.ListFor(&s.list, env) {
		s.scale = 0
	}
	t, l := env.Theme, s.list
	// Where nothing else changes, painting the cost would be most of it.
	if env.NowNs >= s.nextN && s.paint.changes > s.known || s.opened != s.ss.Opened() || len(s.right) == 0 {
		s.nextN = env.NowNs + 500_000_000
		s.opened = s.ss.Opened() // says where it listens, also in a window that is quiet
		s.right = s.describe(s.right[:0])
		if s.known = s.paint.changes; string(s.right) != s.shown {
			s.known++
		}
	}
	var first, rest string
	if lines := s.under.hit.Lines; len(lines) > 0 {
		first, rest = lines[0], joinLines(lines[1:])
	} else {
		rest = s.idleHint()
	}
	walked := s.find.walked()
	right, over := string(s.right), s.ss.Memory().Over() && !s.still
	if s.over == over && s.rect == rect && s.scale == env.Scale && s.theme == t.PanelTitle && s.first == first &&
		s.rest == rest && s.shown == right && s.walked == walked {
		return
	}
	s.rect, s.scale, s.theme, s.shown, s.over = rect, env.Scale, t.PanelTitle, right, over
	s.walked = walked
	s.first, s.rest = strings.Clone(first), strings.Clone(rest) // tooltips live in buffers of the charts
	l.Reset(rect)
	l.Rect(rect, draw.Color(t.PanelTitle))
	l.HLine(rect.X0, rect.X1, rect.Y0, 1, draw.Color(t.Separator))
	in := draw.Rect{X0: rect.X0 + env.Px(9), Y0: rect.Y0, X1: rect.X1 - env.Px(9), Y1: rect.Y1}
	w := env.Atlas.Measure(draw.Small, right)
	s.cost = in
	s.cost.X0 = in.X1 - w
	color := draw.Color(format.Pick(over, t.Over, t.Text2))
	l.TextIn(draw.Small, in, draw.Right, right, color)
	in.X1 -= w + env.Px(16)
	if w := env.Atlas.Measure(draw.Medium, walked); w > 0 && w <= in.W() {
		l.TextIn(draw.Medium, in, draw.Left, walked, draw.Color(t.Accent))
		in.X0 += w + env.Px(16)
	}
	if first == "" {
		l.TextIn(draw.Regular, in, draw.Left, rest, draw.Color(t.TextDim))
		return
	}
	x := in.X0 + l.Text(draw.Medium, in.X0, in.Y0+(rect.H()-env.Atlas.LineHeight(draw.Medium))/2,
		cutTo(env, first, in.W()), draw.Color(t.Text)) + env.Px(12)
	l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: in.Y0, X1: in.X1, Y1: in.Y1}, draw.Left, rest, draw.Color(t.Text2))
}

// says returns the text at the left.
func (s *statusLine) says() string {
	return strings.TrimSpace(strings.TrimSpace(s.walked+"   "+s.first) + "   " + s.rest)
}

// hitTest returns the tooltip of the viewer's cost.
func (s *statusLine) hitTest(m *input.Mouse) (panel.Hit, bool) {
	if s.still || !s.cost.Contains(m.X, m.Y) {
		return panel.Hit{}, false
	}
	return panel.Hit{Kind: panel.HitLabel, Collector: -1, Rect: s.cost, Lines: s.ss.Memory().Lines()}, true
}

// cutTo returns s if it fits, else nothing: the rest of the line is enough.
func cutTo(env *panel.Env, s string, width float32) string {
	return format.Pick(env.Atlas.Measure(draw.Medium, s) > width, "", s)
}

// joinLines puts a tooltip into one line.
func joinLines(lines []string) string {
	var b strings.Builder
	for i, s := range lines {
		if i > 0 {
			b.WriteString("   ")
		}
		name, value, ok := strings.Cut(s, "\t")
		b.WriteString(name)
		if ok {
			b.WriteByte(' ')
			b.WriteString(value)
		}
	}
	return b.String()
}

// describe appends the viewer's cost and the addresses that it listens on.
func (s *statusLine) describe(b []byte) []byte {
	if !s.still {
		b = append(b, "viewer "...)
		b = strconv.AppendFloat(b, s.paint.cost.UpdateMs, 'f', 1, 64)
		b = append(b, " + "...)
		b = strconv.AppendFloat(b, s.paint.cost.DrawMs, 'f', 1, 64)
		b = append(b, " ms · "...)
		b = append(format.AppendCount(b, int64(s.paint.cost.ShownQuads)), " quads · decode "...)
		b = strconv.AppendFloat(b, s.ss.Took().Seconds()*1e3, 'f', 1, 64)
		b = append(b, " ms · "...)
		if m := s.ss.Memory(); m.Known() {
			b = append(m.AppendShort(b), " · "...)
		}
	}
	if n := s.ss.ClipsFiled(); n > 0 {
		b = append(format.AppendPlural(b, int64(n), "clip", "clips"), " · "...)
	}
	return s.ss.AppendListening(b)
}

// idleHint is the text while nothing is under the mouse.
func (s *statusLine) idleHint() string {
	switch {
	case s.find.ask.Desk.Dialog() != nil:
		return "Esc closes the dialog"
	case s.ss.View().None():
		return "Ctrl+O opens a recording, F1 shows keys and mouse"
	case s.ss.View().Live():
		return "Space pauses the view; recording continues"
	}
	return subject.GestureHint(s.ss.View())
}
