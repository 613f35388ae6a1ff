package headless

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"regexp"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/model/store"
)

// colors counts the different colors of a picture: a chart that drew nothing has only a few.
func colors(img *image.RGBA) int {
	seen := map[[4]uint8]bool{}
	for i := 0; i < len(img.Pix); i += 4 {
		seen[[4]uint8(img.Pix[i:i+4])] = true
	}
	return len(seen)
}

func TestPictures(t *testing.T) {
	s := capture(t, "pstats/late.pstats")
	for _, chart := range ChartsOf(s) {
		for _, text := range []string{"", "50:80", "1.6s:1.9s"} {
			r := testkit.Must(place.ParseRange(text))(t)
			if d, _ := defOf(chart); d.Whole && text != "" {
				continue
			}
			img, err := pictureOf(s, PictureOptions{Chart: chart, Range: r, Width: 640, Height: 240})
			if err != nil {
				t.Errorf("%s of %q: %v", chart, text, err)
				continue
			}
			testkit.That(t, img.Rect.Dx() == 640 && img.Rect.Dy() == 240, "%s: %v", chart, img.Rect)
			n := colors(img)
			testkit.That(t, n >= 20, "%s of %q: only %d colors", chart, text, n)
			for i := 3; i < len(img.Pix); i += 4 {
				if img.Pix[i] != 255 {
					t.Errorf("%s of %q: transparent at byte %d", chart, text, i)
					break
				}
			}
			if dir := os.Getenv("FRAMESCOPE_PICTURES"); dir != "" {
				f := testkit.Must(os.Create(dir + "/" + chart + "-" + strings.NewReplacer(":", "_").Replace(text) + ".png"))(t)
				png.Encode(f, img)
				f.Close()
			}
		}
	}
}

func TestRangesChangePictures(t *testing.T) {
	s := capture(t, "pstats/late.pstats")
	for _, chart := range ChartsOf(s) {
		if d, _ := defOf(chart); d.Whole {
			_, err := pictureOf(s, PictureOptions{Chart: chart, Range: place.TimeRange{A: 20, HasA: true}})
			testkit.That(t, err != nil, "%s from frame 20 on: drawn, though it is about the whole recording", chart)
			continue
		}
		a, errA := pictureOf(s, PictureOptions{Chart: chart, Range: place.TimeRange{A: 20, B: 40, HasA: true, HasB: true}, Width: 400, Height: 200})
		b, errB := pictureOf(s, PictureOptions{Chart: chart, Range: place.TimeRange{A: 120, B: 160, HasA: true, HasB: true}, Width: 400, Height: 200})
		testkit.MustThat(t, errA == nil && errB == nil, "%v %v", errA, errB)
		testkit.That(t, string(a.Pix) != string(b.Pix), "%s: frames 20 to 40 look like 120 to 160", chart)
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	s := capture(t, "pstats/nested.pstats")
	for want, o := range map[string]PictureOptions{
		"choose one of: timeline": {Chart: "pie"},
		"no thread":               {Chart: "flame", Thread: "GPU"},
		"no collector":            {Chart: "strip", Collector: "Nonsense"},
		"64":                      {Chart: "strip", Width: 10},
		"megapixels":              {Chart: "strip", Width: 16000, Height: 16000},
		"scale":                   {Chart: "strip", Scale: 100, Width: 100, Height: 100},
		"no frame of thread":      {Chart: "strip", Range: place.TimeRange{A: 1e6, HasA: true}},
	} {
		testkit.Refused(pictureOf(s, o))(t, want)
	}
	_, err := pictureOf(store.NewSession(), PictureOptions{Chart: "timeline"})
	testkit.That(t, err != nil, "a picture of nothing")
}

// pictureOf draws a chart in software.
func pictureOf(s *store.Session, o PictureOptions) (*image.RGBA, error) {
	p, err := Picture(s, o)
	if err != nil {
		return nil, err
	}
	return p.Image(), nil
}

// In a picture of a range of frames the threads are labelled with these, not with the first of all.
func TestTimelineIsLabelledWithItsFrames(t *testing.T) {
	s := capture(t, "pstats/late.pstats")
	p, err := Picture(s, PictureOptions{Chart: "timeline", Range: place.TimeRange{A: 20, B: 20, HasA: true, HasB: true}})
	testkit.OK(t, err)
	var svg bytes.Buffer
	testkit.OK(t, p.Write(&svg, ".svg"))
	first := s.Track(s.MainTrack()).Frame(0).Number
	if first == 20 || !strings.Contains(svg.String(), ">#20 ") || strings.Contains(svg.String(), fmt.Sprintf(">#%d ", first)) {
		t.Errorf("the frames are called %v, not #20 alone", regexp.MustCompile(`>#[^<]*<`).FindAllString(svg.String(), -1))
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
		testkit.That(t, h <= int(scale*(headHeight+leastFitted))+2 || rowsDiffer(img, h-int(44*scale), h),
			"at scale %v nothing lies at the lower end of %d pixels", scale, h)
		o.Height = h + int(200*scale)
		more := testkit.Must(pictureOf(s, o))(t)
		// The piano roll writes at its lower edge what the budget is.
		testkit.That(t, chart == "piano" || !rowsDiffer(more, h+2, more.Rect.Dy()-int(4*scale)),
			"at scale %v there is more below %d pixels", scale, h)
	}
}
