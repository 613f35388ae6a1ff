package app

import (
	"time"

	"framescope/charts/format"
)

// Paces of the window while nothing changes: after a quiet second there are 20 ticks a second, enough
// to notice new data and the mouse. While nobody touches it there are fewer, and between them the window
// waits for input, which begins a tick at once.
const (
	// of a frame without news: where nothing waits for the display, frames come one after the other
	calmNs   = 16 * time.Millisecond
	quietNs  = time.Second
	fullTPS  = 60
	quietTPS = 20
	stillNs  = 15 * time.Second
	stillTPS = 4
	// pausedTPS is the pace while the view is paused behind a live session: only clocks change, and showing a
	// picture costs most where it is painted in software.
	pausedTPS = 1
	// Ebitengine shows each picture four times, so one that nobody touches stays for longer.
	pausedTicks = 8
	// While a recording is read, reading and painting share the processors: where a picture is painted in software it
	// costs as much as a tick of reading.
	readingTPS = 8
	inputNs    = time.Second // so long after the mouse or a key the window goes at quietTPS
)

// pacer decides how often the window has a tick and a frame, which always come together but at full pace.
type pacer struct {
	still     bool      // it never waits: pictures are to be repeatable
	behind    bool      // a recording is read faster than it is taken in
	paused    bool      // frames come, the view does not follow them, and a tick takes in all of them
	busy      bool      // work is left over from the last tick, which goes on at full pace
	lastFrame time.Time // when the last frame began
	lastNews  time.Time // when the picture last changed
	lastUsed  time.Time // when the mouse or a key last did something
	pace      int       // ticks a second, 0 the full pace
	calm      bool      // the last frame had no news
	endWait   func()    // ends waiting for input; nil: the window does not wait
}

// wait waits until the pace allows a frame. It comes before the input is read, which so is never old.
func (w *pacer) wait() {
	switch since := time.Since(w.lastFrame); {
	case w.endWait != nil: // it waits between ticks
	case w.pace > 0:
		time.Sleep(time.Second/time.Duration(w.pace) - since)
	case w.calm:
		time.Sleep(calmNs - since)
	}
	w.lastFrame = time.Now()
}

// idle slows down while nothing changes.
func (w *pacer) idle() {
	w.calm = true
	switch quiet := min(time.Since(w.lastNews), time.Since(w.lastUsed)); {
	case w.busy:
		w.setPace(0)
	case w.endWait != nil: // it waits between ticks
	case quiet > stillNs:
		w.setPace(stillTPS)
	case time.Since(w.lastNews) > quietNs:
		w.setPace(quietTPS)
	}
}

// news notes that there is something new to see, which at full pace is shown so often.
func (w *pacer) news(full int) {
	w.lastNews, w.calm = time.Now(), false
	w.setPace(w.newsPace(w.lastNews, full))
}

// newsPace returns the pace at which something new is shown: the full one, but for what only clocks and
// progress change.
func (w *pacer) newsPace(now time.Time, full int) int {
	switch used := now.Sub(w.lastUsed) < inputNs; {
	case w.behind && used: // ticks are long, and at full pace five of them would come before one is seen
		return quietTPS
	case w.behind:
		return readingTPS
	case w.paused && !used:
		return pausedTPS
	}
	return full
}

// restTicks returns how many ticks a picture stays at least.
func (w *pacer) restTicks(now time.Time) int64 {
	return format.Pick[int64](w.paused && !w.still && now.Sub(w.lastUsed) > stillNs, pausedTicks, 1)
}

// used notes that the mouse or a key did something: the window no longer waits for that.
func (w *pacer) used() {
	w.lastUsed = time.Now()
	if w.endWait != nil {
		w.setPace(quietTPS)
	}
}

// setPace sets the ticks a second of the window, 0 for the full pace.
func (w *pacer) setPace(pace int) {
	if w.still || pace == w.pace {
		return
	}
	w.pace = pace
	if w.endWait != nil {
		w.endWait()
		w.endWait = nil
	}
	w.endWait = setPace(pace, pace == stillTPS || pace == pausedTPS)
}
