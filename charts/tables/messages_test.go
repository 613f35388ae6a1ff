package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/store"
	"framescope/model/why"
)

func TestMessageTablePictures(t *testing.T) {
	type shot = chartstest.Shot[*MessagesPanel]
	s := chartstest.NewLockSession(t)
	filtered := func(f view.MessageFilter, at int64) func(*panel.Env, *MessagesPanel) {
		return func(env *panel.Env, _ *MessagesPanel) {
			env.View.Look().SetMessageFilter(f)
			if at > 0 {
				env.View.SetPlayhead(at)
			}
		}
	}
	some := view.MessageFilter{Least: model.SeverityInfo, HasLeast: true, Categories: []string{"game", "render", "load"}, Text: "T"}
	none := view.MessageFilter{Text: "no such words", Object: "voice 4", Track: chartstest.LtAudio, OnlyTrack: true}
	chartstest.Shoot(t, NewMessages,
		shot{Name: "messages_table", S: s, W: 940, H: 260, Set: filtered(view.MessageFilter{}, 175_000_000)},
		shot{Name: "messages_table_light", S: s, W: 940, H: 260, Light: true, Set: func(env *panel.Env, _ *MessagesPanel) {
			m := s.Messages().Of(chartstest.LtWorkerB, 0, 1e9, nil)[0]
			env.View.SelectAt(view.Message(chartstest.LtWorkerB, m), m.Time)
			env.View.SetPlayhead(m.Time)
		}},
		shot{Name: "messages_table_filtered", S: s, W: 940, H: 260, Set: filtered(some, 230_000_000)},
		shot{Name: "messages_table_none", S: s, W: 940, H: 260, Set: filtered(none, 0)},
		shot{Name: "messages_table_empty", S: chartstest.NewSession(t), W: 700, H: 140})
}

// While a search goes on its hits are marked as those so far, the list says so where it has none, and
// at the end the same lies in the middle as where all was found at once.
func TestMessageTableGoesOn(t *testing.T) {
	const n = 300_000
	s, at := chartstest.MessageSession(n), int64(200_000_400)
	env, r := chartstest.NewEnv(s, 1), draw.Rect{X1: 900, Y1: 400}
	m, whole := NewMessages(), NewMessages()
	env.View.SetPlayhead(at)
	chartstest.Settle(env, whole, r)
	filter := view.MessageFilter{Text: "7"}
	env.View.Look().SetMessageFilter(filter)
	chartstest.Settle(env, whole, r)
	env.View.Look().SetMessageFilter(view.MessageFilter{})
	want, middle := whole.Mode(env), whole.src.hit(whole.table.Middle()).Time

	s = chartstest.MessageSession(n)
	env = chartstest.NewEnv(s, 1)
	env.View.SetPlayhead(at)
	s.Messages().Step(1)
	chartstest.Settle(env, m, r)
	steps := 0
	for range []bool{true, false} {
		for steps = 0; steps < 100; steps++ {
			mode := m.Mode(env)
			if m.src.share == 1 {
				break
			}
			if !strings.HasPrefix(mode, "searching ") || !strings.Contains(mode, " of "+string(format.AppendPlural(nil, n, "message", "messages"))) {
				t.Errorf("after %d steps: %q", steps, mode)
			}
			testkit.That(t, m.src.total != 0 || m.src.Empty(false) == "Searching …",
				"nothing found so far: %q", m.src.Empty(false))
			s.Messages().Step(messages.StepWork)
			chartstest.Settle(env, m, r)
		}
		testkit.That(t, steps >= 4 && steps != 100, "found in %d steps", steps)
		if m.src.total == n {
			env.View.Look().SetMessageFilter(filter)
			s.Messages().Step(1)
			chartstest.Settle(env, m, r)
		}
	}
	got := m.Mode(env)
	testkit.That(t, got == want && m.src.hit(m.table.Middle()).Time == middle,
		"%q, %d in the middle, want %q, %d", got, m.src.hit(m.table.Middle()).Time, want, middle)
	// An export lets a search go on to its end.
	env.View.Look().SetMessageFilter(view.MessageFilter{Text: "8"})
	s.Messages().Step(1)
	var out bytes.Buffer
	testkit.NoErr(t, m.Export(env, &out, panel.CSV))
	q := messages.Query{MinSeverity: model.SeverityTrace, Text: "8"}
	_, all := s.Messages().Find(q, nil)
	testkit.Equal(t, bytes.Count(out.Bytes(), []byte("\n")), all+1, "lines of %d messages", all)
}

func TestMessageTableOfMany(t *testing.T) {
	const n = 300_000
	_, env, m, r := messagesOf(n, 900, 400)
	testkit.MustThat(t, m.src.total == n, "%d of %d messages", m.src.total, n)
	quads := m.List().Quads()
	// A playhead far away brings the message there into the middle, exactly.
	env.View.SetPlayhead(250_000_000 + 200)
	chartstest.Settle(env, m, r)
	testkit.That(t, m.near == 250_000, "row %d is nearest", m.near)
	y := m.table.RowRect(m.near).Y0
	testkit.That(t, y >= r.Y0+150 && y <= r.Y1-100 && y == float32(int(y)), "the nearest row is at %g", y)
	q := m.List().Quads()
	testkit.That(t, q <= 2*quads, "%d quads, at the beginning %d", q, quads)
	// The filter of level: every seventh is an error.
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityError, HasLeast: true})
	chartstest.Settle(env, m, r)
	want := n / 7
	testkit.That(t, m.src.total >= want-1 && m.src.total <= want+1, "%d errors, not %d", m.src.total, want)
	h := m.src.hit(m.near)
	testkit.That(t, h.Severity == model.SeverityError && h.Time >= 249_990_000 && h.Time <= 250_010_000,
		"the marked row is %+v", h)
}

// What is exported are the messages that pass the filter, each with all of its lines, which are counted as
// they are asked for: a page at a time.
func TestMessagesAreExported(t *testing.T) {
	const n = 20_000
	s := chartstest.MessageSession(n)
	_, end, _ := s.Bounds()
	s.Append(&model.Batch{Track: 1, Messages: []model.Message{{Time: end + 1000, Text: "one, \"two\"\nthree", Severity: model.SeverityError}}})
	env := chartstest.ReadyEnv(s, 1)
	m := NewMessages()
	chartstest.Settle(env, m, draw.Rect{X1: 400, Y1: 300})
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityError, HasLeast: true})
	before := m.src.pages
	var text bytes.Buffer
	testkit.NoErr(t, m.Export(env, &text, panel.CSV))
	asked, most := m.src.pages-before, 2*m.src.total/(messagePage-messageAhead)+4
	testkit.That(t, asked <= most, "%d pages for %d messages", asked, m.src.total)
	rows, err := csv.NewReader(&text).ReadAll()
	testkit.MustThat(t, err == nil && len(rows) == m.src.total+1 && m.src.total >= n/8 && m.src.total <= n/6,
		"%d rows of %d messages, %v", len(rows), m.src.total, err)
	testkit.Equal(t, strings.Join(rows[0], "|"), "time [ns]|thread|level|category|object|message", "the titles")
	last := rows[len(rows)-1]
	testkit.That(t, last[0] == strconv.FormatInt(end+1000, 10) && last[2] == "error" &&
		last[5] == "one, \"two\"\nthree", "the newest is %q", last)
	for _, row := range rows[1:] {
		testkit.MustThat(t, row[2] == "error", "%q passes the filter of errors", row)
	}
	text.Reset()
	var list []map[string]any
	if err := m.Export(env, &text, panel.JSON); err != nil || json.Unmarshal(text.Bytes(), &list) != nil || len(list) != m.src.total {
		t.Errorf("%d of %d as JSON, %v", len(list), m.src.total, err)
	}
}

// A tick asks for a few pages of messages, however many there are and whatever happens: the playhead
// moves, rows are scrolled, a filter is set, messages come in.
func TestMessageTableAsksForFewPages(t *testing.T) {
	const most = 4
	for _, n := range []int{3000, 300_000} {
		s := chartstest.MessageSession(n)
		env := chartstest.ReadyEnv(s, 1)
		m, r, in := NewMessages(), draw.Rect{X1: 900, Y1: 400}, &panel.Input{}
		chartstest.Settle(env, m, r)
		tick := func(what string, in *panel.Input) {
			before, list := m.src.pages, m.List().Revision()
			m.Update(env, r, in)
			asked := m.src.pages - before
			testkit.That(t, asked <= most && m.List().Revision() != list,
				"%d messages, %s: %d pages of %d", n, what, asked, messagePage)
			before = m.src.pages
			m.Update(env, r, &panel.Input{})
			testkit.That(t, m.src.pages == before, "%d messages, after %s: asked again though nothing changed", n, what)
		}
		_, end, _ := s.Bounds()
		at := end / 3
		for _, f := range []view.MessageFilter{{Text: "1"}, {}, {Text: "9", Least: model.SeverityLog, HasLeast: true}} {
			env.View.Look().SetMessageFilter(f)
			tick("another filter", in)
			for _, live := range []bool{false, true} {
				env.View.Follow(live)
				m.Update(env, r, in)
				at += end / 20
				env.View.SetPlayhead(at)
				tick("the playhead moved", in)
				wheel := chartstest.MouseAt(400, 200)
				wheel.WheelY = 3
				tick("scrolled", wheel)
				s.Append(&model.Batch{Track: 1, Messages: []model.Message{
					{Time: end + 1000, Text: "99 more", Severity: model.SeverityError}, {Time: end - 5, Text: "a 9 that is late"},
				}})
				tick("messages came", in)
			}
		}
	}
}

// The newest message stays in view until one scrolls away from it, and again when one comes back.
func TestMessageTableFollows(t *testing.T) {
	s := chartstest.MessageSession(3000)
	env := chartstest.NewEnv(s, 1)
	env.View.Follow(true)
	env.View.Tick(1, false)
	m := NewMessages()
	r := draw.Rect{X1: 900, Y1: 300}
	more := func() {
		_, end, _ := s.Bounds()
		s.Append(&model.Batch{Track: 1, Messages: []model.Message{{Time: end + 1000, Text: "one more"}}})
		chartstest.Settle(env, m, r)
	}
	chartstest.Settle(env, m, r)
	more()
	testkit.MustThat(t, m.table.AtEnd(), "it does not follow")
	in := chartstest.MouseAt(400, 200)
	in.WheelY = 3
	m.Update(env, r, in)
	at := m.table.RowRect(0)
	more()
	testkit.MustThat(t, !m.table.AtEnd() && m.table.RowRect(0) == at, "it runs away")
	in.WheelY = -20
	m.Update(env, r, in)
	more()
	testkit.MustThat(t, m.table.AtEnd(), "it does not follow again")
}

// A click on a message selects it and centres the timeline; with ctrl it filters.
func TestMessageTableClicks(t *testing.T) {
	s := chartstest.MessageSession(3000)
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().PlaceTime(0, 1_000_000)
	m := NewMessages()
	r := draw.Rect{X1: 900, Y1: 300}
	chartstest.Settle(env, m, r)
	x := m.table.HeadRect("category").X0 + 10
	y := m.table.RowRect(7).Y0 + 5
	chartstest.Click(env, m, r, x, y)
	_, h, ok := env.View.Thing().Message()
	testkit.MustThat(t, ok && h.Text == "message 7" && env.View.Playhead() == 7000,
		"selected %q, playhead at %d", h.Text, env.View.Playhead())
	for _, b := range []panel.Button{{Down: true, Pressed: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}} {
		in := chartstest.MouseAt(x, y)
		in.Ctrl, in.Left = true, b
		m.Update(env, r, in)
	}
	if f := env.View.Look().MessageFilter(); len(f.Categories) != 1 || f.Categories[0] != "GST_EVENT" || m.src.total != 1000 {
		t.Fatalf("filter %+v, %d pass", f, m.src.total)
	}
	chartstest.Settle(env, m, r)
	tools := m.Tools(env)
	last := tools[len(tools)-1]
	testkit.That(t, last.On && last.Label == "GST_EVENT", "the last tool is %+v", last)
	m.Use(env, last.ID, 0)
	f := env.View.Look().MessageFilter()
	testkit.MustThat(t, f.All(), "filter %+v after its tool was used", f)
}

// TestMessageTableKeepsItsPlace filters away two thirds of what is seen, and everything, and takes
// the filter back: the same time stays in the middle.
func TestMessageTableKeepsItsPlace(t *testing.T) {
	const n = 30_000
	_, env, m, r := messagesOf(n, 900, 400)
	env.View.SetPlayhead(100_000)
	chartstest.Settle(env, m, r)
	m.table.Center(12_355) // far from the playhead
	m.Update(env, r, &panel.Input{})
	before := m.place.timeNs
	for _, f := range []view.MessageFilter{{Categories: []string{"basesink"}}, {Text: "nobody says this"}, {}} {
		env.View.Look().SetMessageFilter(f)
		chartstest.Settle(env, m, r)
		const fewNs = 10_000 // rows of three messages beside each other
		d := m.place.timeNs - before
		testkit.That(t, d >= -fewNs && d <= fewNs,
			"with the filter %+v the middle is at %d, was at %d", f, m.place.timeNs, before)
	}
	testkit.That(t, m.src.total == n, "%d messages at the end", m.src.total)
}

// messagesOf is a table of n messages.
func messagesOf(n int, w, h float32) (*store.Session, *panel.Env, *MessagesPanel, draw.Rect) {
	s, m, r := chartstest.MessageSession(n), NewMessages(), draw.Rect{X1: w, Y1: h}
	env := chartstest.ReadyEnv(s, 1)
	chartstest.Settle(env, m, r)
	return s, env, m, r
}

func TestFrameColor(t *testing.T) {
	th := assets.Dark()
	for ns, want := range map[int64]assets.Color{
		16_000_000: th.FrameBar, 16_700_000: th.FrameBar, 17_000_000: th.FrameBar, 17_500_000: th.Over, 33_000_000: th.Over, 34_000_000: th.Bad,
	} {
		got := subject.FrameColor(&th, ns, view.DefaultBudgetNs)
		testkit.That(t, assets.Color(got) == want, "%d ns: %v, want %v", ns, got, want)
	}
	got := subject.FrameColor(&th, 1e9, 0)
	testkit.That(t, assets.Color(got) == th.FrameBar, "without a budget: %v", got)
}

// What is of the threads that are shown says which are not: those that are idle, or others.
func TestWhichThreads(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id, endNs := range []int64{1_000_000_000, 900_000_000, 10} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: string(rune('A' + id))})
		s.Append(&model.Batch{Track: model.TrackID(id), Spans: []model.Span{{Begin: 0, End: endNs, Path: 1}}})
	}
	v := view.New(s)
	for _, x := range []struct {
		do   func(l *view.Look)
		want string
	}{
		{func(*view.Look) {}, "all threads"},
		{func(l *view.Look) { l.HideIdle(true) }, "threads that are not idle"},
		{func(l *view.Look) { l.SetTrackHidden(1, true) }, "visible threads"},
		{func(l *view.Look) { l.ShowTracks(view.HiddenByHand); l.HideIdle(false) }, "all threads"},
	} {
		x.do(v.Look())
		testkit.That(t, subject.AllThreads(v) == x.want, "%q; want %q", subject.AllThreads(v), x.want)
	}
}

// Figures of all of a session are not called those of the whole session where its begin has left
// memory.
func TestWholeSession(t *testing.T) {
	s := store.NewSession()
	testkit.Equal(t, subject.Whole(s), "whole session", "all of it is called")
	s.Apply(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: 3})
	testkit.Equal(t, subject.Whole(s), "all in memory", "what is left of it is called")
}

// Collectors that are called alike are named with as much of what they lie in as tells them apart,
// others by their name alone.
func TestNamesApart(t *testing.T) {
	s := store.NewSession()
	for id, d := range []struct {
		name   string
		parent model.CollectorID
	}{
		{"Frame", model.NoCollector}, {"Cull", 0}, {"Draw", 0}, {"Scene", 1}, {"Scene", 2}, {"Flip", 2},
		{"Shadow", 0}, {"Draw", 6}, {"Scene", 7}, {"Scene", 0}, {"dScene", 2},
	} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: d.name, Parent: d.parent})
	}
	for id, want := range map[model.CollectorID]string{
		1: "Cull", 2: "Draw", 3: "Cull:Scene", 4: "Draw:Scene", 5: "Flip", 7: "Shadow:Draw", 8: "Shadow:Draw:Scene",
		9: "Scene", 10: "dScene",
	} {
		testkit.Equal(t, subject.NameApart(s, id), want, "%d is called", id)
	}
}

// Marks of causes stand out from the ground in every theme, whatever colors the collectors have, have the
// hue and about as much of it as these, and ways of being slow have shapes of their own.
func TestCausesAreToldApart(t *testing.T) {
	s := chartstest.NewSession(t)
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		env := chartstest.NewEnv(s, 1)
		env.Theme = &th
		for c := range s.Collectors().Len() {
			fill := assets.LChOf(assets.Color(env.Palette().Fill(model.CollectorID(c))))
			_, color := subject.CauseMark(env, model.CollectorID(c), why.Longer)
			mark := assets.LChOf(assets.Color(color))
			if off := assets.HueDistance(mark.Hue, fill.Hue); fill.C > 0.02 && (off > 5 || mark.C < 0.8*fill.C) {
				t.Errorf("%s: the mark of collector %d is %.3f, what it is filled with %.3f", name, c, mark, fill)
			}
			for what, ground := range map[string]assets.Color{"well": th.Well, "panel": th.Panel} {
				if got := assets.Contrast(assets.Color(color), ground); got < 4.5 {
					t.Errorf("%s: the mark of collector %d has a contrast of %.2f on a %s", name, c, got, what)
				}
			}
		}
	}
	env, shapes := chartstest.NewEnv(s, 1), map[string]bool{}
	for _, how := range []why.How{why.New, why.MoreCalls, why.Longer, why.Unknown} {
		shape, _ := subject.CauseMark(env, 1, how)
		shapes[shape] = true
	}
	testkit.That(t, len(shapes) == 4, "four ways have the shapes %v", shapes)
}
