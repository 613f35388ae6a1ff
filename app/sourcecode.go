package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/widgets"
)

// sourceCode opens places in the source code, and has the settings for that.
type sourceCode struct {
	settings *settings.Settings
	ask      *workspace.Prompt
	start    func(command []string, path string, line int) error // startEditor
}

// open opens a place in the editor.
func (c *sourceCode) open(p model.Place) {
	path, ok := locateSource(p.File, append(slices.Clone(c.settings.SourceFolders), "."))
	if !ok {
		c.ask.Tell("%s is not here, nor below a source folder: Settings, %s", escape.Name(p.File), sourceFolders)
		return
	}
	command := c.settings.Editor
	if len(command) == 0 {
		command = foundEditor()
	}
	if err := c.start(command, path, p.Line); err != nil {
		c.ask.Warn(fmt.Errorf("%w: Settings, Editor", err))
	}
}

func (c *sourceCode) copy(p model.Place) { c.ask.Copy(escape.Line(p.Where())) }

const (
	sourceCodes   = "Source code"
	sourceFolders = "Source folders"
)

// editors is the setting of the editor.
func (c *sourceCode) editors() widgets.Setting {
	s, out := c.settings, widgets.Setting{Section: sourceCodes, Name: "Editor"}
	add := func(label string, command []string) (on bool) {
		on = slices.Equal(command, s.Editor)
		take := func() { s.Editor = command; s.Touch() }
		out.Values = append(out.Values, widgets.SettingValue{Label: label, On: on, Run: take})
		return on
	}
	known := add("The first found", nil)
	for _, e := range knownEditors {
		known = add(e.Name, e.Command) || known
	}
	if !known {
		add(strings.Join(s.Editor, " "), s.Editor)
	}
	out.Values = append(out.Values, widgets.SettingValue{Label: "Other…", Run: func() {
		c.ask.AskLine("Command of the editor", "such as code --goto {file}:{line}", func(text string) string {
			if !strings.Contains(text, "{file}") {
				return "{file} must stand in it, for the file"
			}
			s.Editor = strings.Fields(text)
			s.Touch()
			return ""
		})
	}})
	return out
}

// folders is the setting of the source folders: a click on one takes it away.
func (c *sourceCode) folders() widgets.Setting {
	s, out := c.settings, widgets.Setting{Section: sourceCodes, Name: sourceFolders}
	for i, folder := range s.SourceFolders {
		out.Values = append(out.Values, widgets.SettingValue{Label: folder, On: true, Run: func() {
			s.SourceFolders = slices.Delete(slices.Clone(s.SourceFolders), i, i+1)
			s.Touch()
		}})
	}
	out.Values = append(out.Values, widgets.SettingValue{Label: "Add…", Run: func() {
		c.ask.AskLine("Folder of source code", "its path", func(text string) string {
			path, err := filepath.Abs(text)
			if info, serr := os.Stat(path); err != nil || serr != nil || !info.IsDir() {
				return "there is no folder " + text
			}
			s.SourceFolders = append(slices.Clone(s.SourceFolders), path)
			s.Touch()
			return ""
		})
	}})
	return out
}
