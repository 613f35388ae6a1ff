package overview

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
)

// The label says how much the highest column is, not the round value at the upper edge.
func TestLabelIsTheHighestColumn(t *testing.T) {
	for _, sampled := range []bool{false, true} {
		rig := chartstest.NewRig(chartstest.NewCallSession(sampled), 1, 1200, 62)
		o := &Overview{}
		rig.Tick(o)
		want, cw := 0.0, rig.Env.Px(overviewPx)
		for x := o.rect.X0; x < o.rect.X1; x += cw {
			from, to := o.columnsOf(x, x+cw)
			sum := 0.0
			for row := range o.data.rows {
				sum += o.value(row, from, to)
			}
			want = math.Max(want, sum)
		}
		if !(want > 0) || o.most != want || o.top < o.most {
			t.Errorf("sampled %v: %v is the highest, the label says %v, the edge is %v", sampled, want, o.most, o.top)
		}
	}
}
