package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"framescope/app/cli/shell"
	"framescope/app/clips"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/charts/format"
	"framescope/internal/visible"
	"framescope/model"
	"framescope/model/store"
)

// saveFlags are what save was asked for.
type saveFlags struct {
	rng, thread, output string
	force               bool
	r                   timerange.Range
}

func saveCommand(s *streams) *cobra.Command {
	var f saveFlags
	cmd := &cobra.Command{
		Use:   "save FILE --range A:B -o CLIP",
		Short: "Save a part of a recording as a session file of its own",
		Long: `save writes what was received in a range to a file of its own: of all threads the frames that begin in
it, as they were sent, with the definitions of what they use. The file is opened like any other, also
by the official viewer; times and frame numbers are those of the recording, and what is missing in it
stays missing. What began before the range has no beginning in it.

It can be done with PStats sessions: files, and what is kept of live ones. FILE may be last, the
newest session on disk that has ended.

` + timerange.Help,
		Example: `  framescope save session.pstats --range 120:180 -o hitch.pstats
  framescope save session.pstats --range 1.5s:2.5s -o part.pstats
  framescope save last --range -10s: -o end.pstats`,
		Args: shell.Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.r, err = timerange.Parse(f.rng); err != nil {
				return shell.Usage(fmt.Errorf("--range: %w", err))
			}
			switch {
			case f.r.All():
				return shell.Usage(errors.New("save: say with --range A:B which part; `framescope sessions export` writes all of a session"))
			case f.output == "":
				return shell.Usage(errors.New("save: name the file to write with -o"))
			}
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			return s.saveRange(cmd.Context(), args[0], &f)
		},
	}
	l := cmd.Flags()
	l.StringVar(&f.rng, "range", "", "A:B, the frames or times to save")
	l.StringVar(&f.thread, "thread", "", "name or index of the thread whose frames --range counts (default: the main one)")
	l.StringVarP(&f.output, "output", "o", "", "file to write, - for standard output")
	l.BoolVar(&f.force, "force", false, "replace the file if it is there already")
	return cmd
}

// saveRange writes a part of a recording to a file.
func (s *streams) saveRange(ctx context.Context, path string, f *saveFlags) error {
	reg, err := load.Sources{}.Registry()
	if err != nil {
		return err
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return err
	}
	defer in.Remove()
	rec, err := s.LoadWhole(ctx, in, load.Options{})
	if err != nil {
		return err
	}
	if err := clips.Savable(rec.Session); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	part, err := partOf(rec.Session, f)
	if err != nil {
		return err
	}
	frames := part.Frames(rec.Session)
	write := func(to string, force bool) error { return clips.Save(ctx, in.Path, to, frames, force) }
	if f.output == "-" {
		return shell.ThroughFile(s.Out, func(to string) error { return write(to, false) })
	}
	if err := write(f.output, f.force); err != nil {
		return err
	}
	own := ""
	if frames.Own > 0 {
		t := rec.Session.Track(part.Track)
		own = fmt.Sprintf("%s of %s, %d to %d; ", framesText(frames.Own), visible.Name(t.Title()), frames.Number, frames.Newest)
	}
	fmt.Fprintf(s.Err, "framescope: wrote %s: %s%s in all\n", f.output, own, framesText(frames.N))
	if ext := filepath.Ext(f.output); ext != library.Extension("pstats") && library.IsExtension(ext) {
		s.Warn("%s is a PStats session: others look for that in files that end in .pstats", f.output)
	}
	return nil
}

func framesText(n int64) string { return string(format.AppendPlural(nil, n, "frame", "frames")) }

// partOf returns the part of a session that --range and --thread say.
func partOf(s *store.Session, f *saveFlags) (clips.Part, error) {
	track, err := timerange.FindTrack(s, f.thread)
	if err != nil {
		return clips.Part{}, err
	}
	if !f.r.Times {
		first, last, err := f.r.Frames(s, track)
		if err != nil {
			return clips.Part{}, err
		}
		return clips.FramesOf(s, track, first, last), nil
	}
	begin, end, err := f.r.Resolve(s, model.NoTrack)
	return clips.Time(begin, end), err
}
