package cli

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/pkg/profile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"framescope/app/memory"
	"framescope/app/settings"
	"framescope/charts/format"
	"framescope/model/measure"
	"framescope/model/place"
	"framescope/net/pstats/server"
)

const DefaultListen = server.DefaultAddr

// MemoryLimit is the value of --memory, in bytes; 0 when it is not given.
func (s *Streams) MemoryLimit() int64 {
	n, _ := settings.ParseBytes(s.Memory)
	return n
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
func (s *Streams) DiskLimit() int64 {
	if limit := s.DiskFlag(); limit != nil {
		return *limit
	}
	return s.Settings().DiskLimit()
}

// DiskFlag is the value of --disk, nil if not given.
func (s *Streams) DiskFlag() *int64 {
	if s.Disk == "" {
		return nil
	}
	limit, _ := ParseDisk(s.Disk)
	return &limit
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
func (s *Streams) Keeper() *memory.Keeper {
	limit := s.MemoryLimit()
	if limit == 0 {
		limit = s.Settings().MemoryLimit()
	}
	return memory.Keep(limit, 0, 0)
}

// parseSize reads a picture's size, WIDTHxHEIGHT.
func parseSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(text), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width <= 0 || height <= 0 {
		return 0, 0, fmt.Errorf("%q is not WIDTHxHEIGHT, such as 1280x720", text)
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
		"cpu": {profile.CPUProfile, "cpu.pprof"}, "mem": {profile.MemProfile, "mem.pprof"}, "block": {profile.BlockProfile,
			"block.pprof"},
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

// parsed is the value of a flag that a function reads.
type parsed struct {
	text, kind string
	read       func(text string) error
}

// Set implements pflag.Value.
func (p *parsed) Set(text string) error {
	if err := p.read(text); err != nil {
		return valueError{err}
	}
	p.text = text
	return nil
}

// String implements pflag.Value.
func (p *parsed) String() string { return p.text }

// Type implements pflag.Value.
func (p *parsed) Type() string { return p.kind }

// textVar adds a flag with a text that a function reads; usual is its default.
func textVar[T any](f *pflag.FlagSet, to *T, name, usual, usage string, read func(text string) (T, error)) {
	set := func(text string) (err error) { *to, err = read(text); return err }
	if usual != "" {
		set(usual)
	}
	f.Var(&parsed{usual, "string", set}, name, usage)
}

// checked is the value of a flag that keeps its text: none, or one that a function can read.
func checked[T any](to *string, read func(text string) (T, error)) pflag.Value {
	return &parsed{kind: "string", read: func(text string) (err error) {
		if *to = text; text != "" {
			_, err = read(text)
		}
		return err
	}}
}

// addrVar adds a flag with an address, HOST:PORT; empty: none.
func addrVar(f *pflag.FlagSet, to *string, name, usual, usage string) {
	textVar(f, to, name, usual, usage, func(text string) (string, error) {
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = net.LookupPort("tcp", port)
		}
		if err != nil && text != "" {
			return "", fmt.Errorf("%q is not an address: give HOST:PORT, such as %s", text, DefaultListen)
		}
		return text, nil
	})
}

// parseFrame reads the number of a frame as a range.
func parseFrame(text string) (place.TimeRange, error) {
	if _, err := measure.ParseCount(text); err != nil {
		return place.TimeRange{}, fmt.Errorf("%q: give a frame number, such as 120; --range has several", text)
	}
	return place.ParseRange(text)
}

// rangeVar adds a flag for a range of times or frames.
func rangeVar(f *pflag.FlagSet, to *place.TimeRange, name, usage string) {
	textVar(f, to, name, "", usage, place.ParseRange)
}

// positiveVar adds a flag for a number above 0.
func positiveVar(f *pflag.FlagSet, to *float64, name, usage string) {
	f.Var(&parsed{kind: "float64", read: func(text string) (err error) {
		if *to, err = strconv.ParseFloat(text, 64); err != nil || !(*to > 0) {
			return fmt.Errorf("%q: give a number above 0", text)
		}
		return nil
	}}, name, usage)
}

// secondsVar adds a flag for a time in seconds: more than 0, and at most so much.
func secondsVar(f *pflag.FlagSet, to *time.Duration, name, usage string, most time.Duration) {
	read := func(text string) error {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q: give a number", text)
		}
		*to = 0
		if seconds > 0 && seconds <= most.Seconds() {
			*to = time.Duration(seconds * float64(time.Second))
		}
		if *to <= 0 { // even by rounding
			return fmt.Errorf("%v: give more than 0 and at most %.0f seconds", seconds, most.Seconds())
		}
		return nil
	}
	usual := ""
	if *to > 0 {
		usual = fmt.Sprint(to.Seconds())
	}
	f.Var(&parsed{usual, "float64", read}, name, usage)
}

// FlagError rewrites the error of an invalid flag value: not a number, too large, or given twice. It
// returns other errors unchanged.
func FlagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := bad.GetFlag()
	if wrong, ok := errors.AsType[valueError](err); ok {
		return fmt.Errorf("--%s%s%w", flag.Name, format.Pick(flag.Value.Type() == "float64", " ", ": "), wrong.error)
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
		return valueError{fmt.Errorf("it is given twice, as %q and as %q", *o.given, text)}
	}
	o.given = &text
	return o.Value.Set(text)
}

// valueError names the fault in the value of a flag.
type valueError struct{ error }
