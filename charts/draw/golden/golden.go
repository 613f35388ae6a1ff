// Package golden compares pictures with stored ones in tests. Most are layouts: the places of shapes and
// texts, whatever the colors. A layout is two files: name.png with the shapes, in which texts are boxes,
// and name.txt with the texts. The few pictures in colored judge the look.
//
// Run the tests with -update to store differing pictures. A picture that differs or was stored is also
// written, in its colors, to a folder under $FRAMESCOPE_GOLDEN_OUT, else under the system's folder for
// temporary files: look at it before committing.
package golden

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/internal/testkit"
)

// The tolerance. Rendering is exact up to the rounding of floating-point numbers, which may differ
// between processors: it is for that alone.
const (
	DefaultMaxDiff   = 2
	DefaultMaxPixels = 8
	layoutMaxPixels  = 4
)

// The flag is registered when a test program loads this package.
var update = testkit.Update

// Check compares a picture with the PNG file at path, which is relative to the test's folder
// ("testdata/golden/name.png"): its layout, or its colors if Colored returns true.
func Check(t testing.TB, path string, p *draw.Picture) {
	t.Helper()
	if Colored(path) {
		CheckImage(t, path, p.Image(), DefaultMaxDiff, DefaultMaxPixels)
		return
	}
	shapes, texts := Layout(p)
	CheckLayout(t, path, shapes, texts, func() image.Image { return p.Image() })
}

// CheckLayout compares a layout with the PNG file at path and the texts beside it. Look returns its
// picture in colors.
func CheckLayout(t testing.TB, path string, shapes *image.Paletted, texts string, look func() image.Image) {
	t.Helper()
	check(t, path, shapes, layoutMaxPixels, func(want image.Image) Comparison { return compareLayouts(want, shapes) },
		look)
	beside := strings.TrimSuffix(path, ".png") + ".txt"
	stored, err := os.ReadFile(beside)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("golden: %v", err)
	}
	if string(stored) == texts {
		return
	}
	if !*update {
		line, want, got := firstDifference(string(stored), texts)
		t.Errorf("golden: %s:%d is %q, got %q; it looks like %s", beside, line, want, got, save(t, path, "look", look()))
		return
	}
	if texts == "" {
		err = os.Remove(beside)
	} else {
		err = os.WriteFile(beside, []byte(texts), 0o644)
	}
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	t.Logf("golden: %s stored; it looks like %s", beside, save(t, path, "look", look()))
}

// SameLayout reports whether a layout is the stored one.
func SameLayout(path string, shapes *image.Paletted, texts string) bool {
	want, err := readPNG(path)
	stored, _ := os.ReadFile(strings.TrimSuffix(path, ".png") + ".txt")
	return err == nil && want.Bounds() == shapes.Rect && compareLayouts(want, shapes).Pixels <= layoutMaxPixels &&
		string(stored) == texts
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(want, got string) (line int, a, b string) {
	for {
		var moreA, moreB bool
		line++
		a, want, moreA = strings.Cut(want, "\n")
		b, got, moreB = strings.Cut(got, "\n")
		if a != b || !moreA || !moreB {
			return line, a, b
		}
	}
}

// CheckImage compares colors with the PNG file at path, which Colored must know. A pixel differs when a
// component differs by more than maxDiff (0…255); up to maxPixels may.
func CheckImage(t testing.TB, path string, img image.Image, maxDiff, maxPixels int) {
	t.Helper()
	if !Colored(path) {
		t.Errorf("golden: %s is not in the list of colored pictures: its layout is enough, or add it to colored.go", path)
	}
	got := toNRGBA(img)
	check(t, path, got, maxPixels, func(want image.Image) Comparison { return Compare(want, got, maxDiff) },
		func() image.Image { return got })
}

// check compares a picture with the file at path; -update stores it where they differ.
func check(
	t testing.TB, path string, got image.Image, maxPixels int, compare func(want image.Image) Comparison,
	look func() image.Image,
) {
	t.Helper()
	want, err := readPNG(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		t.Fatalf("golden: %v", err)
	}
	var c Comparison
	same := !missing && got.Bounds().Size() == want.Bounds().Size()
	if same {
		c = compare(want)
	}
	switch {
	case same && c.Pixels <= maxPixels:
	case *update:
		if err := writePNG(path, got); err != nil {
			t.Fatalf("golden: %v", err)
		}
		t.Logf("golden: %s stored; it looks like %s", path, save(t, path, "look", look()))
	case missing:
		t.Errorf("golden: %s does not exist; it looks like %s (run with -update to store it)", path,
			save(t, path, "look", look()))
	case !same:
		t.Errorf("golden: %s is %v, got %v; it looks like %s", path, want.Bounds().Size(), got.Bounds().Size(),
			save(t, path, "look", look()))
	default:
		t.Errorf("golden: %s: %d pixels differ (allowed: %d), at %v; it looks like %s, differences %s", path,
			c.Pixels, maxPixels, c.At, save(t, path, "look", look()), save(t, path, "diff", c.Picture))
	}
}

// Comparison is the difference of two pictures.
type Comparison struct {
	// Pixels is how many pixels differ by more than the tolerance, Worst the largest difference of a
	// component, At where it is; of layouts the first place.
	Pixels, Worst int
	At            image.Point
	// Picture shows the second picture darkened, with the differing pixels in red. It is nil when none
	// differs.
	Picture image.Image
}

// Compare compares two pictures of the same size. Pixels that are fully transparent in both are
// equal.
func Compare(want, got image.Image, maxDiff int) Comparison {
	a, b := toNRGBA(want), toNRGBA(got)
	var c Comparison
	var picture *image.NRGBA
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			if p.A == 0 && q.A == 0 {
				continue
			}
			d := max(diff(p.R, q.R), diff(p.G, q.G), diff(p.B, q.B), diff(p.A, q.A))
			if d > c.Worst {
				c.Worst, c.At = d, image.Pt(x, y)
			}
			if d <= maxDiff {
				continue
			}
			c.Pixels++
			if picture == nil {
				picture = darkened(b)
			}
			picture.SetNRGBA(x, y, color.NRGBA{255, uint8(max(0, 160-2*d)), 0, 255})
		}
	}
	if picture != nil {
		c.Picture = picture
	}
	return c
}

// compareLayouts compares two layouts of the same size. Their numbers need not be equal, if each of one
// stands for one of the other: the one with which it shares the most pixels. A picture that is no
// layout differs everywhere.
func compareLayouts(want image.Image, got *image.Paletted) (c Comparison) {
	stored, ok := want.(*image.Paletted)
	if !ok {
		return Comparison{Pixels: len(got.Pix), Picture: want}
	}
	type pair struct {
		want, got uint8
		pixels    int
	}
	shared := make([]int, 1<<16)
	for i, n := range got.Pix {
		shared[int(stored.Pix[i])<<8|int(n)]++
	}
	var pairs []pair
	for i, n := range shared {
		if n > 0 {
			pairs = append(pairs, pair{uint8(i >> 8), uint8(i), n})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return b.pixels - a.pixels })
	var names [256]int // one more than the number in the stored one
	var taken [256]bool
	for _, p := range pairs {
		if names[p.got] == 0 && !taken[p.want] {
			names[p.got], taken[p.want] = int(p.want)+1, true
		}
	}
	var picture *image.NRGBA
	for i, n := range got.Pix {
		if names[n] == int(stored.Pix[i])+1 {
			continue
		}
		at := image.Pt(i%got.Stride, i/got.Stride)
		if picture == nil {
			picture, c.At = darkened(toNRGBA(got)), at
		}
		c.Pixels++
		picture.SetNRGBA(at.X, at.Y, color.NRGBA{255, 0, 0, 255})
	}
	if picture != nil {
		c.Picture = picture
	}
	return c
}

func diff(a, b uint8) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}

func darkened(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for i := 0; i < len(img.Pix); i += 4 {
		for k := range 3 {
			out.Pix[i+k] = uint8(int(img.Pix[i+k]) * int(img.Pix[i+3]) / 255 / 3)
		}
		out.Pix[i+3] = 255
	}
	return out
}

// toNRGBA returns a copy with its top left at (0, 0): the content of a PNG file.
func toNRGBA(img image.Image) *image.NRGBA {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	stddraw.Draw(out, out.Rect, img, b.Min, stddraw.Src)
	return out
}

func readPNG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

func writePNG(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	return errors.Join(enc.Encode(f, img), f.Close())
}

// save writes a picture of a failed comparison and returns where it is.
func save(t testing.TB, path, kind string, img image.Image) string {
	dir := os.Getenv("FRAMESCOPE_GOLDEN_OUT")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "framescope-golden")
	}
	name := strings.NewReplacer("/", "_", `\`, "_", " ", "_").Replace(t.Name() + "_" +
		strings.TrimSuffix(filepath.Base(path), ".png"))
	out := filepath.Join(dir, name+"."+kind+".png")
	if err := writePNG(out, img); err != nil {
		return "(not saved: " + err.Error() + ")"
	}
	return out
}
