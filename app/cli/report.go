package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/headless"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/report"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/net/feed"
	"framescope/net/pstats"
)

type reportFlags struct {
	report.Options
	live     bool
	listen   string
	duration time.Duration // their value; 0: without end
	budget   time.Duration
	html     bool
	viewer   bool   // the page carries the viewer, and the recording
	page     string // the folder with the viewer
	output   string
	sources  load.Sources
	to       RecordTo
}

func reportCommand(s *Streams) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report FILE… | report --live",
		Short: "Print the frames of a recording, or statistics",
		Long: `report prints each frame of each thread in the layout of Panda3D's text-stats: its time, the same as a
rate, the time accounted for where it is another, the net time of each collector, and the levels.
For the events as JSON use framescope export.

--stats prints statistics of each collector (a name that time is summed under: a PStats collector, a
zone, a scope, a function) instead: how often it started, its total, self and net time, median, 95th
and 99th percentile and maximum; then bookmarks with their notes, and what was lost. Total time
includes callees, self time does not. All figures are exact. --json prints them as JSON, in base units (ns, bytes, counts).
Recordings without frames, such as Flare sample folders, always have statistics: calls or runs, total and self time, estimated
CPU time and samples by thread and method, and the figures of each series, lock and kind of message.
Their ranges are times.

For a GStreamer trace log, report prints the tables of gst-stats-1.0, with nothing left out.
--compat prints the figures of the official program, such as the mean rate of the last 3 s beside the
time of a frame; --stats, --range and --thread print those of the window.

--where lists the calls that match an expression, the longest first; with --stats, their sums and
percentiles, and the sums of their arguments that are numbers. The search field of the window finds
the same calls.

--html makes one self-contained page for a browser: hitches with their causes, frame times, pictures
with searchable text, statistics, bookmarks with their notes, and what was lost. -o names the file.
With --with-viewer, for a ticket, the page carries the recording and the viewer, too.

--live listens for games and prints frames as they arrive, until it is interrupted. Framescope keeps
the sessions on disk like those of the window (` + "`framescope sessions`" + ` lists them; --disk 0 keeps
none). --record FILE also writes them to FILE, FILE-2, …, from the first frame on.

FILE may also be last (the newest session on disk that has ended), a FIFO, or - for standard input,
which is read to its end. Several recordings are reported one after the other, each below its name,
or with --json as elements {"file", "report"} of an array. If one cannot be read, report says so and
goes on.

` + place.RangeHelp + `

` + place.Help + `

` + find.Help,
		Example: `  framescope report session.pstats
  framescope report session.pstats --stats --range 120:180
  framescope report session.pstats --stats --thread Main --json > main.json
  framescope report session.pstats --raw --thread GPU --range 1.5s:2.5s
  framescope report flare-samples/127.0.0.1_3333-20261120T194534 --range 10s:20s
  framescope report before.pstats after.pstats --stats
  framescope report session.pstats --where "Draw* >4ms thread:main"
  framescope report session.pstats --where "path:App/Cull self>1ms frame:100-900" --stats --json
  framescope report session.pstats --html -o session.html
  framescope report --live --seconds 30 --stats
  zcat trace.log.gz | framescope report -`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if args, err = cutRanges(args, &f.Range, &f.Threads, cmd.Flags().Changed); err != nil {
				return err
			}
			switch {
			case f.Where != nil && (f.live || f.Raw || f.Compat):
				return Usage(errors.New("--where needs a recording, without --raw and --compat"))
			case f.html && (f.live || f.Raw || f.Compat || f.JSON || f.Where != nil):
				return Usage(errors.New("--html needs a recording, without --raw, --compat, --json and --where"))
			case f.viewer && !f.html:
				return Usage(errors.New("--with-viewer needs --html"))
			case f.html && f.output == "" && slices.ContainsFunc(args, isPage):
				return Usage(errors.New("name the page to write with -o: `framescope report FILE --html -o page.html`"))
			case f.html && len(args) > 1:
				return Usage(errors.New("--html takes one recording"))
			case f.live && len(args) > 0:
				return Usage(errors.New("give either a recording or --live"))
			case f.live && f.sources.Layout != "":
				return Usage(errors.New("--layout needs a recording; for live streams use `framescope listen profilelib --layout`"))
			case !f.live && len(args) == 0:
				return Usage(errors.New("report: name a recording, or use --live to listen for games"))
			case len(args) > 1 && f.Compat:
				return Usage(errors.New("--compat takes one recording, like the official program"))
			case f.Stats && (f.Raw || f.Compat):
				return Usage(errors.New("--raw and --compat print frames: leave out --stats"))
			case !f.live && f.to.Path != "":
				return Usage(errors.New("--record needs --live; `framescope open --record` records a FIFO or " +
					"standard input"))
			case f.budget <= 0:
				return Usage(fmt.Errorf("--budget %v: give more than 0, such as 16.7ms", f.budget))
			case f.Where != nil && cmd.Flags().Changed("budget"):
				return Usage(errors.New("--budget covers frames: leave it out with --where"))
			case !f.live && cmd.Flags().Changed("seconds"):
				return Usage(errors.New("--seconds needs --live"))
			case f.live && !f.Stats && (f.Compat || !f.Range.All() || len(f.Threads) > 0):
				return Usage(errors.New("--range, --thread and --compat need a recording, or --stats"))
			}
			if f.live && f.JSON && f.Raw {
				return Usage(report.ErrFramesAreText)
			}
			f.Stats = f.Stats || f.live && f.JSON
			f.BudgetNs = f.budget.Nanoseconds()
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			if f.output != "" && f.to.Path != "" && SameName(f.output, f.to.Path) {
				return Usage(errors.New("--record and -o name the same file"))
			}
			if err := f.to.Check(); err != nil {
				return err
			}
			return s.Profiled(func() error {
				switch {
				case f.live && !f.Stats:
					return s.ToGrowing(f.output, func(out io.Writer) error { return s.reportLive(cmd.Context(), out, &f) })
				case f.live:
					return s.ToFile(f.output, func(out io.Writer) error { return s.reportLive(cmd.Context(), out, &f) })
				}
				return s.ToFile(f.output, func(out io.Writer) error {
					return s.reportFiles(cmd.Context(), s.ForTerminal(out, f.Compat), args, &f)
				})
			})
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.live, "live", false, "listen for games, and report on them")
	addrVar(fl, &f.listen, "listen", DefaultListen, "with --live: HOST:PORT to listen on")
	secondsVar(fl, &f.duration, "seconds", "with --live: end after this many seconds (default: when interrupted)", MaxLive)
	fl.BoolVar(&f.Stats, "stats", false, "print statistics of each collector instead of frames")
	fl.DurationVar(&f.budget, "budget", frames.DefaultBudgetNs, "with --stats: frame time budget")
	fl.BoolVar(&f.JSON, "json", false, "print statistics, or what --where finds, as JSON")
	fl.BoolVar(&f.html, "html", false, "make an HTML page with pictures")
	fl.BoolVar(&f.viewer, "with-viewer", false,
		"with --html: the page also has the recording, and the viewer to open it in")
	fl.StringVar(&f.page, "page", "", "with --with-viewer: folder with the viewer's page (default: that of the package)")
	fl.BoolVar(&f.Raw, "raw", false, "also print the events of each frame, as they were sent")
	fl.BoolVar(&f.Compat, "compat", false, "print what the official program prints, with its known errors")
	rangeVar(fl, &f.Range, "range", "A:B, range to report on; numbers are frames of the first --thread, "+
		"or of the main thread (default: everything)")
	textVar(fl, &f.Where, "where", "", "list the calls that match EXPR (see above)", s.parseWhere)
	fl.StringArrayVar(&f.Threads, "thread", nil,
		"thread to report on: (part of) its name, a glob, or its number; repeatable (default: all)")
	f.to.Flags(fl)
	SourceFlags(fl, &f.sources)
	TreatFlags(fl, &f.sources)
	fl.StringVarP(&f.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// isPage reports whether a name is for an HTML page.
func isPage(name string) bool {
	end := strings.ToLower(filepath.Ext(name))
	return end == ".html" || end == ".htm"
}

// reportFiles reports on recordings, one after the other. It reports problems of one, and goes on with
// the others.
func (s *Streams) reportFiles(ctx context.Context, out io.Writer, paths []string, f *reportFlags) error {
	if len(paths) == 1 {
		return s.reportFile(ctx, out, paths[0], *f)
	}
	list := &reportList{out: out, json: f.JSON}
	failed := 0
	for _, path := range paths {
		err := list.add(path, func(out io.Writer) error { return s.reportFile(ctx, out, path, *f) })
		switch {
		case s.Out.Failed() != nil: // the reader has gone
			return err
		case ctx.Err() != nil:
			return interrupted(path)
		case err != nil:
			failed++
			fmt.Fprintln(s.Err, "framescope:", err)
		}
	}
	if err := list.close(); err != nil {
		return err
	}
	if failed > 0 {
		err := fmt.Errorf("%d of %d recordings could not be reported on", failed, len(paths))
		if failed < len(paths) {
			return Partial(err)
		}
		return err
	}
	return nil
}

// reportFile reports on one recording.
func (s *Streams) reportFile(ctx context.Context, out io.Writer, path string, f reportFlags) error {
	reg, err := f.sources.Registry()
	if err != nil {
		return Usage(err)
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return err
	}
	defer in.Remove()
	if in.Streamed {
		ctx = context.WithoutCancel(ctx) // an interrupt has ended the stream, and its data is reported
	}
	src, err := reg.Recognise(in.Path)
	if err != nil {
		return feed.NameError(err, in.Path, in.Name)
	}
	if src == feed.Source(load.GStreamer()) {
		if f.Range.All() && len(f.Threads) == 0 && !f.Raw && !f.Stats && !f.html && f.Where == nil {
			return s.reportTrace(ctx, out, in, &f)
		}
		f.Stats = !f.Raw && f.Where == nil || f.Stats // it has no frames that could be printed
	}
	rec, err := s.LoadWhole(ctx, in, load.Options{Sources: f.sources, Events: f.Raw || f.Compat})
	if err != nil {
		return err
	}
	if f.Bookmarks, err = library.Of(in.Path, library.StateDir()).Read(); err != nil {
		s.Warn("%v", err)
	}
	if f.html {
		o := PageOptions{
			Name: filepath.Base(cmp.Or(in.Name, in.Path)), Range: f.Range, Threads: f.Threads, Bookmarks: f.Bookmarks,
		}
		if f.viewer {
			o.Viewer = func(w io.Writer) error { return writeViewer(w, f.page, o.Name, in.Path) }
		}
		return WritePage(out, rec.Session, o)
	}
	f.Events = rec.Events
	return report.Write(out, rec.Session, f.Options)
}

func (s *Streams) reportLive(ctx context.Context, out io.Writer, f *reportFlags) error {
	l := Listening{Addr: f.listen, Duration: f.duration, To: f.to, Frames: !f.Stats}
	if f.Stats {
		return s.ListenFor(ctx, l, nil, func(live *headless.Live) error { return writeLiveStats(out, live, f) })
	}
	stream, err := report.NewStream(out, f.Options)
	if err != nil {
		return err
	}
	poll := func(live *headless.Live) error {
		err := live.Poll(func(c *headless.Client, track model.TrackID, i int, sent *pstats.Frame) error {
			return stream.Frame(c.Session, track, i, sent)
		})
		for _, c := range live.Clients() {
			if c.Done() { // printed to the end: a report may run for weeks
				stream.Forget(c.Session)
				live.Forget(c)
			}
		}
		return errors.Join(err, stream.Flush())
	}
	return s.ListenFor(ctx, l, poll, func(*headless.Live) error { return stream.Flush() })
}

// writeLiveStats reports on all games that connected: one after the other as text, an array as
// JSON.
func writeLiveStats(out io.Writer, live *headless.Live, f *reportFlags) error {
	if f.JSON {
		fmt.Fprintln(out, "[")
	}
	for i, c := range live.Clients() {
		if i > 0 {
			fmt.Fprintln(out, map[bool]string{true: ",", false: ""}[f.JSON])
		}
		if err := report.Write(out, c.Session, f.Options); err != nil && !errors.Is(err, place.ErrNoFrames) {
			return err
		}
	}
	if f.JSON {
		fmt.Fprintln(out, "]")
	}
	return nil
}
