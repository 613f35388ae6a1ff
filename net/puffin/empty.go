package puffin

const (
	emptyCredit = 1 << 18 // frames without scopes that a recording may cause, and
	emptyEach   = 16      // so many for each scope
	keptFrames  = 1 << 12 // that a thread may have missed when it has something again
)

// arrival is a frame that came, of whatever threads.
type arrival struct{ number, at int64 }

// arrivals are the newest of them. Frames are counted from the first on.
type arrivals struct {
	list []arrival
	base int64 // the frame that list begins with
}

func (a *arrivals) end() int64 { return a.base + int64(len(a.list)) }

func (a *arrivals) add(x arrival) {
	if len(a.list) >= 2*keptFrames {
		a.base += keptFrames
		a.list = a.list[:copy(a.list, a.list[keptFrames:])]
	}
	a.list = append(a.list, x)
}

// fill publishes the frames that came since the newest one of a thread, in which it closed nothing:
// none of its frames is missing. They follow each other as the program's do, but between the
// thread's last scope and its next, which may have begun long before it was closed.
func (d *decoder) fill(th *thread, end, begin int64) {
	if th.next == 0 {
		return
	}
	first, most := max(th.next, d.came.base), d.came.end()
	for i := first; i < most && !d.cancelled; i++ {
		if d.credit--; d.credit < 0 {
			d.loss.empty++
			continue
		}
		f, until := d.came.list[i-d.came.base], begin
		if i+1 < most {
			until = d.came.list[i+1-d.came.base].at
		}
		b := d.sink.Begin()
		b.Track, b.HasFrame, b.Number = th.id, true, f.number
		b.Begin = max(min(f.at, begin-(most-i)), end) // each has a moment, where there are so many
		end = max(min(until, begin-(most-i-1)), min(b.Begin+1, begin))
		b.End = end
		d.publish(b)
	}
}

// emptyLost is the text of the loss.
const emptyLost = "too many threads for so few scopes: frames in which some closed nothing are left out"
