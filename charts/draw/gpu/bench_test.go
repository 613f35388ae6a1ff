package gpu

import (
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
)

// busy fills a list with 20,000 bars and 300 labels.
func busy(l *draw.List) {
	l.Reset(draw.Rect{X1: 1600, Y1: 960})
	for i := range 20000 {
		x, y := float32(i%400)*4, float32(i/400)*19
		l.Rect(draw.Rect{X0: x, Y0: y, X1: x + 3, Y1: y + 18}, draw.Color{R: uint8(i), G: 140, B: 160, A: 255})
	}
	for i := range 300 {
		x, y := float32(i%15)*106, float32(i/15)*20
		l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: y, X1: x + 100, Y1: y + 19}, draw.Left, "Collide pass", draw.RGB(0, 0, 0))
	}
}

// BenchmarkUnchanged draws a list that stays the same, BenchmarkChanged one that is filled anew
// each time. What is measured is the work of this process' processor; reading a pixel back, not
// measured, empties the queue.
func BenchmarkUnchanged(b *testing.B) { benchmark(b, false) }

func BenchmarkChanged(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, change bool) {
	if noDisplay != "" {
		b.Skip(noDisplay)
	}
	var r Renderer
	l := draw.NewList(draw.NewAtlas(1))
	busy(l)
	dst := ebiten.NewImage(1600, 960)
	defer dst.Deallocate()
	b.ReportAllocs()
	for b.Loop() {
		if change {
			busy(l)
		}
		r.Draw(dst, l)
		b.StopTimer()
		dst.At(0, 0)
		b.StartTimer()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}
