package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"framescope/app/library"
	"framescope/app/workspace"
)

// settings is what the viewer remembers from one start to the next.
type settings struct {
	Width, Height int
	Scale         float64 // multiplies the display's own factor
	Animate       bool
	Light         bool
	Tooltips      bool
	BudgetMs      float64
	DiskGiB       float64  // that all sessions on disk may take; 0: none is kept
	DiskFolder    string   `json:",omitempty"` // the sessions of which the user was asked whether they may leave for that
	MemoryMiB     int      `json:",omitempty"` // see Options.MemoryLimit; 0: the default
	Recent        []string `json:",omitempty"`
	Agents        []string `json:",omitempty"` // addresses of Flare agents, the last one first
	AgentLibrary  string   `json:",omitempty"` // that is loaded into Java VMs

	workspace.Arrangement
	Colors map[string]rgb `json:",omitempty"` // by full collector name
}

// preferences are the settings and how they stand to their file.
type preferences struct {
	settings
	path     string       // empty: settings are not kept
	before   settingsText // as they were last read or written
	read     time.Time    // when the file was last looked at
	reading  bool
	changed  bool
	wroteNow time.Time // when it was last written, or tried
}

// newPreferences reads the settings that the options name. The error says why they are not used; then
// they are the defaults.
func newPreferences(o *Options) (*preferences, error) {
	p := &preferences{settings: defaultSettings()}
	var err error
	switch o.SettingsPath {
	case "-":
	case "":
		p.path, _ = settingsFile()
	default:
		p.path = o.SettingsPath
	}
	if p.path != "" {
		p.settings, err = loadSettings(p.path)
		p.before = p.text()
	}
	if o.Width > 0 && o.Height > 0 {
		p.Width, p.Height = o.Width, o.Height
	}
	if o.Scale > 0 {
		p.Scale = min(max(o.Scale, minScale), maxScale)
	}
	return p, err
}

// keep writes what has changed.
func (p *preferences) keep() error {
	p.changed, p.wroteNow = false, time.Now()
	if err := p.save(p.path, p.before); err != nil {
		return err
	}
	p.before = p.text()
	return nil
}

// due tells whether a change has waited for some seconds to be kept, so that a crash does not lose it.
func (p *preferences) due() bool { return p.changed && time.Since(p.wroteNow) >= 3*time.Second }

type rgb [3]uint8

// The bounds of what a settings file may say.
const (
	minScale, maxScale = 0.5, 4
	maxSettings        = 1 << 20 // bytes
	minMemoryMiB       = 64
	maxMemoryMiB       = 1 << 20
	maxRecent          = 12
	maxAgents          = 6
	defaultDiskGiB     = library.DefaultLimit >> 30
	leastDiskGiB       = 1.0 / 64
	mostDiskGiB        = 1 << 20
)

func defaultSettings() settings {
	return settings{
		Width: 1280, Height: 720, Scale: 1, Animate: true, Tooltips: true, BudgetMs: 1000.0 / 60, DiskGiB: defaultDiskGiB,
		Arrangement: workspace.DefaultArrangement(),
	}
}

// settingsFile returns the path of the user's settings.
func settingsFile() (string, error) {
	if xdg.ConfigHome == "" {
		return "", errors.New("there is no folder for settings: set XDG_CONFIG_HOME")
	}
	// Never a folder of the system's: what can't be written here is an error.
	return filepath.Join(xdg.ConfigHome, "framescope", "settings.json"), nil
}

// loadSettings reads the settings. A file that does not exist gives the defaults; one that cannot be understood gives the defaults and an error for the user.
func loadSettings(path string) (settings, error) {
	s := defaultSettings()
	data, err := readSettings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("settings are not used: %w", err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return defaultSettings(), fmt.Errorf("settings in %s are not used: %w", path, err)
	}
	s.sanitize()
	return s, nil
}

func readSettings(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxSettings)
	}
	return data, err
}

// sanitize brings every value within its bounds; an arrangement that does not name each pane once is replaced by the default.
func (s *settings) sanitize() {
	d := defaultSettings()
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
	if !(s.BudgetMs > 0 && s.BudgetMs <= 10_000) {
		s.BudgetMs = d.BudgetMs
	}
	if !(s.DiskGiB == 0 || s.DiskGiB >= leastDiskGiB && s.DiskGiB <= mostDiskGiB) {
		s.DiskGiB = d.DiskGiB
	}
	if s.MemoryMiB < minMemoryMiB || s.MemoryMiB > maxMemoryMiB {
		s.MemoryMiB = 0
	}
	s.Arrangement.Sanitize()
	if len(s.Recent) > maxRecent {
		s.Recent = s.Recent[:maxRecent]
	}
	if len(s.Agents) > maxAgents {
		s.Agents = s.Agents[:maxAgents]
	}
}

// settingsText is the settings as their file has them, by name.
type settingsText map[string]json.RawMessage

func (s *settings) text() settingsText {
	t := settingsText{}
	if data, err := json.Marshal(s); err == nil {
		json.Unmarshal(data, &t)
	}
	return t
}

// save writes what changed since the settings were as in before. Of all else the file keeps what it
// says: other viewers and `framescope sessions limit`
// write it, too. A file that is not there or can't be understood is written anew.
func (s *settings) save(path string, before settingsText) error {
	mine, file := s.text(), settingsText{}
	data, err := readSettings(path)
	if err == nil && json.Unmarshal(data, &settings{}) == nil && json.Unmarshal(data, &file) == nil && file != nil {
		for name := range before {
			if _, ok := mine[name]; !ok {
				delete(file, name)
			}
		}
		for name, v := range mine {
			if !bytes.Equal(v, before[name]) {
				file[name] = v
			}
		}
	} else {
		file = mine
	}
	data, err = json.MarshalIndent(file, "", "\t")
	if err != nil {
		return err
	}
	return replaceSettings(path, append(data, '\n'))
}

// replaceSettings writes the file beside the old one and then in its place, so that a crash leaves one of the two.
func replaceSettings(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "settings-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// DiskLimit returns how much disk space all sessions may take, in bytes, as the user's settings say; 0: none is kept.
func DiskLimit() int64 {
	s := defaultSettings()
	if path, err := settingsFile(); err == nil {
		s, _ = loadSettings(path) // the window says what is wrong with them
	}
	return s.diskLimit()
}

// MemoryLimit returns what Options.MemoryLimit is by the user's settings, in bytes; 0: they say nothing.
func MemoryLimit() int64 {
	s := defaultSettings()
	if path, err := settingsFile(); err == nil {
		s, _ = loadSettings(path)
	}
	return s.memoryLimit()
}

func (s *settings) memoryLimit() int64 { return int64(s.MemoryMiB) << 20 }

func (s *settings) diskLimit() int64 { return diskBytes(s.DiskGiB) }

func diskBytes(gib float64) int64 { return int64(gib * (1 << 30)) }

// SetDiskLimit changes that in the user's settings.
func SetDiskLimit(bytes int64) error {
	path, err := settingsFile()
	if err != nil {
		return err
	}
	s, err := loadSettings(path)
	if err != nil {
		return err
	}
	before := s.text()
	s.DiskGiB, s.DiskFolder = float64(bytes)/(1<<30), library.DefaultDir()
	return s.save(path, before)
}
