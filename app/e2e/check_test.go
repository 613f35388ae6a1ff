//go:build integration

package e2e

import (
	"fmt"
	"iter"
	"math"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/view"
)

// maxQuads is how many quads a panel may fill a list with: a few for each pixel of the largest
// screens' width and row.
const maxQuads = 400_000

// checker checks the state of the window after a tick: impossible values, selections of missing things, lists that
// are too long. The zero value is ready.
type checker struct {
	seen map[*draw.List]uint64 // revisions of the lists that were looked at
}

// look returns the first thing that is wrong, nil if all is well.
func (c *checker) look(tick int64, views iter.Seq[*view.View], desk *workspace.Desk) (err error) {
	for v := range views {
		if err := checkView(v); err != nil {
			return fmt.Errorf("tick %d, session %q: %w", tick, v.Session().Info().Program, err)
		}
	}
	desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		for _, x := range []float32{r.X0, r.Y0, r.X1, r.Y1} {
			if !finite(float64(x)) && err == nil {
				err = fmt.Errorf("tick %d: pane %s lies at %v", tick, t.ID, r)
			}
		}
		if bad := c.list(t.Panel.List()); bad != nil && err == nil {
			err = fmt.Errorf("tick %d, panel %s: %w", tick, t.ID, bad)
		}
	})
	return err
}

// list checks a list that changed since the last check.
func (c *checker) list(l *draw.List) error {
	if l == nil || c.seen[l] == l.Revision() {
		return nil
	}
	if c.seen == nil {
		c.seen = map[*draw.List]uint64{}
	}
	c.seen[l] = l.Revision()
	if n := l.Quads(); n > maxQuads {
		return fmt.Errorf("the list has %d quads", n)
	}
	for i := range l.Vertices {
		w := &l.Vertices[i]
		for _, x := range [...]float32{w.X, w.Y, w.U, w.V, w.A} {
			if !finite(float64(x)) {
				return fmt.Errorf("vertex %d is %+v", i, *w)
			}
		}
	}
	return nil
}

func checkView(v *view.View) error {
	if b, e := v.Steer().Target(); !finite(v.Time().BeginNs) || !finite(v.Time().EndNs) || !finite(b) || !finite(e) ||
		v.Time().EndNs < v.Time().BeginNs || e < b {
		return fmt.Errorf("%v to %v is visible, on the way to %v to %v", v.Time().BeginNs, v.Time().EndNs, b, e)
	}
	if v.RangeB() < v.RangeA() {
		return fmt.Errorf("the range from %d to %d is selected", v.RangeA(), v.RangeB())
	}
	if v.FrameA() > v.FrameB() || v.FrameA() < -1 || (v.FrameA() < 0) != (v.FrameB() < 0) {
		return fmt.Errorf("frames %d to %d are selected", v.FrameA(), v.FrameB())
	}
	s := v.Session()
	if t := s.Track(v.Track()); t != nil && v.FrameB() >= t.NumFrames() {
		return fmt.Errorf("frame %d of %d is selected", v.FrameB(), t.NumFrames())
	}
	if v.Collector() >= 0 && int(v.Collector()) >= s.Collectors().Len() {
		return fmt.Errorf("collector %d of %d is selected", v.Collector(), s.Collectors().Len())
	}
	if v.HasSpan() && (v.Span().End < v.Span().Begin || s.Track(v.Span().Ref.Track) == nil) {
		return fmt.Errorf("the span from %d to %d of track %d is selected", v.Span().Begin, v.Span().End, v.Span().Ref.Track)
	}
	// Data that leaves memory may take the frame under the playhead with it.
	if b, e, ok := s.Bounds(); ok && v.Playhead() != 0 && (v.Playhead() > e || v.Playhead() < b && v.FrameA() >= 0) {
		return fmt.Errorf("the playhead is at %d, the session goes from %d to %d", v.Playhead(), b, e)
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
