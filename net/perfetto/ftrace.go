package perfetto

import (
	"maps"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/ftrace"
	"framescope/net/trace"
)

// Clocks of the kernel's trace; all but the raw one are tied to the time since boot by the bundles themselves.
const (
	ftraceRaw    = 4
	monotonicRaw = 5
)

// kernel is what a machine's kernel said.
type kernel struct {
	*ftrace.Kernel
	d       *decoder
	machine uint32
	shift   int64 // of the clock of its bundles to the time since boot
	lost    int64 // bundles before which events are missing
	threads map[int32]*thread
}

// kernelOf returns the kernel of the machine that a packet is of.
func (d *decoder) kernelOf() *kernel {
	machine := d.pid.machine
	k := d.kernels[machine]
	if k == nil {
		if !d.room.TakeData(512) {
			d.b.Bad.Bad(trace.NoMemory, d.at)
			return nil
		}
		k = &kernel{Kernel: ftrace.New(d.b, d.room), d: d, machine: machine, threads: map[int32]*thread{}}
		if machine != 0 {
			k.Suffix = " of machine " + strconv.FormatUint(uint64(machine), 10)
		}
		d.kernels[machine] = k
	}
	return k
}

// bundle takes the events of a processor.
func (d *decoder) bundle(data []byte) {
	k := d.kernelOf()
	if k == nil {
		return
	}
	k.Place = d.at
	f := flatten(data)
	h := ftrace.Head{CPU: int32(f.v[1]), Clock: boot}
	switch {
	case f.v[5] == 0:
	case f.has[6] && f.has[7]:
		k.shift = int64(f.v[7] - f.v[6])
	case f.v[5] == ftraceRaw && k.shift == 0:
		h.Clock = monotonicRaw
	}
	shift := k.shift
	if f.v[5] == 0 {
		shift = 0
	}
	before := k.Len()
	w := fields{rest: data}
	for w.next() {
		switch {
		case w.data == nil:
		case w.num == 2:
			k.event(h, shift, w.data)
		case w.num == 4:
			k.compact(h, shift, w.data)
		}
	}
	if w.bad() {
		k.Bad()
	}
	if f.v[3] != 0 {
		k.lost++
		k.Lost(h.CPU, before)
	}
}

// at gives an event its time; false: it has none that is valid.
func (k *kernel) at(h *ftrace.Head, ns uint64, shift int64) bool {
	h.Time = int64(ns) + shift
	if ns > mostTime || h.Time < leastTime || h.Time > mostTime {
		k.d.b.Bad.Bad(trace.BadTime, k.d.at)
		return false
	}
	k.d.step = 1
	return true
}

// event takes an event of the kernel: the message in it says which.
func (k *kernel) event(h ftrace.Head, shift int64, data []byte) {
	var num, ns uint64
	var content []byte
	w := fields{rest: data}
	for w.next() {
		switch {
		case w.num == 1:
			ns = w.v
		case w.num == 2:
			h.Task = int32(w.v)
		case w.data != nil:
			num, content = w.num, w.data
		}
	}
	if w.bad() || !isMessage(content) {
		k.Bad()
		return
	}
	if !k.at(&h, ns, shift) {
		return
	}
	f := flatten(content)
	number := func(i int) int32 { return int32(f.v[i]) }
	switch num {
	case 3:
		k.Print(h, f.data[2])
	case 4:
		k.Name(number(2), f.data[1])
		k.Switch(h, ftrace.StateOf(f.v[4]), number(6), f.data[5])
	case 17, 20, 114:
		k.Name(number(2), f.data[1])
		k.Add(h, ftrace.Wakes, number(2), 0)
	case 50:
		k.Transaction(h, int64(number(1)), f.v[5] != 0, int64(f.v[7]))
	case 235:
		k.NewTask(h, number(1), f.data[2], f.v[3])
	case 236:
		k.Name(number(1), f.data[3])
	default:
		if x, known := plainEvents[num]; known {
			k.Add(h, x.kind, number(x.of), int64(f.v[x.value]))
		} else {
			k.Others++
		}
	}
}

// plainEvents are events with a number of what they are of, and a value: the fields of these; 0: there is none.
var plainEvents = map[uint64]struct {
	kind      ftrace.Kind
	of, value int
}{
	11: {ftrace.Frequency, 2, 1}, 13: {ftrace.Idle, 2, 1}, 51: {ftrace.BinderGets, 0, 1}, 238: {ftrace.Exits, 2, 0},
	240: {ftrace.Exits, 2, 0}, 332: {ftrace.GPUFrequency, 1, 2},
}

// compact takes switches and wake-ups that are written in columns.
func (k *kernel) compact(h ftrace.Head, shift int64, data []byte) {
	var names [][]byte
	w := fields{rest: data}
	for w.next() {
		if w.num == 5 {
			names = append(names, w.data)
		}
	}
	if w.bad() {
		k.Bad()
	}
	h.Task = ftrace.Unknown
	take := func(times, ids, comms, values uint64, take func(h ftrace.Head, id int32, comm []byte, value uint64)) {
		ns := uint64(0)
		id, comm, value := column(data, ids), column(data, comms), column(data, values)
		for i, step := range column(data, times) {
			ns += step
			switch {
			case i >= len(id) || i >= len(comm) || i >= len(value) || comm[i] >= uint64(len(names)):
				k.Bad()
			case k.at(&h, ns, shift):
				take(h, int32(id[i]), names[comm[i]], value[i])
			}
		}
	}
	take(1, 3, 6, 2, func(h ftrace.Head, id int32, comm []byte, was uint64) { k.Switch(h, ftrace.StateOf(was), id, comm) })
	take(7, 8, 11, 8, func(h ftrace.Head, id int32, comm []byte, _ uint64) {
		k.Name(id, comm)
		k.Add(h, ftrace.Wakes, id, 0)
	})
}

// column returns the numbers of a field.
func column(data []byte, num uint64) (list []uint64) {
	for w := (fields{rest: data}); w.next(); {
		if w.num == num {
			list = w.numbers(list, false)
		}
	}
	return list
}

// addKernels publishes what kernels said, once clocks and processes are known.
func (d *decoder) addKernels() {
	for _, machine := range slices.Sorted(maps.Keys(d.kernels)) {
		k := d.kernels[machine]
		k.find()
		k.Finish(k)
		k.Report(&d.unshown)
		trace.Lose(d.sink, model.LossSource, k.lost, "times events of the kernel were overwritten before they were read")
	}
}

// find finds the threads that the file describes by their numbers alone, as the kernel has them.
func (k *kernel) find() {
	withLines := map[*thread]bool{}
	for _, t := range k.d.order {
		if len(t.lines) > 0 && t.thread != nil {
			withLines[t.thread] = true
		}
	}
	for key, th := range k.d.threads {
		id := int32(key.tid)
		if key.process.machine != k.machine || int64(id) != key.tid {
			continue
		}
		if other := k.threads[id]; other == nil || other.proc.key.pid > key.process.pid {
			k.threads[id] = th
		}
	}
	for _, id := range slices.Sorted(maps.Keys(k.threads)) {
		th := k.threads[id]
		k.Group(id, int32(th.proc.key.pid))
		if withLines[th] {
			k.Show(id)
		}
	}
	for key := range k.d.processes {
		if key.machine == k.machine && k.threads[int32(key.pid)] == nil {
			k.Main(int32(key.pid))
		}
	}
}

// Thread implements ftrace.Host.
func (k *kernel) Thread(group, id int32) *trace.Thread {
	if th := k.threads[id]; th != nil {
		return th.Thread
	}
	th := k.d.threadOf(threadKey{processKey{k.machine, uint32(group)}, int64(id)})
	if th == nil {
		return nil
	}
	return th.Thread
}

// Process implements ftrace.Host.
func (k *kernel) Process(group int32) *trace.Process {
	if p := k.d.processOf(processKey{k.machine, uint32(group)}); group > 0 && p != nil {
		return p.Process
	}
	return k.d.b.Process(nil)
}

// Time implements ftrace.Host.
func (k *kernel) Time(clock uint32, ns int64) (int64, bool) {
	c, ok := k.d.ways[clock]
	if c != nil {
		ns = c.at(ns)
	}
	return ns, ok
}
