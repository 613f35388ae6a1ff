package headless

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/load"
	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/charts/registry"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

func capture(t *testing.T, name string) *store.Session {
	t.Helper()
	return testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t).Session
}

// TestPanelsOfAllKinds draws every panel of recordings of several kinds: one that has something to
// show draws it, another says what the recording has. Each panel of the registry has something to
// show of one of them. With -update it writes the list of these.
func TestPanelsOfAllKinds(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	const list = "testdata/panels.txt"
	lines := strings.Split(string(testkit.Must(os.ReadFile(list))(t)), "\n")
	seen := map[string]bool{}
	for i, line := range lines {
		name, _, listed := strings.Cut(line, "\t")
		if !listed {
			continue
		}
		path := filepath.Join("../../testdata", name)
		if name == "flare/recorded-60s" {
			path = filepath.Join(flaretest.Captures(t), "recorded-60s")
		}
		s := testkit.Must(load.File(t.Context(), path, load.Options{}))(t).Session
		has := PanelsOf(s)
		lines[i] = name + "\t" + strings.Join(has, " ")
		for _, chart := range Panels() {
			img, err := pictureOf(s, PictureOptions{Panel: chart, Width: 640})
			if !slices.Contains(has, chart) {
				testkit.That(t, err != nil && strings.Contains(err.Error(), "this recording has no ") &&
					strings.Contains(err.Error(), "it has: "+has[0]), "%s of %s: %v", chart, name, err)
				continue
			}
			if err != nil {
				t.Errorf("%s of %s: %v", chart, name, err)
				continue
			}
			seen[chart] = true
			n := colors(img)
			testkit.That(t, n >= 20, "%s of %s: only %d colors", chart, name, n)
		}
	}
	testkit.SameText(t, list, strings.Join(lines, "\n"))
	for _, d := range registry.All() {
		testkit.That(t, seen[d.ID], "%s is drawn of no recording: add one that has it to %s", d.ID, list)
	}
}

// TestGroups draws each group of series, and no other.
func TestGroups(t *testing.T) {
	s := capture(t, "gsttrace/all-audio-chain.log.gz")
	first := testkit.Must(pictureOf(s, PictureOptions{Panel: "series", Width: 640}))(t)
	seen := map[string]string{}
	for _, group := range []string{"element-latency", "latency", "CPU Load", "buffers"} {
		img := testkit.Must(pictureOf(s, PictureOptions{Panel: "series", Width: 640, Group: group}))(t)
		other, ok := seen[string(img.Pix)]
		testkit.That(t, !ok, "group %s looks like %s", group, other)
		seen[string(img.Pix)] = group
	}
	testkit.That(t, seen[string(first.Pix)] == "element-latency", "the first group is %q", seen[string(first.Pix)])
	testkit.Refused(pictureOf(s, PictureOptions{Panel: "series", Group: "fps"}))(t, `no group "fps" of series; choose one of: element-latency, latency, `)
	_, err := pictureOf(s, PictureOptions{Panel: "locks"})
	const want = "this recording has no locks; it has: timeline, flame, calltree, topology, waterfall, statistics, calls, series (element-latency, latency, cpu load, "
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), want) && strings.Contains(err.Error(), "…)"),
		"no locks: %v, want %q and so on", err, want)
}

// TestTimesWithoutFrames draws parts of a recording that has no frames; the numbers of frames mean
// nothing there.
func TestTimesWithoutFrames(t *testing.T) {
	testkit.OneGoroutine(t)
	s := capture(t, "gsttrace/all-audio-chain.log.gz")
	for _, chart := range []string{"timeline", "flame", "overview", "series", "topology", "messages"} {
		var before string
		for _, text := range []string{"", "24ms:27ms", "35ms:"} {
			r := testkit.Must(place.ParseRange(text))(t)
			img, err := pictureOf(s, PictureOptions{Panel: chart, Range: r, Width: 640})
			if err != nil {
				t.Errorf("%s of %q: %v", chart, text, err)
				continue
			}
			testkit.That(t, string(img.Pix) != before, "%s of %q looks like the one before", chart, text)
			before = string(img.Pix)
		}
		_, err := pictureOf(s, PictureOptions{Panel: chart, Range: place.TimeRange{A: 1, HasA: true}})
		testkit.That(t, err != nil && strings.Contains(err.Error(), "give times"), "%s from frame 1 on: %v", chart, err)
	}
}

// TestThreadOfMessages draws the messages of one thread where one is named.
func TestThreadOfMessages(t *testing.T) {
	s := capture(t, "gsttrace/all-audio-chain.log.gz")
	all := testkit.Must(pictureOf(s, PictureOptions{Panel: "messages", Width: 640}))(t)
	one := testkit.Must(pictureOf(s, PictureOptions{Panel: "messages", Width: 640, Thread: "audiotestsrc0:src"}))(t)
	testkit.That(t, string(all.Pix) != string(one.Pix), "the messages of one thread look like those of all")
	testkit.Refused(pictureOf(s, PictureOptions{Panel: "messages", Thread: "nobody"}))(t, "the threads are: ")
}

func TestDemo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	files, err := Demo(t.Context(), DemoOptions{Dir: dir, Duration: time.Minute, Width: 640, Height: 360, Game: demo.Options{Frames: 1500, Fast: true, Seed: 1}})
	testkit.OK(t, err)
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	want := []string{"frames.png", "timeline.png", "strip.png", "levels.png", "flame.png", "piano.png", "report.txt", "frames.txt", "demo.pstats"}
	testkit.That(t, slices.Equal(names, want), "files %v, want %v", names, want)
	for _, path := range files {
		if strings.HasSuffix(path, ".png") {
			f := testkit.Must(os.Open(path))(t)
			img, err := png.Decode(f)
			f.Close()
			testkit.That(t, err == nil && img.Bounds().Dx() == 640, "%s: %v %v", path, img.Bounds(), err)
		}
	}
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "report.txt")))(t)
	for _, want := range []string{"Solar Chase", "Thread Main", "Thread GPU", "Thread Loader", "App:Physics:Solve", "System memory:Heap (MB)"} {
		testkit.That(t, strings.Contains(string(text), want), "the report has no %q", want)
	}
	// The recording is the session.
	rec := testkit.Must(load.File(t.Context(), filepath.Join(dir, "demo.pstats"), load.Options{}))(t)
	// Frames without a thread are the main one's, though the cause of the longest is on another thread.
	near := PictureOptions{Panel: "timeline", Width: 640, Range: demoPictures(rec.Session)[0].Range}
	got := testkit.Must(pictureOf(rec.Session, near))(t)
	near.Thread = "Main"
	testkit.That(t, slices.Equal(got.Pix, testkit.Must(pictureOf(rec.Session, near))(t).Pix), "without a thread, frames are not Main's")
	main := rec.Session.Track(0)
	testkit.That(t, main.Title() == "Main" && main.NumFrames() >= 1300 && main.Missing() != 0,
		"%s: %d frames, %d missing", main.Title(), main.NumFrames(), main.Missing())
	// The causes of hitches: each takes long once.
	testkit.That(t, main.LongestFrame(0, main.NumFrames()-1) > 40e6, "no hitch")
	for _, x := range []struct{ thread, collector string }{
		{"Main", "Wait:Mutex block"}, {"Main", "Wait:Disk"}, {"Main", "GC:Mark"}, {"Draw", "Draw:Compile shader"},
		{"Draw", "Wait:Mutex block"}, {"Loader", "IO:Upload"},
	} {
		id := testkit.Must(place.FindTrack(rec.Session, x.thread))(t)
		c := testkit.Must(findCollector(rec.Session, x.collector))(t)
		b := rec.Session.Spans().Longest(id, c, -1, model.MinTime, model.MaxTime, 1, nil)
		testkit.That(t, len(b) == 1 && b[0].End-b[0].Begin >= 7e6, "no hitch of %s with %s: %+v", x.thread, x.collector, b)
	}
	levels := rec.Session.Frames().Levels(0, 100, nil)
	testkit.That(t, len(levels) >= 6, "%d levels", len(levels))

	testkit.Refused(Demo(t.Context(), DemoOptions{Dir: dir}))(t, "not empty")
}

// colors counts the different colors of a picture: a panel that drew nothing has only a few.
func colors(img *image.RGBA) int {
	seen := map[[4]uint8]bool{}
	for i := 0; i < len(img.Pix); i += 4 {
		seen[[4]uint8(img.Pix[i:i+4])] = true
	}
	return len(seen)
}

func TestRangesChangePictures(t *testing.T) {
	testkit.OneGoroutine(t)
	s := capture(t, "pstats/late.pstats")
	for _, chart := range PanelsOf(s) {
		if d, _ := defOf(chart); d.Whole {
			_, err := pictureOf(s, PictureOptions{Panel: chart, Range: place.TimeRange{A: 20, HasA: true}})
			testkit.That(t, err != nil, "%s from frame 20 on: drawn, though it is about the whole recording", chart)
			continue
		}
		a, errA := pictureOf(s, PictureOptions{Panel: chart, Range: place.TimeRange{A: 20, B: 40, HasA: true, HasB: true}, Width: 400, Height: 200})
		b, errB := pictureOf(s, PictureOptions{Panel: chart, Range: place.TimeRange{A: 120, B: 160, HasA: true, HasB: true}, Width: 400, Height: 200})
		testkit.MustThat(t, errA == nil && errB == nil, "%v %v", errA, errB)
		testkit.That(t, string(a.Pix) != string(b.Pix), "%s: frames 20 to 40 look like 120 to 160", chart)
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	s := capture(t, "pstats/nested.pstats")
	for want, o := range map[string]PictureOptions{
		"choose one of: timeline": {Panel: "pie"},
		"no thread":               {Panel: "flame", Thread: "GPU"},
		"no collector":            {Panel: "strip", Collector: "Nonsense"},
		"64":                      {Panel: "strip", Width: 10},
		"megapixels":              {Panel: "strip", Width: 16000, Height: 16000},
		"scale":                   {Panel: "strip", Scale: 100, Width: 100, Height: 100},
		"no frame of thread":      {Panel: "strip", Range: place.TimeRange{A: 1e6, HasA: true}},
	} {
		testkit.Refused(pictureOf(s, o))(t, want)
	}
	_, err := pictureOf(store.NewSession(), PictureOptions{Panel: "timeline"})
	testkit.That(t, err != nil, "a picture of nothing")
}

// pictureOf draws a panel in software.
func pictureOf(s *store.Session, o PictureOptions) (*image.RGBA, error) {
	p, err := Picture(s, o)
	if err != nil {
		return nil, err
	}
	return p.Image(), nil
}

// In a picture of a range, of frames or of time, the threads are labelled with these, not with the first of all.
func TestTimelineIsLabelledWithItsFrames(t *testing.T) {
	s := capture(t, "pstats/late.pstats")
	main := s.Track(s.MainTrack())
	i, _ := main.FrameByNumber(20)
	first, of := main.Frame(0).Number, main.Frame(i)
	for _, r := range []place.TimeRange{
		{A: 20, B: 20, HasA: true, HasB: true},
		{A: of.Begin, B: of.End, HasA: true, HasB: true, Times: true},
	} {
		p, err := Picture(s, PictureOptions{Panel: "timeline", Range: r})
		testkit.OK(t, err)
		var svg bytes.Buffer
		testkit.OK(t, p.Write(&svg, ".svg"))
		if first == 20 || !strings.Contains(svg.String(), ">#20 ") || strings.Contains(svg.String(), fmt.Sprintf(">#%d ", first)) {
			t.Errorf("%+v: the frames are called %v, not #20 alone", r, regexp.MustCompile(`>#[^<]*<`).FindAllString(svg.String(), -1))
		}
	}
}

// rowsDiffer tells whether any of the rows from y0 to y1 is another than the one above it: something
// lies there. Grids and the edges of columns run down.
func rowsDiffer(img *image.RGBA, y0, y1 int) bool {
	row := func(y int) []byte { return img.Pix[y*img.Stride : y*img.Stride+4*img.Rect.Dx()] }
	for y := y0 + 1; y < y1; y++ {
		if !bytes.Equal(row(y), row(y-1)) {
			return true
		}
	}
	return false
}

// TestPicturesAreAsHighAsWhatTheyShow: with no height given there is no empty part below what a
// panel shows, and nothing of it is cut off, at any scale.
func TestPicturesAreAsHighAsWhatTheyShow(t *testing.T) {
	testkit.OneGoroutine(t)
	const locked = "locks-waits-logs.prof"
	for _, c := range []struct{ file, chart, text string }{
		{"nested.pstats", "flame", ""}, {"late.pstats", "flame", "60"}, {"nested.pstats", "piano", ""}, {"late.pstats", "timeline", ""},
		{"nested.pstats", "statistics", ""}, {"nested.pstats", "calltree", ""}, {locked, "processors", ""}, {locked, "timeline", ""},
	} {
		t.Run(c.chart+" "+c.file, func(t *testing.T) {
			path := "../../testdata/pstats/" + c.file
			if c.file == locked {
				path = recordings.File(t, recordings.ProfileLib, locked)
			}
			rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
			fits(t, rec.Session, c.chart, c.text)
		})
	}
}

func fits(t *testing.T, s *store.Session, chart, text string) {
	r := testkit.Must(place.ParseRange(text))(t)
	for _, scale := range []float64{1, 1.5} {
		o := PictureOptions{Panel: chart, Range: r, Scale: scale}
		img := testkit.Must(pictureOf(s, o))(t)
		h := img.Rect.Dy()
		testkit.That(t, h <= int(scale*(headHeight+leastFitted))+2 || rowsDiffer(img, h-int(44*scale), h),
			"at scale %v nothing lies at the lower end of %d pixels", scale, h)
		o.Height = h + int(200*scale)
		more := testkit.Must(pictureOf(s, o))(t)
		// The piano roll writes at its lower edge what the budget is.
		testkit.That(t, chart == "piano" || !rowsDiffer(more, h+2, more.Rect.Dy()-int(4*scale)),
			"at scale %v there is more below %d pixels", scale, h)
	}
}

// liveLimit asks the test program to be a viewer without a window, with so many bytes of memory.
const liveLimit = "FRAMESCOPE_TEST_LIVE_LIMIT"

func TestMain(m *testing.M) {
	if limit, err := strconv.ParseInt(os.Getenv(liveLimit), 10, 64); err == nil {
		if err := serveLive(limit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveLive receives games, and says where. When it is asked by a byte on standard input it takes
// in all that the games sent, which must have gone, says what came, and then waits for the input's
// end.
func serveLive(limit int64) error {
	keeper := memory.Keep(limit, 0, 0)
	live, err := ListenLive(context.Background(), LiveOptions{Addr: "127.0.0.1:0", Memory: keeper})
	if err != nil {
		return err
	}
	fmt.Println(live.Addr(), keeper.Baseline())
	asked := make(chan struct{})
	go func() {
		os.Stdin.Read(make([]byte, 1))
		close(asked)
	}()
	for over := false; !over || !live.Ended(); {
		select {
		case <-asked:
			asked, over = nil, true
		case <-time.After(pollEvery):
		}
		if err := live.Poll(nil); err != nil {
			return err
		}
	}
	for _, c := range live.Clients() {
		l := c.Session.Ledger()
		fmt.Println(l.Received, l.Evicted, l.Ours, live.store.Memory())
	}
	fmt.Println("over")
	os.Stdin.Read(make([]byte, 1))
	return nil
}

// The resident memory of the program stays within the limit, a fifth of it and what the program
// takes empty, while a game sends as much as it can.
func TestResidentMemoryOfALiveSession(t *testing.T) {
	t.Parallel() // it mostly waits for a program
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system does not tell the resident memory of another program")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const limit = 64 << 20
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), liveLimit+"="+strconv.Itoa(limit))
	cmd.Stderr = os.Stderr
	in := testkit.Must(cmd.StdinPipe())(t)
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.OK(t, cmd.Start())
	defer cmd.Process.Kill()
	var addr string
	var empty int64
	testkit.Must(fmt.Fscanln(out, &addr, &empty))(t)

	// So much that several times the limit comes, however slow the machine.
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var sent soak.Sent
	go func() {
		for !testkit.WaitFor(func() bool { return ctx.Err() != nil || sent.Frames() >= 3000 }) {
		}
		stop()
	}()
	load := soak.Load{Addr: addr, Name: "fast", Rate: 5000, Threads: 4, Spans: 500}
	testkit.OK(t, load.Run(ctx, &sent))
	in.Write([]byte{'?'})
	rest := bufio.NewScanner(out)
	for rest.Scan() && rest.Text() != "over" {
		t.Log("received, left, dropped, held:", rest.Text())
	}
	peak := highWater(t, cmd.Process.Pid)
	in.Close()
	testkit.OK(t, cmd.Wait())
	bound := empty + limit + limit/memory.Slack
	testkit.That(t, peak <= bound,
		"the peak of the resident memory is %d MiB, at most it may be %d MiB", peak>>20, bound>>20)
	testkit.That(t, sent.Frames() >= 3000, "only %d frames were sent", sent.Frames())
}

// highWater returns the greatest resident memory that a program had, in bytes.
func highWater(t *testing.T, pid int) int64 {
	data := testkit.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))(t)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "VmHWM:" {
			kB, _ := strconv.ParseInt(f[1], 10, 64)
			return kB << 10
		}
	}
	t.Fatal("no high-water mark")
	return 0
}
