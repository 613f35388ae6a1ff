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

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/cli"
	"framescope/charts/draw/golden"
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
	written := func(panel, name string) (path string) {
		t.Helper()
		v.rest()
		v.ticks(20)
		v.rightClick(v.title(panel))
		v.line("Export rows or picture…")
		v.ticks(4)
		path = filepath.Join(dir, name)
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(path)
		v.press(ebiten.KeyEnter)
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
	var report struct {
		Threads []struct {
			Times []struct {
				Collector string
				Starts    int64
				Net       struct{ Median, P95, P99, Max int64 } `json:"net_ns"`
			}
		}
	}
	if err := json.Unmarshal([]byte(said("report", recording("nested"), "--stats", "--range", frames, "--thread", "Main", "--json")), &report); err != nil {
		t.Fatal(err)
	}
	at := func(title string) int { return slices.Index(rows[0], title) }
	want := map[string][]string{}
	for _, x := range report.Threads[0].Times {
		var line []string
		for _, n := range []int64{x.Starts, x.Net.Median, x.Net.P95, x.Net.P99, x.Net.Max} {
			line = append(line, strconv.FormatInt(n, 10))
		}
		want[x.Collector] = line
	}
	for _, row := range rows[1:] {
		got := []string{row[at("starts")], row[at("median [ns]")], row[at("p95 [ns]")], row[at("p99 [ns]")], row[at("max [ns]")]}
		name := row[at("collector")]
		testkit.That(t, slices.Equal(got, want[name]), "%s: %q is exported, report says %q", name, got, want[name])
	}

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
		said("render", recording("nested"), "--chart", "flame", "--range", frames, "--size", size, "-o", path)
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
	written := func(words, format, name string) []byte {
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
		path := filepath.Join(dir, name)
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(path)
		v.press(ebiten.KeyEnter)
		return v.written(path)
	}
	if got, want := written("export the session as", "chrome", "all.json"), command("--to", "chrome"); string(got) != string(want) {
		t.Errorf("the session: %d bytes, the command writes %d", len(got), len(want))
	}
	v.press(ebiten.KeyHome)
	for range 10 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	got := written("export only the selection as", "perfetto", "part.pftrace")
	want := command("--to", "perfetto", "--range", "1:11")
	testkit.That(t, string(got) == string(want), "frames 1 to 11: %d bytes, the command writes %d", len(got), len(want))
}
