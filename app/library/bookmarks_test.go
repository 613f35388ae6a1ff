package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/model/store"
)

func frame(n int64) place.Place {
	return place.Place{Kind: place.Frames, First: n, Last: n, Thread: "Main"}
}

// window is a window with one session, in which what takes a while is done by the next Tick.
type window struct {
	Keeper
	view     *fakeView
	at       Recording
	work     []func() func()
	said     []string
	problems []error
}

type fakeView struct {
	session *store.Session
	list    *place.MarkList
}

func (v *fakeView) Session() *store.Session    { return v.session }
func (v *fakeView) Marks() *place.MarkList     { return v.list }
func (v *fakeView) SetMarks(l *place.MarkList) { v.list = l }

func newWindow(at Recording, state string) *window {
	w := &window{view: &fakeView{store.NewSession(), &place.MarkList{}}, at: at}
	w.Keeper = Keeper{
		Do:    func(work func() func()) { w.work = append(w.work, work) },
		Later: func(f func()) { w.work = append(w.work, func() func() { return f }) },
		Tell:  func(format string, _ ...any) { w.said = append(w.said, format) },
		Warn:  func(err error) { w.problems = append(w.problems, err) },
		Home:  func(path string) string { return path }, State: state,
	}
	w.settle()
	return w
}

// settle lets some ticks pass.
func (w *window) settle() {
	for range 4 {
		w.Tick(w.view, w.at)
		for work := w.work; len(work) > 0; work = work[1:] {
			w.work = nil
			work[0]()()
		}
	}
}

func (w *window) mark(n int64) { w.view.list.Add(frame(n), n, n+1) }

func numbers(list []place.Mark) (out string) {
	for _, m := range list {
		out += strings.TrimSuffix(strings.TrimPrefix(m.Place.String(), "frame="), "&thread=Main") + m.Note + " "
	}
	return strings.TrimSpace(out)
}

// What is marked is on disk at once, beside the recording, and there again when it is opened again;
// without bookmarks there is no file.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	at := Recording{Path: filepath.Join(dir, "run.pstats")}
	w := newWindow(at, "")
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 0, "%v was written without a bookmark", left)
	w.mark(1)
	w.mark(2)
	w.settle()
	again := newWindow(at, "")
	testkit.That(t, numbers(again.view.list.All()) == "1 2", "%+v", again.view.list.All())
	testkit.That(t, len(w.said) == 1 && len(w.problems) == 0, "%q %v", w.said, w.problems)
	// Two windows with one recording do not take from each other.
	o := newWindow(at, "")
	o.mark(3)
	m, _ := o.view.list.At(frame(1))
	o.view.list.Remove(m.ID)
	o.settle()
	m, _ = w.view.list.At(frame(2))
	w.view.list.SetNote(m.ID, "x")
	w.settle()
	testkit.Equal(t, numbers(w.view.list.All()), "2x 3", "numbers")
	for _, m := range w.view.list.All() {
		w.view.list.Remove(m.ID)
	}
	if err := w.Close(); err != nil { // before it had the time
		t.Error(err)
	}
	left, _ = os.ReadDir(dir)
	testkit.That(t, len(left) == 0, "%v is left", left)
}

// A live session has no folder at first, and gets one; the bookmarks are in it then.
func TestFolderComes(t *testing.T) {
	w := newWindow(Recording{Folder: true}, "")
	w.mark(1)
	w.settle()
	for range 2 { // when it is deleted by another program, it goes on in a new one
		w.at.Path = t.TempDir()
		w.settle()
		list, err := place.ReadMarks(filepath.Join(w.at.Path, place.InFolder))
		testkit.That(t, numbers(list) == "1" && err == nil, "%+v %v", list, err)
	}
	testkit.That(t, len(w.said)+len(w.problems) == 0, "%q %v", w.said, w.problems)
	w = newWindow(Recording{Never: true}, "")
	w.mark(1)
	testkit.That(t, len(w.said) <= 0, "nothing is to be said yet")
	w.settle()
	testkit.Equal(t, len(w.said), 1, "%q", w.said)
}

// A damaged file is told of, and stays as it is; when it is mended, what was marked meanwhile is kept.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.pstats")
	testkit.NoErr(t, os.WriteFile(path+place.Suffix, []byte("version = 99"), 0o600))
	w := newWindow(Recording{Path: path}, t.TempDir())
	w.mark(1)
	w.settle()
	var unread *UnreadError
	testkit.That(t, len(w.problems) == 1 && errors.As(w.problems[0], &unread), "%v", w.problems)
	text, _ := os.ReadFile(path + place.Suffix)
	testkit.That(t, string(text) == "version = 99", "%s", text)
	os.Remove(path + place.Suffix)
	w.mark(2)
	w.settle()
	list, err := place.ReadMarks(path + place.Suffix)
	testkit.That(t, numbers(list) == "1 2", "%+v %v", list, err)
}

// Where nothing can be written beside the recording, bookmarks are kept elsewhere, and that is said.
func TestReadOnly(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "run.pstats")
	if err := os.Mkdir(path+place.Suffix, 0o700); err != nil { // root may write to any folder
		t.Fatal(err)
	}
	f := Of(path, state)
	if _, err := f.Write([]place.Mark{{Place: frame(1)}}); err != nil {
		t.Fatal(err)
	}
	list, err := place.ReadMarks(f.Else)
	testkit.That(t, numbers(list) == "1" && err == nil, "%+v %v", list, err)
	os.Remove(path + place.Suffix)
	w := newWindow(Recording{Path: path}, state)
	w.mark(2)
	w.settle()
	if list, _ := place.ReadMarks(path + place.Suffix); numbers(list) != "1 2" {
		t.Errorf("%+v", list)
	}
	_, err = os.Stat(f.Else)
	testkit.That(t, err != nil, "it is kept twice")
	_, err = (File{Path: filepath.Join(dir, "none", "x")}).Write(list)
	testkit.That(t, err != nil, "written into a folder that is not there")
}

// Sessions of one recording have the same bookmarks.
func TestTwice(t *testing.T) {
	w := newWindow(Recording{Path: filepath.Join(t.TempDir(), "run.pstats")}, "")
	w.mark(1)
	o := &fakeView{store.NewSession(), &place.MarkList{}}
	w.Tick(o, w.at)
	testkit.Equal(t, o.list, w.view.list, "each has its own")
	w.Forget(w.view.session)
	w.view = o
	w.mark(2)
	w.Forget(o.session)
	w.settle()
	list, err := place.ReadMarks(w.at.Path + place.Suffix)
	testkit.That(t, numbers(list) == "1 2" && err == nil, "%+v %v", list, err)
}
