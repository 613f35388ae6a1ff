package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/model/store"
	"framescope/net/framescope"
	"framescope/net/journal/disk"
)

// spaces chooses the workspace: by the session's contents, until the user chose another for sessions of
// its kind.
type spaces struct {
	desk     *workspace.Desk
	ss       *sessions.Sessions
	settings *settings.Settings
	ask      *workspace.Prompt
	kind     string // of the session that was chosen for last, empty: none was
	// compares reports whether there is a comparison; of is the shown session and that state at the
	// last check of the workspace.
	compares func() bool
	of       spaceOf
	given    []byte // the workspace of the shown session file, until it was looked at
	gave     bool   // that one is shown, for this session alone
	tabs     []Space
	plain    []Space // without that for comparing
}

type spaceOf struct {
	session   *store.Session
	comparing bool
}

// list notes the tabs of the workspaces.
func (s *spaces) list() {
	s.tabs, s.plain = nil, nil
	for i, name := range s.desk.Workspaces() {
		s.tabs = append(s.tabs, Space{
			Name: name, Command: "workspace." + strconv.Itoa(i+1), Own: i >= len(layout.Presets()),
		})
	}
	s.plain = slices.DeleteFunc(slices.Clone(s.tabs), func(t Space) bool { return t.Name == layout.Compare })
}

// shown returns the tabs that are there: that for comparing while something is compared, or it is
// shown.
func (s *spaces) shown(comparing bool) []Space {
	return format.Pick(comparing || s.desk.Workspace() == layout.Compare, s.tabs, s.plain)
}

// load takes the workspaces over that the settings kept.
func (s *spaces) load() {
	s.desk.Load(s.settings.Kept)
	s.list()
}

// keep gives the workspaces to the settings.
func (s *spaces) keep() { s.settings.Workspaces = s.desk.Keep(s.settings.Workspaces) }

// follow shows the workspace for the shown session when its kind differs from the one before, and in
// place of the one for comparing, when the comparison ended or another session is shown.
func (s *spaces) follow() {
	kind := s.ss.Kind()
	was := s.of
	s.of = spaceOf{s.ss.View().Session(), s.compares()}
	if s.ss.View().None() {
		return
	}
	if s.of != was && !s.of.comparing && s.desk.Workspace() == layout.Compare {
		s.kind = ""
	}
	if s.of.session != was.session {
		if s.gave {
			s.kind, s.gave = "", false
		}
		s.given = s.ss.AttachedTo(framescope.Workspace)
	}
	if kind == s.kind && s.given == nil || !s.ss.Contents().Any() { // an empty session has no known kind yet
		return
	}
	s.kind = kind
	given := s.given
	s.given = nil
	if own, ok := s.settings.Workspace[kind]; ok && own != layout.Compare && slices.Contains(s.desk.Workspaces(), own) {
		s.desk.Use(own)
		return
	}
	if given != nil && s.desk.UseGiven(given) == nil {
		s.list()
		s.gave = true
		return
	}
	s.desk.Use(layout.For(s.ss.Contents().Nature()))
}

// again shows the workspace for the shown session in any case; stay keeps the present one for it.
func (s *spaces) again() {
	s.kind = ""
	s.follow()
}

func (s *spaces) stay() { s.kind = s.ss.Kind() }

// use shows a workspace, from now on for all sessions of this kind; that for comparing only until
// another is shown.
func (s *spaces) use(name string) {
	s.desk.Use(name)
	if s.ss.View().None() {
		return
	}
	s.kind = s.ss.Kind()
	if name == layout.Compare {
		return
	}
	if s.settings.Workspace == nil {
		s.settings.Workspace = map[string]string{}
	}
	s.settings.Workspace[s.kind] = name
	s.settings.Touch()
}

// show shows the workspace of a place among the tabs.
func (s *spaces) show(i int) {
	if names := s.desk.Workspaces(); i < len(names) {
		s.use(names[i])
	}
}

// commands are the commands for workspaces.
func (s *spaces) commands(group string) (list []input.Command) {
	names := s.desk.Workspaces()
	for i := range 9 {
		n := strconv.Itoa(i + 1)
		c := input.Command{ID: "workspace." + n, Name: "Workspace " + n, Group: group, Keys: []string{"Alt+" + n},
			Run: func() { s.show(i) }}
		if c.Shy = i >= len(names); !c.Shy {
			c.Name = "Workspace: " + names[i]
		}
		list = append(list, c)
	}
	return append(list,
		input.Command{ID: "layout.reset", Name: "Reset this workspace", Words: "layout arrangement", Group: group,
			Run: s.desk.Reset},
		input.Command{ID: "workspace.save", Name: "Workspace: save as…", Group: group, Run: s.save, Out: true},
		input.Command{ID: "workspace.open", Name: "Workspace: open…", Group: group, Run: s.open, Out: true},
	)
}

// fileEnd is how names of files with workspaces end.
const fileEnd = ".workspace.json"

// save writes the shown workspace to a file that the user names.
func (s *spaces) save() {
	data, err := s.desk.Export()
	if err != nil {
		s.ask.Warn(err)
		return
	}
	s.ss.AskTarget("Save the workspace", s.desk.Workspace()+fileEnd, nil, func(path string) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			s.ask.Warn(errors.New("The workspace could not be saved: " + err.Error()))
			return
		}
		s.ask.Notify("Workspace saved to %s", path)
	})
}

// open shows a workspace of a file, under the file's name.
func (s *spaces) open() {
	s.ss.AskFiles("Open a workspace", []string{filepath.Ext(fileEnd)}, func(paths []string) {
		if err := s.openFile(paths[0]); err != nil {
			s.ask.Warn(errors.New(filepath.Base(paths[0]) + " can't be opened: " + err.Error()))
		}
	})
}

func (s *spaces) openFile(path string) error {
	data, err := disk.ReadFile(path, workspace.MaxFile+1)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".workspace")
	if err := s.desk.Import(name, data); err != nil {
		return err
	}
	s.list()
	s.use(s.desk.Workspace())
	return nil
}
