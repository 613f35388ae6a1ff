// The budget file of a window: its choice for each program, its reload after changes on disk, the
// dialogs that make and change budgets, and the notices of broken ones. charts/limits shows the budgets
// of the session.

package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"framescope/app/library"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/internal/aside"
	"framescope/model/budget"
	"framescope/model/store"
	"framescope/net/framescope"
	"framescope/net/journal/disk"
)

// Book is the budgets of a window. The goroutine of the game loop calls its methods.
type Book struct {
	State view.State

	ss   *sessions.Sessions
	set  *settings.Settings
	ask  *workspace.Prompt
	file string // that is open; empty: none
	all  bool   // it is for all programs, as it was named on the command line
	of   string // the program of the open file
	// given is the text of the budgets of the shown session file, where the user has none for its program; chosenFor
	// is the session that this was decided for.
	given     string
	chosenFor *store.Session

	was    version // of the file, as it was read
	looked chan change
	looks  bool
	nextNs int64
	told   map[budget.Budget]bool // of the session, reported as broken
	toldOf *store.Session
}

// version detects changes of a file.
type version struct {
	size int64
	ns   int64 // when it was written; 0: it is not there
}

// change is a file that changed, as it was read anew.
type change struct {
	file string
	now  version
	text string
	err  error
}

// NewBook returns the budgets of a window; file, if any, is for all programs.
func NewBook(ss *sessions.Sessions, set *settings.Settings, ask *workspace.Prompt, file string) *Book {
	b := &Book{ss: ss, set: set, ask: ask, looked: make(chan change, 1), told: map[budget.Budget]bool{}}
	if file != "" {
		b.all = true
		b.Open(file)
	}
	return b
}

// The work of a tick, in frames and values looked at: some tenths of a millisecond; and all of it.
const (
	tickWork = 6000
	allWork  = 1 << 60
)

// lookNs is the interval between checks of the file.
const lookNs = 500_000_000

// Tick follows the shown session, and the file.
func (b *Book) Tick(nowNs int64, paced bool) {
	v := b.ss.View()
	s := v.Session()
	if v.None() {
		s = nil
	} else if !b.all {
		if of := program(s); of != b.of || s != b.chosenFor {
			b.choose(s, of)
		}
	}
	b.watch(nowNs)
	work := format.Pick(paced, tickWork, allWork)
	if b.State.Follow(s, nowNs, work) && b.ss.Live() {
		b.reportBroken(s)
	}
}

// choose takes the budgets for a session: the user's for its program, and where there are none those of the session
// file.
func (b *Book) choose(s *store.Session, of string) {
	changed := of != b.of
	b.of, b.chosenFor = of, s
	own := b.set.Budgets[of]
	given := ""
	if own == "" {
		given = string(b.ss.AttachedTo(framescope.Budgets))
	}
	if !changed && given == b.given {
		return
	}
	b.load(own)
	if given == "" {
		return
	}
	b.given = given
	all, err := budget.Parse(given)
	b.State.Set(b.ss.File(), nil)
	b.apply(all, err)
}

// Text returns the text of the budgets that are in use, empty where there are none.
func (b *Book) Text() string {
	if b.file == "" {
		return b.given
	}
	text, _, err := budgetingRead(b.file)
	if err != nil {
		return ""
	}
	return text
}

// Shows reports whether there is something for the panel of budgets.
func (b *Book) Shows() bool { return b.file != "" || b.given != "" }

// program is the name for remembering a session's budgets.
func program(s *store.Session) string { return cmp.Or(s.Info().Program, s.Info().Peer) }

// Open opens a budget file, and remembers it for the shown program. It reports errors in the file.
func (b *Book) Open(path string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if _, _, err := budgetingRead(path); err != nil && !errors.Is(err, budget.ErrNone) {
		b.ask.Warn(err)
		if b.file != "" {
			return // the one that is open stays
		}
	}
	b.load(path)
	b.remember(path)
	if n := len(b.State.Budgets()); n > 0 {
		b.ask.Notify("%d budgets of %s", n, library.Home(path))
	}
}

// Close closes the file.
func (b *Book) Close() {
	if !b.Shows() {
		b.ask.Notify("No budget file is open")
		return
	}
	b.all = false
	b.load("")
	b.remember("")
}

// remember notes the file for the shown program.
func (b *Book) remember(path string) {
	if s := b.ss.View().Session(); program(s) != "" {
		b.of = program(s)
		b.set.SetBudgets(b.of, path)
	}
}

// load reads a file; empty: none.
func (b *Book) load(path string) {
	b.file, b.given, b.was = path, "", version{}
	if path == "" {
		b.State.Set("", nil)
		return
	}
	b.State.Set(path, nil)
	b.was = versionOf(path)
	_, all, err := budgetingRead(path)
	b.apply(all, err)
}

// apply applies the content of a file, or its error: then the earlier content stays.
func (b *Book) apply(all []budget.Budget, err error) {
	if err != nil && !errors.Is(err, budget.ErrNone) {
		b.State.Fail(err.Error())
		return
	}
	b.State.Set(cmp.Or(b.file, b.State.File()), all)
	clear(b.told)
}

// budgetingRead reads a budget file, as text and parsed. Errors name the file, the line and the
// reason.
func budgetingRead(path string) (text string, all []budget.Budget, err error) {
	data, err := disk.ReadFile(path, budget.MaxFile+1)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", nil, fmt.Errorf("there is no file %s", library.Home(path))
	case err != nil:
		return "", nil, err
	case len(data) > budget.MaxFile:
		return "", nil, fmt.Errorf("%s is larger than %d bytes: not a budget file", library.Home(path), budget.MaxFile)
	}
	if all, err = budget.Parse(string(data)); err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return string(data), all, err
}

func versionOf(path string) version {
	if st, err := os.Stat(path); err == nil {
		return version{st.Size(), st.ModTime().UnixNano()}
	}
	return version{}
}

// watch looks at the file beside the game loop, and applies its content when it has changed.
func (b *Book) watch(nowNs int64) {
	select {
	case c := <-b.looked:
		b.looks = false
		if c.file != b.file || c.now == b.was {
			break
		}
		b.was = c.now
		all, err := budget.Parse(c.text)
		if err != nil {
			err = fmt.Errorf("%s: %w", filepath.Base(c.file), err)
		}
		if c.err != nil {
			err = c.err
		}
		if b.apply(all, err); err != nil && !errors.Is(err, budget.ErrNone) {
			b.ask.Warn(fmt.Errorf("%w; the previous budgets stay in effect", err))
		}
	default:
	}
	if b.looks || b.file == "" || nowNs < b.nextNs {
		return
	}
	b.looks, b.nextNs = true, nowNs+lookNs
	go func(file string, was version) {
		c := change{file: file, now: versionOf(file)}
		if c.now != was {
			c.text, _, c.err = budgetingRead(file)
			if errors.Is(c.err, budget.ErrNone) || c.text != "" {
				c.err = nil // its errors are found again
			}
		}
		b.looked <- c
	}(b.file, b.was)
}

// fewFrames is the least number of a live session's frames for a broken budget: the first ones load
// resources for the others.
const fewFrames = 120

// reportBroken reports newly broken budgets: each once.
func (b *Book) reportBroken(s *store.Session) {
	if s != b.toldOf {
		b.toldOf = s
		clear(b.told)
	}
	first, more := "", 0
	all := b.State.All()
	for i := range all {
		x := &all[i]
		if key := *x.Budget; x.Verdict == budget.Broken && x.Frames >= fewFrames && !b.told[key] {
			b.told[key] = true
			if more++; first == "" {
				first = x.Why()
			}
		}
	}
	name := b.ss.NameApart(s)
	switch {
	case more == 1:
		b.ask.Warn(fmt.Errorf("Budget broken in %s: %s", name, first))
	case more > 1:
		b.ask.Warn(fmt.Errorf("%d budgets broken in %s: %s, and %d more (panel Budgets)", more, name, first, more-1))
	}
}

// write puts a text into the file, whole or not at all, and applies it.
func (b *Book) write(path, text string) error {
	mode := os.FileMode(0o644)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	if err := aside.Small(path, []byte(text), mode); err != nil {
		return err
	}
	b.was = versionOf(path)
	all, err := budget.Parse(text)
	b.apply(all, err)
	return nil
}

// change changes the open file: the budget in a line, unless it has changed meanwhile.
func (b *Book) change(line int, edit func(text string) (string, error)) error {
	text, all, err := budgetingRead(b.file)
	if err != nil && !errors.Is(err, budget.ErrNone) {
		return err
	}
	if now, was := at(all, line), at(b.State.Budgets(), line); now != was {
		return fmt.Errorf("%s has changed meanwhile: open it again", filepath.Base(b.file))
	}
	if text, err = edit(text); err != nil {
		return fmt.Errorf("%s, line %d: %w", filepath.Base(b.file), line, err)
	}
	return b.write(b.file, text)
}

// at returns the budget in a line.
func at(all []budget.Budget, line int) budget.Budget {
	for i := range all {
		if all[i].Line == line {
			return all[i]
		}
	}
	return budget.Budget{}
}
