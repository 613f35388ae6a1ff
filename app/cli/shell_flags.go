package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pkg/profile"

	"framescope/app/memory"
	"framescope/app/settings"
	"framescope/net/pstats/server"
)

const DefaultListen = server.DefaultAddr

// MemoryLimit is the value of --memory, in bytes; 0 when it is not given.
func (s *Streams) MemoryLimit() (int64, error) {
	if s.Memory == "" {
		return 0, nil
	}
	n, err := settings.ParseBytes(s.Memory)
	if err != nil {
		return 0, Usage(fmt.Errorf("--memory: %w", err))
	}
	return n, nil
}

// Settings are the user's own. It reports problems with them once.
func (s *Streams) Settings() *settings.Values {
	v, err := settings.Own()
	if err != nil && !s.told {
		s.told = true
		s.Warn("%v", err)
	}
	return v
}

// DiskLimit is the disk space for sessions, in bytes: the value of --disk, else of the Settings. 0:
// none is kept.
func (s *Streams) DiskLimit() (int64, error) {
	if s.Disk == "" {
		return s.Settings().DiskLimit(), nil
	}
	n, err := ParseDisk(s.Disk)
	if err != nil {
		return 0, Usage(fmt.Errorf("--disk: %w", err))
	}
	return n, nil
}

// DiskFlag is the value of --disk, nil if not given.
func (s *Streams) DiskFlag() (*int64, error) {
	if s.Disk == "" {
		return nil, nil
	}
	limit, err := s.DiskLimit()
	return &limit, err
}

// ParseDisk reads the disk space for sessions: a size, or 0.
func ParseDisk(text string) (int64, error) {
	if strings.TrimSpace(text) == "0" {
		return 0, nil
	}
	n, err := settings.ParseBytes(text)
	if err != nil {
		return 0, fmt.Errorf("%w, or 0 to keep no sessions", err)
	}
	return n, nil
}

// Keeper begins to enforce the limit of --memory, or the default. It is stopped when the command has
// done its work.
func (s *Streams) Keeper() (*memory.Keeper, error) {
	limit, err := s.MemoryLimit()
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = s.Settings().MemoryLimit()
	}
	return memory.Keep(limit, 0, 0), nil
}

// ParseSize reads a picture's size, WIDTHxHEIGHT.
func ParseSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(text), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width <= 0 || height <= 0 {
		return 0, 0, Usage(fmt.Errorf("--size: %q is not WIDTHxHEIGHT, such as 1280x720", text))
	}
	return width, height, nil
}

// Profiled runs do, and profiles it when --profile asks for that.
func (s *Streams) Profiled(do func() error) error {
	if s.Profile == "" {
		return do()
	}
	modes := map[string]struct {
		mode func(*profile.Profile)
		file string
	}{
		"cpu": {profile.CPUProfile, "cpu.pprof"}, "mem": {profile.MemProfile, "mem.pprof"}, "block": {profile.BlockProfile, "block.pprof"},
		"mutex": {profile.MutexProfile, "mutex.pprof"}, "trace": {profile.TraceProfile, "trace.out"},
	}
	m, ok := modes[s.Profile]
	if !ok {
		return Usage(fmt.Errorf("--profile: unknown profile %q; choose one of cpu, mem, block, mutex, trace", s.Profile))
	}
	p := profile.Start(m.mode, profile.ProfilePath("."), profile.Quiet, profile.NoShutdownHook)
	err := do()
	p.Stop()
	tool := "pprof"
	if s.Profile == "trace" {
		tool = "trace"
	}
	fmt.Fprintf(s.Err, "wrote %s; look at it with: go tool %s %s\n", m.file, tool, m.file)
	return err
}

// ParseSeconds is the time that a flag says, in seconds: more than 0, and at most so much.
func ParseSeconds(flag string, seconds float64, most time.Duration) (time.Duration, error) {
	d := time.Duration(0)
	if seconds > 0 && seconds <= most.Seconds() {
		d = time.Duration(seconds * float64(time.Second))
	}
	if d <= 0 { // even by rounding
		return 0, Usage(fmt.Errorf("%s %v: give more than 0 and at most %.0f seconds", flag, seconds, most.Seconds()))
	}
	return d, nil
}
