package app

import (
	"cmp"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/store"
	"framescope/widgets"
)

// Subject is the subject of a budget: a collector, a series, or the frames of a thread.
type Subject struct {
	Track     model.TrackID
	Collector model.CollectorID
	Series    model.SeriesID
}

// Of returns the target at a point as a subject of budgets; false: it is not one.
func Of(v *view.View, h *panel.Hit) (Subject, bool) {
	on := Subject{Track: h.Track, Collector: h.Named(), Series: h.Thing.Series()}
	if v.None() {
		return on, false
	}
	if v.Session().Track(on.Track) == nil {
		on.Track = v.Track()
	}
	if on.Collector != model.NoCollector {
		on.Track = v.ThreadOf(on.Collector, on.Track)
		return on, true
	}
	framed := h.Kind == panel.HitFrame && v.Session().HasFrames()
	return on, on.Series != model.NoSeries || framed
}

// Chosen returns the selection as a subject of budgets: the series, the collector, else the frames.
func Chosen(v *view.View) (Subject, bool) {
	on := Subject{Track: v.Track(), Collector: v.Collector(), Series: v.Thing().Series()}
	if v.None() {
		return on, false
	}
	return on, on.Collector != model.NoCollector || on.Series != model.NoSeries || v.Session().HasFrames()
}

// collector returns the collector, nil where it is something else.
func (on Subject) collector(s *store.Session) *model.Collector {
	if on.Collector == model.NoCollector {
		return nil
	}
	return s.Collector(on.Collector)
}

// Of more than askWork frames and values, some tenths of a second of work, suggestions for limits use
// only the newest frames.
const askWork, newest = 4_000_000, 2048

// choices returns the possible budgets of a subject, without limits: the usual one comes first.
func choices(s *store.Session, on Subject) (all []budget.Budget) {
	add := func(m budget.Measure, ats ...budget.At) {
		for _, at := range ats {
			all = append(all, budget.Budget{Measure: m, At: at})
		}
	}
	k := on.collector(s)
	switch {
	case on.Series != model.NoSeries:
		add(budget.Value, budget.P99, budget.Max, budget.Mean, budget.P95, budget.Median)
	case k == nil:
		add(budget.Duration, budget.P99, budget.Max, budget.Mean, budget.P95, budget.Median)
		all = append(all, budget.Budget{Measure: budget.Duration, Share: 0.01, HasShare: true})
	case !s.HasFrames():
		add(budget.Total, budget.Mean)
		add(budget.Self, budget.Mean)
		add(budget.Longest, budget.P99)
		add(budget.Calls, budget.Mean)
	case k.HasLevel && !k.HasTime:
		add(budget.Level, budget.Max, budget.P99, budget.Mean)
	default:
		add(budget.Total, budget.P99, budget.Max, budget.Mean, budget.P95, budget.Median)
		all = append(all, budget.Budget{Measure: budget.Total, Share: 0.01, HasShare: true})
		add(budget.Self, budget.P99, budget.Max, budget.Mean)
		add(budget.Net, budget.P99, budget.Max)
		add(budget.Calls, budget.Max, budget.P99)
	}
	for i := range all {
		b := &all[i]
		switch {
		case on.Series != model.NoSeries:
			b.Series = budget.Exactly(s.Series().ByID(on.Series).Def.Name)
		case k != nil:
			b.Collector = budget.Exactly(k.Title())
		}
		if t := s.Track(on.Track); t != nil && on.Series == model.NoSeries && on.Track != s.MainTrack() {
			b.Thread = budget.Exactly(t.Title())
		}
	}
	return all
}

// measured returns the present values of the choices: over all frames, as in the table of budgets, or
// of very many over the newest.
func measured(s *store.Session, on Subject, all []budget.Budget) []*budget.Result {
	pass := budget.Begin(s, all, budget.All(s))
	pass.Counts = true
	ready := pass.Step(askWork)
	pass.Close()
	results, err := pass.Results()
	if t := s.Track(s.MainTrack()); !ready && s.HasFrames() && t != nil && t.NumFrames() > newest {
		part := budget.All(s)
		part.Whole, part.First = false, t.NumFrames()-newest
		part.BeginNs, _, _ = t.FrameTimes(part.First, part.Last)
		results, err = budget.Check(s, all, part)
	} else if !ready {
		results, err = budget.Check(s, all, budget.All(s))
	}
	out := make([]*budget.Result, len(all))
	for i := range results {
		r := &results[i]
		for k := range all {
			same := r.Series == on.Series && (r.Collector == on.Collector && r.Track == on.Track || on.Series != model.NoSeries)
			if err == nil && r.Budget == &all[k] && same && r.Verdict != budget.Nothing {
				out[k] = r
			}
		}
	}
	return out
}

// roundUp returns a value of two digits that is no less.
func roundUp(v float64, times bool) float64 {
	switch {
	case !(v > 0) && times:
		return 1e6
	case !(v > 0):
		return 1
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	if times || v >= 10 {
		step = max(step, 1)
	}
	return math.Round(math.Ceil(v/step-1e-9)*step*1e6) / 1e6
}

// Ask asks for the limit of the usual budget of a subject: the user can choose another one there.
func (b *Book) Ask(on Subject) { b.askFor(on, budget.Budget{}) }

// Change asks the same for a budget of the file, in a line.
func (b *Book) Change(line int) {
	all := b.State.All()
	for i := range all {
		if x := &all[i]; x.Budget.Line == line {
			b.askFor(Subject{x.Track, x.Collector, x.Series}, *x.Budget)
			return
		}
	}
}

// askFor asks for a limit; old is the budget to change, with line 0 for a new one.
func (b *Book) askFor(on Subject, old budget.Budget) {
	v := b.ss.View()
	if v.None() {
		return
	}
	s := v.Session()
	all := choices(s, on)
	if old.Line != 0 {
		for i := range all { // patterns stay as they were written
			x := &all[i]
			x.Name, x.Thread, x.Collector, x.Series, x.Optional = old.Name, old.Thread, old.Collector, old.Series, old.Optional
		}
		for i := range all {
			if all[i].Measure == old.Measure && all[i].At == old.At && all[i].HasShare == old.HasShare {
				all = append(all[:i], all[i+1:]...)
				break
			}
		}
		all = append([]budget.Budget{old}, all...)
	}
	now := measured(s, on, all)
	if state := b.State.All(); old.Line != 0 { // the result in the list of budgets, over all frames
		if i := slices.IndexFunc(state, func(x view.Limit) bool { return x.Budget.Line == old.Line }); i >= 0 {
			is := state[i].Result
			now[0] = &is
		}
	}
	for i := range all {
		b.suggest(&all[i], now, i, v, old)
	}
	b.ask.Ask(newLimitQuestion(b.title(s, on), all, now, b.put), 640)
}

// suggest fills in a limit: the current value, rounded up; for frames the window's frame budget.
func (b *Book) suggest(x *budget.Budget, now []*budget.Result, i int, v *view.View, old budget.Budget) {
	switch {
	case old.Line != 0 && i == 0:
		return
	case x.Measure == budget.Duration && x.At != budget.Mean && x.At != budget.Median:
		x.Limit = math.Round(float64(v.Look().FrameBudgetNs())/1e5) * 1e5
	case now[i] != nil && x.HasShare:
		for k := range now { // the limit of its p95
			if now[k] != nil && now[k].Budget.At == budget.P95 && now[k].Budget.Measure == x.Measure {
				x.Limit = roundUp(now[k].Value, x.Measure.Times())
			}
		}
	case now[i] != nil:
		x.Limit = roundUp(now[i].Value, x.Measure.Times())
	default:
		x.Limit = roundUp(0, x.Measure.Times())
	}
}

// title names the subject of the question, and its thread.
func (b *Book) title(s *store.Session, on Subject) string {
	name := "frames"
	switch k := on.collector(s); {
	case on.Series != model.NoSeries:
		return escape.Name(s.Series().ByID(on.Series).Def.Name)
	case k != nil:
		name = escape.Name(k.Title())
	}
	if s.Track(on.Track) == nil {
		return name
	}
	return name + " on " + subject.ThreadName(s, on.Track)
}

// askFile asks for the place of a new file, and writes a change into it: of the content of an existing one, or of the
// budgets of the session file, which go into a new one.
func (b *Book) askFile(edit func(text string) (string, error)) {
	q := &widgets.Palette{Name: "Save budgets to which file?", Does: "Save"}
	q.Field.Hint = "TOML file for this and later budgets; Enter creates it or adds to it"
	kept := false
	q.Answer = func(text string) (complaint string) {
		path := strings.TrimSpace(text)
		if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~"+string(filepath.Separator)) {
			path = home + path[1:]
		}
		path, err := filepath.Abs(path)
		if err == nil {
			err = b.create(path, edit)
		}
		if err != nil {
			return err.Error()
		}
		kept = true
		return ""
	}
	b.ask.Ask(q, 640)
	done := q.Close
	q.Close = func() {
		if done(); !kept {
			b.ask.Notify("The budget was not set: it has no file")
		}
	}
	q.Field.OfferFile(budget.FileName(b.folder()))
}

// create writes a change into a file of budgets, which is shown from then on.
func (b *Book) create(path string, edit func(text string) (string, error)) error {
	text, all, err := b.given, []budget.Budget(nil), error(nil)
	if _, err = os.Stat(path); err == nil {
		if b.given != "" {
			return errors.New("it is there already: the budgets of the session go to a new file")
		}
		if text, all, err = budgetingRead(path); err != nil && len(all) > 0 {
			return err
		}
	}
	if text, err = edit(text); err != nil {
		return err
	}
	if dir := filepath.Dir(path); dir == library.StateDir() {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	b.file = path
	if err := b.write(path, text); err != nil {
		b.file = ""
		return err
	}
	b.given = ""
	b.remember(path)
	b.ask.Notify("Budgets are kept in %s", library.Home(path))
	return nil
}

// folder is the place for a budget file: beside the shown recording, else the program's own folder.
func (b *Book) folder() string {
	return cmp.Or(b.ss.Beside(), library.StateDir())
}

// Commands are the commands for budgets. under returns the target under the mouse.
func (b *Book) Commands(group string, under func() (panel.Hit, bool)) []input.Command {
	return []input.Command{
		{ID: "budget.set", Name: "Set a budget for the item under the mouse, or the selection", Words: "limit threshold",
			Group: group,
			Keys:  []string{"Shift+L"}, Out: true, Run: func() {
				v := b.ss.View()
				if h, some := under(); some {
					if on, ok := Of(v, &h); ok {
						b.Ask(on)
						return
					}
				}
				if on, ok := Chosen(v); ok {
					b.Ask(on)
				}
			}},
		{ID: "budget.frame", Name: "Set a budget for frames", Words: "limit fps hitch", Group: group, Out: true, Run: func() {
			if b.ss.View().Session().HasFrames() {
				b.Ask(Subject{b.ss.View().Track(), model.NoCollector, model.NoSeries})
			} else {
				b.ask.Notify("This session has no frames")
			}
		}},
		{ID: "budget.open", Name: "Budgets: open a file…", Words: "limits toml", Group: group, Out: true, Run: func() {
			b.ss.AskFiles("Open a budget file", []string{".toml"}, func(paths []string) { b.Open(paths[0]) })
		}},
		{ID: "budget.close", Name: "Budgets: close the file", Group: group, Run: b.Close},
	}
}

// Menu is the menu of budgets for the target at a point.
func (b *Book) Menu(h *panel.Hit) (items []widgets.MenuItem) {
	if line := h.Budget; line > 0 {
		return []widgets.MenuItem{
			{Label: "Change budget…", Run: func() { b.Change(line) }},
			{Label: "Remove budget", Run: func() { b.Remove(line) }},
		}
	}
	v := b.ss.View()
	on, ok := Of(v, h)
	if !ok {
		return nil
	}
	for _, x := range b.State.On(on.Track, on.Collector, on.Series) {
		line := x.Budget.Line
		items = append(items, widgets.MenuItem{Label: "Change budget: " + x.Budget.Measured() + "…",
			Run: func() { b.Change(line) }})
	}
	return append(items, widgets.MenuItem{Label: "Set budget…", Key: "Shift+L", Run: func() { b.Ask(on) }})
}

// Remove takes a budget out of the file.
func (b *Book) Remove(line int) {
	b.ask.Warn(b.edit(line, func(text string) (string, error) { return budget.Remove(text, line) }))
}

// put replaces the budget in a line; 0: it appends. Without a file it asks for a new one.
func (b *Book) put(line int, x budget.Budget) error {
	return b.edit(line, func(text string) (string, error) { return budget.Put(text, line, x) })
}

// edit changes the open file, and asks for a new one where there is none.
func (b *Book) edit(line int, edit func(text string) (string, error)) error {
	if b.file == "" {
		b.ask.Later(func() { b.askFile(edit) }) // when this dialog is gone
		return nil
	}
	return b.change(line, edit)
}
