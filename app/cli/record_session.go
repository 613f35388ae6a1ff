// The command that listens for games without a window, and files clips of their hitches.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/clips"
	"framescope/app/headless"
	"framescope/app/library"
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/server"
)

// recordFlags are the flags of record.
type recordFlags struct {
	listen   Listening
	seconds  float64
	dir      string
	around   clips.Around
	limits   clips.Limits
	diskText string
}

// RecordCommand returns the command.
func RecordCommand(s *Streams) *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Listen for games without a window, and file a clip of each hitch of a new cause",
		Long: `record listens for PStats clients as the window does, until it is interrupted or --duration is over.
What they send is kept on disk as that of the window is (` + "`framescope sessions`" + ` lists it), and of the first
hitch of each root cause on a game's main thread a clip is filed: what all threads sent from --before
the hitch to --after it, a session file that everything opens. Hitches and causes are those of
` + "`framescope why --by-cause`" + `. Of other sources no part can be saved: "listen", "gst", "attach" and
"connect" keep their sessions whole, and --record writes them to a file.

Neither a clip nor a session has bookmarks when it is recorded: these are set in the window, and are
kept beside the file (FILE.framescope.toml), as notes of your own. Take both along when you copy it.

Each clip is a line of standard output; the summary follows at the end. There are at most --limit clips
that take --limit-disk together: the oldest leave first. The newest frames wait in memory, at most 64 MiB
a game: where that is less than the time asked for, the clip is shorter, and its line says so.`,
		Example: `  framescope record
  framescope record --clips hitches --before 10s --after 3s
  framescope record --clips hitches --duration 3600 --limit 20 --limit-disk 512MiB`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usage(errors.New("record: takes no arguments: --clips names the folder"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd.Flags().Changed("duration")); err != nil {
				return err
			}
			return s.Profiled(func() error { return file(cmd.Context(), s, &f) })
		},
	}
	l := cmd.Flags()
	l.StringVar(&f.listen.Addr, "listen", DefaultListen, "HOST:PORT to listen on")
	l.Float64Var(&f.seconds, "duration", 0, "end after so many seconds (default: when interrupted)")
	l.StringVar(&f.dir, "clips", "", "folder of the clips (default: "+filepath.Join("$XDG_STATE_HOME", "framescope", "clips")+")")
	l.DurationVar(&f.around.Before, "before", clips.DefaultBefore, "how much before a hitch is in its clip")
	l.DurationVar(&f.around.After, "after", clips.DefaultAfter, "how much after a hitch is in its clip")
	l.IntVar(&f.limits.Clips, "limit", clips.DefaultClips, "how many clips there may be in the folder")
	l.StringVar(&f.diskText, "limit-disk", "1GiB", "how much disk space all clips in the folder may take")
	f.listen.To.Flags(l)
	return cmd
}

// check parses and checks the flags.
func (f *recordFlags) check(limited bool) (err error) {
	if limited {
		if f.listen.Duration, err = ParseSeconds("--duration", f.seconds, MaxLive); err != nil {
			return err
		}
	}
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
	if f.limits.Bytes, err = ParseBytes(f.diskText); err != nil {
		return Usage(fmt.Errorf("--limit-disk: %w", err))
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
	cam   clips.Dashcam
	filer *clips.Filer
	seen  int // clients that are watched, or were
	ticks int64

	mu            sync.Mutex
	filed, failed int
	bytes         int64
	err           string // the last reported error
}

// file listens and files clips.
func file(ctx context.Context, s *Streams, f *recordFlags) error {
	x := &filing{s: s}
	x.filer = clips.NewFiler(clips.OpenFolder(f.dir, f.limits, nil), x.tell)
	x.cam = clips.Dashcam{Around: f.around, File: func(_ *store.Session, w clips.Wanted) { x.filer.File(w) }}
	f.listen.Also = func(_ server.SessionInfo, held *feed.Held) pstats.Handler {
		r := clips.NewRing(held)
		r.Reach(f.around.Before, f.around.After) // the session comes a little later
		return r
	}
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
		x.cam.Add(all[x.seen].Session, all[x.seen].Also.(*clips.Ring))
	}
	x.ticks++
	x.cam.Look(x.ticks*int64(PollEvery), wholly)
}

// tell prints the result for a clip.
func (x *filing) tell(f clips.Filed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := &f.Clip
	what := fmt.Sprintf("%s: frame %d took %s, %s", escape.Name(c.Program), c.Frame, format.AppendDuration(nil, c.DurationNs),
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
		lacks = fmt.Sprintf(", without %s that memory did not hold", format.AppendPlural(nil, c.Lacks, "frame", "frames"))
	}
	fmt.Fprintf(x.s.Out, "%s: %s, %s%s in %s\n", what, format.AppendDuration(nil, c.LengthNs), library.Bytes(c.Bytes), lacks,
		escape.Line(c.Path))
}

// clipsPatience is how long the end of a command waits for the clips that are being written.
const clipsPatience = time.Minute

// end files the remaining clips when the sessions have ended, and prints the summary.
func (x *filing) end(live *headless.Live) error {
	x.look(live, true)
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
		return fmt.Errorf("%s could not be filed", format.AppendPlural(nil, int64(x.failed), "clip", "clips"))
	}
	return nil
}
