package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"framescope/app/clips"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/charts/format"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/framescope"
	"framescope/net/journal/disk"
)

// saveFlags are the flags of save.
type saveFlags struct {
	thread, output string
	force          bool
	sources        load.Sources
	r              place.TimeRange
}

func saveCommand(s *Streams) *cobra.Command {
	var f saveFlags
	cmd := &cobra.Command{
		Use:   "save FILE -o SESSION.framescope [--range A:B]",
		Short: "Save a recording, or a part of it, as a session file",
		Long: `save writes a recording of any kind to a session file of Framescope (.framescope): its
data, losses and bookmarks in one file, which opens as the recording does. With --range it has
everything that overlaps the range, on all threads; frames are saved whole.

A range of a PStats session can also be saved as it was sent, with -o PART.pstats. Any PStats viewer
opens that file. A span that began before the range starts with its first frame, and bookmarks in the
range go to a file beside it.

Times, frame numbers and gaps are those of the recording. A report on the file (--stats or --json) equals
one on the recording; with the same --range it has the same frames, collectors and levels. These differ:
- losses, and the names of threads without frames: they are those of the whole session
- the frame rate, which needs the frames before
- the length of calls that begin before the range
- the calls that --where finds
- typical frames and hitches, which depend on the frames around the range

FILE may also be last, the newest session on disk that has ended, a FIFO, or - for standard input.

` + place.RangeHelp,
		Example: `  framescope save trace.json.gz -o session.framescope
  framescope save trace.json.gz --range 1.5s:2.5s -o part.framescope
  framescope save session.pstats --range 120:180 -o hitch.pstats
  framescope save last --range -10s: -o end.framescope`,
		Args: Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.output == "" {
				return Usage(errors.New("save: name the file to write with -o, such as -o session.framescope"))
			}
			name, thread, err := cutRange(args[0], &f.r, cmd.Flags().Changed, "range")
			if err != nil {
				return err
			}
			f.thread = cmp.Or(thread, f.thread)
			if err := s.Distinct(f.output, []string{name}); err != nil {
				return err
			}
			return s.save(cmd.Context(), name, &f)
		},
	}
	l := cmd.Flags()
	rangeVar(l, &f.r, "range", "A:B, range to save (default: everything)")
	l.StringVar(&f.thread, "thread", "",
		"thread whose frames --range counts: (part of) its name, a glob, or its number (default: the main thread)")
	l.StringVarP(&f.output, "output", "o", "", "output file, - for standard output")
	l.BoolVar(&f.force, "force", false, "replace an existing file")
	SourceFlags(l, &f.sources)
	return cmd
}

// save writes a recording, or a part of it, to a file.
func (s *Streams) save(ctx context.Context, path string, f *saveFlags) error {
	reg, err := f.sources.Registry()
	if err != nil {
		return err
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return err
	}
	defer in.Remove()
	list, err := library.Of(in.Path, library.StateDir()).Read()
	if err != nil {
		s.Warn("%v", err)
	}
	session := clips.Session{Path: in.Path, Name: in.Name, Sources: reg, Marks: list, AttachedTo: s.attachedTo(in.Path)}
	if f.r.All() && (framescope.IsName(f.output) || aside.IsOut(f.output)) {
		return s.saveSession(ctx, &session, f, "")
	}
	rec, err := s.LoadWhole(ctx, in, load.Options{Sources: f.sources})
	if err != nil {
		return err
	}
	part, err := partOf(rec.Session, f)
	if err != nil {
		return err
	}
	frames := part.Frames(rec.Session)
	if asSent := clips.AsSent(rec.Session, in.Path); framescope.IsName(f.output) || aside.IsOut(f.output) && !asSent {
		session.Part = frames.Part
		err := s.saveSession(ctx, &session, f, ownText(rec.Session, &frames)+framesText(frames.N)+" in all")
		s.sayWhole(rec.Session, &part)
		return err
	} else if !asSent || f.r.All() {
		return Usage(fmt.Errorf("save: name a file that ends in %s: -o %s%[1]s; other formats are written by "+
			"`framescope export --to chrome --range A:B` and its like",
			framescope.Extension, strings.TrimSuffix(f.output, filepath.Ext(f.output))))
	}
	if frames.N == 0 {
		return errors.New("no frame was received in this range")
	}
	write := func(to string, force bool) error { return clips.Save(ctx, in.Path, to, frames, list, force) }
	if aside.IsOut(f.output) {
		return ThroughFile(s.Out, func(to string) error { return write(to, false) })
	}
	if err := write(f.output, f.force); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "framescope: wrote %s: %s%s in all\n", escape.Line(f.output), ownText(rec.Session, &frames),
		framesText(frames.N))
	s.sayWhole(rec.Session, &part)
	fmt.Fprintf(s.Err, "framescope: %s\n", clips.Alone)
	if ext := filepath.Ext(f.output); ext != library.Extension("pstats") && library.IsExtension(ext) {
		s.Warn("%s is a PStats session: files of this format end in .pstats", f.output)
	}
	return nil
}

func (s *Streams) sayWhole(of *store.Session, p *clips.Part) {
	if text := p.Whole(of); text != "" {
		fmt.Fprintf(s.Err, "framescope: frames are saved whole: %s\n", text)
	}
}

// attachedTo returns the attachments that save writes: those of the recording, and instead of its budgets those
// that the user has for the program.
func (s *Streams) attachedTo(path string) func(program string) map[string][]byte {
	return func(program string) map[string][]byte {
		out := map[string][]byte{}
		for _, key := range []string{framescope.Budgets, framescope.Workspace} {
			if !framescope.IsName(path) {
				break
			}
			if content, err := framescope.ReadAttached(path, key); err == nil && content != nil {
				out[key] = content
			}
		}
		if file := s.Settings().Budgets[program]; file != "" {
			text, err := disk.ReadFile(file, budget.MaxFile+1)
			if err == nil && len(text) > budget.MaxFile {
				err = fmt.Errorf("%s is no budget file: it is too large", file)
			}
			if err != nil {
				s.Warn("the budgets for %s are not saved: %v", escape.Line(program), err)
				return out
			}
			out[framescope.Budgets] = text
		}
		return out
	}
}

// saveSession writes a session file and prints its frames. An unreadable part of the recording is an error,
// though the rest is saved.
func (s *Streams) saveSession(ctx context.Context, x *clips.Session, f *saveFlags, what string) error {
	if aside.IsOut(f.output) {
		return s.ToFile(f.output, func(w io.Writer) error {
			unread, err := x.Write(ctx, w)
			return cmp.Or(err, unread)
		})
	}
	bar := NewProgress(s.Err, "writing "+f.output)
	x.Progress = bar.Update
	unread, err := x.Save(ctx, f.output, f.force)
	bar.Close()
	switch {
	case ctx.Err() != nil:
		return interrupted(x.Name)
	case err != nil:
		return err
	}
	if what != "" {
		what = ": " + what
	}
	fmt.Fprintf(s.Err, "framescope: wrote %s%s\n", escape.Line(f.output), what)
	if s.AnyDamaged() { // it was reported when the range was looked for
		return nil
	}
	return unread
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
