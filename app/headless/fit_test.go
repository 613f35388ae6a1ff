package headless

import (
	"bytes"
	"image"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/model/store"
)

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
// chart shows, and nothing of it is cut off, at any scale.
func TestPicturesAreAsHighAsWhatTheyShow(t *testing.T) {
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
		o := PictureOptions{Chart: chart, Range: r, Scale: scale}
		img := testkit.Must(pictureOf(s, o))(t)
		h := img.Rect.Dy()
		if least := int(scale * (headHeight + leastFitted)); h > least+2 && !rowsDiffer(img, h-int(44*scale), h) {
			t.Errorf("at scale %v nothing lies at the lower end of %d pixels", scale, h)
		}
		o.Height = h + int(200*scale)
		more := testkit.Must(pictureOf(s, o))(t)
		// The piano roll writes at its lower edge what the budget is.
		if chart != "piano" && rowsDiffer(more, h+2, more.Rect.Dy()-int(4*scale)) {
			t.Errorf("at scale %v there is more below %d pixels", scale, h)
		}
	}
}
