// The example is an Ebitengine game of bouncing boxes that sends its frames to Framescope. Start
// the viewer, then this, in any order:
//
//	go run . &
//	go run ./examples/ebitengine
//
// Hold the space bar to make more boxes, and see what grows. The lines that concern the profiler
// are marked with "profile:".
package main

import (
	"context"
	"flag"
	"image/color"
	"log"
	"math/rand/v2"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/net/pstats/client"
)

const (
	width, height = 640, 400
	boxSize       = 8
)

type box struct {
	x, y, dx, dy float64
	tint         color.RGBA
}

type game struct {
	boxes []box
	pixel *ebiten.Image

	profiler *client.Client // profile: the connection to the viewer
	thread   *client.Thread // profile: this goroutine's calls

	// profile: the measured parts, and a counter
	update, move, collide, draw, boxSprites, display, numBoxes client.Collector

	waits bool // profile: the frame is with Ebitengine and the display
}

func newGame(viewer string) *game {
	g := &game{pixel: ebiten.NewImage(1, 1)}
	g.pixel.Fill(color.White)
	g.profiler = client.New(client.Options{Addr: viewer, Name: "Bouncing boxes"}) // profile: the name of the program
	// profile: in the background, again and again
	g.profiler.Connect(context.Background())
	g.thread = g.profiler.MainThread()
	g.update = g.profiler.Collector("App")
	g.move = g.profiler.Collector("App:Move") // profile: names form a tree
	g.collide = g.profiler.Collector("App:Collide")
	g.draw = g.profiler.Collector("Draw")
	g.boxSprites = g.profiler.Collector("Draw:Boxes")
	g.display = g.profiler.Collector("Wait:Display") // profile: a name that begins with Wait is shown as one
	g.numBoxes = g.profiler.Collector("Boxes")
	g.spawn(200)
	return g
}

func (g *game) spawn(n int) {
	for range n {
		g.boxes = append(g.boxes, box{
			rand.Float64() * (width - boxSize), rand.Float64() * (height - boxSize), rand.Float64()*4 - 2, rand.Float64()*4 - 2,
			color.RGBA{uint8(96 + rand.IntN(160)), uint8(96 + rand.IntN(160)), uint8(96 + rand.IntN(160)), 255},
		})
	}
}

// endWait ends the time in which Ebitengine hands the picture over and waits for the display.
func (g *game) endWait() {
	if g.waits {
		g.thread.Stop(g.display)
	}
	g.waits = false
}

// Update implements ebiten.Game.
func (g *game) Update() error {
	g.endWait()
	defer g.thread.Scope(g.update).End() // profile: until the function returns
	if ebiten.IsKeyPressed(ebiten.KeySpace) {
		g.spawn(10)
	}
	g.thread.Start(g.move) // profile: begin…
	for i := range g.boxes {
		b := &g.boxes[i]
		b.x += b.dx
		b.y += b.dy
		if b.x < 0 || b.x > width-boxSize {
			b.dx = -b.dx
		}
		if b.y < 0 || b.y > height-boxSize {
			b.dy = -b.dy
		}
	}
	g.thread.Stop(g.move) // profile: …and end
	g.bump()
	g.thread.Level(g.numBoxes, float64(len(g.boxes))) // profile: a counter
	return nil
}

// bump lets boxes that touch change places in speed. It compares all with all, on purpose, for the
// profiler to find.
func (g *game) bump() {
	defer g.thread.Scope(g.collide).End()
	for i := range g.boxes {
		a := &g.boxes[i]
		for j := range g.boxes[:i] {
			b := &g.boxes[j]
			if dx, dy := a.x-b.x, a.y-b.y; dx*dx+dy*dy < boxSize*boxSize && dx*(a.dx-b.dx)+dy*(a.dy-b.dy) < 0 {
				a.dx, b.dx = b.dx, a.dx
				a.dy, b.dy = b.dy, a.dy
			}
		}
	}
}

// Draw implements ebiten.Game.
func (g *game) Draw(screen *ebiten.Image) {
	g.endWait() // profile: some frames have no Update
	g.thread.Start(g.draw)
	g.thread.Start(g.boxSprites)
	var op ebiten.DrawImageOptions
	for i := range g.boxes {
		b := &g.boxes[i]
		op.GeoM.Reset()
		op.GeoM.Scale(boxSize, boxSize)
		op.GeoM.Translate(b.x, b.y)
		op.ColorScale.Reset()
		op.ColorScale.ScaleWithColor(b.tint)
		screen.DrawImage(g.pixel, &op)
	}
	g.thread.Stop(g.boxSprites)
	g.thread.Stop(g.draw)
	g.thread.EndFrame()       // profile: the frame is over
	g.thread.Start(g.display) // profile: what is left of the time until the next
	g.waits = true
}

// Layout implements ebiten.Game.
func (g *game) Layout(int, int) (int, int) { return width, height }

func main() {
	viewer := flag.String("viewer", "127.0.0.1:5185", "host:port of the viewer")
	flag.Parse()
	ebiten.SetWindowTitle("Bouncing boxes")
	ebiten.SetWindowSize(2*width, 2*height)
	g := newGame(*viewer)
	defer g.profiler.Close()
	if err := ebiten.RunGame(g); err != nil {
		log.Print(err)
	}
}
