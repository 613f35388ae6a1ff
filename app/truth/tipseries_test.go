package truth

import (
	"math"

	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/series"
)

// seriesTip is of a series over the range, or of the column under the mouse.
func seriesTip(x *tip) figuresOf {
	for id := range model.SeriesID(x.s.Series().Len()) {
		d := x.s.Series().ByID(id)
		if x.hit.Thing != view.Series(id) {
			continue
		}
		t0, t1 := x.t0, x.t1
		if x.hit.Kind == panel.HitBand {
			t0, t1 = x.hit.From, x.hit.Until
		}
		unit := inBase(&d.Def)
		v, width := x.samples(id, t0, t1), float64(t1-t0)
		want := map[string]float64{
			"n": float64(v.n), "time": float64(t0), "from": float64(t0), "width": width, "sum": v.sum * unit, "last": v.last * unit, "min": v.least * unit,
			"max": v.most * unit, "growth": (v.last - v.first) * unit, "per_second": float64(v.n) * 1e9 / width,
			"mean_rate": v.rate * unit, "sum_per_second": v.sum * unit * 1e9 / width,
		}
		if d.Def.Holds() {
			want["mean_by_time"] = v.mean * unit
		} else {
			want["mean_by_number"] = v.mean * unit
		}
		if v.n > 0 {
			want["p50"], want["p90"], want["p99"] = v.rank(0.5)*unit, v.rank(0.9)*unit, v.rank(0.99)*unit
		}
		if d.Def.Unit == "ns" {
			want["mean_rate"] /= 1e9 // time per time is a share
			want["sum_per_second"] /= 1e9
		}
		at := t1 - 1
		if v.n == 0 && x.said["last_value"] != "" {
			at = math.MaxInt64 / 2
		}
		before, changed, known := model.Sample{}, int64(0), false
		for _, s := range d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil) {
			if s.Time > at {
				if !known || changed == 0 {
					changed = s.Time
				}
				break
			}
			before, known = s, true
		}
		if known {
			want["value"], want["last_value"], want["since"], want["total"] = before.Value*unit, before.Value*unit, float64(before.Time), before.Value*unit
			want["for"] = float64(changed - before.Time)
			want["last_at"] = float64(before.Time)
			if v.n <= 1 { // one value, or the one that is in force
				want["time"] = float64(before.Time)
			}
		}
		if v.n == 1 { // and a gap may begin right behind it
			for _, s := range d.Samples(t0, t1, int(d.Len()), nil) {
				if s.Time >= t0 && s.Time < t1 && s.Value == s.Value {
					want["value"], want["time"] = s.Value*unit, float64(s.Time)
				}
			}
		}
		if d.Def.Kind == model.SeriesCounter && x.hit.Kind == panel.HitBand {
			want["time"], want["per_second"] = float64(t0), growth(d, t0, t1)
			if d.Def.Unit == "ns" {
				want["per_second"] /= 1e9
			}
		}
		return figuresOf{want}
	}
	return nil
}

// growth is by how much a counter grows in a second in a column: between the last value of a column
// that has any and the last one before that column it grows evenly.
func growth(d *series.Series, t0, t1 int64) float64 {
	before, _ := d.At(t0 - 1)
	after, ok := d.At(t1 - 1)
	if !ok || after.Time < t0 {
		next := d.Samples(t1, math.MaxInt64/2, 1, nil)
		if len(next) == 0 {
			return math.NaN()
		}
		columns := (next[0].Time - t1) / (t1 - t0)
		after, _ = d.At(t1 + (columns+1)*(t1-t0) - 1)
	}
	return (after.Value - before.Value) * 1e9 / float64(after.Time-before.Time)
}
