package decode

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
)

// Clients up to 1.10 send the times of their GPU on a clock of its own, which may be anywhere, near
// the main thread's too. Both clocks share only the frame numbers: the main thread's frame n requested
// the GPU's frame n. So the GPU's frames are shown where those of the main thread with the same
// numbers begin, in the median of the newest: the real delay of the GPU is unknown, and shown as none.
// The shift stays as long as the median stays within the spread of single frames; when the clocks
// drift, it is set anew.

const (
	clockFrames    = 61        // number of frames for the median difference
	clockSettled   = 16        // frames after which the first shift is corrected, and the earlier frames are shown again
	clockLeastNs   = 2e6       // drift that is never followed
	clockInStepNs  = 100e6     // a GPU that begins its frames within this time after the main thread does shares its clock
	maxFrameBegins = 1 << 20   // begins of the main thread's frames in memory
	keptBegins     = 512 << 10 // of them, when there are more
)

// frameBegin is when a frame began, as it was sent.
type frameBegin struct{ number, ns int64 }

// frameBegins is when the newest frames of the main thread began, ascending by number.
type frameBegins []frameBegin

// add notes a frame.
func (b *frameBegins) add(number, ns int64) {
	at := len(*b)
	if at > 0 && number <= (*b)[at-1].number {
		var exact bool
		if at, exact = b.find(number); exact {
			(*b)[at].ns = ns
			return
		}
	}
	if len(*b) >= maxFrameBegins {
		*b = (*b)[:copy(*b, (*b)[len(*b)-keptBegins:])]
		at, _ = b.find(number)
	}
	*b = slices.Insert(*b, at, frameBegin{number, ns})
}

func (b *frameBegins) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(*b, number, func(f frameBegin, n int64) int { return cmp.Compare(f.number, n) })
}

// gpuClock finds out how far a GPU's clock is from the main thread's.
type gpuClock struct {
	diffs    [clockFrames]int64 // ring of main thread minus GPU, of frames of the same number
	n        int64              // how many there were
	sorted   [clockFrames]int64
	shiftNs  int64
	spreadNs int64 // of the middle nine tenths
	known    bool
}

// addFrame adds that a frame of the GPU began at ns where that of the main thread began at mainNs,
// both as sent, and reports whether something else is to be said of the shift.
func (c *gpuClock) addFrame(mainNs, ns int64) (changed bool) {
	c.diffs[c.n%clockFrames] = mainNs - ns
	c.n++
	list := c.sorted[:min(c.n, clockFrames)]
	copy(list, c.diffs[:])
	slices.Sort(list)
	median := list[len(list)/2]
	c.spreadNs = list[len(list)-1-len(list)/20] - list[len(list)/20]
	if -median >= 0 && -median <= clockInStepNs {
		median = 0
	}
	if far := abs(median - c.shiftNs); c.known && c.n != clockSettled && (c.n < clockSettled ||
		far <= max(clockLeastNs, c.spreadNs)) {
		return c.n == clockFrames // by then its spread is known
	}
	changed = !c.known || median != c.shiftNs || c.n == clockSettled
	c.shiftNs, c.known = median, true
	return changed
}

func abs(ns int64) int64 {
	if ns == math.MinInt64 {
		return math.MaxInt64
	}
	return max(ns, -ns)
}

// rendererWords are parts of the renderer strings after which clients up to 1.10 name their GPU
// thread.
var rendererWords = [...]string{
	"geforce", "nvidia", "quadro", "radeon", "amd ", "intel(r)", "mesa", "llvmpipe", "softpipe", "swrast", "apple m",
	"adreno", "mali-", "powervr", "direct3d", "angle (", "gallium", "virgl", "zink",
}

// namedByRenderer reports whether a thread is the GPU of a client up to 1.10, by its name. Newer
// clients call it GPU and put its times on the main thread's clock.
func namedByRenderer(index int, name string) bool {
	if index == 0 || name == "" {
		return false
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(rendererWords[:], func(w string) bool { return strings.Contains(name, w) })
}

// setName names a thread.
func (th *thread) setName(name string) {
	th.name = name
	if th.clock == nil && namedByRenderer(th.index, name) {
		th.clock = new(gpuClock)
	}
}

// align shifts a GPU's frame that begins at ns, as it was sent, to its place. fresh marks a frame not
// published before.
func (d *Decoder) align(th *thread, number, ns int64, fresh bool) {
	c := th.clock
	main := d.threads[0]
	if main == nil {
		return
	}
	if at, ok := main.begins.find(number); ok && fresh && c.addFrame(main.begins[at].ns, ns) {
		if c.n == clockSettled && len(th.window.recs) > 1 {
			th.dirty = min(th.dirty, th.window.recs[0].number) // frames shown with a preliminary shift are shown again
		}
		d.show(th)
	}
	if c.known {
		th.state.skewNs = c.shiftNs
		if end := th.state.endNs; th.state.number != model.NoFrame && ns+c.shiftNs < end &&
			end-ns-c.shiftNs <= clockInStepNs {
			th.state.skewNs = end - ns // set anew: no overlap with earlier frames
		}
	}
}
