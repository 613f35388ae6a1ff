package golden

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder takes the place of a test that is to fail.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Name() string                      { return "TestOf/a picture" }
func (r *recorder) Errorf(format string, args ...any) { r.errors = append(r.errors, format) }

func picture(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 5), uint8(y * 5), 100, 255})
		}
	}
	return img
}

func TestCheck(t *testing.T) {
	out := t.TempDir()
	t.Setenv("FRAMESCOPE_GOLDEN_OUT", out)
	path := filepath.Join(t.TempDir(), "p.png")
	img := picture(20, 10)
	if err := writePNG(path, img); err != nil {
		t.Fatal(err)
	}
	fails := func(path string, img image.Image) []string {
		r := &recorder{TB: t}
		CheckTolerance(r, path, img, 2, 3)
		return r.errors
	}
	if e := fails(path, img); e != nil {
		t.Errorf("the same picture: %v", e)
	}
	// Within the tolerance: small differences everywhere, and three large ones.
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i] += 2
	}
	for x := range 3 {
		img.SetRGBA(x, 3, color.RGBA{0, 0, 0, 255})
	}
	if e := fails(path, img); e != nil {
		t.Errorf("a picture within the tolerance: %v", e)
	}
	img.SetRGBA(9, 9, color.RGBA{0, 0, 0, 255})
	if e := fails(path, img); len(e) != 1 || !strings.Contains(e[0], "differ") {
		t.Errorf("four different pixels: %v", e)
	}
	for _, kind := range []string{"got", "diff"} {
		name := filepath.Join(out, "TestOf_a_picture_p."+kind+".png")
		if p, err := readPNG(name); err != nil || p.Bounds().Size() != image.Pt(20, 10) {
			t.Errorf("%s was not written: %v", name, err)
		}
	}
	if e := fails(path, picture(21, 10)); len(e) != 1 {
		t.Errorf("another size: %v", e)
	}
	if e := fails(path+"x", img); len(e) != 1 || !strings.Contains(e[0], "-update") {
		t.Errorf("no golden picture: %v", e)
	}
}

func TestUpdate(t *testing.T) {
	old := *update
	defer func() { *update = old }()
	*update = true
	path := filepath.Join(t.TempDir(), "new", "folder", "p.png")
	whole := picture(30, 30)
	Check(t, path, whole.SubImage(image.Rect(5, 6, 25, 20)))
	*update = false
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	Check(t, path, whole.SubImage(image.Rect(5, 6, 25, 20)))
}
