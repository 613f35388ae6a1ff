package perfetto

import (
	"cmp"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// gpu is what a file says of GPUs: tracks of queues and counters, by their names; and names of the old form.
type gpu struct {
	tracks map[string]*track
	queues []trace.Symbol
	stages []trace.Symbol
	last   map[*line]int64 // when a counter had its newest value
}

// gpuTrack returns the track of a queue or counter of a GPU, by its name; nil: there is no room.
func (d *decoder) gpuTrack(number uint64, name string, isQueue bool) *track {
	if number > 0 {
		name += " (GPU " + strconv.FormatUint(number, 10) + ")"
	}
	key := strconv.FormatBool(isQueue) + name
	t := d.gpu.tracks[key]
	if t != nil {
		return t
	}
	if len(d.gpu.tracks) >= mostTracks || !d.room.TakeData(384) {
		d.b.Bad.Bad(trace.ManyThreads, d.at)
		return nil
	}
	t = &track{name: name, described: true}
	if isQueue {
		x := d.b.Thread(nil, []byte("GPU queue "+name))
		if x == nil {
			d.b.Bad.Bad(trace.ManyThreads, d.at)
			return nil
		}
		x.Kind, x.Name = model.TrackGPU, name
		t.thread = &thread{Thread: x, proc: &process{Process: d.b.Process(nil)}}
	}
	d.gpu.tracks[key] = t
	d.order = append(d.order, t)
	return t
}

// renderStage takes a stretch of work of a GPU.
func (d *decoder) renderStage(s *sequence, data []byte, time int64, clock uint32, ok bool) {
	f := flatten(data)
	d.gpuNames(f.data[7])
	if !f.has[2] {
		return // names alone
	}
	queue := d.gpuName(s, "queue ", f.has[13], f.v[13], d.gpu.queues, f.v[3])
	name := d.gpuName(s, "stage ", f.has[14], f.v[14], d.gpu.stages, f.v[4])
	if f.data[17] != nil {
		name = d.b.Symbol(f.data[17])
	} else if n, known := s.names[f.v[20]]; known {
		name = n
	}
	end, fits := scaled(f.v[2], 1)
	if !ok || !fits || end > mostTime-max(time, 0) {
		d.b.Bad.Bad(trace.BadTime, d.at)
		return
	}
	t := d.gpuTrack(f.v[11], cmp.Or(d.b.Words(queue), "GPU"), true)
	if t == nil {
		return
	}
	if l := d.line(s, lineKey{clock: clock, on: t}); l != nil {
		d.step = min(d.step, d.unit)
		l.Span(time, time+end, name)
	}
}

// gpuName returns the name of a queue or stage, by its number in the sequence or, in the old form, in the file. Without
// one it is called what it is, and its number.
func (d *decoder) gpuName(
	s *sequence, what string, interned bool, iid uint64, old []trace.Symbol, at uint64,
) trace.Symbol {
	n, ok := s.gpuNames[iid]
	switch {
	case interned && ok:
		return n
	case !interned && at < uint64(len(old)):
		return old[at]
	case interned:
		d.b.Bad.Bad(trace.BadReference, d.at)
	}
	return d.b.Symbol(strconv.AppendUint([]byte(what), cmp.Or(iid, at), 10))
}

// gpuNames takes the names of queues and stages of the old form.
func (d *decoder) gpuNames(data []byte) {
	const most = 1024
	var queues, stages []trace.Symbol
	for w := (fields{rest: data}); w.next(); {
		switch {
		case w.num == 2 && len(queues) < most:
			queues = append(queues, d.b.Symbol(flatten(w.data).data[1]))
		case w.num == 3 && len(stages) < most:
			stages = append(stages, d.b.Symbol(flatten(w.data).data[1]))
		}
	}
	if data != nil {
		d.gpu.queues, d.gpu.stages = queues, stages
	}
}

// gpuCounters takes values of counters of a GPU. Unless a counter says otherwise, a value is of the time from the one
// before.
func (d *decoder) gpuCounters(s *sequence, data []byte, time int64, clock uint32, ok bool) {
	f := flatten(data)
	d.describeCounters(s, f.data[1], f.v[4], f.v[3])
	for w := (fields{rest: data}); w.next(); {
		if w.num != 2 {
			continue
		}
		v := flatten(w.data)
		c, known := s.gpuCounters[uint32(v.v[1])]
		if !known {
			d.b.Bad.Bad(trace.BadReference, d.at)
			continue
		}
		t := d.gpuTrack(max(f.v[3], c.gpu), d.b.Words(c.name), false)
		if !ok || t == nil {
			d.b.Bad.Bad(trace.BadTime, d.at)
			continue
		}
		l := d.line(s, lineKey{clock: clock, on: t, of: s})
		if l == nil {
			continue
		}
		at, before := d.gpu.last[l]
		d.gpu.last[l] = time
		d.step = min(d.step, d.unit)
		switch {
		case c.forward:
			at = time
		case !before:
			continue
		}
		d.value(s, l, at, d.valueOf(cmp.Or(v.v[2], v.v[3]), v.has[3]))
	}
}

// gpuCounter describes a counter of a GPU in a sequence.
type gpuCounter struct {
	name    trace.Symbol
	gpu     uint64
	forward bool // values are of the time after them
}

// describeCounters takes the descriptions of counters, of the event itself or by their number in the sequence.
func (d *decoder) describeCounters(s *sequence, data []byte, iid, gpu uint64) {
	const most, isForward = 1 << 12, 2
	if iid != 0 && iid != s.gpuSpec {
		data, s.gpuSpec = s.gpuSpecs[iid], iid
	}
	for w := (fields{rest: data}); w.next(); {
		f := flatten(w.data)
		if w.num != 1 || len(s.gpuCounters) >= most || !d.room.TakeData(48) {
			continue
		}
		model.Put(&s.gpuCounters, uint32(f.v[1]), gpuCounter{d.b.Symbol(f.data[2]), gpu, f.v[11] == isForward})
	}
}

// internGPU takes names of queues and stages, and descriptions of counters, that have numbers from now on.
func (d *decoder) internGPU(s *sequence, num uint64, data []byte) {
	f := flatten(data)
	if f.v[1] == 0 || !d.room.TakeData(int64(64+len(f.data[2]))) {
		return
	}
	if num == gpuSpecifications {
		s.gpuNames[f.v[1]] = d.b.Symbol(f.data[2])
	} else {
		s.gpuSpecs[f.v[1]] = slices.Clone(f.data[2])
	}
}
