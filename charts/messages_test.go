package charts

import (
	"fmt"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/view"
	"framescope/model"
)

func TestMessageTablePictures(t *testing.T) {
	s := newLockSession(t)
	for _, c := range []struct {
		name  string
		light bool
		set   func(env *Env)
	}{
		{"messages_table", false, func(env *Env) { env.View.SetPlayhead(175_000_000) }},
		{"messages_table_light", true, func(env *Env) {
			m := s.Track(ltWorkerB).Messages(0, 1e9, nil)[0]
			env.View.SelectMessage(ltWorkerB, m, m.Time)
			env.View.SetPlayhead(m.Time)
		}},
		{"messages_table_filtered", false, func(env *Env) {
			env.View.SetMessageFilter(view.MessageFilter{Least: model.SeverityInfo, HasLeast: true, Categories: []string{"game", "render", "load"}, Text: "T"})
			env.View.SetPlayhead(230_000_000)
		}},
		{"messages_table_none", false, func(env *Env) {
			env.View.SetMessageFilter(view.MessageFilter{Text: "no such words", Object: "voice 4", Track: ltAudio, OnlyTrack: true})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := testEnv(s, 1)
			if c.light {
				th := assets.Light()
				env.Theme = &th
			}
			env.View.Tick(1, false)
			m := NewMessageTable()
			r := draw.Rect{X1: 940, Y1: 260}
			settle(env, m, r)
			c.set(env)
			settle(env, m, r)
			golden.Check(t, "testdata/golden/"+c.name+".png", picture(940, 260, m.List()))
			t.Logf("%d quads, %s", m.List().Quads(), m.Mode(env))
		})
	}
	t.Run("empty", func(t *testing.T) {
		env := testEnv(newTestSession(t), 1)
		env.View.Tick(1, false)
		m := NewMessageTable()
		settle(env, m, draw.Rect{X1: 700, Y1: 140})
		golden.Check(t, "testdata/golden/messages_table_empty.png", picture(700, 140, m.List()))
	})
}

// A filter hides flags in the timeline, too, and a selected message stands out in it.
func TestTimelineMessagesPicture(t *testing.T) {
	s := newLockSession(t)
	env := testEnv(s, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 330}
	settle(env, &tl, r)
	env.View.PlaceTime(100_000_000, 250_000_000)
	env.View.SetMessageFilter(view.MessageFilter{Least: model.SeverityInfo, HasLeast: true})
	m := s.Track(ltMain).Messages(170_000_000, 180_000_000, nil)[0]
	env.View.SelectMessage(ltMain, m, env.View.Playhead())
	settle(env, &tl, r)
	golden.Check(t, "testdata/golden/timeline_messages_filtered.png", picture(1000, 330, tl.List()))
	for _, f := range tl.flags.px {
		if f.message.Severity < model.SeverityInfo {
			t.Errorf("a flag for %q", f.message.Text)
		}
	}
	env.View.SetMessageFilter(view.MessageFilter{})
	env.View.FitAll()
	settle(env, &tl, r)
	var x, y float32
	for _, f := range tl.flags.px {
		if f.n > 1 {
			x, y = f.r.X0+2, f.r.Y0+4
		}
	}
	tl.Update(env, r, mouseAt(x, y))
	tl.Update(env, r, mouseAt(x, y))
	hit := tl.HitTest(env, x, y)
	if hit.Kind != HitMessage || len(hit.Lines) < 3 {
		t.Fatalf("at a flag of several: %v, %q", hit.Kind, hit.Lines)
	}
	var tip Tooltip
	golden.Check(t, "testdata/golden/timeline_messages_merged.png", picture(1000, 330, tl.List(), tip.Draw(env, &hit, x, y, r)))
}

// messageSession holds n messages on three threads, 1 µs apart.
func messageSession(n int) *model.Session {
	s := model.NewSession()
	s.Apply(model.Info{Source: "gst", Program: "pipeline", File: true})
	for id, name := range []string{"src", "queue0:src", "sink"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name, Index: id})
	}
	var b model.Batch
	for i := 0; i < n; {
		for t := range model.TrackID(3) {
			b.Reset()
			b.Track = t
			for k := 0; k < 1000 && i < n; k++ {
				b.Messages = append(b.Messages, model.Message{Time: int64(i) * 1000, Severity: model.Severity(i%7) - 3, Text: fmt.Sprintf("message %d", i), Category: []string{"GST_PADS", "GST_EVENT", "basesink"}[i%3], Object: "sink0"})
				i++
			}
			s.Append(&b)
		}
	}
	return s
}

func TestMessageTableOfMany(t *testing.T) {
	const n = 300_000
	s := messageSession(n)
	env := testEnv(s, 1)
	env.View.Tick(1, false)
	m := NewMessageTable()
	r := draw.Rect{X1: 900, Y1: 400}
	settle(env, m, r)
	if m.src.total != n {
		t.Fatalf("%d of %d messages", m.src.total, n)
	}
	quads := m.List().Quads()
	// A playhead far away brings the message there into the middle, exactly.
	env.View.SetPlayhead(250_000_000 + 200)
	settle(env, m, r)
	if m.near != 250_000 {
		t.Errorf("row %d is nearest", m.near)
	}
	if y := m.table.rowY(env, m.near); y < r.Y0+150 || y > r.Y1-100 || y != float32(int(y)) {
		t.Errorf("the nearest row is at %g", y)
	}
	if q := m.List().Quads(); q > 2*quads {
		t.Errorf("%d quads, at the beginning %d", q, quads)
	}
	// The filter of level: every seventh is an error.
	env.View.SetMessageFilter(view.MessageFilter{Least: model.SeverityError, HasLeast: true})
	settle(env, m, r)
	if want := n / 7; m.src.total < want-1 || m.src.total > want+1 {
		t.Errorf("%d errors, not %d", m.src.total, want)
	}
	if h := m.src.hit(m.near); h.Severity != model.SeverityError || h.Time < 249_990_000 || h.Time > 250_010_000 {
		t.Errorf("the marked row is %+v", h)
	}
}

// The newest message stays in view until one scrolls away from it, and again when one comes back.
func TestMessageTableFollows(t *testing.T) {
	s := messageSession(3000)
	env := testEnv(s, 1)
	env.View.Follow(true)
	env.View.Tick(1, false)
	m := NewMessageTable()
	r := draw.Rect{X1: 900, Y1: 300}
	more := func() {
		_, end, _ := s.Bounds()
		s.Append(&model.Batch{Track: 1, Messages: []model.Message{{Time: end + 1000, Text: "one more"}}})
		settle(env, m, r)
	}
	settle(env, m, r)
	more()
	if !m.bottom(env) {
		t.Fatal("it does not follow")
	}
	in := mouseAt(400, 200)
	in.WheelY = 3
	m.Update(env, r, in)
	at := m.table.scrollY
	more()
	if m.bottom(env) || m.table.scrollY != at {
		t.Fatal("it runs away")
	}
	in.WheelY = -20
	m.Update(env, r, in)
	more()
	if !m.bottom(env) {
		t.Fatal("it does not follow again")
	}
}

// A click on a message selects it and centres the timeline; with ctrl it filters.
func TestMessageTableClicks(t *testing.T) {
	s := messageSession(3000)
	env := testEnv(s, 1)
	env.View.Tick(1, false)
	env.View.PlaceTime(0, 1_000_000)
	m := NewMessageTable()
	r := draw.Rect{X1: 900, Y1: 300}
	settle(env, m, r)
	x := m.table.layout[messageColCategory].x0 + 10
	y := m.table.rowY(env, 7) + 5
	click(env, m, r, x, y)
	if _, h, ok := env.View.Message(); !ok || h.Text != "message 7" || env.View.Playhead() != 7000 {
		t.Fatalf("selected %q, playhead at %d", h.Text, env.View.Playhead())
	}
	for _, b := range []Button{{Down: true, Pressed: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}} {
		in := mouseAt(x, y)
		in.Ctrl, in.Left = true, b
		m.Update(env, r, in)
	}
	if f := env.View.MessageFilter(); len(f.Categories) != 1 || f.Categories[0] != "GST_EVENT" || m.src.total != 1000 {
		t.Fatalf("filter %+v, %d pass", f, m.src.total)
	}
	settle(env, m, r)
	last := m.chips[len(m.chips)-1]
	click(env, m, r, (last.r.X0+last.r.X1)/2, (last.r.Y0+last.r.Y1)/2)
	if f := env.View.MessageFilter(); !f.All() {
		t.Fatalf("filter %+v after its chip was clicked", f)
	}
}

// What moves every tick allocates nothing once it was drawn.
func TestNewChartsAllocateNothing(t *testing.T) {
	s := newLockSession(t)
	for name, c := range map[string]Chart{"timeline": &Timeline{}, "locks": &LockChart{}, "processors": &ProcessorChart{}, "messages": NewMessageTable()} {
		env := testEnv(s, 1)
		env.View.Tick(1, false)
		r := draw.Rect{X1: 1000, Y1: 400}
		settle(env, c, r)
		i, in := int64(0), mouseAt(300, 60)
		tick := func() {
			i++
			env.NowNs += 16_000_000
			d := i % 50 * 1_000_000
			env.View.Steer().Set(float64(d), float64(d+200_000_000), false, 0)
			env.View.PlacePlayhead(d * 3)
			env.View.Tick(env.NowNs, false)
			in.Y = float32(60 + i%300)
			c.Update(env, r, in)
			c.HitTest(env, 300, float32(60+i%300))
			c.Mode(env)
		}
		for range 400 {
			tick()
		}
		if n := testing.AllocsPerRun(400, tick); n >= 1 {
			t.Errorf("%s: %g allocations a tick", name, n)
		}
	}
}

// TestMessageTableKeepsItsPlace filters away two thirds of what is seen, and everything, and takes the filter back: the same time stays in the middle.
func TestMessageTableKeepsItsPlace(t *testing.T) {
	const n = 30_000
	s := messageSession(n)
	env := testEnv(s, 1)
	env.View.Tick(1, false)
	m := NewMessageTable()
	r := draw.Rect{X1: 900, Y1: 400}
	settle(env, m, r)
	env.View.SetPlayhead(100_000)
	settle(env, m, r)
	m.table.scrollY = 12_345 * 20 // far from the playhead
	m.Update(env, r, &Input{})
	before := m.place.timeNs
	for _, f := range []view.MessageFilter{{Categories: []string{"basesink"}}, {Text: "nobody says this"}, {}} {
		env.View.SetMessageFilter(f)
		settle(env, m, r)
		const fewNs = 10_000 // rows of three messages beside each other
		if d := m.place.timeNs - before; d < -fewNs || d > fewNs {
			t.Errorf("with the filter %+v the middle is at %d, was at %d", f, m.place.timeNs, before)
		}
	}
	if m.src.total != n {
		t.Errorf("%d messages at the end", m.src.total)
	}
}
