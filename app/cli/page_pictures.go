package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"framescope/app/headless"
	"framescope/app/report"
	"framescope/charts/registry"
	"framescope/model/place"
	"framescope/model/store"
)

// picture is a chart of the page.
type picture struct {
	Title, What string
	SVG         markup
}

// wanted are the charts of a page, in this order, where there is something to show in them.
var wanted = [...]string{"overview", "frames", "strip", "timeline", "flame", "topology", "waterfall", "series", "locks"}

// ofOne are the charts that show the slowest frame; the others show the whole range of the page.
var ofOne = [...]string{"timeline", "flame"}

// pictures draws the charts.
func pictures(s *store.Session, o *PageOptions, why *report.WhyOptions) ([]picture, error) {
	var worst []struct{ Frame int64 }
	if s.HasFrames() {
		one := *why
		one.ByCause, one.JSON, one.Worst = false, true, 1
		if err := ask(&worst, func(w io.Writer) error { return report.WriteWhy(w, s, one) }); err != nil {
			return nil, err
		}
	}
	there := headless.ChartsOf(s)
	var out []picture
	for _, id := range wanted {
		if !slices.Contains(there, id) {
			continue
		}
		d, _ := registry.Find(id)
		p := headless.PictureOptions{Chart: id, Range: o.Range, Thread: why.Thread}
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
