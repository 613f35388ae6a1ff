package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/model"
)

// tableCells returns what a column of a table shows, row by row.
func tableCells(rig *panelRig, src TableSource, col int) (out []string) {
	rows, _ := src.Prepare(rig.env)
	for row := range rows {
		var c Cell
		src.Cell(rig.env, row, col, &c)
		if c.Text == "" {
			c.Text = string(c.Buf)
		}
		out = append(out, c.Text)
	}
	return out
}

func tableSession() *model.Session {
	w := newSeriesWriter()
	for i, name := range []string{"queue10", "queue9", "Sink"} {
		id := w.define(model.SeriesDef{Name: name, Group: "latency", Unit: "ns", Description: "from source to sink"})
		for k := range 100 {
			w.add(id, int64(k)*10*ms, float64((i+1)*(k+1))*1000)
		}
	}
	bytes := w.define(model.SeriesDef{Name: "bytes", Group: "total", Unit: "B", Kind: model.SeriesCounter})
	for k := range 101 {
		w.add(bytes, int64(k)*10*ms, float64(k)*1024)
	}
	w.define(model.SeriesDef{Name: "never", Group: "latency", Unit: "ns"})
	state := w.define(model.SeriesDef{Name: "state", Group: "states", Kind: model.SeriesState, States: []string{"null", "playing"}})
	w.add(state, 0, 1)
	return w.flush()
}

func TestSeriesTable(t *testing.T) {
	rig := newPanelRig(tableSession(), 1, 900, 300)
	src := NewSeriesTable()
	check := func(col int, want string) {
		t.Helper()
		if got := strings.Join(tableCells(rig, src, col), ","); got != want {
			t.Errorf("column %s: %q, want %q", seriesColumns[col].Title, got, want)
		}
	}
	check(seriesColName, "never,queue9,queue10,Sink,state,bytes")
	check(seriesColKind, "value,value,value,value,state,counter")
	check(seriesColMax, "–,200 µs,100 µs,300 µs,–,–")
	check(seriesColLast, "–,200 µs,100 µs,300 µs,playing,100 KiB")
	check(seriesColP99, "–,198 µs,99.0 µs,297 µs,–,–")
	check(seriesColRate, "–,–,–,–,–,100 KiB/s")
	src.Sort(seriesColMean, true)
	check(seriesColName, "Sink,queue9,queue10,bytes,never,state") // those without a mean come last, by name
	src.Sort(seriesColMean, false)
	check(seriesColName, "queue10,queue9,Sink,bytes,never,state")
	src.Sort(seriesColP99, true)
	check(seriesColName, "Sink,queue9,queue10,bytes,never,state")
	src.Sort(seriesColRate, true)
	check(seriesColName, "bytes,never,queue9,queue10,Sink,state")
	src.Sort(seriesColName, false)
	src.Filter = "QUEUE"
	check(seriesColName, "queue9,queue10")
	src.Filter, src.Group, src.OnlyGroup = "", "total", true
	check(seriesColName, "bytes")
	src.OnlyGroup = false
	rig.env.View.SelectRange(0, 100*ms)
	src.Filter = "queue9"
	check(seriesColMax, "20.0 µs")
	check(seriesColN, "10")
	src.Filter = "nobody"
	if rows, _ := src.Prepare(rig.env); rows != 0 || !strings.Contains(src.Empty(), "called like that") {
		t.Errorf("%d rows, %q", rows, src.Empty())
	}
}

func TestSeriesTableShowsInTheChart(t *testing.T) {
	rig := newPanelRig(tableSession(), 1, 900, 300)
	rig.env.View.PlaceTime(0, 1000*ms)
	src, c := NewSeriesTable(), NewSeriesChart()
	src.Chart = c
	table := NewTable("Series", src)
	rig.tick(table)
	rowY := func(row int) float32 { return rig.r.Y0 + 22 + 22*float32(row) + 10 }
	rig.click(table, 60, rowY(1))
	if !slices.Equal(c.IDs, []model.SeriesID{1}) || src.Selected != 1 {
		t.Errorf("a click shows %v", c.IDs)
	}
	rig.in.Ctrl = true
	rig.click(table, 60, rowY(3))
	rig.in.Ctrl = false
	if !slices.Equal(c.IDs, []model.SeriesID{1, 2}) {
		t.Errorf("ctrl + click shows %v", c.IDs)
	}
	rig.tick(table)
	if !src.Row(rig.env, 1).Selected || !src.Row(rig.env, 3).Selected || src.Row(rig.env, 2).Selected {
		t.Error("the rows that are shown are not marked")
	}
	rig.tick(c)
	if len(c.pick.items) != 2 || len(c.lines) != 2 {
		t.Errorf("the chart shows %d", len(c.pick.items))
	}
	rig.doubleClick(table, 60, rowY(2))
	rig.tick(c)
	if c.Group != "latency" || len(c.IDs) != 0 || c.focused().id != 0 {
		t.Errorf("a double click shows %q %v", c.Group, c.IDs)
	}
	h := table.HitTest(rig.env, 60, rowY(1))
	if text := strings.Join(h.Lines, "|"); !strings.Contains(text, "from source to sink") || !strings.Contains(text, "p95\t190 µs") {
		t.Errorf("tooltip %q", h.Lines)
	}
	for range 20 {
		rig.move(table, 60, rowY(2))
	}
	if n := testing.AllocsPerRun(50, func() { rig.move(table, 60, rowY(2)); table.HitTest(rig.env, 60, rowY(1)) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

func TestSeriesDistribution(t *testing.T) {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "v", Group: "g", Unit: "ns"})
	for k := range 1000 {
		v := float64(k % 10 * 1000)
		if k%100 == 50 {
			v = math.NaN()
		}
		w.add(id, int64(k)*ms, v)
	}
	rig := newPanelRig(w.flush(), 1, 640, 300)
	rig.env.View.PlaceTime(0, 1000*ms)
	c := NewSeriesChart()
	c.Distribution = true
	rig.tick(c)
	sum := int32(0)
	for _, n := range c.dist.h.bins {
		sum += n
	}
	if sum != 990 || len(c.dist.h.values) != 990 {
		t.Errorf("%d in columns, %d values, want 990", sum, len(c.dist.h.values))
	}
	// A click on the highest values goes from one to the next.
	last := len(c.dist.h.bins) - 1
	r := c.dist.h.binRect(last)
	hit := c.HitTest(rig.env, r.X0+1, r.Y1-5)
	if want := fmt.Sprintf("%d of 990", c.dist.h.bins[last]); len(hit.Lines) < 2 || !strings.HasPrefix(hit.Lines[1], want) {
		t.Errorf("tooltip %q", hit.Lines)
	}
	rig.click(c, r.X0+1, r.Y1-5)
	first := rig.env.View.Playhead()
	rig.click(c, r.X0+1, r.Y1-5)
	if second := rig.env.View.Playhead(); first != 9*ms || second != 19*ms {
		t.Errorf("clicks go to %d, %d", first, second)
	}
}

// Of more samples than are looked at, equal parts of the range give equal numbers.
func TestSeriesDistributionThinsOut(t *testing.T) {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "v", Group: "g"})
	const n = 3 * distributionSamples
	for k := range n {
		w.add(id, int64(k)*1000, float64(k))
	}
	rig := newPanelRig(w.flush(), 1, 640, 300)
	rig.env.View.PlaceTime(0, n*1000)
	c := NewSeriesChart()
	c.Distribution = true
	rig.tick(c)
	if got := len(c.dist.h.values); got > distributionSamples || got < distributionSamples*9/10 {
		t.Errorf("%d values", got)
	}
	for i, b := range c.dist.h.bins[:len(c.dist.h.bins)-1] {
		if mean := int32(len(c.dist.h.values) / len(c.dist.h.bins)); b < mean/2 || b > 2*mean {
			t.Errorf("column %d holds %d, the mean is %d", i, b, mean)
		}
	}
}

func TestSeriesStateTimes(t *testing.T) {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "s", Group: "g", Kind: model.SeriesState, States: []string{"null", "ready", "playing"}})
	w.add(id, 100*ms, 0)
	w.add(id, 300*ms, 1)
	w.add(id, 400*ms, 2)
	w.add(id, 700*ms, math.NaN())
	w.add(id, 800*ms, 2)
	w.add(id, 900*ms, 0)
	rig := newPanelRig(w.flush(), 1, 640, 300)
	rig.env.View.PlaceTime(200*ms, 1000*ms)
	c := NewSeriesChart()
	c.Distribution = true
	rig.tick(c)
	want := []stateTime{{2, 400 * ms, 2}, {0, 100 * ms, 1}, {1, 100 * ms, 1}}
	if !slices.Equal(c.dist.states, want) || c.dist.total != 600*ms {
		t.Errorf("%v of %d", c.dist.states, c.dist.total)
	}
}

// A counter that began anew has no rate over the time between.
func TestSeriesCounterThatBeganAnew(t *testing.T) {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "c", Group: "g", Kind: model.SeriesCounter})
	for k, v := range []float64{0, 100, 200, 10, 110} {
		w.add(id, int64(k)*1000*ms, v)
	}
	rig := newPanelRig(w.flush(), 1, 640, 300)
	rig.env.View.PlaceTime(0, 4000*ms)
	c := NewSeriesChart()
	rig.tick(c)
	for at, want := range map[int64]float64{500: 100, 1500: 100, 2500: math.NaN(), 3500: 100} {
		col, ok := c.columnAt(id, at*ms)
		if !ok || col.mid != want && !(math.IsNaN(want) && math.IsNaN(col.mid)) {
			t.Errorf("at %d ms: %+v, want %v", at, col, want)
		}
		if math.IsNaN(want) != (col.state == colGap) {
			t.Errorf("at %d ms: state %d", at, col.state)
		}
	}
}

// While live, the newest samples come into view, and numbers change no faster than can be read.
func TestSeriesLive(t *testing.T) {
	w := newSeriesWriter()
	id := w.define(model.SeriesDef{Name: "v", Group: "g", Unit: "ns"})
	w.add(id, 0, 1e6)
	w.add(id, 1000*ms, 1e6)
	s := w.flush()
	rig := newPanelRig(s, 1, 640, 300)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	rig.env.View.PlaceTime(0, 1000*ms)
	c := NewSeriesChart()
	rig.tick(c)
	statsAt := map[int64]bool{}
	hi := map[float64]bool{}
	for k := range int64(120) {
		w.add(id, 1000*ms+k*16*ms, 1e6+1e4*float64(k%9))
		w.flush()
		rig.tick(c)
		statsAt[c.stats.atNs] = true
		hi[c.plots[0].scale.hi] = true
	}
	if len(statsAt) > 12 || len(statsAt) < 4 {
		t.Errorf("the statistics were made %d times in two seconds", len(statsAt))
	}
	if len(hi) > 5 { // from one value to nine
		t.Errorf("the scale changed %d times", len(hi))
	}
	cols := c.cols(&c.lines[0])
	known := 0
	for _, col := range cols[len(cols)-12:] {
		if col.known() {
			known++
		}
	}
	if known < 10 {
		t.Errorf("only %d of the newest columns are drawn", known)
	}
}
