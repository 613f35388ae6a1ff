package chrometrace

import (
	"strconv"

	"framescope/net/trace"
)

// tells takes an instant that begins a frame and gives its length. It returns false for other instants.
func (d *decoder) tells(th *thread, ev *event, ns int64) bool {
	number, hosts, ok := trace.Number(ev.name)
	if !ok {
		return false
	}
	said := trace.Member(ev.args, trace.Length)
	length, err := strconv.ParseInt(string(said), 10, 64)
	if err != nil || length < 0 || length > trace.MaxTime-ns {
		if said != nil || trace.Null(ev.args, trace.Length) {
			d.count(noFrameLength, trace.Unknown)
		}
		return false
	}
	end := ns + length
	th.told.Add(border{Number: number, Begin: ns, End: end, Figures: d.figuresOf(ev)}, hosts)
	d.see(th.proc, end)
	d.used += 48
	return true
}

// figuresOf keeps what the begin of a frame says of its figures, and returns its number, 0 where it says nothing.
func (d *decoder) figuresOf(ev *event) (n int32) {
	net, levels := trace.Member(ev.args, trace.Net), trace.Member(ev.args, trace.Levels)
	if net == nil && trace.Null(ev.args, trace.Net) || levels == nil && trace.Null(ev.args, trace.Levels) {
		d.count(badFigures, trace.Unknown)
	}
	if net == nil && levels == nil {
		return 0
	}
	if !d.room.TakeData(trace.FigureBytes(net, levels)) {
		d.count(noTold, trace.Unknown)
		return 0
	}
	n, whole := d.figures.Add(net, levels)
	if !whole {
		d.count(badFigures, trace.Unknown)
	}
	return n
}

// toldFrames takes the frames of the metadata, in each process that has any, unless the user chose others. It
// returns the main thread, nil if the metadata names none.
func (d *decoder) toldFrames() (main *thread) {
	for _, th := range d.threads {
		if d.want != "" { // others are wanted, or none
			th.told.Own, th.told.Runs = nil, nil
		}
		if th.told.Main && th.some() {
			main = th
		}
		p, n := th.proc, len(th.told.Own)
		if n == 0 {
			continue
		}
		if !trace.Sorted(th.told.Own) {
			d.uncounted = true
		}
		p.told = true
		if th.told.Hosts && (p.main == nil || n > len(p.main.told.Own)) {
			p.main, p.borders = th, th.told.Own
		}
	}
	for _, p := range d.processes {
		if p.main != nil && p.told && main == nil {
			main = p.main
		}
	}
	return main
}

// bordersOf returns the frames of a thread: those of its process, or its own in the metadata.
func (d *decoder) bordersOf(th *thread) []border {
	if th.proc.told {
		return th.told.Of(th.proc.borders)
	}
	return th.proc.borders
}
