//go:build !headless

package app

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// setPace sets the ticks a second of the window, 0 for the full pace; between them it may wait for input. It returns
// what ends that, nil where the window does not wait.
func setPace(pace int, waits bool) (endWait func()) {
	switch {
	case pace == 0:
		ebiten.SetTPS(ebiten.DefaultTPS)
	case waits:
		return waitForInput(time.Second / time.Duration(pace))
	default:
		ebiten.SetTPS(ebiten.SyncWithFPS)
	}
	return nil
}

// waitForInput makes the window wait between ticks, which then begin with input or after a time, until the
// returned function is called.
func waitForInput(most time.Duration) (end func()) {
	done := make(chan struct{})
	go func() {
		alarm := time.NewTicker(most)
		defer alarm.Stop()
		for {
			select {
			case <-alarm.C:
				ebiten.ScheduleFrame()
			case <-done:
				return
			}
		}
	}()
	ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum)
	return func() {
		close(done)
		ebiten.SetFPSMode(ebiten.FPSModeVsyncOn)
	}
}

// fillScreen makes the window as large as the screen, or as it was.
func fillScreen() { ebiten.SetFullscreen(!ebiten.IsFullscreen()) }
