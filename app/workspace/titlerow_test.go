package workspace

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// Names and subject have the pixels that they need, at every scale: what is rounded is not cut.
func TestTitlesAreWholeAtEveryScale(t *testing.T) {
	for scale := float32(0.5); scale < 3; scale += 0.05 {
		env := &panel.Env{Scale: scale}
		c := &titleContent{left: env.Px(12), right: env.Px(900), subject: 101.4 * scale}
		for _, w := range []float32{37.3, 44.8, 61.1, 29.5} {
			c.tabs = append(c.tabs, w*scale)
		}
		var p titleParts
		p.lay(env, draw.Rect{X1: c.right, Y1: env.Px(28)}, c)
		drawn := func(r draw.Rect) float32 { return panel.Snap(r.X1) - panel.Snap(r.X0) }
		for i, n := range p.names {
			if drawn(n.rect) < c.tabs[i] {
				t.Errorf("at %v: a name of %v has %v px", scale, c.tabs[i], drawn(n.rect))
			}
		}
		if drawn(p.subject) < c.subject {
			t.Errorf("at %v: the subject of %v has %v px", scale, c.subject, drawn(p.subject))
		}
	}
}

// Where a title row has no room the tools go first, the last ones before the others, then the
// subject, and never the names of the tabs. Nothing lies over anything else, at any width and scale.
func TestTitleRowsGiveWayInOrder(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		env := chartstest.NewEnv(nil, scale)
		c := &titleContent{subject: env.Px(280), left: env.Px(12)}
		for _, w := range []float32{70, 60, -1, 90} {
			c.tabs = append(c.tabs, env.Px(w))
		}
		c.tabs[2] = -1
		for _, w := range []float32{80, 60, 50} {
			c.tools = append(c.tools, env.Px(w))
		}
		tools, hadSubject := 0, false
		for w := float32(160); w <= 900; w++ {
			row := draw.Rect{X1: env.Px(w), Y1: env.Px(28)}
			c.right = row.X1 - env.Px(8)
			var p titleParts
			p.lay(env, row, c)
			testkit.MustEqual(t, len(p.names), 3, "%v px wide at %v: names", w, scale)
			x := c.left
			for _, n := range p.names {
				testkit.MustThat(t, n.rect.X0 >= x && n.rect.W() > 0 && n.rect.X1 <= c.right,
					"%v px wide at %v: a name lies at %v, %v is taken", w, scale, n.rect, x)
				x = n.rect.X1
			}
			testkit.That(t, w <= 300 || p.names[2].rect.W() >= c.tabs[3],
				"%v px wide at %v: a name is cut though there is room", w, scale)
			some := !p.subject.Empty()
			if some {
				testkit.MustThat(t, p.subject.X0 > x && p.subject.X1 <= c.right,
					"%v px wide at %v: the subject lies at %v", w, scale, p.subject)
				x = p.subject.X1
			}
			for i := len(p.tools) - 1; i >= 0; i-- {
				r := p.tools[i].rect
				testkit.MustThat(t, p.tools[i].tool == len(p.tools)-1-i && r.X0 > x && r.X1 <= c.right,
					"%v px wide at %v: tool %d lies at %v", w, scale, p.tools[i].tool, r)
				x = r.X1
			}
			testkit.MustThat(t, p.more.Empty() == (len(p.tools) == len(c.tools)) && (p.more.Empty() || p.more.X0 >= x),
				"%v px wide at %v: %d tools, the menu lies at %v", w, scale, len(p.tools), p.more)
			testkit.MustThat(t, len(p.tools) >= tools && (!hadSubject || some),
				"%v px wide at %v: less is shown than in less room", w, scale)
			testkit.MustThat(t, len(p.tools) == 0 || p.subject.W() >= c.subject,
				"%v px wide at %v: a tool stands where the subject has no room", w, scale)
			tools, hadSubject = len(p.tools), some
		}
		testkit.That(t, tools == 3 && hadSubject, "in a wide row there are %d tools, subject %v", tools, hadSubject)
	}
}

// A subject that has no room loses its last parts whole: half a number is a wrong one.
func TestSubjectsLoseWholeParts(t *testing.T) {
	env := chartstest.NewEnv(nil, 1)
	const about = "Frame · Draw · 74.7 ms · frame 5430"
	for w := env.Atlas.Measure(draw.Regular, about) + 1; w > 60; w -= 3 {
		said := wholeParts(env, draw.Regular, about, w)
		kept, cut := strings.CutSuffix(said, " …")
		if env.Atlas.Measure(draw.Regular, said) > w+1 || cut != (kept != about) || !strings.HasPrefix(about+parted, kept+parted) {
			t.Fatalf("in %v px: %q", w, said)
		}
	}
}
