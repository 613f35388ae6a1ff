package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/memory"
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

// Load reads a recording, "-" and FIFOs included, with a progress bar. It reads the rest of a damaged
// one, with a warning.
func (s *Streams) Load(ctx context.Context, path string, o load.Options) (*load.Recording, error) {
	reg, err := o.Registry()
	if err = cmp.Or(err, o.Treat.Check()); err != nil {
		return nil, Usage(err)
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return nil, err
	}
	defer in.Remove()
	if in.Streamed {
		ctx = context.WithoutCancel(ctx) // an interrupt has ended the stream, and its data is used
	}
	return s.LoadWhole(ctx, in, o)
}

// thrifty is another function in tests, which collect garbage at a pace of their own.
var thrifty = memory.Thrifty

// LoadWhole is load of a recording that is whole.
func (s *Streams) LoadWhole(ctx context.Context, in *Recording, o load.Options) (*load.Recording, error) {
	bar := NewProgress(s.Err, "reading "+in.Name)
	o.Progress, o.Name = bar.Update, in.Name
	if s.Memory != "" { // a report is of the whole recording, unless the user wants less
		o.Memory = s.Keeper()
		defer o.Memory.Stop()
	} else {
		o.Limit = cmp.Or(o.Limit, memory.Whole())
		thrifty(o.Limit)
		if s.store == nil {
			s.store = store.New(0)
		}
		o.Store = s.store
	}
	rec, err := load.File(ctx, in.Path, o)
	if !in.Streamed {
		s.worksOn.Store(&in.Name)
	}
	bar.Close()
	if ctx.Err() != nil {
		return nil, interrupted(in.Name)
	}
	if rec != nil && rec.Left > 0 {
		s.Partly("%s: the %d oldest frames, or what stands for them, did not fit into --memory %s and are left out",
			in.Name, rec.Left, s.Memory)
	}
	if rec != nil {
		s.beyond(in, rec.Session)
		if err == nil && rec.Cut == "" {
			s.lost(in, rec.Session)
		}
		s.unframed(in, rec, o.Frames)
		if len(rec.Unused) > 0 {
			s.Partly("%s: %s: this kind of recording has no use for that", in.Name, strings.Join(rec.Unused, ", "))
		}
	}
	switch {
	case err != nil && rec != nil && rec.Session.Some():
		s.Damaged(in, "%v", err)
		return rec, nil
	case err == nil && rec.Cut != "":
		s.Damaged(in, "%s: %s", in.Name, strings.TrimPrefix(rec.Cut, in.Name+": "))
	}
	return rec, err
}

// interrupted is the error of a command that was interrupted at a file.
func interrupted(name string) error { return fmt.Errorf("%s: interrupted", name) }

// beyond reports in a line the data of a recording dropped for a limit, the largest part first.
func (s *Streams) beyond(in *Recording, session *store.Session) {
	losses, lines := session.Losses()
	n, what, more := losses[model.LossLimit], "", ""
	limits := session.Limits()
	switch {
	case n == 0:
		return
	case len(limits) > 0:
		most := slices.MaxFunc(limits, func(a, b store.LimitCount) int { return cmp.Compare(a.N, b.N) })
		if what = most.What; most.N < n {
			more = fmt.Sprintf("; %d beyond others", n-most.N)
		}
		n = most.N
	case len(lines) > 0:
		what = lines[len(lines)-1]
	}
	s.incomplete(in, "%s: %d beyond a limit: %s%s (report --stats has all that is missing)", in.Name, n, what, more)
}

// lost reports in a line the data that the recorder lost, of a recording that was read whole.
func (s *Streams) lost(in *Recording, session *store.Session) {
	ledger := session.Ledger()
	var parts []string
	add := func(n int64, one, more string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, more))
		}
	}
	if n := ledger.Lost(); n > 0 && (s.Strict || n*100 >= ledger.Sent) { // few are usual: datagrams
		parts = append(parts, fmt.Sprintf("%d of %d frames", n, ledger.Sent))
	}
	add(ledger.AtSource, "gap that the program left", "gaps that the program left")
	add(ledger.Unseen, "thing that never came", "things that never came")
	if len(parts) > 0 {
		s.incomplete(in, "%s: missing, though the recording was read whole: %s (report --stats has all that is missing)",
			in.Name, strings.Join(parts, ", "))
	}
}

// incomplete reports what a limit left out of a recording that was read whole, or its recorder lost. Only with --strict
// does the command fail for it.
func (s *Streams) incomplete(in *Recording, format string, args ...any) {
	if s.Strict {
		s.Damaged(in, format, args...)
		return
	}
	s.Warn(format, args...)
}

// unframed reports that no span has the requested name for frames, with similar names, or that the
// recording has no such choice.
func (s *Streams) unframed(in *Recording, rec *load.Recording, want feed.Frames) {
	name, ok := want.Named()
	switch name = escape.Line(name); {
	case !ok:
	case rec.Given:
		s.Partly("%s: --frames %s does not apply to this kind of recording: it defines its frames itself, or has none",
			in.Name, name)
	case !rec.Session.HasFrames():
		s.Partly("%s: no spans called %s can be frames, as these last some time and follow each other on a thread%s",
			in.Name, name, alike(rec.Session, name))
	}
}

// alike names some collectors that have a name within theirs.
func alike(session *store.Session, name string) string {
	var begin, within []string
	name = strings.ToLower(name)
	for c := range session.Collectors().Len() {
		n := session.Collector(model.CollectorID(c)).Name
		if at := strings.Index(strings.ToLower(n), name); at == 0 {
			begin = append(begin, escape.Line(n))
		} else if at > 0 {
			within = append(within, escape.Line(n))
		}
	}
	list := append(begin, within...)
	if len(list) == 0 {
		return ""
	}
	return "; there is " + strings.Join(list[:min(len(list), mostAlike)], ", ")
}

const mostAlike = 3 // that are named

// Forget frees a recording that is no longer used.
func (s *Streams) Forget(rec *load.Recording) {
	if s.store != nil {
		s.store.Remove(rec.Session)
	}
}

// Partly reports a partial loss of a recording that is used: the command ends with an exit code other
// than 0 (AnyDamaged).
func (s *Streams) Partly(format string, args ...any) {
	s.Warn(format, args...)
	s.noteUnread(format, args...)
}

func (s *Streams) noteUnread(format string, args ...any) {
	s.damaged.Store(true)
	s.unread = append(s.unread, fmt.Sprintf(format, args...))
}

// Damaged reports an unreadable part of a recording: its file, the place and the reason. The rest is
// used, but the command ends with an exit code other than 0 (AnyDamaged).
func (s *Streams) Damaged(in *Recording, format string, args ...any) {
	s.Warn(format, args...)
	if !in.Ended {
		s.noteUnread(format, args...)
	}
}

// AnyDamaged reports whether not all of a recording that was used could be read, or fit into memory.
func (s *Streams) AnyDamaged() bool { return s.damaged.Load() }

// Exported handles the error of an export of a session. If only part of the session was unreadable, it
// reports that and returns nil.
func (s *Streams) Exported(err error) error {
	damaged, rest := errors.AsType[journal.Unread](err)
	if !rest {
		return err
	}
	s.Partly("%v", damaged)
	return nil
}

// Warn reports a problem with an input that is still used.
func (s *Streams) Warn(format string, args ...any) {
	fmt.Fprintln(s.Err, "framescope: warning:", escape.Line(feed.PlainText(fmt.Sprintf(format, args...))))
}

// noFileError is the error of a file that is not there.
type noFileError struct{ path string }

func NoFile(path string) error { return noFileError{path} }

// Error implements error.
func (e noFileError) Error() string { return fmt.Sprintf("there is no file %q", e.path) }

// Is implements the interface of errors.Is.
func (e noFileError) Is(target error) bool { return target == fs.ErrNotExist }

// Readable reports whether a FIFO may be read, without opening it: that would be noticed by its
// writer.
func Readable(path string) error {
	if err := follow.Readable(path); err != nil {
		return fmt.Errorf("%w: its owner can allow it, for example with `chmod a+r %s`", err, path)
	}
	return nil
}

// Recording is a whole recording: a file or folder, or the copy of a stream.
type Recording struct {
	// Path is where it is read, Name where it comes from, for people.
	Path, Name string
	// Streamed reports that it is a copy.
	Streamed bool
	// Ended reports that an interrupt ended the stream: its cut end is no damage.
	Ended  bool
	Remove func()
}

// Whole copies a stream to a file, for the commands that need a whole recording. It refuses other data
// by its beginning. An interrupt ends a stream that does not end by itself.
func (s *Streams) Whole(ctx context.Context, path string, reg feed.Registry) (*Recording, error) {
	path, err := s.SessionOr(path)
	if err != nil {
		return nil, err
	}
	if !launch.IsStream(path) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, NoFile(path)
		}
		return &Recording{Path: path, Name: path, Remove: func() {}}, nil
	}
	name := path
	if path == "-" {
		if name = launch.StandardInput; term.IsTerminal(int(os.Stdin.Fd())) {
			return nil, Usage(errors.New("standard input (-) is the keyboard: pipe a recording into it, as in " +
				"`zcat trace.log.gz | framescope report -`"))
		}
	} else if err := Readable(path); err != nil {
		return nil, err
	}
	copied, err := launch.NewSpool(reg, name)
	if err != nil {
		return nil, err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	c := &copier{Spool: copied, stop: stop, out: s.Err, name: name, patience: firstPatience}
	err = follow.Follow(reading, path, c, follow.Options{})
	if errors.Is(err, context.Canceled) {
		switch err = nil; {
		case ctx.Err() == nil:
		case c.size == 0:
			err = fmt.Errorf("%s: interrupted before any data arrived", name)
		default:
			fmt.Fprintln(s.Err, "framescope: interrupted; this is what came until then")
		}
	}
	if err != nil {
		copied.Remove()
		return nil, err
	}
	return &Recording{Path: copied.Path(), Name: name, Streamed: true, Ended: ctx.Err() != nil, Remove: copied.Remove}, nil
}

// copier copies a followed stream to a file, up to its first end. It warns when nothing comes for a
// while.
type copier struct {
	*launch.Spool
	stop     func()
	out      io.Writer
	name     string
	size     int64 // that came
	quiet    int   // times that nothing came, one after the other
	patience int   // number of these until the message
}

// firstPatience is the number of empty reads until the message, about three seconds; from then on it
// doubles each time.
const firstPatience = 60

// Write implements follow.Writer.
func (c *copier) Write(p []byte) (int, error) {
	n, err := c.Spool.Write(p)
	c.size, c.quiet = c.size+int64(n), 0
	return n, err
}

// Idle implements follow.Writer.
func (c *copier) Idle() {
	if c.quiet++; c.quiet != c.patience {
		return
	}
	c.patience *= 2
	came := "nothing has come yet"
	if c.size > 0 {
		came = "nothing more comes since " + string(format.AppendBytes(nil, c.size))
	}
	fmt.Fprintf(c.out, "framescope: %s: %s: waiting for whoever writes it (Ctrl+C ends that)\n", escape.Name(c.name), came)
}

// Restart implements follow.Writer.
func (c *copier) Restart(string) { c.stop() }

// Library opens the sessions on disk. Live ones of this program are not kept in it.
func (s *Streams) Library() *library.Library {
	return library.Open(library.Options{Dir: library.DefaultDir(), Limit: s.DiskLimit(), Report: s.Notice()})
}

// Notice returns a function that shows a notice to the user.
func (s *Streams) Notice() func(library.Notice) {
	report := s.LinePrinter()
	return func(n library.Notice) { report(n.Text) }
}

// ReportInterrupted reports, once, sessions left by killed viewers. If nobody may read it, as in a script, the
// next run reports again.
func (s *Streams) ReportInterrupted(lib *library.Library, all []library.Session) {
	if s.left {
		return
	}
	s.left = true
	f, ok := ChildErr(s.Err).(*os.File)
	lib.ReportInterrupted(all, ok && term.IsTerminal(int(f.Fd())))
}

// Find returns the sessions that the arguments name.
func (s *Streams) Find(names []string) (*library.Library, []library.Session, error) {
	lib := s.Library()
	out, err := s.findAmong(lib.Sessions(), names)
	return lib, out, err
}

// findAmong is Find among those that were listed.
func (s *Streams) findAmong(all []library.Session, names []string) (out []library.Session, err error) {
	for _, name := range names {
		found, err := library.Find(all, name)
		if err != nil {
			return nil, err
		}
		if newer, ok := library.NewerLive(all, &found); ok && name == library.Newest {
			fmt.Fprintf(s.Err, "framescope: last is %s, %s of %s; %s is newer, and live: %s names it\n", found.ShortID(),
				escape.Line(found.Name), found.Began.Local().Format(time.DateTime),
				escape.Line(newer.Name), newer.ShortID())
		}
		if name == library.Newest && found.IsLive() {
			fmt.Fprintf(s.Err, "framescope: no session has ended: last is %s, %s of %s, which is live, up to now\n",
				found.ShortID(),
				escape.Line(found.Name), found.Began.Local().Format(time.DateTime))
		}
		out = append(out, found)
	}
	return out, nil
}

// SessionOr returns the path of a session: of the newest for the name "last", else of the one that the first digits of
// an id name. It returns the name itself if a file has that name, or if no session matches.
func (s *Streams) SessionOr(name string) (string, error) {
	if name != library.Newest && !library.LikeID(name) {
		return name, nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	lib := s.Library()
	all := lib.Sessions()
	found, err := s.findAmong(all, []string{name})
	switch {
	case err != nil && name == library.Newest:
		return "", err
	case err != nil:
		return name, nil
	}
	s.ReportInterrupted(lib, all)
	return found[0].Path, nil
}
