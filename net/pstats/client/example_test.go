package client_test

import (
	"context"
	"time"

	"framescope/net/pstats/client"
)

// A game that tells a viewer what its frames are made of.
func Example() {
	c := client.New(client.Options{Name: "Solar Chase"})
	c.Connect(context.Background()) // in the background, now or whenever a viewer appears
	defer c.Close()

	main := c.MainThread()
	physics, drawing := c.Collector("App:Physics"), c.Collector("Draw")
	enemies := c.Collector("Enemies")

	for range 3 { // the game's loop
		main.Start(physics)
		time.Sleep(time.Millisecond)
		main.Stop(physics)

		func() {
			defer main.Scope(drawing).End()
			time.Sleep(time.Millisecond)
		}()

		main.Level(enemies, 12)
		main.EndFrame()
	}
	// Output:
}

// A loader that comes and goes: its frames are its files.
func ExampleClient_Thread() {
	c := client.New(client.Options{})
	c.Connect(context.Background())
	defer c.Close()
	read := c.Collector("IO:Read")

	loader := c.Thread("Loader")
	defer loader.Close() // viewers are told that it is gone
	for range 3 {
		loader.BeginFrame()
		loader.Start(read)
		time.Sleep(time.Millisecond)
		loader.Stop(read)
		loader.FinishFrame()
	}
	// Output:
}

// Work whose times become known later, such as the GPU's, is stated with them.
func ExampleThread_BeginFrameAt() {
	c := client.New(client.Options{})
	gpu, draw := c.Thread("GPU"), c.Collector("Draw")

	begin := c.Now() - 20*time.Millisecond // what the query said
	gpu.BeginFrameAt(begin)
	gpu.SetFrame(c.MainThread().Frame() - 2) // the frame of the game that it drew
	gpu.StartAt(draw, begin+time.Millisecond)
	gpu.StopAt(draw, begin+9*time.Millisecond)
	gpu.FinishFrameAt(begin + 10*time.Millisecond)
	// Output:
}
