package app

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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
		c.ask.Notify("%s is not here, nor below a source folder: Settings, %s", escape.Name(p.File), sourceFolders)
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

// This file finds files of source code on this machine and opens them in the user's editor. Paths come from
// recordings, which anybody may have made.

// editorProgram is a program with a window of its own and its arguments; {file} and {line} stand for the file and the
// line.
type editorProgram struct {
	Name    string
	Command []string
}

// knownEditors are the editors that need no settings, the preferred ones first.
var knownEditors = []editorProgram{
	{"VS Code", []string{"code", "--goto", "{file}:{line}"}},
	{"CLion", []string{"clion", "--line", "{line}", "{file}"}},
	{"Sublime Text", []string{"subl", "{file}:{line}"}},
	{"Kate", []string{"kate", "--line", "{line}", "{file}"}},
	{"GVim", []string{"gvim", "+{line}", "{file}"}},
}

// foundEditor returns the command of a known editor that is here: that of VISUAL or EDITOR, else the first; nil: none.
func foundEditor() (command []string) {
	own, _, _ := strings.Cut(filepath.Base(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))), " ")
	for _, e := range knownEditors {
		_, err := exec.LookPath(e.Command[0])
		if err == nil && (command == nil || e.Command[0] == own) {
			command = e.Command
		}
	}
	return command
}

// startEditor runs the command of an editor for a file with an absolute path. No shell runs, so the file stays (a
// part of) one argument, whatever its name.
func startEditor(command []string, path string, line int) error {
	if len(command) == 0 {
		return fmt.Errorf("no editor is known here")
	}
	fill := strings.NewReplacer("{file}", path, "{line}", strconv.Itoa(max(line, 1)))
	args := make([]string, len(command))
	for i, arg := range command {
		args[i] = fill.Replace(arg)
	}
	cmd := exec.Command(command[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the editor can't be started: %w", err)
	}
	go cmd.Wait()
	return nil
}

// locateSource returns the absolute path of a file that a recording names: that path, if it is absolute and there,
// else the longest end of it that is a file below one of the folders.
func locateSource(file string, folders []string) (path string, ok bool) {
	if u, err := url.Parse(file); err == nil && u.Scheme == "file" {
		file = u.Path
	}
	file = strings.ReplaceAll(file, `\`, "/")
	if own := filepath.FromSlash(file); filepath.IsAbs(own) && !strings.HasPrefix(file, "//") && isFile(own) {
		return own, true // not of another machine, which would learn who asks
	}
	for tail, more := strings.TrimLeft(file, "/"), true; more; _, tail, more = strings.Cut(tail, "/") {
		if !filepath.IsLocal(filepath.FromSlash(tail)) {
			continue
		}
		for _, folder := range folders {
			if path, err := filepath.Abs(filepath.Join(folder, filepath.FromSlash(tail))); err == nil && isFile(path) {
				return path, true
			}
		}
	}
	return "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
