// Package golden compares rendered pictures with stored ones in tests. Run the tests with -update
// to store what they render now, then look at the pictures before committing them. The pictures of
// a failed comparison are written to a folder under $FRAMESCOPE_GOLDEN_OUT, else under the system's
// folder for temporary files.
package golden

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tolerance of Check. Rendering is exact up to the rounding of floating-point numbers, which
// may differ between processors: it is for that alone.
const (
	DefaultMaxDiff   = 2
	DefaultMaxPixels = 8
)

// The flag is registered when a test program loads this package.
var update = flag.Bool("update", false, "store the rendered pictures as the golden ones")

// Check compares a picture with the PNG file at path, which is relative to the test's folder
// ("testdata/golden/name.png"), with the default tolerance.
func Check(t testing.TB, path string, img image.Image) {
	t.Helper()
	CheckTolerance(t, path, img, DefaultMaxDiff, DefaultMaxPixels)
}

// CheckTolerance compares a picture with the PNG file at path. A pixel differs when a component
// differs by more than maxDiff (0…255); up to maxPixels may.
func CheckTolerance(t testing.TB, path string, img image.Image, maxDiff, maxPixels int) {
	t.Helper()
	got := toNRGBA(img)
	if *update {
		if err := writePNG(path, got); err != nil {
			t.Fatalf("golden: %v", err)
		}
		return
	}
	want, err := readPNG(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("golden: %s does not exist; got %s (run with -update to store it)", path, save(t, path, "got", got))
		return
	}
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	if got.Rect.Size() != want.Bounds().Size() {
		t.Errorf("golden: %s is %v, got %v in %s", path, want.Bounds().Size(), got.Rect.Size(), save(t, path, "got", got))
		return
	}
	c := Compare(want, got, maxDiff)
	if c.Pixels > maxPixels {
		t.Errorf("golden: %s: %d pixels differ by more than %d (allowed: %d), the most by %d at %v; got %s, differences %s", path,
			c.Pixels, maxDiff, maxPixels, c.Worst, c.At, save(t, path, "got", got), save(t, path, "diff", c.Picture))
	}
}

// Comparison is the difference of two pictures.
type Comparison struct {
	// Pixels is how many pixels differ by more than the tolerance, Worst the largest difference of a
	// component, At where.
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

// toNRGBA returns a copy whose top left is (0, 0): what a PNG file holds.
func toNRGBA(img image.Image) *image.NRGBA {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Rect, img, b.Min, draw.Src)
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
	name := strings.NewReplacer("/", "_", `\`, "_", " ", "_").Replace(t.Name() + "_" + strings.TrimSuffix(filepath.Base(path), ".png"))
	out := filepath.Join(dir, name+"."+kind+".png")
	if err := writePNG(out, img); err != nil {
		return "(not saved: " + err.Error() + ")"
	}
	return out
}
