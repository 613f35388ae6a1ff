// Package settings owns the settings that the viewer keeps between starts: the values with their
// bounds, and the file that several viewers share. It depends on the layout of workspaces and
// the library's defaults, and not on windows.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"

	"framescope/app/clips"
	"framescope/app/layout"
	"framescope/app/library"
	"framescope/assets"
	"framescope/charts/view"
	"framescope/internal/aside"
	"framescope/model"
)

// Values are the settings that the viewer keeps between starts.
type Values struct {
	Width, Height int
	Maximized     bool    `json:",omitempty"`
	Scale         float64 // multiplies the display's own factor
	Motion        string  // one of the Motion constants
	Theme         string  // one of assets.ThemeNames
	ColorsAsSent  bool    `json:",omitempty"` // collectors have the colors that programs suggest as they were sent
	Tooltips      bool
	BudgetMs      float64
	DiskGiB       float64  // that all sessions on disk may take; 0: none is kept
	DiskFolder    string   `json:",omitempty"` // the user has agreed that sessions in it may be deleted for that
	MemoryMiB     int      `json:",omitempty"` // of resident memory that the viewer may take; 0: the default
	NoClips       bool     `json:",omitempty"` // no clips of hitches are filed
	ClipBefore    float64  // seconds before a hitch that are in its clip
	ClipAfter     float64  // and after it
	Clips         int      // how many clips there may be
	ClipGiB       float64  // that they may take together
	Recent        []string `json:",omitempty"`
	Queries       []string `json:",omitempty"` // in SQL, the last one first
	Used          Used     // the session on screen when the last window was closed
	Agents        []string `json:",omitempty"` // addresses of Flare agents, the last one first
	// Servers are the remembered addresses of other programs, by their kind.
	Servers      map[string][]string `json:",omitempty"`
	AgentLibrary string              `json:",omitempty"` // that is loaded into Java VMs
	// Editor is the command that opens a file of source code: a program and its arguments, in which {file} and {line}
	// stand for these; none: a known editor that is here. SourceFolders are where files are looked for.
	Editor, SourceFolders []string `json:",omitempty"`

	layout.Kept
	Colors map[string]RGB            `json:",omitempty"` // by full collector name
	Tracks map[string]view.TrackLook `json:",omitempty"` // by the name of the program
	// FrameMs are the times that frames may take, by the name of the program; others: BudgetMs.
	FrameMs map[string]float64 `json:",omitempty"`
	// Budgets are budget files, by the name of the program.
	Budgets map[string]string `json:",omitempty"`
	// Treated says which collectors wait and which work, by the name of the program.
	Treated map[string]model.Treat `json:",omitempty"`
}

// The values of Values.Motion: whether jumps, zooms and folds are animated.
const (
	MotionSystem = "system" // unless the user turned animations off in the system
	MotionOn     = "on"
	MotionOff    = "off"
)

// Used is a recording and how it was left: the selection, as the text of a link, and the window of time.
type Used struct {
	Path           string `json:",omitempty"`
	Place          string `json:",omitempty"`
	BeginNs, EndNs int64
}

// Link returns the link to it; ok is false where it is not there any more.
func (u *Used) Link() (link string, ok bool) {
	if _, err := os.Lstat(u.Path); u.Path == "" || err != nil {
		return "", false
	}
	if u.Place == "" {
		return u.Path, true
	}
	return u.Path + "#" + u.Place, true
}

// RGB is a color, opaque.
type RGB [3]uint8

// DefaultDiskGiB is how much disk space sessions may take on a first start.
const DefaultDiskGiB = library.DefaultLimit >> 30

// MostBudgetMs is the longest time for a frame.
const MostBudgetMs = 10_000

// The bounds of values in a settings file.
const (
	minScale, maxScale = 0.5, 4
	maxSettings        = 1 << 20 // bytes
	minMemoryMiB       = 64
	maxMemoryMiB       = 1 << 20
	maxRecent          = 12
	maxAddresses       = 6
	maxQueries         = 50
	maxPrograms        = 64 // with remembered tracks and budgets
	leastDiskGiB       = 1.0 / 64
	mostDiskGiB        = 1 << 20
	maxClips           = 10_000
)

// Default returns the settings of a first start.
func Default() Values {
	return Values{
		Width: 1280, Height: 720, Scale: 1, Motion: MotionSystem, Theme: assets.DarkTheme.String(), Tooltips: true,
		BudgetMs: 1000.0 / 60, DiskGiB: DefaultDiskGiB, ClipBefore: clips.DefaultBefore.Seconds(),
		ClipAfter: clips.DefaultAfter.Seconds(), Clips: clips.DefaultClips,
		ClipGiB: float64(clips.DefaultBytes) / (1 << 30),
	}
}

// ownFile returns the path of the user's settings.
func ownFile() (string, error) {
	if xdg.ConfigHome == "" {
		return "", errors.New("no folder for settings is known: set XDG_CONFIG_HOME")
	}
	// Never a system folder: an unwritable folder is an error.
	return filepath.Join(xdg.ConfigHome, "framescope", "settings.json"), nil
}

// Load reads the settings. A file that does not exist, or is empty, gives the defaults. Fields that are
// unreadable or out of bounds have their defaults, and the error, an *UnusedError, names them. Any
// other error means that nothing could be read.
func Load(path string) (Values, error) {
	s := Default()
	file, err := read(path)
	if err != nil {
		return s, fmt.Errorf("the settings file is ignored: %w", err)
	}
	s.setFields(file)
	s.sanitize()
	if unused := file.err(path); unused != nil {
		return s, unused
	}
	return s, nil
}

// sanitize brings every value within its bounds; invalid workspaces become the defaults.
func (s *Values) sanitize() {
	d := Default()
	clampInt := func(v *int, lo, hi, or int) {
		if *v < lo || *v > hi {
			*v = or
		}
	}
	clampInt(&s.Width, 320, 16384, d.Width)
	clampInt(&s.Height, 240, 16384, d.Height)
	if !(s.Scale >= minScale && s.Scale <= maxScale) {
		s.Scale = 1
	}
	if _, ok := assets.ThemeNamed(s.Theme); !ok {
		s.Theme = d.Theme
	}
	if s.Motion != MotionOn && s.Motion != MotionOff {
		s.Motion = MotionSystem
	}
	if !(s.BudgetMs > 0 && s.BudgetMs <= MostBudgetMs) {
		s.BudgetMs = d.BudgetMs
	}
	if !(s.DiskGiB == 0 || s.DiskGiB >= leastDiskGiB && s.DiskGiB <= mostDiskGiB) {
		s.DiskGiB = d.DiskGiB
	}
	if most := clips.MaxAround.Seconds(); !(s.ClipBefore >= 0 && s.ClipBefore <= most && s.ClipAfter >= 0 &&
		s.ClipAfter <= most &&
		s.ClipBefore+s.ClipAfter > 0) {
		s.ClipBefore, s.ClipAfter = d.ClipBefore, d.ClipAfter
	}
	clampInt(&s.Clips, 1, maxClips, d.Clips)
	if !(s.ClipGiB >= leastDiskGiB && s.ClipGiB <= mostDiskGiB) {
		s.ClipGiB = d.ClipGiB
	}
	if s.MemoryMiB < minMemoryMiB || s.MemoryMiB > maxMemoryMiB {
		s.MemoryMiB = 0
	}
	s.Kept.Sanitize()
	if len(s.Recent) > maxRecent {
		s.Recent = s.Recent[:maxRecent]
	}
	s.Queries = s.Queries[:min(len(s.Queries), maxQueries)]
	for name, t := range s.Tracks {
		if !t.Sane() || len(s.Tracks) > maxPrograms {
			delete(s.Tracks, name)
		}
	}
	for name, ms := range s.FrameMs {
		if !(ms > 0 && ms <= MostBudgetMs) || len(s.FrameMs) > maxPrograms {
			delete(s.FrameMs, name)
		}
	}
	for name, as := range s.Treated {
		if as.Check() != nil || len(s.Treated) > maxPrograms {
			delete(s.Treated, name)
		}
	}
	for name := range s.Budgets {
		if len(s.Budgets) > maxPrograms {
			delete(s.Budgets, name)
		}
	}
	if len(s.Agents) > maxAddresses {
		s.Agents = s.Agents[:maxAddresses]
	}
	for kind, list := range s.Servers {
		if s.Servers[kind] = list[:min(len(list), maxAddresses)]; len(s.Servers) > maxPrograms {
			delete(s.Servers, kind)
		}
	}
}

// text is the settings as in their file, by name.
type text map[string]json.RawMessage

func (s *Values) text() text {
	t := text{}
	if data, err := json.Marshal(s); err == nil {
		json.Unmarshal(data, &t)
	}
	return t
}

// save writes the changes since before. Other fields of the file stay: other viewers and `framescope
// sessions limit` write it, too. save first copies a partly unreadable file, and the first result names
// the copy; if the copy fails, or the file is unreadable, save leaves it unchanged.
func (s *Values) save(path string, before text) (*UnusedError, error) {
	file, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("the settings cannot be saved: %w", err)
	}
	unused := file.err(path)
	if unused != nil {
		if unused.Kept, err = keepAside(path); err != nil {
			return nil, fmt.Errorf("the settings cannot be saved: a copy of the unreadable values cannot be made: %w", err)
		}
	}
	mine := s.text()
	if file.fields == nil { // on a first start everything is written
		file.fields, before = mine, nil
	}
	for name := range before {
		if _, ok := mine[name]; !ok {
			delete(file.fields, name)
		}
	}
	for name, v := range mine {
		if _, ok := file.fields[name]; !ok && unused != nil || !bytes.Equal(v, before[name]) {
			file.fields[name] = v
		}
	}
	data, err := json.MarshalIndent(file.fields, "", "\t")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return unused, err
	}
	// It is the game loop that writes them.
	return unused, aside.Small(path, append(data, '\n'), 0o600)
}

// Own returns the user's settings, with the errors of Load.
func Own() (*Values, error) {
	path, err := ownFile()
	if err != nil {
		v := Default()
		return &v, nil // there can be none
	}
	v, err := Load(path)
	return &v, err
}

// MemoryLimit returns how much resident memory the viewer may take, in bytes; 0: the settings say
// nothing.
func (v *Values) MemoryLimit() int64 { return int64(v.MemoryMiB) << 20 }

// DiskLimit returns how much disk space all sessions may take, in bytes; 0: none is kept.
func (v *Values) DiskLimit() int64 { return DiskBytes(v.DiskGiB) }

// DiskBytes returns a limit of GiB in bytes.
func DiskBytes(gib float64) int64 { return int64(gib * (1 << 30)) }

// SetDiskLimit sets the disk limit in a settings file, in bytes; empty: the user's own. An *UnusedError
// means that it did, and names unreadable parts of the file.
func SetDiskLimit(path string, bytes int64) (err error) {
	if path == "" {
		if path, err = ownFile(); err != nil {
			return err
		}
	}
	v, err := Load(path)
	if unused := (*UnusedError)(nil); err != nil && !errors.As(err, &unused) {
		return err
	}
	before := v.text()
	v.DiskGiB, v.DiskFolder = float64(bytes)/(1<<30), library.DefaultDir()
	unused, err := v.save(path, before)
	if err == nil && unused != nil {
		return unused
	}
	return err
}

// leastMemory is the least memory for a viewer.
const leastMemory = 16 << 20

// ParseBytes reads a size: 2GiB, 512MiB, 500MB, 1.5G. Letters without an i count in thousands only
// when a B follows.
func ParseBytes(text string) (int64, error) {
	fail := func() (int64, error) {
		return 0, fmt.Errorf("%q is not a size such as 512MiB or 2GiB", text)
	}
	number := strings.TrimRight(strings.TrimSpace(text), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit := strings.ToLower(strings.TrimSpace(strings.TrimSpace(text)[len(number):]))
	factor, ok := map[string]float64{
		"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
		"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
	}[unit]
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v > 0) || v*factor > math.MaxInt64/2 {
		return fail()
	}
	if v*factor < leastMemory {
		return 0, fmt.Errorf("%s is too small: give at least 16MiB", text)
	}
	return int64(v * factor), nil
}
