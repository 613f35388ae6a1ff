package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"framescope/app/clips"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/decode"
)

// saveFlags are the flags of save.
type saveFlags struct {
	rng, thread, output string
	force               bool
	r                   place.TimeRange
}

func saveCommand(s *streams) *cobra.Command {
	var f saveFlags
	cmd := &cobra.Command{
		Use:   "save FILE --range A:B -o CLIP",
		Short: "Save a range of a PStats session as a file of its own",
		Long: `save writes a range of a PStats session, from a file or from disk, to a file of its own: of all
threads the frames that begin in the range, as they were sent. Any PStats viewer opens the file.
Times, frame numbers and gaps are those of the recording. A span that began before the range starts
with its first frame. Bookmarks in the range go to a file beside it.

A report on the file (--stats or --json) has the same frames, collectors and levels as a report on the
range. These differ:
- losses, and the names of threads without frames: they are those of the whole session
- the frame rate, which needs the frames before
- the length of calls that begin before the range
- the calls that --where finds
- typical frames and hitches, which depend on the frames around the range

FILE may also be last, the newest session on disk that has ended.

` + place.RangeHelp,
		Example: `  framescope save session.pstats --range 120:180 -o hitch.pstats
  framescope save session.pstats --range 1.5s:2.5s -o part.pstats
  framescope save last --range -10s: -o end.pstats`,
		Args: Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.r, err = place.ParseRange(f.rng); err != nil {
				return Usage(fmt.Errorf("--range: %w", err))
			}
			switch {
			case f.r.All():
				return Usage(errors.New("save: name the part with --range A:B; `framescope sessions export` writes a whole session"))
			case f.output == "":
				return Usage(errors.New("save: name the file to write with -o"))
			}
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			return s.saveRange(cmd.Context(), args[0], &f)
		},
	}
	l := cmd.Flags()
	l.StringVar(&f.rng, "range", "", "A:B, range to save")
	l.StringVar(&f.thread, "thread", "", "thread whose frames --range counts: (part of) its name, a glob, or its number (default: the main thread)")
	l.StringVarP(&f.output, "output", "o", "", "output file, - for standard output")
	l.BoolVar(&f.force, "force", false, "replace an existing file")
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
	if frames.N == 0 {
		return errNoneBegins(rec.Session, &part)
	}
	list, err := library.Of(in.Path, library.StateDir()).Read()
	if err != nil {
		s.Warn("%v", err)
	}
	write := func(to string, force bool) error { return clips.Save(ctx, in.Path, to, frames, list, force) }
	if f.output == "-" {
		return ThroughFile(s.Out, func(to string) error { return write(to, false) })
	}
	if err := write(f.output, f.force); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "framescope: wrote %s: %s%s in all\n", escape.Line(f.output), ownText(rec.Session, &frames), framesText(frames.N))
	if text := part.Whole(rec.Session); text != "" {
		fmt.Fprintf(s.Err, "framescope: frames are saved whole: %s\n", text)
	}
	fmt.Fprintf(s.Err, "framescope: %s\n", clips.Alone)
	if ext := filepath.Ext(f.output); ext != library.Extension("pstats") && library.IsExtension(ext) {
		s.Warn("%s is a PStats session: others look for that in files that end in .pstats", f.output)
	}
	return nil
}

func framesText(n int64) string { return string(format.AppendPlural(nil, n, "frame", "frames")) }

// ownText says which frames of its thread a part has: "12 frames of Main, 237 to 248; ".
func ownText(s *store.Session, f *clips.Frames) string {
	switch t := s.Track(f.Of); f.Own {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("frame %d of %s; ", f.Number, escape.Name(t.Title()))
	default:
		return fmt.Sprintf("%s of %s, %d to %d; ", framesText(f.Own), escape.Name(t.Title()), f.Number, f.Newest)
	}
}

// errNoneBegins is the error for a part without a frame, with advice.
func errNoneBegins(s *store.Session, p *clips.Part) error {
	t := s.Track(s.MainTrack())
	if t == nil || p.Track != model.NoTrack {
		return decode.ErrNothing
	}
	i := t.FrameCovering(p.BeginNs)
	if i < 0 {
		return errors.New("no frame was received in this range")
	}
	n := t.FrameNumber(i)
	return fmt.Errorf("no frame begins in this range: it is inside frame %d of %s, and save takes whole frames; "+
		"save this one with --range %d", n, escape.Name(t.Title()), n)
}

// partOf returns the part of a session that --range and --thread say.
func partOf(s *store.Session, f *saveFlags) (clips.Part, error) {
	track, err := place.FindTrack(s, f.thread)
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
