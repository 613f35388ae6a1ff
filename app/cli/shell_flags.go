package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pkg/profile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// FlagError rewrites the error of an invalid flag value: not a number, too large, or given twice. It
// returns other errors unchanged.
func FlagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := bad.GetFlag()
	if twice, ok := errors.AsType[twiceError](err); ok {
		return fmt.Errorf("--%s: %w", flag.Name, twice)
	}
	want := ""
	switch kind := flag.Value.Type(); {
	case kind == "bool":
		want = "give true or false"
	case kind == "float64":
		want = "give a number"
	case kind == "uint64":
		want = "give a whole number, 0 or more"
	case kind == "int" || kind == "int64":
		want = "give a whole number"
	default:
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		want = "the number is too large"
		if bad.GetValue()[0] == '-' {
			want = "the number is too small"
		}
	}
	return fmt.Errorf("--%s %q: %s", flag.Name, bad.GetValue(), want)
}

// Once makes single-value flags of a command, and of all commands below it, refuse a second value:
// otherwise the last would win silently. A switch may be repeated.
func Once(cmd *cobra.Command) {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			_, list := f.Value.(pflag.SliceValue)
			if _, is := f.Value.(*once); !is && !list {
				f.Value = &once{Value: f.Value}
			}
		})
	}
	for _, c := range cmd.Commands() {
		Once(c)
	}
}

// once is the value of a flag that is given once at most.
type once struct {
	pflag.Value
	given *string // nil: it was not
}

// Set implements pflag.Value.
func (o *once) Set(text string) error {
	if o.given != nil && (o.Type() != "bool" || *o.given != text) {
		return twiceError{*o.given, text}
	}
	o.given = &text
	return o.Value.Set(text)
}

// twiceError is the error of a flag that was given two values.
type twiceError [2]string

// Error implements error.
func (e twiceError) Error() string {
	return fmt.Sprintf("it is given twice, as %q and as %q", e[0], e[1])
}
