package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/charts/view"
	"framescope/model"
	"framescope/net/journal/disk"
)

// Settings are the values and how they stand to their file. One goroutine uses them.
type Settings struct {
	Values
	path    string // empty: they are not kept
	before  text   // as they were last read or written
	changed bool
	wrote   time.Time // when they were last written, or it was tried
}

// Open reads the settings of a file; empty: the user's own, "-": none is read or written. The error
// names the unused parts of the file: these have their defaults. Open keeps the old file beside, and
// writes the readable settings in its place at once, so that the error comes only once.
func Open(path string) (*Settings, error) {
	s := &Settings{Values: Default(), before: text{}}
	var err error
	switch path {
	case "-":
	case "":
		s.path, _ = ownFile()
	default:
		s.path = path
	}
	if s.path != "" {
		s.Values, err = Load(s.path)
		s.before = s.text()
	}
	if unused := (*UnusedError)(nil); errors.As(err, &unused) {
		if repaired, serr := s.save(s.path, s.before); serr != nil {
			err = errors.Join(err, serr)
		} else if repaired != nil {
			err = repaired
		}
	}
	return s, err
}

// Path returns the file, empty if the settings are not kept.
func (s *Settings) Path() string { return s.path }

// Touch notes that a value was changed that a crash must not lose; Touched reports whether one waits.
func (s *Settings) Touch() { s.changed = true }

// Touched reports whether a change was noted that is not in the file yet.
func (s *Settings) Touched() bool { return s.changed }

// Due reports whether a change has waited for some seconds to be kept.
func (s *Settings) Due() bool { return s.changed && time.Since(s.wrote) >= 3*time.Second }

// Keep writes the changes; it does nothing where settings are not kept. An *UnusedError means that it
// wrote them, and that part of the file had become unreadable.
func (s *Settings) Keep() error {
	s.changed, s.wrote = false, time.Now()
	if s.path == "" {
		return nil
	}
	unused, err := s.save(s.path, s.before)
	if err != nil {
		return err
	}
	s.before = s.text()
	if unused != nil {
		return unused
	}
	return nil
}

// Resize takes a size of the window in device-independent pixels and a scale for this start; values not
// above 0 change nothing.
func (s *Settings) Resize(width, height int, scale float64) {
	if width > 0 && height > 0 {
		s.Width, s.Height = width, height
	}
	if scale > 0 {
		s.Scale = min(max(scale, minScale), maxScale)
	}
}

// Sized notes the size that the window has got, in device-independent pixels, however it got it. That
// of a maximized one is the screen's: the one before is kept for when it is not maximized any more.
func (s *Settings) Sized(width, height int, maximized bool) {
	if s.Maximized != maximized {
		s.Maximized = maximized
		s.Touch()
	}
	if !maximized && (s.Width != width || s.Height != height) {
		s.Width, s.Height = width, height
		s.Touch()
	}
}

// Rescale makes everything larger or smaller by a step; 0 goes back to the display's own size.
func (s *Settings) Rescale(dir int) {
	steps := [...]float64{0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4}
	if dir == 0 {
		s.Scale = 1
		return
	}
	away := func(i int) float64 { return max(steps[i]-s.Scale, s.Scale-steps[i]) }
	best := 0
	for i := range steps {
		if away(i) < away(best) {
			best = i
		}
	}
	s.Scale = steps[min(max(best+dir, 0), len(steps)-1)]
}

// SetBudget sets the time that a frame may take, in ms, of all programs.
func (s *Settings) SetBudget(ms float64) {
	s.BudgetMs, s.FrameMs = ms, nil
	s.Touch()
}

// SetFrameOf sets the time that a frame of a program may take, in ms.
func (s *Settings) SetFrameOf(program string, ms float64) {
	s.FrameMs = keepFor(s.FrameMs, program, ms, true)
	s.Touch()
}

// SetMemory limits resident memory, in bytes, within its bounds.
func (s *Settings) SetMemory(bytes int64) {
	s.MemoryMiB = int(min(max(bytes>>20, minMemoryMiB), maxMemoryMiB))
	s.Touch()
}

// SetDisk limits the disk space of all sessions; the user has agreed to it for those in folder.
func (s *Settings) SetDisk(gib float64, folder string) {
	s.DiskGiB, s.DiskFolder = gib, folder
	s.Touch()
}

// TakeDisk is SetDisk for values that are in the file already.
func (s *Settings) TakeDisk(gib float64, folder string) {
	s.DiskGiB, s.DiskFolder = gib, folder
	now := s.text()
	for _, name := range []string{"DiskGiB", "DiskFolder"} {
		s.before[name] = now[name]
	}
}

// SetColor gives a collector a color of the user's.
func (s *Settings) SetColor(fullName string, c RGB) {
	if s.Colors == nil {
		s.Colors = map[string]RGB{}
	}
	s.Colors[fullName] = c
	s.Touch()
}

// ResetColor gives a collector its own color again.
func (s *Settings) ResetColor(fullName string) {
	delete(s.Colors, fullName)
	s.Touch()
}

// SetTracks remembers how the tracks of a program are shown.
func (s *Settings) SetTracks(program string, t view.TrackLook) {
	s.Tracks = keepFor(s.Tracks, program, t, !t.Plain() && t.Sane())
	s.Touch()
}

// SetBudgets remembers the budget file of a program; empty: none.
func (s *Settings) SetBudgets(program, path string) {
	s.Budgets = keepFor(s.Budgets, program, path, path != "")
	s.Touch()
}

// SetTreated remembers what the user says of a program's collectors.
func (s *Settings) SetTreated(program string, as model.Treat) {
	s.Treated = keepFor(s.Treated, program, as, !as.None() && as.Check() == nil)
	s.Touch()
}

// keepFor keeps a value for a program, or forgets it. Of more programs than are remembered one that is not this is
// forgotten.
func keepFor[V any](all map[string]V, program string, v V, keep bool) map[string]V {
	if all == nil {
		all = map[string]V{}
	}
	if all[program] = v; !keep {
		delete(all, program)
	}
	for other := range all {
		if len(all) > maxPrograms && other != program {
			delete(all, other)
		}
	}
	return all
}

// Remember puts a recording first among those opened last.
func (s *Settings) Remember(path string) {
	s.Recent = first(s.Recent, path, maxRecent)
	s.Touch()
}

// RememberQuery puts a query first among those that were run.
func (s *Settings) RememberQuery(text string) {
	s.Queries = first(s.Queries, text, maxQueries)
	s.Touch()
}

// Addresses returns the remembered addresses of programs of a kind, the latest first.
func (s *Settings) Addresses(kind string) []string {
	if kind == flare {
		return s.Agents
	}
	return s.Servers[kind]
}

// flare is the kind with its own setting for addresses.
const flare = "flare"

// RememberAddress puts an address first among those of a kind.
func (s *Settings) RememberAddress(kind, addr string) {
	list := first(s.Addresses(kind), addr, maxAddresses)
	if kind == flare {
		s.Agents = list
	} else {
		if s.Servers == nil {
			s.Servers = map[string][]string{}
		}
		s.Servers[kind] = list
	}
	s.Touch()
}

// first puts something first in a list of at most most items.
func first(list []string, s string, most int) []string {
	list = slices.DeleteFunc(list, func(other string) bool { return other == s })
	list = slices.Insert(list, 0, s)
	return list[:min(len(list), most)]
}

// UnusedError names the parts of a settings file that are unreadable or out of bounds.
type UnusedError struct {
	Path string
	What []string // the first few, in words
	More int      // how many are not named
	Kept string   // the file as it was, beside Path; empty: at Path
}

// Error implements error.
func (e *UnusedError) Error() string {
	text := "ignored settings in " + e.Path + ": " + strings.Join(e.What, ", ")
	if e.More > 0 {
		text += fmt.Sprintf(", and %d more", e.More)
	}
	if e.Kept != "" {
		text += ". A copy of the old file is beside it: " + filepath.Base(e.Kept)
	}
	return text
}

// fileText is the readable part of a file.
type fileText struct {
	fields text     // nil: the file says nothing
	order  []string // their names as they come
	unused []string // unreadable parts, in words, the first few
	more   int      // number of further ones
}

// doubt notes an unreadable part.
func (f *fileText) doubt(what string) {
	if len(f.unused) < 4 {
		f.unused = append(f.unused, what)
	} else {
		f.more++
	}
}

// err returns an error for the unreadable parts; nil: there are none.
func (f *fileText) err(path string) *UnusedError {
	if len(f.unused) == 0 {
		return nil
	}
	return &UnusedError{Path: path, What: f.unused, More: f.more}
}

// read reads a file, field by field. One that does not exist says nothing.
func read(path string) (fileText, error) {
	data, err := disk.ReadFile(path, maxSettings+1)
	if errors.Is(err, fs.ErrNotExist) {
		return fileText{}, nil
	} else if err != nil {
		return fileText{}, err
	}
	file := split(data[:min(len(data), maxSettings)])
	if len(data) > maxSettings {
		file.doubt(fmt.Sprintf("everything after %d bytes", maxSettings))
	}
	var understood Values
	for _, name := range file.order {
		if raw, ok := file.fields[name]; ok && understood.set(name, raw) != nil {
			delete(file.fields, name)
			file.doubt(clip(name, 40) + ": " + clip(string(raw), 40))
		} else if used, outside := outOfBounds(name, raw); ok && outside {
			why := " is out of bounds"
			if raw[0] == '"' {
				why = " is not known"
			}
			delete(file.fields, name)
			file.doubt(clip(name, 40) + ": " + clip(string(raw), 40) + why + ", " + used + " is used")
		}
	}
	return file, nil
}

// outOfBounds reports whether sanitize replaces a value, and the replacement in words.
func outOfBounds(name string, raw json.RawMessage) (used string, outside bool) {
	if !slices.Contains([]string{
		"Width", "Height", "Scale", "Motion", "Theme", "BudgetMs", "DiskGiB", "MemoryMiB", "ClipBefore", "ClipAfter", "Clips",
		"ClipGiB",
	}, name) {
		return "", false
	}
	v := Default()
	v.set(name, raw)
	given := v.text()[name]
	v.sanitize()
	is, ok := v.text()[name]
	if !ok {
		return "the default", given != nil
	}
	return string(is), !bytes.Equal(given, is)
}

// split reads the fields of an object, up to the first place that is no JSON. A value directly before that is not
// used, as it could be incomplete.
func split(data []byte) fileText {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return fileText{}
	}
	file := fileText{fields: text{}}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, _ := d.Token(); t != json.Delim('{') {
		file.doubt("all: it is not a JSON object")
		return file
	}
	before, at := d.InputOffset(), d.InputOffset()
	for d.More() {
		var value json.RawMessage
		name, err := d.Token()
		if err != nil || d.Decode(&value) != nil {
			break
		}
		before, at = at, d.InputOffset()
		file.order = append(file.order, name.(string))
		file.fields[name.(string)] = value
	}
	rest, ended := bytes.CutPrefix(bytes.TrimSpace(data[at:]), []byte("}"))
	switch {
	case !ended && len(file.order) > 0 && (len(rest) == 0 || rest[0] != ','):
		delete(file.fields, file.order[len(file.order)-1])
		rest = data[before:]
		fallthrough
	case !ended:
		from := "its cut end"
		if rest = bytes.Trim(rest, ", \t\r\n"); len(rest) > 0 {
			from = clip(string(rest), 40)
		}
		file.doubt("everything from " + from + " on")
	case len(rest) > 0:
		file.doubt("data after the end, " + clip(string(rest), 40))
	}
	return file
}

// set takes one field.
func (s *Values) set(name string, value json.RawMessage) error {
	one, err := json.Marshal(text{name: value})
	if err != nil {
		return err
	}
	return json.Unmarshal(one, s)
}

// setFields sets the fields of a file, which read has found to be understood.
func (s *Values) setFields(file fileText) {
	for _, name := range file.order {
		if v, ok := file.fields[name]; ok {
			s.set(name, v)
		}
	}
}

// clip quotes a text of a file safely for terminals.
func clip(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// maxAside is how many files that could not be understood are kept beside the settings.
const maxAside = 5

// keepAside copies a settings file beside itself, whatever its content; the oldest of earlier copies
// are removed.
func keepAside(path string) (string, error) {
	var aside string
	for now := time.Now(); ; now = now.Add(time.Millisecond) {
		aside = path + ".bad-" + now.Format("20060102-150405.000")
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
	}
	// A link needs no room and leaves the file where it is until another takes its place, which is
	// where a symbolic link leads.
	file := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		file = real
	}
	if os.Link(file, aside) != nil {
		if err := os.Rename(path, aside); err != nil {
			return "", err
		}
	}
	dropOldest(path)
	return aside, nil
}

// dropOldest keeps the number of the files beside within its bound.
func dropOldest(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	var old []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+".bad-") {
			old = append(old, e.Name())
		}
	}
	slices.Sort(old)
	for _, name := range old[:max(0, len(old)-maxAside)] {
		os.Remove(filepath.Join(filepath.Dir(path), name))
	}
}
