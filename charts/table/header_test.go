package table

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// timesSource has columns with long titles, of times and of shares.
type timesSource struct{ row [1]int }

func (s *timesSource) Rows(*panel.Env) (int, uint64) { return 1, 1 }
func (s *timesSource) At(int) *int                   { return &s.row[0] }
func (s *timesSource) Empty(bool) string             { return "" }
func (s *timesSource) Columns() []Column[int]        { return timesColumns }

var timesColumns = []Column[int]{
	{ID: "name", Title: "collector", Text: func(*panel.Env, *int) string { return "a name" }},
	{ID: "total", Title: "total", Kind: Number, Width: 66, Lead: true, Time: true,
		Value: func(*panel.Env, *int) float64 { return 3e12 }, Format: noFormat},
	{ID: "self", Title: "self CPU time", Kind: Number, Width: 66, Time: true,
		Value: func(*panel.Env, *int) float64 { return 3e6 }, Format: noFormat},
	{ID: "share", Title: "share of the range", Kind: Number, Width: 66, Share: true,
		Value: func(*panel.Env, *int) float64 { return 0.5 }, Format: noFormat},
}

func noFormat(dst []byte, v float64) []byte { return format.AppendCount(dst, int64(v)) }

// At every width each header that is there says what its column is counted in, also the one that the rows
// are sorted by; where names have room enough, it is whole.
func TestHeadersKeepTheirUnits(t *testing.T) {
	atlas := draw.NewAtlas(1)
	for width := float32(90); width < 800; width += 7 {
		rig := chartstest.Rig{Env: chartstest.NewEnvOver(nil, atlas), R: draw.Rect{X1: width, Y1: 66}}
		tb := New("times", &timesSource{})
		rig.Tick(tb)
		for _, c := range timesColumns[1:] {
			at := tb.HeadRect(c.ID)
			var words string
			for _, x := range tb.List().Texts() {
				if x.Box.X0 >= at.X0-1 && x.Box.X1 <= at.X1+1 && x.Box.Y1 < at.Y1 {
					words = x.Text + words // the unit is written first where the title is cut
				}
			}
			unit := map[string]string{"total": " s", "self": " ms", "share": " %"}[c.ID]
			if at.Empty() {
				continue
			}
			if !strings.HasSuffix(words, unit) {
				t.Errorf("%v wide: the header of %s is %q, without%s", width, c.ID, words, unit)
			}
			if width > 550 && words != c.Title+unit {
				t.Errorf("%v wide: the header of %s is %q", width, c.ID, words)
			}
		}
	}
}
