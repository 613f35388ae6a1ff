// The report of a recording as one self-contained HTML page: hitches and their causes, frame times,
// pictures, statistics, and losses. Its figures are those of `framescope report --stats --json`, its
// sentences those of `framescope why`.

package cli

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"framescope/app/headless"
	"framescope/app/report"
	"framescope/charts/format"
	"framescope/charts/registry"
	"framescope/internal/escape"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
)

// PageOptions describe the page.
type PageOptions struct {
	// Name is the page's name for the recording: the name of its file.
	Name string
	// Range is the covered range, everything by default; Threads are the names or indices of the
	// threads with figures, all by default, and the page explains the first thread's frames.
	Range   place.TimeRange
	Threads []string
	// Bookmarks are the recording's bookmarks.
	Bookmarks []place.Mark
	// Viewer writes the viewer and the recording, as the last part of the page; nil: it has none.
	Viewer func(w io.Writer) error
}

//go:embed page.html
var pageHTML string

// mostWorst is how many hitches have a sentence each.
const mostWorst = 20

// content is the page's content.
type content struct {
	*report.Figures
	Title, About  string
	Histogram     *histogram
	Causes, Worst []string
	Pictures      []picture
	Tables        []table
}

// WritePage writes the page of a session.
func WritePage(w io.Writer, s *store.Session, o PageOptions) error {
	f, err := report.FiguresOf(s, report.Options{Range: o.Range, Threads: o.Threads, Bookmarks: o.Bookmarks})
	if err != nil {
		return err
	}
	c := content{Figures: f, Title: escape.Name(o.Name), About: about(f), Tables: tables(f)}
	why := report.WhyOptions{Range: o.Range, Worst: mostWorst}
	if len(o.Threads) > 0 {
		why.Thread = o.Threads[0]
	}
	if c.Worst, err = sentences(s, why); err != nil {
		return err
	}
	why.ByCause = true
	if c.Causes, err = sentences(s, why); err != nil {
		return err
	}
	if c.Histogram, err = histogramOf(s, &why); err != nil {
		return err
	}
	if c.Pictures, err = pictures(s, &o, &why); err != nil {
		return err
	}
	if _, err := io.WriteString(escape.NewWriter(w), c.page()); err != nil {
		return err
	}
	if o.Viewer != nil {
		if err := o.Viewer(w); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "</body>\n</html>\n")
	return err
}

// ask parses the JSON of a report.
func ask(to any, write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return json.Unmarshal(b.Bytes(), to)
}

// sentences returns the lines of `framescope why`; none if it has no answer, or supports only ranges.
func sentences(s *store.Session, o report.WhyOptions) ([]string, error) {
	var b strings.Builder
	err := report.WriteWhy(&b, s, o)
	if errors.Is(err, report.ErrNone) || errors.Is(err, report.ErrRange) {
		return nil, nil
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n"), err
}

// about describes the origin of the recording.
func about(f *report.Figures) string {
	var parts []string
	for _, p := range [...]string{f.Session.Program, f.Session.Host, f.Session.Version} {
		if p != "" {
			parts = append(parts, escape.Name(p))
		}
	}
	return strings.Join(parts, " · ")
}

// histogram is how many frames took how long.
type histogram struct {
	Thread string
	Bins   []bin
	Above  *bin // all that took longer than the last bin
}

type bin struct {
	From    float64 // ns
	Frames  int64
	Percent float64 // of the highest bar
}

// mostBins is how many bars the histogram has at most.
const mostBins = 40

// histogramOf returns the histogram of the frames of the thread that is explained; nil where there
// are none.
func histogramOf(s *store.Session, o *report.WhyOptions) (*histogram, error) {
	if !s.HasFrames() {
		return nil, nil
	}
	track, err := place.FindTrack(s, o.Thread)
	if err != nil {
		return nil, err
	}
	first, last, err := o.Range.Frames(s, track)
	if err != nil {
		return nil, err
	}
	t := s.Track(track)
	var lengths []int64
	for i := first; i <= last; i++ {
		f := t.Frame(i)
		lengths = append(lengths, f.End-f.Begin)
	}
	h := compare.HistogramOf(lengths, mostBins)
	out := &histogram{Thread: t.Title()}
	highest := h.Above[0]
	for _, n := range h.Counts[0] {
		highest = max(highest, n)
	}
	at := func(i int, n int64) bin {
		return bin{float64(h.FromNs + int64(i)*h.StepNs), n, 100 * float64(n) / float64(max(highest, 1))}
	}
	for i, n := range h.Counts[0] {
		out.Bins = append(out.Bins, at(i, n))
	}
	if n := h.Above[0]; n > 0 {
		above := at(len(h.Counts[0]), n)
		out.Above = &above
	}
	return out, nil
}

// timeCell is a cell with a short time, and the exact one as a tooltip and for sorting.
func timeCell(ns float64) markup { return exactCell(ns, format.AppendDuration(nil, int64(ns))) }

func exactCell(ns float64, text []byte) markup {
	exact := strconv.FormatFloat(ns, 'f', -1, 64)
	return markup(fmt.Sprintf(`<td data-v="%s" title="%[1]s ns">%s</td>`, exact, text))
}

// nsCell is a cell with a time in ns; nil: it is not known.
func nsCell(ns *int64) any {
	if ns == nil {
		return empty
	}
	return nanoseconds(*ns)
}

// countCell is a cell with a number.
func countCell(n int64) markup {
	return markup(fmt.Sprintf(`<td data-v="%d">%s</td>`, n, format.AppendCount(nil, n)))
}

// valueCell is a cell with a value in a unit.
func valueCell(v float64, unit string) markup {
	return markup(fmt.Sprintf(`<td data-v="%v">%s</td>`, v, html.EscapeString(string(format.AppendValue(nil, v, unit)))))
}

// picture is a panel of the page.
type picture struct {
	Title, What string
	SVG         markup
}

// wanted are the panels of a page, in this order, where there is something to show in them.
var wanted = [...]string{"overview", "frames", "strip", "timeline", "flame", "topology", "waterfall", "series", "locks"}

// ofOne are the panels that show the slowest frame; the others show the whole range of the page.
var ofOne = [...]string{"timeline", "flame"}

// pictures draws the panels.
func pictures(s *store.Session, o *PageOptions, why *report.WhyOptions) ([]picture, error) {
	var worst []struct{ Frame int64 }
	if s.HasFrames() {
		one := *why
		one.ByCause, one.JSON, one.Worst = false, true, 1
		if err := ask(&worst, func(w io.Writer) error { return report.WriteWhy(w, s, one) }); err != nil {
			return nil, err
		}
	}
	there := headless.PanelsOf(s)
	var out []picture
	for _, id := range wanted {
		if !slices.Contains(there, id) {
			continue
		}
		d, _ := registry.Find(id)
		p := headless.PictureOptions{Panel: id, Range: o.Range, Thread: why.Thread}
		x := picture{Title: d.Title, What: d.Help}
		if d.Whole {
			p.Range = place.TimeRange{}
		}
		if len(worst) > 0 && slices.Contains(ofOne[:], id) {
			p.Range = place.TimeRange{A: worst[0].Frame, B: worst[0].Frame, HasA: true, HasB: true}
			x.What += fmt.Sprintf("; here the slowest hitch, frame %d", worst[0].Frame)
		}
		drawn, err := headless.Picture(s, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Title, err)
		}
		drawn.Name = id
		var b bytes.Buffer
		if err := drawn.Write(&b, ".svg"); err != nil {
			return nil, err
		}
		x.SVG = markup(b.String())
		out = append(out, x)
	}
	return out, nil
}
