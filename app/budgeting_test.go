package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/clips"
	"framescope/app/input"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/budget"
	"framescope/net/framescope"
	"framescope/widgets"
)

// TestMain keeps what tests record out of the user's own place.
// window is a window's budgets with the sessions that they are held against, and no window.
type window struct {
	t    *testing.T
	ss   *sessions.Sessions
	set  *settings.Settings
	ask  *workspace.Prompt
	desk *workspace.Desk
	env  panel.Env
	book *Book
	now  int64
}

// newWindow returns a window on a recording. file is that of the command line.
func newWindow(t *testing.T, recording, file string) *window {
	t.Helper()
	return newWindowOn(t, recordings.File(t, recordings.PStats, recording+".pstats"), file)
}

// newWindowOn returns a window on the recording of a path.
func newWindowOn(t *testing.T, path, file string) *window {
	t.Helper()
	w := &window{t: t, desk: workspace.New(&workspace.Tab{ID: "frames", Panel: &overview.History{}})}
	theme := assets.Dark()
	w.env = *panel.NewEnv(nil, &theme, draw.NewAtlas(1))
	w.ask = &workspace.Prompt{Env: &w.env, Mouse: &input.Mouse{}, Desk: w.desk}
	w.set = testkit.Must(settings.Open("-"))(t)
	w.ss = sessions.New(&sessions.Options{Files: []string{path}}, w.set, w.ask)
	testkit.NoErr(t, w.ss.Start())
	t.Cleanup(func() { w.ss.Close() })
	testkit.WaitUntil(t, "the recording", func() bool {
		w.ss.Tick()
		s := w.ss.View().Session()
		if s == nil {
			return false
		}
		_, ended := s.Ended()
		return ended
	})
	w.book = NewBook(w.ss, w.set, w.ask, file)
	w.tick()
	return w
}

// tick lets half a second go by.
func (w *window) tick() {
	w.now += lookNs
	w.ss.Tick()
	w.book.Tick(w.now, false)
}

// notices returns what was told.
func (w *window) notices() (out []string) {
	for _, n := range w.ask.Notices.Shown() {
		out = append(out, n.Text)
	}
	return out
}

// said tells whether a notice has some words.
func (w *window) said(words string) bool {
	return slices.ContainsFunc(w.notices(), func(line string) bool { return strings.Contains(line, words) })
}

// answer gives the open dialog an answer, and returns its complaint.
func (w *window) answer(text string) (complaint string) {
	w.t.Helper()
	q := w.ask.Dialog()
	testkit.MustThat(w.t, q != nil && q.Answer != nil, "nothing is asked")
	if complaint = q.Answer(text); complaint == "" {
		if w.ask.Dialog() == q {
			q.Close()
		}
		w.ss.Tick() // what is to be done then
	}
	return complaint
}

// write puts a text in the place of a file, as editors do: nobody reads half of it.
func write(t *testing.T, path, text string) {
	t.Helper()
	testkit.NoErr(t, os.WriteFile(path+".new", []byte(text), 0o644))
	testkit.NoErr(t, os.Rename(path+".new", path))
}

func text(t *testing.T, path string) string {
	t.Helper()
	b := testkit.Must(os.ReadFile(path))(t)
	return string(b)
}

// A file is held against the shown session, read anew when it changes, kept as it was while it is wrong,
// and known again for the program until it is closed.
func TestFileOfBudgets(t *testing.T) {
	w := newWindow(t, "late", "")
	of := program(w.ss.View().Session())
	path := filepath.Join(t.TempDir(), "budgets.toml")
	w.book.Open(path)
	testkit.That(t, (!w.book.Shows() || len(w.book.State.Budgets()) == 0) && w.said("there is no file"),
		"a file that is not there: %v", w.notices())
	write(t, path, "[[budget]]\nlimit = \"12 ms\"\n")
	w.book.Open(path)
	w.tick()
	all := w.book.State.All()
	testkit.MustThat(t, len(all) == 1 && all[0].Verdict == budget.Broken && all[0].Budget.Limit == 12e6 &&
		w.said("1 budgets of"), "%+v, said %q", all, w.notices())
	testkit.Equal(t, w.set.Budgets[of], path, "… is remembered for %q: %v", of, w.set.Budgets)
	limit := func() float64 {
		w.tick()
		if all := w.book.State.All(); len(all) == 1 {
			return all[0].Budget.Limit
		}
		return 0
	}
	write(t, path, "[[budget]]\nlimit = \"500 ms\"\n")
	testkit.WaitUntil(t, "the file that changed", func() bool { return limit() == 500e6 })
	testkit.That(t, w.book.State.All()[0].Verdict == budget.Kept, "%+v", w.book.State.All()[0])
	write(t, path, "[[budget]]\nlimit = \"much\"\n")
	testkit.WaitUntil(t, "that it is wrong", func() bool { w.tick(); return w.said("the previous budgets stay in effect") })
	testkit.Equal(t, limit(), 500e6, "the limit is … while the file is wrong")
	w.book.Close()
	if w.tick(); w.book.Shows() || len(w.book.State.All()) > 0 || w.set.Budgets[of] != "" {
		t.Errorf("a file that was closed: %v, %v", w.book.State.All(), w.set.Budgets)
	}
}

// What --budgets names is for all programs, and not remembered for one.
func TestBudgetsOfTheCommandLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.toml")
	write(t, path, "[[budget]]\nlimit = \"12 ms\"\n")
	w := newWindow(t, "late", path)
	n := len(w.book.State.All())
	testkit.That(t, n == 1 && w.book.all, "%d budgets, for all programs %v", n, w.book.all)
}

// Budgets are set, changed and removed by dialogs, and the file follows; one that changed meanwhile is left
// alone.
func TestSetChangeRemove(t *testing.T) {
	w := newWindow(t, "late", "")
	v := w.ss.View()
	path := filepath.Join(t.TempDir(), "new.toml")
	w.book.Ask(Subject{v.Track(), model.NoCollector, model.NoSeries})
	name := w.ask.Dialog().Name
	testkit.That(t, strings.HasPrefix(name, "Budget for frames on Main"), "asked is %q", name)
	testkit.That(t, w.answer("much") != "", "no limit is taken for one")
	testkit.MustEqual(t, w.answer("12 ms"), "", "answer")
	asked, beside := w.ask.Dialog(), filepath.Join(filepath.Dir(recordings.File(t, recordings.PStats, "late")), "budgets.toml")
	asked.Close()
	testkit.That(t, w.said("The budget was not set") && len(w.book.State.All()) == 0, "without a file: %q", w.notices())
	w.book.Ask(Subject{v.Track(), model.NoCollector, model.NoSeries})
	testkit.MustEqual(t, w.answer("12 ms"), "", "answer")
	asked = w.ask.Dialog()
	testkit.That(t, asked.Name == "Save budgets to which file?" && asked.Field.Text() == beside,
		"asked is %q, offered is %q, not %q", asked.Name, asked.Field.Text(), beside)
	testkit.That(t, w.answer(filepath.Join(path, "below")) != "", "a path that can't be is taken")
	testkit.MustEqual(t, w.answer(path), "", "answer")
	if w.tick(); text(t, path) != "[[budget]]\nlimit = \"12 ms\"\n" || len(w.book.State.All()) != 1 {
		t.Fatalf("the file is %q", text(t, path))
	}
	line := w.book.State.All()[0].Budget.Line
	w.book.Change(line)
	testkit.MustEqual(t, w.answer("50 ms"), "", "answer")
	testkit.Equal(t, text(t, path), "[[budget]]\nlimit = \"50 ms\"\n", "the file")
	was := "[[budget]]\nlimit = \"7 ms\"\n\n[[budget]]\nlimit = \"50 ms\"\n"
	write(t, path, was)
	if w.book.Remove(line); text(t, path) != was || !w.said("has changed meanwhile") {
		t.Errorf("the file is %q, said %q", text(t, path), w.notices())
	}
	testkit.WaitUntil(t, "the file that changed", func() bool { w.tick(); return len(w.book.State.All()) == 2 })
	w.book.Remove(w.book.State.Budgets()[0].Line)
	if w.tick(); strings.Contains(text(t, path), "7 ms") || len(w.book.State.All()) != 1 {
		t.Errorf("the file is %q", text(t, path))
	}
}

// What is suggested as a limit is kept now, for each thing that can be limited of frames, of a collector
// and of a series.
func TestSuggestionsAreKept(t *testing.T) {
	testkit.OneGoroutine(t)
	w := newWindow(t, "late", "")
	v := w.ss.View()
	s := v.Session()
	subjects := []Subject{{v.Track(), model.NoCollector, model.NoSeries}}
	for _, c := range s.Collectors().Tree().All {
		if c.HasTime && c.ID > 0 {
			subjects = append(subjects, Subject{v.Track(), c.ID, model.NoSeries})
		}
	}
	tested := 0
	for _, on := range subjects {
		w.book.Ask(on)
		all := choices(s, on)
		q := w.ask.Dialog()
		testkit.MustThat(t, q != nil && q.Choices != nil && q.Answer != nil && q.Field.Text() != "", "asked is %+v", q)
		now := measured(s, on, all)
		for i := range all {
			if now[i] == nil || all[i].HasShare || all[i].Measure == budget.Duration {
				continue
			}
			x := all[i]
			w.book.suggest(&x, now, i, v, budget.Budget{})
			got := testkit.Must(budget.Check(s, []budget.Budget{x}, budget.All(s)))(t)
			for _, r := range got {
				if tested++; r.Collector == on.Collector && r.Track == on.Track && r.Verdict != budget.Kept {
					t.Errorf("%s %s: %v of %v: %v", x.Collector, x.Measured(), r.Value, x.Limit, r.Verdict)
				}
			}
			again := x
			if again.Limit = 0; parse(&again, written(&x)) != nil || again != x {
				t.Errorf("%q is read as %+v, not %+v", written(&x), again, x)
			}
		}
	}
	testkit.That(t, tested >= 20, "%d suggestions", tested)
}

// A limit that is suggested has two digits and is no less than what is measured.
func TestRoundUp(t *testing.T) {
	for _, c := range []struct {
		v     float64
		times bool
		want  float64
	}{{0, true, 1e6}, {0, false, 1}, {4_210_000, true, 4_300_000}, {4_200_000, true, 4_200_000}, {7.31, false, 7.4}, {123, false, 130}, {0.5, true, 1}} {
		got := roundUp(c.v, c.times)
		testkit.That(t, got == c.want && got >= c.v, "%g, times %v: %g, want %g", c.v, c.times, got, c.want)
	}
}

// A budget that is broken is told once, whoever asks how often; after the file changed again.
func TestBrokenIsToldOnce(t *testing.T) {
	w := newWindow(t, "late", "")
	path := filepath.Join(t.TempDir(), "budgets.toml")
	write(t, path, "[[budget]]\nlimit = \"12 ms\"\n\n[[budget]]\nlimit = \"10 ms\"\n\n[[budget]]\nlimit = \"500 ms\"\n")
	w.book.Open(path)
	w.tick()
	s := w.ss.View().Session()
	w.book.reportBroken(s)
	testkit.MustThat(t, w.said("2 budgets broken in psclient late: "), "%q", w.notices())
	n := len(w.book.told)
	w.ask.Notices.Drop("2 budgets")
	w.book.reportBroken(s)
	testkit.That(t, !w.said("broken") && len(w.book.told) == n, "told again: %q", w.notices())
	w.book.Open(path)
	w.tick()
	w.book.reportBroken(s)
	testkit.That(t, w.said("2 budgets broken in psclient late: "), "of a file that was opened anew: %q", w.notices())
}

// sessionWith returns a session file with budgets and a workspace.
func sessionWith(t *testing.T, budgets, workspace string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "with.framescope")
	x := clips.Session{
		Path: recordings.File(t, recordings.PStats, "recursion.pstats"), Sources: testkit.Must(load.Sources{}.Registry())(t),
		Attached: map[string][]byte{framescope.Budgets: []byte(budgets), framescope.Workspace: []byte(workspace)},
	}
	testkit.Must(x.Save(t.Context(), to, false))(t)
	return to
}

// A viewer uses the budgets of a session file, unless the user has some for the program; a change of them goes
// to a new file, which is the user's own from then on.
func TestBudgetsOfASession(t *testing.T) {
	const given = "[[budget]]\nlimit = \"12 ms\"\n"
	path := sessionWith(t, given, "")
	w := newWindowOn(t, path, "")
	w.tick()
	all := w.book.State.All()
	testkit.MustThat(t, len(all) == 1 && all[0].Budget.Limit == 12e6 && w.book.Shows(), "%+v", all)
	testkit.Equal(t, w.book.Text(), given, "what is saved with the session")
	testkit.That(t, filepath.Base(w.book.State.File()) == "with.framescope", "they are said to be of %q", w.book.State.File())
	own := filepath.Join(t.TempDir(), "own.toml")
	write(t, own, given)
	changed := all[0].Budget
	changed.Limit = 30e6
	testkit.NoErr(t, w.book.put(changed.Line, *changed))
	w.tick()
	testkit.That(t, strings.Contains(w.answer(own), "is there already"), "a file with other budgets is taken")
	testkit.NoErr(t, os.Remove(own))
	testkit.Equal(t, w.answer(own), "", "the complaint about a new file")
	w.tick()
	all = w.book.State.All()
	testkit.That(t, len(all) == 1 && all[0].Budget.Limit == 30e6 && w.set.Budgets[program(w.ss.View().Session())] == own, "%+v", all)
	text, err := framescope.ReadAttached(path, framescope.Budgets)
	testkit.That(t, err == nil && string(text) == given, "the session file has %q, %v", text, err)
	again := newWindowOn(t, path, own)
	testkit.That(t, len(again.book.State.Budgets()) == 1 && again.book.given == "", "a file of the command line does not go before")
}

// A file that is none is not opened, and one that is open stays.
func TestWrongFile(t *testing.T) {
	w := newWindow(t, "late", "")
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.toml"), filepath.Join(dir, "bad.toml")
	write(t, good, "[[budget]]\nlimit = \"12 ms\"\n")
	write(t, bad, strings.Repeat("x", budget.MaxFile+1))
	w.book.Open(good)
	w.book.Open(bad)
	if w.tick(); w.book.file != good || len(w.book.State.All()) != 1 || !w.said("not a budget file") {
		t.Errorf("%s is open, said %q", w.book.file, w.notices())
	}
	_, _, err := budgetingRead(dir)
	testkit.That(t, err != nil && !errors.Is(err, budget.ErrNone), "a folder: %v", err)
}

// The question for a limit: another measure keeps the statistic, the bars are all frames, and what is said to be
// over a limit are the frames that a check counts.
func TestLimitQuestion(t *testing.T) {
	w := newWindow(t, "late", "")
	v := w.ss.View()
	tree := v.Session().Collectors().Tree().All
	app := slices.IndexFunc(tree, func(c model.Collector) bool { return c.Title() == "App:Base" })
	on := Subject{v.Track(), tree[app].ID, model.NoSeries}
	all := choices(v.Session(), on)
	q := limitQuestion{all: all, now: measured(v.Session(), on, all), Palette: &widgets.Palette{}}
	labels := func(row int) (out []string) {
		for _, x := range q.choices()[row].Values {
			out = append(out, x.Label)
		}
		return out
	}
	press := func(row int, label string) { q.choices()[row].Values[slices.Index(labels(row), label)].Run() }
	q.choose(0)
	testkit.Equal(t, strings.Join(labels(0), " "), "Total Self Net Calls", "measures")
	press(1, "Max")
	press(0, "Self")
	testkit.That(t, q.all[q.at].Measure == budget.Self && q.all[q.at].At == budget.Max, "chosen is %+v", q.all[q.at])
	press(0, "Total")
	q.Choices = q.choices
	for _, want := range []budget.Measure{budget.Self, budget.Net, budget.Calls, budget.Total} {
		q.Turn() // Tab
		testkit.Equal(t, q.all[q.at].Measure, want, "measure after Tab")
	}
	press(1, "Max")
	for _, limit := range []float64{0, 1e5, 2e6, 5e6, 1e9} {
		x := q.all[q.at]
		x.Limit = limit
		got := testkit.Must(budget.Check(v.Session(), []budget.Budget{x}, budget.All(v.Session())))(t)
		now := q.now[q.at]
		testkit.Equal(t, now.Frames-now.UpTo(limit), got[0].Over, "frames over %v", limit)
		low, high := q.span(now, limit)
		q.count(now, low, high)
		sum := int64(0)
		for _, n := range q.bars {
			sum += n
		}
		testkit.Equal(t, sum, now.Frames, "frames in the bars up to %v", high)
	}
}
