//go:build !headless

package app

import (
	"image"
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/draw/gpu"
)

// windowPainter puts pictures into a window.
type windowPainter struct {
	renderer gpu.Renderer
	before   gpu.Stats // at the picture before
	software software
	clear    *ebiten.Image
	final    ebiten.DrawImageOptions
}

// software paints where no graphics card does: Mesa then draws on threads of this process, at some ns a
// pixel for each triangle. The program's own renderer of lists takes a fifth of that, as it knows
// filled rectangles. What is left is putting the whole picture on the screen, which cannot be done in parts;
// so there are as many pictures a second as fit into a share of a core.
type software struct {
	on, looked bool
	presentMs  float64       // of processor time, smoothed
	before     time.Duration // processor time of the process when the picture was painted; 0: it was not
	image      *image.RGBA   // the screen
	pixels     []byte        // of a part
}

const (
	softShare    = 0.5 // of a core
	softMost     = 30  // pictures a second
	softLeast    = 10
	presentsMean = 16
)

// begin takes how long the last picture took to get to the screen.
func (s *software) begin() {
	if !s.looked {
		s.looked, s.on = true, drawnByProcessor()
	}
	if s.before == 0 {
		return
	}
	took := (processorTime() - s.before).Seconds() * 1e3
	if s.presentMs == 0 {
		s.presentMs = took
	}
	s.presentMs += (took - s.presentMs) / presentsMean
	s.before = 0
}

// painted notes that a picture is on its way to the screen.
func (s *software) painted() {
	if s.on {
		s.before = processorTime()
	}
}

// pace returns how many pictures a second fit, with ticks and painting that take so long besides. It changes
// in steps.
func (s *software) pace(besidesMs float64) int {
	n := int(softShare * 1e3 / (s.presentMs + besidesMs + 1))
	return min(max(n/2*2, softLeast), softMost)
}

// paint paints the lists into a part of the screen.
func (s *software) paint(part *ebiten.Image, screen image.Rectangle, ground color.Color, lists []*draw.List) {
	if s.image == nil || s.image.Rect != screen {
		s.image = image.NewRGBA(screen)
	}
	b := part.Bounds()
	dst := render(s.image, b, ground, lists)
	s.pixels = s.pixels[:0]
	for y := range b.Dy() {
		s.pixels = append(s.pixels, dst.Pix[y*dst.Stride:][:4*b.Dx()]...)
	}
	part.WritePixels(s.pixels)
}
