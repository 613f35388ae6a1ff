package sessions

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/widgets"
)

// diskUntil lets the viewer live until what is on disk is as wanted.
func diskUntil(t *testing.T, g *viewer, what string, ok func(rows []widgets.DiskRow) bool) (rows []widgets.DiskRow) {
	t.Helper()
	testkit.WaitUntil(t, what, func() bool {
		g.tick()
		g.ss.disk.nextNs, g.ss.disk.soonNs = 0, 0
		rows, _ = g.ss.OnDisk()
		return g.ss.disk.known && ok(rows)
	}, func() any { return rows })
	return rows
}

// What was live is in the list, is named, kept and deleted there, and opened again with all that
// came.
func TestSessionsOnDisk(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	play(t, g, "fragmented")
	rows := diskUntil(t, g, "the session is listed, and written to its end", func(rows []widgets.DiskRow) bool {
		return len(rows) == 1 && rows[0].Frames == 60 && !rows[0].Live
	})
	r := rows[0]
	testkit.That(t, r.State == "ended" && r.Source == "PStats" && r.Program == "psclient nested", "%+v", r)
	id := rows[0].ID
	g.ss.DoOnDisk(widgets.Keep, id)
	diskUntil(t, g, "it is kept", func(rows []widgets.DiskRow) bool { return rows[0].Kept })

	g.ss.DoOnDisk(widgets.Rename, id)
	diskUntil(t, g, "the question", func([]widgets.DiskRow) bool { return g.ask.Dialog() != nil })
	g.ask.Dialog().Field.SetText("the hitch")
	g.ask.Dialog().Enter()
	diskUntil(t, g, "it is renamed", func(rows []widgets.DiskRow) bool { return rows[0].Name == "the hitch" })

	g.ss.showDisk()
	g.ss.showDisk() // it is there already
	g.ss.DoOnDisk(widgets.Open, id)
	diskUntil(t, g, "it is opened", func([]widgets.DiskRow) bool {
		all := g.ss.store.Sessions()
		if len(all) != 2 {
			return false
		}
		_, ended := all[1].Ended()
		return ended && g.ss.active == all[1] && g.desk.Find(paneDisk) == nil
	})
	testkit.Equal(t, g.ss.active.Track(0).NumFrames(), 60, "frames came back, 60 were there")

	// Deleting asks. What is deleted is gone.
	g.ss.DoOnDisk(widgets.Delete, id)
	diskUntil(t, g, "the question", func([]widgets.DiskRow) bool { return g.ask.Menu() != nil })
	m := g.ask.Menu()
	testkit.That(t, strings.Contains(m.Name, "the hitch") && len(m.Items) == 2,
		"asks %q, %d answers", m.Name, len(m.Items))
	testkit.Equal(t, len(g.ss.library.Sessions()), 1, "deleted without an answer")
	m.Items[0].Run()
	diskUntil(t, g, "it is deleted", func(rows []widgets.DiskRow) bool { return len(rows) == 0 })
}

// What was on screen at the end opens again as it was left; where that is gone, the newest session on disk,
// whichever file was opened last, and the empty window offers that.
func TestReopen(t *testing.T) {
	home := t.TempDir()
	first := keptViewer(t, home)
	play(t, first, "fragmented")
	first.ss.Close()

	g := keptViewer(t, home)
	late := captureFile(t, "late.pstats")
	g.settings.Recent = []string{late, filepath.Join(home, "gone.pstats")}
	diskUntil(t, g, "it is offered", func([]widgets.DiskRow) bool { o := g.ss.offers(); return len(o.Rows) == 1 && o.Rows[0].Frames == 60 })
	diskUntil(t, g, "the file is offered", func([]widgets.DiskRow) bool { return len(g.ss.offers().Files) > 0 })
	st := testkit.Must(os.Stat(late))(t)
	files, want := g.ss.offers().Files, widgets.FileRow{Path: late, Kind: "PStats session", Bytes: st.Size(), Changed: st.ModTime()}
	testkit.That(t, len(files) == 1 && files[0] == want, "offers %+v, want only %+v", files, want)
	g.ss.reopen()
	diskUntil(t, g, "it is opened", func([]widgets.DiskRow) bool { return g.ss.active != nil && g.ss.active.NumTracks() == 1 })
	testkit.That(t, g.ss.active.Info().Program == "psclient nested" && len(g.ss.offers().Rows) == 0,
		"opened %+v", g.ss.active.Info())

	// A file is looked at, beside the newest session, and the window closed.
	g.ss.OpenFile(late)
	shows := func(journal bool) func([]widgets.DiskRow) bool {
		return func([]widgets.DiskRow) bool {
			own := g.ss.ownerOf(g.ss.active).file
			ok := own != nil && own.journal == journal
			if ok && !g.ss.View().Time().Valid() {
				g.ss.View().Steer().PlaceTime(0, 1e9) // as panels do
			}
			_, asked := g.ss.asked[g.ss.active]
			return ok && !asked
		}
	}
	diskUntil(t, g, "the file is read", func(rows []widgets.DiskRow) bool {
		return shows(false)(rows) && g.ss.active.NumTracks() > 0 && g.ss.active.Track(0).NumFrames() > 6
	})
	v := g.ss.View()
	f := v.Session().Track(0).Frame(6)
	v.SelectFrames(6, 6)
	v.Steer().PlaceTime(f.Begin-5e6, f.End+7e6)
	g.ss.Close()
	used := g.settings.Used
	g = keptViewer(t, home)
	g.settings.Used = used
	g.ss.reopen()
	diskUntil(t, g, "it is opened as it was left", shows(false))
	v = g.ss.View()
	begin, end := v.Time().Visible()
	testkit.That(t, v.FrameA() == 6 && v.FrameB() == 6 && begin == f.Begin-5e6 && end == f.End+7e6,
		"frames %d to %d are selected, and %d to %d ns in sight", v.FrameA(), v.FrameB(), begin, end)

	g.ss.reopen() // it is open
	diskUntil(t, g, "the newest is opened", shows(true))
	g.settings.Used.Path = filepath.Join(home, "gone.pstats")
	link, ok := g.settings.Used.Link()
	testkit.That(t, !ok, "what is gone has the link %s", link)
}

// What has left memory is on disk, and opens from there while the session goes on.
func TestOpenAll(t *testing.T) {
	if testkit.Race {
		t.Skip("it needs 130,000 frames; in TestStarvedWindow frames come from disk beside the game loop, too")
	}
	g := keptViewer(t, t.TempDir())
	g.ss.openElsewhere() // of nothing
	play(t, g, "fragmented")
	if e, ok := g.ss.partOnDisk(); ok {
		t.Errorf("%+v is not in memory", e)
	}
	g.ss.store.MemoryLimit = 10 << 20
	g.ss.memory.Stands(math.MinInt) // and nobody sets another
	h := game(g, "Main")
	n := 0
	send := func() {
		at := float32(n) / 64
		f := &pstats.Frame{Number: uint32(n)}
		for k := range 20 {
			from := at + float32(k)/4096
			f.Events = append(f.Events, pstats.Event{Word: 1, Time: from}, pstats.Event{Word: 1 | pstats.StopBit, Time: from + 0.5/4096})
		}
		h.Frame(f, 100)
		if n%100 == 0 {
			g.tick()
		}
		n++
	}
	for range 130_000 {
		send()
	}
	live := g.ss.store.Sessions()[1]
	g.ss.Select(live)
	diskUntil(t, g, "its oldest frames have left", func([]widgets.DiskRow) bool { return leftMemory(live) && !g.ss.lastPoll.More })
	e, ok := g.ss.partOnDisk()
	oldest := live.Track(0).Frame(0)
	testkit.MustThat(t, ok && !e.whole && e.before.to == oldest.Begin && e.before.from > 0 && e.after.whole() != false,
		"%+v, %v; the oldest frame in memory is %+v", e, ok, oldest)

	// The part right before what is in memory opens beside it, then the one before that.
	for range 2 {
		before := g.ss.active
		g.ss.openElsewhere()
		diskUntil(t, g, "a part of it", func([]widgets.DiskRow) bool {
			_, ended := g.ss.active.Ended()
			return g.ss.active != before && ended && g.ss.active.NumTracks() == 1
		})
		track := g.ss.active.Track(0)
		first, last := track.Frame(0), track.Frame(track.NumFrames()-1)
		if last.Number != oldest.Number-1 || int64(track.NumFrames()) != last.Number-first.Number+1 || track.NumFrames() < 100 || leftMemory(g.ss.active) {
			t.Errorf("%d frames, %d to %d, before %d; left memory: %v", track.NumFrames(), first.Number, last.Number, oldest.Number, leftMemory(g.ss.active))
		}
		name := g.ss.active.Info().Program
		testkit.That(t, strings.HasPrefix(name, "game ("), "called %q", name)
		if last := g.told().Text; !toldPart.MatchString(last) {
			t.Errorf("told %q", last)
		}
		rows := g.ss.Sessions()
		said := rows[len(rows)-1].OnDisk
		testkit.That(t, strings.HasSuffix(said, " of 33 min 51 s"), "the list says %q", said)
		oldest = first

		// It stays while one looks at it, whatever the game goes on to send.
		shown, had := g.ss.active, track.NumFrames()
		for range 20_000 {
			send()
		}
		diskUntil(t, g, "the game goes on", func([]widgets.DiskRow) bool { return !g.ss.lastPoll.More })
		testkit.That(t, g.ss.active == shown && track.NumFrames() == had && !leftMemory(shown),
			"%d frames of %d are left of what is looked at", track.NumFrames(), had)
	}
	h.Close("")
}

// Where nothing of a session is in memory any more it still opens from disk, all of it where that
// fits; and where it is not on disk nobody says that all of it is in memory.
func TestOpenWhatHasLeftWholly(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	g.ss.memory.Stands(math.MinInt) // nobody sets a limit
	diskUntil(t, g, "there is a place on disk", func([]widgets.DiskRow) bool { return g.ss.keepsSessions() })
	h := game(g, "Main")
	for n := range 300 {
		at := float32(n) / 64
		h.Frame(&pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Word: 1, Time: at}, {Word: 1 | pstats.StopBit, Time: at + 0.01}}}, 100)
	}
	diskUntil(t, g, "it comes", func([]widgets.DiskRow) bool {
		return g.ss.active != nil && g.ss.active.NumTracks() == 1 && g.ss.active.Track(0).NumFrames() == 300
	})
	live := g.ss.active
	h.Close("")
	diskUntil(t, g, "it ends", func([]widgets.DiskRow) bool { _, ended := live.Ended(); return ended })
	live.Hold(false)
	g.ss.store.MemoryLimit = 1
	diskUntil(t, g, "all of it leaves", func([]widgets.DiskRow) bool {
		g.ss.store.EnforceLimit(time.Time{})
		return live.Track(0).NumFrames() == 0
	})
	g.ss.store.MemoryLimit = 64 << 20
	diskUntil(t, g, "the session on disk is incomplete", func([]widgets.DiskRow) bool { e, ok := g.ss.partOnDisk(); return ok && e.whole })
	g.ss.openElsewhere()
	testkit.Equal(t, g.told().Text, "Opening the whole session from disk", "told")
	diskUntil(t, g, "it is opened", func([]widgets.DiskRow) bool {
		return g.ss.active != live && g.ss.active.Track(0) != nil && g.ss.active.Track(0).NumFrames() == 300
	})

	bare := g.ss.store.NewSession()
	bare.Apply(model.Loss{Reason: model.LossEvicted, Track: model.NoTrack, N: 5})
	g.ss.active = bare
	got := g.ss.nothingElsewhere()
	testkit.That(t, strings.Contains(got, "not kept on disk"), "of a session that is not on disk: %q", got)
	g.ss.active = live
}

// That the limit is too low for what sends is said once.
func TestTornThreadsAreTold(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	g.ss.memory.Stands(math.MinInt)
	names := slices.Repeat([]string{"T"}, 200)
	h := game(g, names...)
	g.ss.store.MemoryLimit = 1
	warned := func() (n int) {
		if g.ss.active == nil {
			return 0
		}
		for _, w := range g.ss.active.Warnings() {
			if strings.Contains(w, "of memory is too little for 200 threads") && strings.Contains(w, "--memory") {
				n++
			}
		}
		return n
	}
	n := 0
	send := func([]widgets.DiskRow) bool {
		for id := range names {
			at := float32(n) / 64
			h.Frame(&pstats.Frame{Number: uint32(n), Thread: uint16(id), Events: []pstats.Event{{Word: 1, Time: at}, {Word: 1 | pstats.StopBit, Time: at + 0.01}}}, 100)
		}
		n++
		g.ss.store.EnforceLimit(time.Time{})
		return warned() > 0
	}
	diskUntil(t, g, "it is said", send)
	for range 5 {
		send(nil)
		g.tick()
	}
	got := warned()
	testkit.That(t, got == 1, "said %d times: %q", got, g.ss.active.Warnings())
	h.Close("")
}

var toldPart = regexp.MustCompile(`^.* of 3\d min \d+ s: as much as fits into the memory limit; earlier: Ctrl\+Shift\+E again, or a right click$`)

// The bound on disk is a setting of the window, of the command line, and of a flag; none undoes
// another.
func TestDiskLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	g := newViewerOf(t, path, Options{})
	testkit.Equal(t, g.ss.library.Limit(), library.DefaultLimit, "by default")
	g.ss.setDisk(5)
	diskUntil(t, g, "the limit", func([]widgets.DiskRow) bool { return g.settings.DiskGiB == 5 })
	testkit.Equal(t, g.ss.library.Limit(), 5<<30, "set were 5 GiB")
	g.settings.Keep()
	s, err := settings.Load(path)
	testkit.That(t, err == nil && s.DiskGiB == 5, "%v %v", s.DiskGiB, err)
	testkit.NoErr(t, settings.SetDiskLimit(path, 7<<30))
	// So `framescope sessions limit` did.
	g.settings.Theme = "light"
	g.settings.Keep()
	s, _ = settings.Load(path)
	testkit.That(t, s.DiskGiB == 7 && s.Theme == "light", "a viewer that knew nothing of it made it %v", s.DiskGiB)
	none := int64(0)
	h := newViewerOf(t, path, Options{DiskLimit: &none})
	testkit.That(t, h.ss.library.Limit() == 0 && h.settings.DiskGiB == 7,
		"limit %d, settings %v", h.ss.library.Limit(), h.settings.DiskGiB)
}

// What the user calls a session is its name in the list of sessions and in the window's title, and
// what became of it on disk is said, whoever did it.
func TestNameAndEndOfOpenSessions(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	play(t, g, "fragmented")
	diskUntil(t, g, "the session is listed", func(rows []widgets.DiskRow) bool {
		return len(rows) == 1 && rows[0].Frames == 60 && !rows[0].Live
	})
	s := g.ss.library.Sessions()[0]
	if err := g.ss.library.Rename(&s, "the hitch"); err != nil { // as another program does
		t.Fatal(err)
	}
	shown := func() widgets.SessionRow {
		g.ss.kept.nextNs = 0
		g.ss.lookAtKept()
		return g.ss.Sessions()[0]
	}
	diskUntil(t, g, "both lists have the name", func(rows []widgets.DiskRow) bool {
		return rows[0].Name == "the hitch" && shown().Title == "the hitch"
	})
	testkit.Equal(t, g.ss.TitleOf(g.ss.store.Sessions()[0]), "the hitch", "the window's title")
	testkit.That(t, !g.ss.lost(g.ss.store.Sessions()[0]), "it would be lost, though it is on disk")
	// Another program deletes it: the list and the session say so.
	other := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 1 << 30})
	testkit.NoErr(t, other.Delete(&s))
	diskUntil(t, g, "it is said", func([]widgets.DiskRow) bool { return shown().OnDisk == "deleted from the disk" })
	diskUntil(t, g, "it is not listed", func(rows []widgets.DiskRow) bool { return len(rows) == 0 })
	// Now it is nowhere else.
	g.ss.Forget(g.ss.store.Sessions()[0])
	diskUntil(t, g, "the question", func([]widgets.DiskRow) bool { return g.ask.Menu() != nil })
	testkit.Equal(t, len(g.ss.store.Sessions()), 1, "closed without an answer")
	g.ask.Menu().Items[0].Run()
	diskUntil(t, g, "it is closed", func([]widgets.DiskRow) bool { return len(g.ss.store.Sessions()) == 0 })
}

// A session that was interrupted says so when it is open.
func TestInterruptedIsSaid(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	play(t, g, "fragmented")
	diskUntil(t, g, "the session is listed", func(rows []widgets.DiskRow) bool {
		return len(rows) == 1 && rows[0].Frames == 60 && !rows[0].Live
	})
	path := g.ss.library.Sessions()[0].Path
	file := filepath.Join(path, "session.json")
	text := testkit.Must(os.ReadFile(file))(t)
	text = regexp.MustCompile(`(?m)^  "ended": .*\n`).ReplaceAll(text, nil)
	testkit.NoErr(t, os.WriteFile(file, text, 0o600))
	segments, _ := filepath.Glob(filepath.Join(path, "*.seg"))
	last := segments[len(segments)-1]
	st := testkit.Must(os.Stat(last))(t)
	if err := os.Truncate(last, st.Size()-1); err != nil { // its last record was its end
		t.Fatal(err)
	}
	g.ss.OpenFile(path)
	diskUntil(t, g, "it is said", func([]widgets.DiskRow) bool {
		g.ss.kept.nextNs = 0
		g.ss.lookAtKept()
		rows := g.ss.Sessions()
		return len(rows) == 2 && rows[1].OnDisk == "interrupted"
	})
}

// A lower limit for which sessions have to leave is set only when the user says so.
func TestLowerLimitAsks(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	big := int64(8 << 30)
	g.ss.library.SetLimit(big)
	for _, name := range []string{"a", "b"} {
		r := g.ss.library.Record(journal.Meta{Source: "profilelib", Program: name}, nil)
		r.Data(make([]byte, 1<<20))
		testkit.NoErr(t, r.Flush())
		r.Close("")
	}
	diskUntil(t, g, "they are listed", func(rows []widgets.DiskRow) bool {
		return len(rows) == 2 && !rows[0].Live && !rows[1].Live
	})
	g.ss.setDisk(1.5 / 1024)
	diskUntil(t, g, "the question", func([]widgets.DiskRow) bool { return g.ask.Menu() != nil })
	m := g.ask.Menu()
	testkit.That(t, g.ss.library.Limit() == big && strings.Contains(m.Items[0].Label, "Delete “a”, 1"),
		"the limit is %d, asked is %q", g.ss.library.Limit(), m.Items[0].Label)
	m.Items[1].Run()
	testkit.That(t, len(g.ss.library.Sessions()) == 2 && g.ss.library.Limit() == big, "deleted all the same")
	m.Items[0].Run()
	testkit.Equal(t, g.ss.library.Limit(), 3<<19, "the limit")
}

// A live session whose folder another program deletes says so in its row, in the tool bar, and in
// its ledger, and is kept on from there.
func TestDeletedWhileLive(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	h := game(g, "Main")
	defer h.Close("bye")
	n := 0
	frame := func() { h.Frame(&pstats.Frame{Number: uint32(n)}, 10); n++ }
	for range 100 {
		frame()
	}
	rec := h.(*keeping).rec
	testkit.NoErr(t, rec.Flush())
	testkit.NoErr(t, os.RemoveAll(rec.Path()))
	diskUntil(t, g, "it is noticed though nothing comes", func([]widgets.DiskRow) bool { return rec.Deleted() == 100 })
	if label, tip, bad := g.ss.recordChip(); label != "● not kept" || !strings.Contains(tip, "up to frame 100 (") ||
		!strings.Contains(tip, "): another program deleted or truncated it: ") || !bad {
		t.Errorf("the tool bar says %q, %q, %v", label, tip, bad)
	}
	diskUntil(t, g, "it goes on", func(rows []widgets.DiskRow) bool {
		frame()
		s, ok := rec.Kept()
		return ok && s.Err == nil && s.Deleted == 100 && len(rows) == 1 && rows[0].Live
	})
	row := g.ss.Sessions()[0]
	testkit.That(t, row.Deleted == "on disk it lacks 100 frames that another program has deleted" &&
		row.RecordWords() == "● part deleted", "%q, %q", row.Deleted, row.RecordWords())
	lost, _ := g.ss.active.Losses()
	testkit.Equal(t, lost[model.LossDeleted], 100, "the session's losses are %v", lost)
}

// A lower limit for which a part of what is live has to leave asks, too, and so does one that was
// set for sessions in another folder; one that was asked about already does not.
func TestLowerLimitAsksForWhatIsLive(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	r := g.ss.library.Record(journal.Meta{Source: "profilelib", Program: "a"}, nil)
	defer r.Close("")
	r.Data(make([]byte, 3<<20))
	testkit.NoErr(t, r.Flush())
	before := g.ss.library.Limit()
	question := func(what string) *widgets.Menu {
		t.Helper()
		diskUntil(t, g, what, func([]widgets.DiskRow) bool { return g.ask.Menu() != nil })
		m := g.ask.Menu()
		if g.ss.library.Limit() != before || !strings.Contains(m.Items[0].Label, "the oldest part of the live session, 2.00 MiB") {
			t.Errorf("%s: the limit is %d, asked is %q", what, g.ss.library.Limit(), m.Items[0].Label)
		}
		m.Close()
		return m
	}
	g.ss.setDisk(1.0 / 1024)
	question("the question of the settings")
	g.ss.takeDisk(1.0/1024, "/elsewhere")
	m := question("the question for another folder's limit")
	m.Items[0].Run()
	testkit.Equal(t, g.ss.library.Limit(), 1<<20, "the limit")
	g.ss.library.SetLimit(before)
	g.ss.takeDisk(2.0/1024, g.ss.library.Dir())
	testkit.That(t, g.ss.library.Limit() == 2<<20 && g.ask.Menu() == nil,
		"asked again, or the limit is %d", g.ss.library.Limit())
}
