package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/internal/aside"
	"framescope/internal/escape"
)

// ToFile passes standard output, or the named file, to write. The file appears, or replaces an older
// one, when all is written: after an error the output is removed, and the older one stays.
func (s *Streams) ToFile(path string, write func(out io.Writer) error) error {
	if aside.IsOut(path) {
		return write(s.Out)
	}
	if Special(path) {
		return toSpecial(path, write)
	}
	var partial error
	err := aside.Write(path, func(out io.Writer) error {
		err := write(out)
		if errors.As(err, &PartialError{}) {
			partial, err = err, nil
		}
		return err
	})
	return errors.Join(partial, err)
}

// ToNewFile is ToFile that replaces an existing file only with force.
func (s *Streams) ToNewFile(path string, force bool, write func(out io.Writer) error) error {
	if aside.IsOut(path) || Special(path) {
		return s.ToFile(path, write)
	}
	if err := aside.Check(path); err != nil {
		return err
	}
	return aside.Put(path, force, write)
}

// ToGrowing is ToFile for endless output that is read meanwhile: the file is made, or made empty, when
// there is something to write.
func (s *Streams) ToGrowing(path string, write func(out io.Writer) error) error {
	if aside.IsOut(path) {
		return write(s.Out)
	}
	if Special(path) {
		return toSpecial(path, write)
	}
	if err := aside.Check(path); err != nil {
		return err
	}
	out := &lateFile{path: path}
	err := write(out)
	if err == nil {
		err = out.open() // an older report must not stay
	}
	return errors.Join(err, out.close())
}

// lateFile is a file that is opened with the first write.
type lateFile struct {
	path string
	f    *os.File
}

// Write implements io.Writer.
func (l *lateFile) Write(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := l.open(); err != nil {
		return 0, err
	}
	return l.f.Write(p)
}

func (l *lateFile) open() (err error) {
	if l.f == nil {
		l.f, err = os.Create(l.path)
	}
	return err
}

func (l *lateFile) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}

// Special reports whether a path is of a stream: a terminal, a FIFO, /dev/null.
func Special(path string) bool {
	e, ok := errors.AsType[*aside.NotFileError](aside.Check(path))
	return ok && !e.Mode.IsDir()
}

func toSpecial(path string, write func(out io.Writer) error) error {
	f, err := openSpecial(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// InputsOf returns the paths of the inputs that arguments name. Opening them reports missing ones.
func (s *Streams) InputsOf(names []string) (paths []string) {
	for _, name := range names {
		if _, err := os.Lstat(name); name == library.Newest && err != nil {
			if found, err := library.Find(s.Library().Sessions(), name); err == nil {
				name = found.Path
			}
		}
		if name != "-" {
			paths = append(paths, name)
		}
	}
	return paths
}

// Distinct makes sure that an output is not one of the inputs, before any of them is opened.
func (s *Streams) Distinct(output string, names []string) error {
	if aside.IsOut(output) || Special(output) {
		return nil
	}
	for _, name := range names {
		if name != "-" {
			continue
		}
		if st, err := os.Stdin.Stat(); err == nil && st.Mode().IsRegular() && aside.Is(output, st) {
			return &aside.InputError{Path: output, Input: launch.StandardInput}
		}
	}
	return aside.Distinct(output, s.InputsOf(names)...)
}

// SameName reports whether two paths are, or will be, one file.
func SameName(a, b string) bool {
	if st, err := os.Stat(b); err == nil && aside.Is(a, st) {
		return true
	}
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// ForTerminal is an output for bytes as they were sent, which are not for terminals.
func (s *Streams) ForTerminal(out io.Writer, asSent bool) io.Writer {
	if o, ok := out.(*Output); ok && asSent {
		if f, ok := o.to.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			return escape.NewWriter(out)
		}
	}
	return out
}

// ThroughFile writes to a stream data that can only be written to a file.
func ThroughFile(out io.Writer, write func(path string) error) error {
	dir, err := aside.Dir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "session")
	if err := write(path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(out, f)
	return err
}

// Progress is a bar on a terminal for files that take a while to read.
type Progress struct {
	out   io.Writer
	title string
	bar   *progressbar.ProgressBar
}

// leastProgress is the size in bytes from which a file gets a bar; smaller ones are read at once.
const leastProgress = 8 << 20

// NewProgress returns a bar on out, which shows nothing unless out is a terminal.
func NewProgress(out io.Writer, title string) *Progress {
	if f, ok := ChildErr(out).(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		out = nil
	}
	if s, ok := out.(*Shared); ok {
		out = Control{s}
	}
	return &Progress{out: out, title: title}
}

// Update shows how much of a file was read, in bytes.
func (p *Progress) Update(done, total int64) {
	if p.out == nil || total < leastProgress {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.out), progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetDescription(p.title),
			progressbar.OptionFullWidth())
	}
	p.bar.Set64(min(done, total))
}

// Close takes the bar away.
func (p *Progress) Close() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
