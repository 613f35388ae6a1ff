// The command that listens for games without a window, and files clips of their hitches.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"framescope/app"
	"framescope/app/clips"
	"framescope/app/convert"
	"framescope/app/headless"
	"framescope/app/library"
	"framescope/app/settings"
	"framescope/charts/format"
	"framescope/internal/aside"
	"framescope/internal/escape"
	limits "framescope/model/budget"
	"framescope/model/store"
)

// recordFlags are the flags of record.
type recordFlags struct {
	listen Listening
	dir    string
	around clips.Around
	limits clips.Limits
	fleet  string   // the folder of tables, empty: none are written
	labels []string // that they are partitioned by
	part   *partition
	otlp   string // the URL of a collector of metrics, empty: there is none
}

// recordMemory is the limit of memory with --fleet, unless the user says otherwise: the rest is on disk.
const recordMemory = "64MiB"

// RecordCommand returns the command.
func RecordCommand(s *Streams) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Listen for games without a window, and save clips of their hitches",
		Long: `record listens for PStats clients without a window, until it is interrupted or --duration has
passed. Like the window, it keeps their sessions on disk (` + "`framescope sessions`" + ` lists them). For the
first hitch of each root cause on a game's main thread, it saves a clip: a session file with the
data of all threads from --before the hitch to --after it. Hitches and causes are those of
` + "`framescope why --by-cause`" + `.

Only PStats sessions have clips. listen, gst, attach and connect keep whole sessions, and write them
to a file with --record.

Each clip prints one line to standard output; a summary follows at the end. --limit and --limit-disk
bound the clips of the folder. Of the program and cause with the most, the mildest is deleted first.
A clip is taken from the session on disk; with --disk 0, sessions lie in a temporary folder until record ends.

--fleet writes tables of the sessions (frames, totals, hitches, losses) as Parquet into a folder that many
machines share, such as a mounted object store: DIR/frames/day=2026-11-29/build=1.2/machine=box7/….
Files appear when the session ends, or each hour. If record was killed, its next start writes what
was kept of the session. docs/fleet.md has queries.

--otlp sends metrics every 15 seconds: framescope.frame.duration (exponential histograms by thread),
framescope.hitches (by cause) and framescope.frames.lost (by way), of service.name, host.name and the
labels of --partition (build is service.version).

With --fleet or --otlp, record keeps 64 MiB of data in memory unless --memory says otherwise.

Recorded sessions and clips have no bookmarks. You set these in the window, which keeps them beside
the file, in FILE.framescope.toml; copy both.`,
		Example: `  framescope record
  framescope record --clips hitches --before 10s --after 3s
  framescope record --fleet /mnt/fleet --partition build=1.2 --partition machine=box7
  framescope record --clips hitches --duration 3600 --limit 20 --limit-disk 512MiB`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usage(errors.New("record takes no arguments; name the folder for clips with --clips"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return s.Profiled(func() error { return file(cmd.Context(), s, &f) })
		},
	}
	l := cmd.Flags()
	addrVar(l, &f.listen.Addr, "listen", DefaultListen, "HOST:PORT to listen on")
	secondsVar(l, &f.listen.Duration, "duration", "end after this many seconds (default: when interrupted)", MaxLive)
	l.StringVar(&f.dir, "clips", "", "folder for clips (default: "+filepath.Join("$XDG_STATE_HOME", "framescope",
		"clips")+")")
	l.DurationVar(&f.around.Before, "before", clips.DefaultBefore, "time before the hitch")
	l.DurationVar(&f.around.After, "after", clips.DefaultAfter, "time after the hitch")
	l.IntVar(&f.limits.Clips, "limit", clips.DefaultClips, "maximum number of clips in the folder")
	l.StringVar(&f.fleet, "fleet", "",
		"also write tables of the sessions as Parquet below this folder, which many machines may share")
	l.StringArrayVar(&f.labels, "partition", nil, "KEY=VALUE, a folder that the tables of --fleet are partitioned by, "+
		"and an attribute with --otlp; repeatable")
	l.StringVar(&f.otlp, "otlp", "",
		"also send metrics to this collector of OpenTelemetry (OTLP by HTTP), such as http://localhost:4318")
	textVar(l, &f.limits.Bytes, "limit-disk", "1GiB", "maximum disk space of all clips in the folder", settings.ParseBytes)
	f.listen.To.Flags(l)
	return cmd
}

// check parses and checks the flags.
func (f *recordFlags) check() (err error) {
	for _, d := range []struct {
		flag string
		is   time.Duration
	}{{"--before", f.around.Before}, {"--after", f.around.After}} {
		if d.is < 0 || d.is > clips.MaxAround {
			return Usage(fmt.Errorf("%s %v: give 0s to %v", d.flag, d.is, clips.MaxAround))
		}
	}
	if f.around == (clips.Around{}) {
		return Usage(errors.New("--before and --after: give one of them more than 0s"))
	}
	if f.limits.Clips < 1 {
		return Usage(fmt.Errorf("--limit %d: give 1 or more", f.limits.Clips))
	}
	if f.part, err = newPartition(&convert.ParquetFormat, f.labels, ""); err != nil {
		return Usage(err)
	}
	if f.fleet == "" && f.otlp == "" && len(f.labels) > 0 {
		return Usage(errors.New("--partition needs --fleet or --otlp"))
	}
	if f.otlp != "" {
		if f.otlp, err = otlpURL(f.otlp); err != nil {
			return Usage(err)
		}
	}
	if f.dir == "" {
		f.dir = clips.DefaultDir()
	} else if err := mayBeFolder(f.dir); err != nil {
		return Usage(err)
	}
	return f.listen.To.Check()
}

// mayBeFolder returns an error for a path that cannot be a folder, because it, or a parent, is a file.
func mayBeFolder(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case err == nil && !info.IsDir():
			return fmt.Errorf("--clips %s: %s is a file: name a folder, which is made if there is none", dir, at)
		case err == nil, at == filepath.Dir(at):
			return nil
		}
	}
}

// filing is the results for the clips of a command.
type filing struct {
	s     *Streams
	cam   clips.Watcher
	filer *clips.Filer
	seen  int // clients that are watched, or were
	ticks int64
	fleet fleetWriter

	mu            sync.Mutex
	filed, failed int
	bytes         int64
	err           string // the last reported error
}

// recordSpace is how much disk the sessions take that are kept for their clips only.
const recordSpace = 256 << 20

// file listens and files clips.
func file(ctx context.Context, s *Streams, f *recordFlags) error {
	if s.DiskLimit() == 0 {
		dir, err := aside.Dir()
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		f.listen.Library = library.Open(library.Options{Dir: dir, Limit: recordSpace, Report: s.Notice()})
	}
	x := &filing{s: s}
	x.fleet = fleetWriter{s: s, ctx: context.WithoutCancel(ctx), dir: f.fleet, part: f.part,
		all: map[*store.Session]*fleetSession{}}
	x.filer = clips.NewFiler(clips.OpenFolder(f.dir, f.limits, nil), x.printResult)
	x.cam = clips.Watcher{Around: f.around, File: func(_ *store.Session, w clips.Wanted) { x.filer.File(w) }}
	if f.otlp != "" {
		x.fleet.otlp = &otlpExporter{url: f.otlp, fail: func(err error) { s.Warn("--otlp: %v", err) }}
	}
	if f.fleet != "" || f.otlp != "" {
		f.listen.Polled = x.fleet.look
		s.Memory = cmp.Or(s.Memory, recordMemory)
	}
	x.fleet.writeLeft()
	defer x.fleet.writeLeft()
	return s.ListenFor(ctx, f.listen, func(live *headless.Live) error {
		if err := live.Poll(nil); err != nil {
			return err
		}
		x.look(live, false)
		return s.Out.Failed()
	}, x.end)
}

// look looks for hitches.
func (x *filing) look(live *headless.Live, wholly bool) {
	all := live.Clients()
	for ; x.seen < len(all); x.seen++ {
		x.cam.Add(all[x.seen].Session, all[x.seen].Recorder)
	}
	x.ticks++
	x.cam.Look(x.ticks*int64(PollEvery), wholly)
}

// printResult prints what became of a clip.
func (x *filing) printResult(f clips.Filed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := &f.Clip
	what := fmt.Sprintf("%s: frame %d took %s, %s", escape.Name(c.Program), c.Frame,
		format.AppendDuration(nil, c.DurationNs),
		escape.Line(c.Cause))
	if f.Err != nil {
		if x.failed++; f.Err.Error() != x.err {
			x.err = f.Err.Error()
			x.s.Warn("no clip of %s: %v", what, f.Err)
		}
		return
	}
	x.err = ""
	x.filed++
	x.bytes += c.Bytes
	lacks := ""
	if c.Lacks > 0 {
		lacks = fmt.Sprintf(", without %s that the disk did not take", format.AppendPlural(nil, c.Lacks, "frame", "frames"))
	}
	fmt.Fprintf(x.s.Out, "%s: %s, %s%s in %s\n", what, format.AppendDuration(nil, c.LengthNs), library.Bytes(c.Bytes),
		lacks,
		escape.Line(c.Path))
}

// clipsPatience is how long the end of a command waits for the clips that are being written.
const clipsPatience = time.Minute

// end files the remaining clips when the sessions have ended, and prints the summary.
func (x *filing) end(live *headless.Live) error {
	x.look(live, true)
	x.fleet.end(live)
	whole := x.filer.Wait(clipsPatience)
	x.mu.Lock()
	defer x.mu.Unlock()
	sessions, hitches, causes := x.cam.Seen()
	b := format.AppendPlural(nil, int64(x.filed), "clip", "clips")
	b = format.AppendPlural(append(b, " of "...), hitches, "hitch", "hitches")
	b = format.AppendPlural(append(b, " of "...), int64(causes), "cause", "causes")
	b = format.AppendPlural(append(b, " in "...), int64(sessions), "session", "sessions")
	fmt.Fprintf(x.s.Out, "%s: %s in %s\n", b, library.Bytes(x.bytes), library.Home(x.filer.Folder().Dir()))
	switch {
	case !whole:
		return errors.New("the disk did not answer: not all clips are written")
	case x.failed > 0:
		return fmt.Errorf("%s could not be saved", format.AppendPlural(nil, int64(x.failed), "clip", "clips"))
	}
	return nil
}

// record copies the recording flags to a window's options.
func record(r *RecordTo, o *app.Options) {
	o.Record, o.Force, o.RecordNot = r.Path, r.Force, r.Inputs
}

// budgetsFlag adds the flag that names a budget file for a window.
func budgetsFlag(f *pflag.FlagSet, o *string) {
	f.StringVar(o, "budgets", "", "budget file (TOML) for the sessions in the window (default: the one last opened "+
		"for the program)")
}

// checkBudgets looks whether a budget file can be read.
func checkBudgets(name string) error {
	if name == "" {
		return nil
	}
	if _, err := limits.Read(name); err != nil {
		return Usage(fmt.Errorf("--budgets: %w", err))
	}
	return nil
}
