//go:build integration

package e2e

import (
	"encoding/csv"
	"encoding/json"
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/cli"
	"framescope/app/clips"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// line clicks a line of the open menu.
func (v *viewer) line(label string) {
	v.t.Helper()
	v.ticks(4)
	o := v.observe()
	m, ok := panelOf(&o, "menu")
	i := slices.Index(o.Menu, label)
	testkit.MustThat(v.t, ok && i >= 0, "the menu has no %q: %q", label, o.Menu)
	const title, row = 28, 24
	v.click(float64(m.Rect.X0)+40, float64(m.Rect.Y0)+title+4+row*(float64(i)+0.5))
}

// TestExportByMouse exports rows and pictures by the menu of a title row. What is in the files is what the
// command line says of the same frames.
func TestExportByMouse(t *testing.T) {
	dir := t.TempDir()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("nested")}, home: t.TempDir()})
	said := func(args ...string) string {
		t.Helper()
		var out, complaint strings.Builder
		code := cli.Execute(args, &out, &complaint)
		testkit.MustThat(t, code == 0, "%q: %d, %s", args, code, complaint.String())
		return out.String()
	}
	ask := func(panel, path string) {
		v.rest()
		v.ticks(20)
		v.rightClick(v.title(panel))
		v.line("Export rows or picture…")
		v.ticks(4)
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(path)
		v.press(ebiten.KeyEnter)
	}
	written := func(panel, name string) (path string) {
		t.Helper()
		path = filepath.Join(dir, name)
		for asked := 0; asked < 3; asked++ { // keys typed before the question appears are lost
			ask(panel, path)
			for range 500 {
				if _, err := os.Stat(path); err == nil {
					return path
				}
				v.ticks(1)
			}
		}
		v.written(path)
		return path
	}
	v.press(ebiten.KeyHome)
	for range 10 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	const frames = "1:11"

	v.tab("strip", "Statistics")
	text := testkit.Must(os.ReadFile(written("statistics", "statistics.csv")))(t)
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	testkit.MustThat(t, err == nil && len(rows) >= 5, "%d rows, %v", len(rows), err)
	const row, renderedRow = 28, 24 // heights of the titles
	r := v.panel("flame").Rect
	size := strconv.Itoa(int(r.W())) + "x" + strconv.Itoa(int(r.H())-row+renderedRow)
	words := regexp.MustCompile(`<text [^>]*>([^<]*)<`)
	shapes := regexp.MustCompile(`<[a-z]+ `)
	svg := func(path string) (texts []string, n int) {
		b := testkit.Must(os.ReadFile(path))(t)
		for _, m := range words.FindAllSubmatch(b, -1) {
			texts = append(texts, string(m[1]))
		}
		return texts, len(shapes.FindAll(b, -1))
	}
	rendered := func(name string) string {
		path := filepath.Join(dir, "rendered-"+name)
		said("render", recording("nested"), "--panel", "flame", "--range", frames, "--size", size, "-o", path)
		return path
	}
	texts, n := svg(written("flame", "flame.svg"))
	wantTexts, wantN := svg(rendered("flame.svg"))
	testkit.That(t, slices.Equal(texts, wantTexts) && n == wantN && len(texts) >= 8,
		"%q in %d shapes are exported, %q in %d rendered", texts, n, wantTexts, wantN)
	body := func(path string, top int) image.Image {
		t.Helper()
		pic, err := readPNG(path)
		testkit.MustThat(t, err == nil && pic.Bounds().Dx() == int(r.W()), "%s: %v, %v", path, pic, err)
		b := pic.Bounds()
		out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()-top))
		draw.Draw(out, out.Bounds(), pic, image.Pt(0, top), draw.Src)
		return out
	}
	c := golden.Compare(body(rendered("flame.png"), renderedRow), body(written("flame", "flame.png"), row), 0)
	testkit.That(t, c.Pixels <= 0, "%d pixels are not as rendered, the first at %v", c.Pixels, c.At)
	v.hush(3) // the notice names a folder that is another each time
	v.rightClick(v.title("statistics"))
	v.ticks(4)
	v.see("title_menu")
}

// TestExportSession exports the session, and what is selected of it, as other programs read it: what is in
// the files is what the command writes.
func TestExportSession(t *testing.T) {
	dir := t.TempDir()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("nested")}, home: t.TempDir()})
	command := func(args ...string) []byte {
		t.Helper()
		path := filepath.Join(t.TempDir(), "out")
		var out, complaint strings.Builder
		code := cli.Execute(append([]string{"export", recording("nested"), "-o", path}, args...), &out, &complaint)
		testkit.MustThat(t, code == 0, "%q: %d, %s", args, code, complaint.String())
		b := testkit.Must(os.ReadFile(path))(t)
		return b
	}
	ask := func(words, format, name string) {
		t.Helper()
		v.rest()
		v.palette(words)
		v.ticks(4)
		if name == "all.json" {
			v.see("export_formats")
		}
		v.typeText(format)
		v.ticks(4)
		v.press(ebiten.KeyEnter)
		v.ticks(10)
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(filepath.Join(dir, name))
		v.press(ebiten.KeyEnter)
	}
	written := func(words, format, name string) []byte {
		t.Helper()
		for range 3 { // keys typed before the question appears are lost
			ask(words, format, name)
			for range 300 {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					return v.written(filepath.Join(dir, name))
				}
				v.ticks(1)
			}
		}
		return v.written(filepath.Join(dir, name))
	}
	if got, want := written("export the session as", "chrome", "all.json"), command("--to", "chrome"); string(got) != string(want) {
		t.Errorf("the session: %d bytes, the command writes %d", len(got), len(want))
	}
	v.press(ebiten.KeyHome)
	for range 10 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	got := written("export only the selection as", "folded", "part.folded")
	want := command("--to", "folded", "--range", "1:11")
	testkit.That(t, string(got) == string(want), "frames 1 to 11: %d bytes, the command writes %d", len(got), len(want))
}

// clipsOf puts clips of hitches where a user's are, and returns their folder: a recording each, the newest
// first, with the number of the hitch's frame.
func clipsOf(t *testing.T, home string, frames ...int64) string {
	t.Helper()
	dir := filepath.Join(home, "state", "framescope", "clips")
	testkit.OK(t, os.MkdirAll(dir, 0o777))
	data := testkit.Must(os.ReadFile(recording("late")))(t)
	for i, frame := range frames {
		path := filepath.Join(dir, string(rune('a'+i))+".pstats")
		info, err := json.Marshal(clips.Info{
			Program: "late", Cause: []string{"Base on Main", "Leaf on Main", "Disk on Main"}[i%3], Thread: "Main", Frame: frame,
			DurationNs: 27_000_000, At: time.Date(2026, 3, 4, 12, 0, 30-i, 0, time.UTC), LengthNs: 2_000_000_000, Frames: 190,
		})
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err == nil {
			err = os.WriteFile(strings.TrimSuffix(path, ".pstats")+".json", info, 0o666)
		}
		testkit.OK(t, err)
	}
	return dir
}

// TestClips goes through the list of clips by keys and by mouse: a clip is opened at its hitch, another is
// deleted after a question, and the list shuts.
func TestClips(t *testing.T) {
	home := t.TempDir()
	dir := clipsOf(t, home, 9, 166, 100)
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("nested")}, home: home})
	there := func() (names []string) {
		files := testkit.Must(filepath.Glob(filepath.Join(dir, "*.pstats")))(t)
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".pstats"))
		}
		return names
	}
	listed := func() bool {
		o := v.observe()
		_, ok := panelOf(&o, "clips")
		return ok
	}
	until := func(what string, ok func(o *app.Observed) bool) {
		t.Helper()
		for range 400 {
			if o := v.observe(); ok(&o) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		o := v.observe()
		t.Fatalf("in vain: %s: frames %d to %d, menu %q, clips %q", what, o.FrameA, o.FrameB, o.Menu, there())
	}
	count := func(n string) func(o *app.Observed) bool {
		return func(o *app.Observed) bool {
			p, ok := panelOf(o, "clips")
			return ok && strings.HasPrefix(p.Mode, n+" of ")
		}
	}
	at := func(frame int64) func(o *app.Observed) bool {
		return func(o *app.Observed) bool { return o.FrameA == frame && o.FrameB == frame }
	}
	v.rest()

	// By keys.
	v.press(ebiten.KeyC, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	until("three clips", count("3"))
	v.seeAtRest("clips")
	v.press(ebiten.KeyEnter)
	until("the newest clip, opened at its hitch", at(9))
	v.press(ebiten.KeyC, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	until("three clips", count("3"))
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyArrowDown)
	v.press(ebiten.KeyDelete)
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "Delete it") })
	v.choose("Delete it")
	until("two clips", count("2"))
	left := there()
	testkit.That(t, len(left) == 2, "%q are left", left)
	v.press(ebiten.KeyEscape)
	testkit.That(t, !listed(), "Esc does not shut the list")

	// By mouse alone, but for the word that is looked for: found in the field of the tool bar, shut by its
	// cross.
	open := func() {
		t.Helper()
		v.click(690, 18)
		v.typeText("clips of hitches")
		v.ticks(4)
		v.click(v.at("dialog", 60, 42))
		v.ticks(2)
		until("two clips", count("2"))
	}
	open()
	row := func(i float64) (x, y float64) { return v.at("clips", 120, 24+24+22+12+22*i) }
	v.doubleClick(row(1))
	until("the other clip, opened at its hitch", func(o *app.Observed) bool { return o.FrameA == 166 || o.FrameA == 100 })
	testkit.That(t, !listed(), "the list covers the clip that was opened")
	open()
	v.rightClick(row(0))
	v.ticks(2)
	o := v.observe()
	testkit.MustThat(t, slices.Contains(o.Menu, "Open") && slices.Contains(o.Menu, "Save as…"),
		"the menu of a clip: %q", o.Menu)
	v.line("Delete…")
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, "Keep it") })
	v.line("Keep it")
	v.ticks(10)
	testkit.EqualSlices(t, there(), left, "there()")
	v.rightClick(row(0))
	v.line("Delete…")
	const open1 = "Delete it (it is open)"
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, open1) })
	v.see("clips_question")
	v.line(open1)
	until("one clip", count("1"))
	got := there()
	testkit.That(t, len(got) == 1 && slices.Contains(left, got[0]), "%q is left of %q", got, left)

	// A press on its title gives it the keyboard, wherever the mouse goes then: Delete chooses the clip that is
	// left, and asks.
	v.click(v.at("clips", 200, 12))
	v.rest()
	v.press(ebiten.KeyDelete)
	v.press(ebiten.KeyDelete)
	until("the question", func(o *app.Observed) bool { return slices.Contains(o.Menu, open1) })
	v.line("Keep it")
	v.click(v.at("clips", -12, 14))
	testkit.That(t, !listed(), "its cross does not shut the list")
}

// TestBudgets makes a budget by a right click on a frame, sees it broken in the panel, goes to the worst
// frame, changes it so that it is kept, sets another by the keyboard, and removes both; the file follows.
func TestBudgets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.toml")
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	retype := func(text string) {
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(text)
		v.press(ebiten.KeyEnter)
	}
	file := func(want string) {
		t.Helper()
		text, err := os.ReadFile(path)
		testkit.That(t, err == nil && string(text) == want, "the file is %q (%v), want %q", text, err, want)
	}
	v.rest()
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.choose("Set budget…")
	v.seeAtRest("budget_measure")
	retype("12 ms")
	v.ticks(2)
	retype(path)
	v.hush(1) // the notice names a folder that is another each time
	file("[[budget]]\nlimit = \"12 ms\"\n")
	v.palette("budgets")
	v.seeAtRest("budgets")
	row := func(o *app.Observed) bool { return o.Under == panel.HitFrame && len(o.UnderLines) > 3 }
	v.click(v.find("budgets", row))
	v.rest()
	o := v.observe()
	testkit.That(t, o.FrameA >= 0 && o.FrameA == o.FrameB, "frames %d to %d are selected", o.FrameA, o.FrameB)
	v.rightClick(v.find("budgets", row))
	v.choose("Change budget…")
	v.ticks(2)
	retype("50 ms")
	v.rest()
	file("[[budget]]\nlimit = \"50 ms\"\n")
	v.see("budgets_kept")

	v.click(v.find("flame", func(o *app.Observed) bool { return o.UnderCollector > 0 }))
	v.move(v.at("why", 20, 20)) // what is chosen is meant where nothing is under the mouse
	v.press(ebiten.KeyL, ebiten.KeyShiftLeft)
	v.ticks(2)
	v.press(ebiten.KeyEnter)
	v.rest()
	text, _ := os.ReadFile(path)
	testkit.That(t, strings.HasPrefix(string(text), "[[budget]]\nlimit = \"50 ms\"\n\n[[budget]]\ncollector = \"App:"),
		"%q", text)
	for range 2 {
		v.rightClick(v.find("budgets", func(o *app.Observed) bool { return len(o.UnderLines) > 3 }))
		v.choose("Remove budget")
		v.rest()
	}
	file("\n")
	v.see("budgets_none")
}

// palette runs the command that is found first by some words.
func (v *viewer) palette(words string) {
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText(words)
	v.press(ebiten.KeyEnter)
	v.ticks(2)
}

// TestBookmarks opens a link, marks frames and a span by key and by menu, writes a note, goes back to
// what was marked by key, flag, list and palette, and takes a bookmark away.
func TestBookmarks(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 1200, scale: 1, files: []string{recording("late") + "#frame=80&thread=Main"}})
	frame := func(want int64) {
		t.Helper()
		v.rest()
		if o := v.observe(); o.FrameA != want || o.FrameB != want {
			t.Fatalf("frames %d to %d are selected, want %d", o.FrameA, o.FrameB, want)
		}
	}
	// noted finds the flag, or the row, of the bookmark with a note.
	noted := func(o *app.Observed) bool {
		return o.Under == panel.HitMark && slices.ContainsFunc(o.UnderLines, func(s string) bool { return strings.Contains(s, "a note") })
	}
	frame(80)
	v.press(ebiten.KeyB)
	v.press(ebiten.KeyArrowRight)
	v.press(ebiten.KeyArrowRight)
	frame(82)
	v.press(ebiten.KeyB, ebiten.KeyAltLeft)
	v.typeText("a note on i")
	v.input.Commit("t") // in one tick with Enter, which does not overtake it
	v.press(ebiten.KeyEnter)
	v.rightClick(v.find("timeline", over(panel.HitSpan)))
	v.choose("Bookmark")
	v.rest()
	flag := func() (x, y float64) {
		t.Helper()
		x0, y := v.at("frames", 0, 18)
		for from := x0; from < x0+1200; from += 90 {
			if x, y, found := v.lookAt(points(from, y, 3, 0, 30), noted); found {
				return x, y
			}
		}
		t.Fatal("there is no flag in the frame strip")
		return 0, 0
	}
	flag()
	v.ticks(30)
	v.see("bookmarks")
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	frame(80)
	v.press(ebiten.KeyZ, ebiten.KeyControlLeft)
	frame(82)
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.click(flag())
	frame(82)
	v.press(ebiten.KeyDigit3, ebiten.KeyControlLeft)
	v.rest()
	testkit.That(t, v.observe().HasSpan, "the bookmark of a span selects none")
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("a note on")
	v.press(ebiten.KeyEnter)
	frame(82)
	v.press(ebiten.KeyDigit1, ebiten.KeyControlLeft)
	v.click(v.find("bookmarks", noted))
	frame(82)
	v.rightClick(v.find("bookmarks", noted))
	v.choose("Remove the bookmark")
	v.rest()
	x, y := v.at("bookmarks", 60, 30)
	_, _, found := v.lookAt(points(x, y, 0, 6, 30), noted)
	testkit.That(t, !found, "it is still there")
	v.press(ebiten.KeyDigit2, ebiten.KeyControlLeft) // there is none
	frame(82)
}
