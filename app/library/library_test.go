package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/journal"
)

func TestMain(m *testing.M) { os.Exit(testkit.SideBySide(m)) }

// notices collects what the user is told.
type notices struct {
	mu   sync.Mutex
	text []string
}

func (n *notices) report(x Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, x.Text)
}

func (n *notices) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.text, "\n")
}

// newLibrary opens a library in a folder of the test's.
func newLibrary(t *testing.T, limit int64) (*Library, *notices) {
	t.Helper()
	t.Parallel() // tests mostly wait for disks
	told := &notices{}
	l := Open(Options{Dir: filepath.Join(t.TempDir(), "sessions"), Limit: limit, Report: told.report})
	t.Cleanup(func() { l.Close(10 * time.Second) })
	return l, told
}

func meta(source string) journal.Meta { return journal.Meta{Source: source, Program: "game"} }

// until waits for something that another goroutine does.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	testkit.WaitUntil(t, what, is)
}

func piece(n int) []byte { return fmt.Appendf(nil, "piece %06d\n", n) }

func pieces(n int) (out []byte) {
	for i := range n {
		out = append(out, piece(i)...)
	}
	return out
}

// finish closes a recorder and waits until all is on disk.
func finish(t *testing.T, r *Recorder) {
	t.Helper()
	r.Close("")
	select {
	case <-r.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("what was recorded is not on disk")
	}
}

func TestSessionIsKeptFromItsFirstData(t *testing.T) {
	l, _ := newLibrary(t, 1<<30)
	silent := l.Record(meta(sourceProfileLib), &Target{Path: filepath.Join(t.TempDir(), "never.prof")})
	silent.Define("head", []byte("x"))
	finish(t, silent)
	all := l.Sessions()
	testkit.That(t, len(all) == 0 && !exists(silent.target.Path), "a session without data is on disk: %+v", all)
	r := l.Record(meta(sourceProfileLib), nil)
	r.Data(piece(0))
	until(t, "the session is on disk", func() bool { return r.Path() != "" && len(l.Sessions()) == 1 })
	if s := l.Sessions()[0]; s.State != LiveHere || s.Name != "game" || s.Path != r.Path() {
		t.Errorf("while it runs: %+v", s)
	}
	err := l.Delete(&l.Sessions()[0])
	testkit.That(t, err != nil, "a live session was deleted")
	finish(t, r)
	s := l.Sessions()[0]
	testkit.That(t, s.State == Ended && s.Records == 1 && s.Missing == 0 && !s.Trimmed, "when it has ended: %+v", s)
	testkit.NoErr(t, errors.Join(l.Rename(&s, " the\nhitch "), l.Keep(&s, true)))
	s = l.Sessions()[0]
	testkit.That(t, s.Name == "the hitch" && s.Kept && s.Named, "named and kept: %+v", s)
	err = l.Delete(&s)
	testkit.That(t, err == nil && len(l.Sessions()) == 0, "not deleted: %v", err)
}

func TestNothingIsKeptWithoutDisk(t *testing.T) {
	l, told := newLibrary(t, 0)
	path := filepath.Join(t.TempDir(), "run.prof")
	r := l.Record(meta(sourceProfileLib), &Target{Path: path})
	r.Data(piece(0))
	finish(t, r)
	testkit.That(t, !exists(l.Dir()), "something was kept")
	got, _ := os.ReadFile(path)
	testkit.That(t, bytes.Equal(got, piece(0)), "the recording is %q", got)
	testkit.That(t, strings.Contains(told.all(), "Recording to "+path) &&
		strings.Contains(told.all(), "Recorded to "+path), "told %q", told.all())
}

// A recording that is asked for in the middle has everything from the first data on, once, whatever
// comes meanwhile.
func TestRecordingReachesBack(t *testing.T) {
	l, _ := newLibrary(t, 1<<30)
	r := l.Record(meta(sourceProfileLib), nil)
	_, err := r.Start(&Target{Path: filepath.Join(t.TempDir(), "a")})
	testkit.That(t, errors.Is(err, ErrNothingYet), "before the first data: %v", err)
	const before, all = 20_000, 60_000
	path := filepath.Join(t.TempDir(), "run.prof")
	for n := range all {
		r.Data(piece(n))
		if n == before {
			whole, err := r.Start(&Target{Path: path})
			testkit.MustThat(t, err == nil && whole, "%v %v", whole, err)
			_, err = r.Start(&Target{Path: path})
			testkit.That(t, err != nil, "it is recorded twice")
		}
		if n%1000 == 0 {
			time.Sleep(time.Millisecond) // the pace of a program: it goes on while earlier data are copied
		}
	}
	finish(t, r)
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, pieces(all)) {
		t.Errorf("%v, %d bytes are in the file, %d came", err, len(got), len(pieces(all)))
	}
}

// A recording that was stopped ends there; the session goes on, and can be recorded anew.
func TestRecordingStops(t *testing.T) {
	l, _ := newLibrary(t, 1<<30)
	r := l.Record(meta(sourceProfileLib), nil)
	dir := t.TempDir()
	r.Data(piece(0))
	for i, name := range []string{"a.prof", "b.prof"} {
		target := &Target{Path: filepath.Join(dir, name)}
		testkit.Must(r.Start(target))(t)
		r.Data(piece(i + 1))
		r.Stop()
		until(t, "the recording is complete", func() bool { s, ok := r.Recording(); return ok && s.Ended })
		got, _ := os.ReadFile(target.Path)
		testkit.That(t, bytes.Equal(got, pieces(i+2)), "%s: %q", name, got)
	}
	finish(t, r)
}

func TestTargetsAreNeverOverwritten(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "run.pstats")
	testkit.NoErr(t, os.WriteFile(plain, []byte("mine"), 0o644))
	a := &Target{Path: plain}
	for i, want := range []string{"run-2.pstats", "run-3.pstats"} {
		path, evaded, err := a.Claim(false)
		testkit.That(t, filepath.Base(path) == want && err == nil && evaded == (i == 0),
			"%s %v %v, want %s", path, evaded, err, want)
	}
	path, _, err := (&Target{Path: plain}).Claim(false)
	testkit.That(t, filepath.Base(path) == "run-4.pstats" && err == nil, "another program takes %s, %v", path, err)
	got, _ := os.ReadFile(plain)
	testkit.That(t, string(got) == "mine", "a file was overwritten")
	forced := &Target{Path: plain, Force: true}
	for _, want := range []string{"run.pstats", "run-2.pstats"} {
		path, _, err := forced.Claim(false)
		testkit.That(t, filepath.Base(path) == want && err == nil, "with force: %s %v, want %s", path, err, want)
	}
	path, _, err = (&Target{Path: filepath.Join(dir, "none", "x")}).Claim(false)
	testkit.That(t, err != nil, "%s was made in a folder that is not there", path)
}

// crashed makes a session whose writer was killed: its folder as it is at a moment, in a library
// that nobody writes.
func crashed(t *testing.T, l *Library, n int) (path string) {
	t.Helper()
	other := Open(Options{Dir: filepath.Join(t.TempDir(), "sessions"), Limit: 1 << 30})
	defer other.Close(10 * time.Second)
	r := other.Record(meta(sourcePStats), nil)
	for i := range n {
		r.Data(piece(i))
	}
	testkit.NoErr(t, r.kept.Flush())
	path = filepath.Join(l.Dir(), filepath.Base(r.Path()))
	aside := filepath.Join(t.TempDir(), "aside") // others look at the library meanwhile
	testkit.OK(t, errors.Join(os.CopyFS(aside, os.DirFS(r.Path())), os.MkdirAll(l.Dir(), 0o700), os.Rename(aside, path)))
	finish(t, r)
	return path
}

// Strangers leave thousands of recordings of a few frames behind: of these the newest stay, and all others of any size.
func TestShortRecordingsLeave(t *testing.T) {
	dir := t.TempDir()
	target := &Target{Path: filepath.Join(dir, "a.pstats")}
	var removed []string
	for n := range mostShort + 4 {
		path, _, err := target.Claim(false)
		testkit.OK(t, err)
		if n == 1 {
			testkit.OK(t, os.Truncate(path, shortBytes+1))
		}
		if name := target.ended(path); name != "" {
			removed = append(removed, filepath.Base(name))
		}
	}
	testkit.Equal(t, fmt.Sprint(removed), "[a.pstats a-3.pstats a-4.pstats]", "removed")
	list := testkit.Must(os.ReadDir(dir))(t)
	testkit.Equal(t, len(list), mostShort+1, "files")
}

// On a full disk session.json stays as it was: a session that has its end has ended all the same, and how much is
// in it is found out by reading it.
func TestSessionThatCouldNotSayThatItEnded(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	r := l.Record(meta(sourcePStats), nil)
	for i := range 100 {
		r.Data(piece(i))
	}
	testkit.NoErr(t, r.kept.Flush())
	file := filepath.Join(r.Path(), "session.json")
	before := testkit.Must(os.ReadFile(file))(t)
	finish(t, r)
	testkit.NoErr(t, os.WriteFile(file, before, 0o600))
	list := l.Survey(context.Background())
	testkit.EqualSlices(t, l.Sessions(), list, "read again")
	testkit.That(t, len(list) == 1 && list[0].State == Ended && !list[0].New && list[0].Records == 100 && told.all() == "",
		"%+v, told %q", list, told.all())
}

// The list on disk says "broke off" for a game that crashed; the state in JSON stays "ended".
func TestSessionOfACrash(t *testing.T) {
	l, _ := newLibrary(t, 1<<30)
	for _, reason := range []string{"it disconnected", model.BrokeOff + "killed by signal 11 (segmentation fault)"} {
		r := l.Record(meta(sourcePStats), nil)
		r.Data(piece(1))
		r.Close(reason)
		<-r.ended
	}
	words := map[bool]string{}
	for _, s := range l.Sessions() {
		words[s.BrokeOff()] = s.State.String() + ": " + s.Words()
	}
	testkit.That(t, words[false] == "ended: ended" && words[true] == "ended: broke off", "%v", words)
}

func TestSessionsOfAKilledViewerComeBack(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	for i := range 3 {
		crashed(t, l, 100+i)
	}
	for _, s := range l.Sessions() {
		testkit.That(t, s.State == Interrupted && s.New && s.Records == -1, "before: %+v", s)
	}
	l.Survey(context.Background())
	testkit.Equal(t, told.all(), "", "told")
	defer func(was []time.Duration) { lookAgain = was }(lookAgain)
	lookAgain = []time.Duration{time.Millisecond}
	defer l.Close(10 * time.Second)
	l.Recover()
	until(t, "the user is told", func() bool { return told.all() != "" })
	testkit.Contains(t, told.all(), "3 sessions", "frames of all threads and 2 more")
	frames := map[int64]bool{}
	for _, s := range l.Sessions() {
		frames[s.Frames()] = true
		testkit.That(t, s.State == Interrupted && !s.New && s.Length > 0, "after: %+v", s)
	}
	testkit.That(t, len(frames) == 3 && frames[100] && frames[101] && frames[102], "frames %v", frames)
	// What is killed while this one runs is told of, too; nothing twice.
	crashed(t, l, 104)
	until(t, "the user is told of another", func() bool { return strings.Contains(told.all(), "104 frames") })
	again := Open(Options{Dir: l.Dir(), Limit: 1 << 30, Report: told.report})
	again.Recover()
	crashed(t, l, 105)
	until(t, "the user is told of the last", func() bool { return strings.Contains(told.all(), "105 frames") })
	again.Close(10 * time.Second)
	l.Close(10 * time.Second)
	text := told.all()
	testkit.That(t, strings.Count(text, "3 sessions") == 1 && strings.Count(text, "104 frames") == 1, "told %q", text)
}

// On the command line one line tells of what was left, and what to do: once, if somebody reads it.
func TestTellLeft(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	for i := range 2 {
		crashed(t, l, 3+i)
	}
	for _, seen := range []bool{false, true, true} {
		l.ReportInterrupted(l.Sessions(), seen)
	}
	text := told.all()
	testkit.Equal(t, strings.Count(text, "2 sessions of a viewer that was killed are kept: "), 2,
		"told … times:\n%s", text)
	want := "`framescope sessions open " + l.Sessions()[0].ShortID() + "` shows it"
	testkit.That(t, strings.Contains(text, want), "not told %q:\n%s", want, text)
}

func TestFind(t *testing.T) {
	list := []Session{
		{ID: "aaaa1111", Name: "Solar Chase", Path: "/s/1", State: LiveHere},
		{ID: "aaaa2222", Name: "Solar Chase", Path: "/s/2"},
		{ID: "12345678", Name: "hitch", Path: "/s/3", State: Interrupted},
		{ID: "bbbb0000", Name: "Hitching", Path: "/s/4"},
	}
	for text, want := range map[string]string{
		"1": "/s/1", "4": "/s/4", "aaaa2": "/s/2", "1234": "/s/3", "HITCH": "/s/3", "hitchi": "/s/4", "/s/2": "/s/2", "last": "/s/2", "": "/s/2", "BBBB": "/s/4",
	} {
		s, err := Find(list, text)
		testkit.That(t, err == nil && s.Path == want, "%q: %s %v, want %s", text, s.Path, err, want)
	}
	for text, want := range map[string]string{"solar": "2 sessions", "aaaa": "2 sessions", "none": `no session "none"`, "5": "no session", "0": "no session", "-1": "no session"} {
		testkit.Refused(Find(list, text))(t, want)
	}
	_, err := Find(nil, "last")
	testkit.That(t, errors.Is(err, ErrNone), "of none: %v", err)
}

// What leaves to make room is told, several things in one line.
func TestEvictionsAreTold(t *testing.T) {
	l, told := newLibrary(t, 1<<20)
	block := bytes.Repeat([]byte("x"), 64<<10)
	for range 3 {
		r := l.Record(meta(sourceProfileLib), nil)
		for range 8 {
			r.Data(block)
		}
		finish(t, r)
	}
	n := Used(l.Sessions())
	testkit.That(t, n <= 1<<20, "%d bytes are kept, %d are allowed", n, 1<<20)
	sessions, bytes := l.Left()
	testkit.That(t, sessions != 0 && bytes != 0, "%d sessions, %d bytes left", sessions, bytes)
	l.reportEvictions()
	testkit.That(t, strings.Contains(told.all(), "to keep within 1 MiB"), "told %q", told.all())
}

func TestFileNamesOfPrograms(t *testing.T) {
	for program, want := range map[string]string{
		"Solar Chase": "Solar-Chase-", "../../etc/passwd": "etc-passwd-", "": "session-", "\x00\n": "session-", strings.Repeat("x", 500): strings.Repeat("x", 60) + "-",
		"描画 🎮 frame 11": "描画-🎮-frame-11-", "खेल": "खेल-", "لعبة\u202e/x": "لعبة-x-", strings.Repeat("🎮", 60): strings.Repeat("🎮", 45) + "-",
	} {
		got := FileName(program, time.Now(), ".pstats")
		testkit.That(t, strings.HasPrefix(got, want) && filepath.Base(got) == got && strings.HasSuffix(got, ".pstats"),
			"%q is recorded to %q, want %q…", program, got, want)
	}
}

// TestLiveWords: a live session says what is not on disk, and is as long as what is.
func TestLiveWords(t *testing.T) {
	now := time.Now()
	info := journal.Info{Meta: journal.Meta{Source: sourcePStats, Start: now.Add(-time.Minute)}, Running: true, Length: 18 * time.Second, Written: now.Add(-42 * time.Second)}
	s := fromInfo(&info)
	testkit.That(t, s.Length == 18*time.Second && strings.HasPrefix(s.Words(), "live, nothing new on disk for 42"),
		"%v, %q", s.Length, s.Words())
	s.State, s.Unkept = LiveHere, "not kept since frame 1473"
	testkit.Equal(t, s.Words(), "live here, not kept since frame 1473", "Words")
	info.Written = now
	s = fromInfo(&info)
	testkit.That(t, s.Words() == "live", "%q", s.Words())
}

// "last" is the newest that has ended; the live one that is newer is known, to be told.
func TestNewerLive(t *testing.T) {
	now := time.Now()
	list := []Session{
		{ID: "1", State: Live, Began: now},
		{ID: "2", State: Ended, Began: now.Add(-time.Minute)},
		{ID: "3", State: Live, Began: now.Add(-time.Hour)},
	}
	found, err := Find(list, Newest)
	testkit.MustThat(t, err == nil && found.ID == "2", "%v %v", found, err)
	s, ok := NewerLive(list, &found)
	testkit.That(t, ok && s.ID == "1", "%v %v", s, ok)
	s, ok = NewerLive(list[1:], &found)
	testkit.That(t, !ok, "%v", s)
}

// Without HOME sessions are kept in the home of the account, not in the root of the disk.
func TestStateDirWithoutHome(t *testing.T) {
	u, err := user.Current()
	if runtime.GOOS != "linux" || err != nil || !filepath.IsAbs(u.HomeDir) {
		t.Skip(u, err)
	}
	t.Cleanup(xdg.Reload)
	for _, name := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "") // so that it is put back
		os.Unsetenv(name)
	}
	xdg.Reload()
	got, want := StateDir(), filepath.Join(u.HomeDir, ".local/state/framescope")
	testkit.That(t, got == want, "%s, want %s", got, want)
}

// Lines about recordings are right for one and for many, say a place that users know, and are short
// whatever a program calls itself.
func TestWordsOfRecordings(t *testing.T) {
	for _, c := range []struct {
		source string
		s      RecordingState
		want   string
	}{
		{sourceProfileLib, RecordingState{Path: "x", Refused: 1}, "good: x; it lacks 1 piece of data that could not be written"},
		{sourcePStats, RecordingState{Path: "x", Refused: 12}, "good: x; it lacks 12 frames that could not be written"},
		{sourcePStats, RecordingState{Path: "x", Deleted: 1}, "good: x; it lacks 1 frame that another program has deleted"},
		{sourceProfileLib, RecordingState{Path: "x", Err: errTest, Record: 3, Since: 4 * time.Second},
			"bad since 4.0 s after the start: no room: x"},
		{sourcePStats, RecordingState{Path: "x", Err: errTest, Record: 3, Since: 4 * time.Second},
			"bad since frame 4 (4.0 s after the start): no room: x"},
	} {
		told := &notices{}
		(&Library{opt: Options{Report: told.report}}).reportState("bad", "good", c.source, c.s)
		testkit.Equal(t, strings.ReplaceAll(told.all(), measure.GroupSpace, " "), c.want, "all")
	}
	n := len(title(&journal.Meta{Program: strings.Repeat("ä", 65535)}))
	testkit.That(t, n <= 100, "a title of %d bytes", n)
}

type testError string

func (e testError) Error() string { return string(e) }

const errTest = testError("no room")

// sampled returns a session of samples taken at some times, in ms.
func sampled(t *testing.T, timesMs ...int64) *Session {
	t.Helper()
	root := journal.OpenRoot(filepath.Join(t.TempDir(), "sessions"), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: sourceFlare, Program: "App", Peer: "127.0.0.1:13334"}, journal.Options{})
	e := flare.NewEncoder(w, nil)
	e.Event(flare.Event{Method: &flare.MethodEvent{ID: 1, Name: "App.run()"}})
	for _, at := range timesMs {
		x := flare.Record{TimeMs: at, Stack: []flare.MethodID{1}}
		e.Event(flare.Event{Sample: &flare.SampleEvent{Thread: 7, Name: "main", Record: x}})
	}
	w.Close("bye")
	e.Forget()
	<-w.Done()
	return &Session{Source: sourceFlare, Path: w.Path()}
}

// One segment of samples is exported as the sample folder of that name, several as folders in it;
// what is there already stays, and nothing is left beside it.
func TestExportSamples(t *testing.T) {
	const start, hour = 1_700_000_000_000, 3_600_000
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	err := Export(t.Context(), sampled(t, start, start+4), one, false)
	testkit.That(t, err == nil && flare.IsFolder(one), "one segment: %v", err)
	st, err := os.Stat(one)
	testkit.That(t, err == nil && st.Mode().Perm()&0o500 == 0o500, "%v, %v", st.Mode(), err)
	session := sampled(t, start, start+hour, start+2*hour)
	err = Export(t.Context(), session, many, false)
	testkit.That(t, err == nil && !flare.IsFolder(many), "three segments: %v", err)
	segments, _ := os.ReadDir(many)
	testkit.That(t, len(segments) == 3, "segments %v", segments)
	for _, force := range []bool{false, true} {
		testkit.Fails(t, Export(t.Context(), session, one, force), "already")
	}
	err = Export(t.Context(), sampled(t), filepath.Join(dir, "none"), false)
	testkit.That(t, err != nil, "no samples were exported")
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 2 && flare.IsFolder(one), "in the folder %v", left)
}

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
		Do:     func(work func() func()) { w.work = append(w.work, work) },
		Later:  func(f func()) { w.work = append(w.work, func() func() { return f }) },
		Report: func(format string, _ ...any) { w.said = append(w.said, format) },
		Warn:   func(err error) { w.problems = append(w.problems, err) },
		Home:   func(path string) string { return path }, State: state,
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
	testkit.That(t, len(w.said) == 0, "nothing is to be said yet")
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
	testkit.Must(f.Write([]place.Mark{{Place: frame(1)}}))(t)
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
