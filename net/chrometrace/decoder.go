package chrometrace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// errNoEvents is the error for a file in which nothing has a time.
var errNoEvents = errors.New("no events: no object has a phase and a time that can be shown")

// Kind is the name of the format in model.Info.
const Kind = "chrometrace"

// frameNames are usual names of spans that are frames, but need not be (spec/chrome-trace.md, Mapping).
var frameNames = []string{"frame", "Frame", "update", "RunLoop", "doFrame", "DrawFrame", "BeginFrame"}

// decoder hands the events of a file to a builder.
type decoder struct {
	b     *trace.Builder
	sink  feed.Sink
	text  text
	key   []byte // scratch
	async map[string]*trace.Track

	room     *feed.Names
	profiles map[string]*profile // by process and id
	sampled  map[*trace.Thread]*trace.Thread
	calls    []trace.Symbol // scratch

	unshown [numUnshown]int64 // events by their kind
}

func newDecoder(sink feed.Sink, room *feed.Names, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, room: room, async: map[string]*trace.Track{}, profiles: map[string]*profile{},
		sampled: map[*trace.Thread]*trace.Thread{},
	}
	d.b = trace.NewBuilder(sink, room, trace.Options{Root: "All spans", Frames: frames, Suggest: frameNames, Tiled: true})
	d.b.Info = model.Info{
		Source: Kind, Program: programOf(path), Peer: path, PID: -1, Version: "Chrome trace JSON", File: true,
	}
	d.text.take, d.text.bad = d.addEvent, &d.b.Bad
	sink.Define(d.b.Info)
	return d
}

// finish publishes the events. broken is why the file could not be read to its end, or nil.
func (d *decoder) finish() (broken, err error) {
	x := &d.text
	var unread *feed.ReadError
	damage, cut := x.Err(), x.cut()
	if damage == nil && x.behind == "" || cut != "" { // all of the text was looked at
		x.nuls.Report(d.sink.Define)
	}
	switch {
	case errors.As(damage, &unread):
		broken, damage = fmt.Errorf("after %d bytes of the trace: %w", x.At(), unread), nil
		trace.Lose(d.sink, model.LossTruncated, 1, broken.Error())
	case cut != "":
		trace.Lose(d.sink, model.LossTruncated, 1, cut)
	case damage != nil: // the next "{" is not looked for: spec/chrome-trace.md, Errors
		trace.Lose(d.sink, model.LossMalformed, 1, damage.Error()+"; the rest of the file is left out")
	}
	if x.behind != "" {
		trace.Lose(d.sink, model.LossTruncated, 1, x.behind+", which is left out")
	}
	d.globalSamples()
	d.nameSampled()
	d.reportUnshown()
	if d.b.Empty() {
		d.b.CloseEmpty()
		if why := cmp.Or(cut, x.behind); why != "" {
			return broken, fmt.Errorf("%w; %s", errNoEvents, why)
		} else if damage != nil {
			return broken, fmt.Errorf("%w; %w", errNoEvents, damage)
		}
		return broken, errNoEvents
	}
	return broken, d.b.Close(func(info *model.Info) {
		form := "object"
		if x.array {
			form = "array"
		}
		d.reportSums()
		info.Detail = fmt.Sprintf("as an %s; 0 is %s µs of the trace's own clock", form, microseconds(d.b.First()))
		if words := d.b.TiledBy(); words != "" {
			info.Detail += "; " + words
		}
	})
}

// microseconds writes ns as µs, with all digits.
func microseconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "−", -ns
	}
	s := fmt.Sprintf("%s%d.%03d", sign, ns/1000, ns%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// addEvent adds an event.
func (d *decoder) addEvent(ev *event, at int64) {
	if ev.spoiled { // scanner counts NULs
		return
	}
	if ev.deep {
		d.b.Bad.Bad(trace.DeepEvent, at)
		return
	}
	if ev.ph == 0 {
		d.b.Bad.Bad(trace.BadEvent, at)
		return
	}
	time, ok := trace.ParseTime(ev.ts, 3)
	if !ok && ev.ph != 'M' {
		d.b.Bad.Bad(trace.BadTime, at)
		return
	}
	th := d.threadOf(ev.pid, ev.tid)
	switch {
	case th == nil:
		d.b.Bad.Bad(trace.ManyThreads, at)
	case ev.ph == 'M':
		d.metadata(th, ev)
	default:
		d.event(th, ev, time, at)
	}
}

// zero is the pid of events that have none.
var zero = []byte("0")

// threadOf returns a thread, nil if there is no room for it. One without a number has that of its process.
func (d *decoder) threadOf(pid, tid []byte) *trace.Thread {
	if len(pid) == 0 {
		pid = zero
	}
	if len(tid) == 0 {
		tid = pid
	}
	return d.b.Thread(pid, tid)
}

// event takes an event with a time.
func (d *decoder) event(th *trace.Thread, ev *event, time trace.Instant, at int64) {
	ns := time.Round()
	if (ev.ph == 'P' || ev.ph == 'I') && ev.isProfile() {
		d.profileEvent(th, ev, ns, at)
		return
	}
	if ev.bindID != nil {
		d.flow(th, ev, ns, ev.role())
	}
	switch ev.ph {
	case 'B':
		d.b.Args.Object(th.Begin(ns, d.nameOf(ev)), ev.args)
	case 'E':
		d.b.Args.Object(th.End(ns, d.nameOfEnd(ev)), ev.args)
	case 'X':
		if ev.dur == nil { // it was running when the recording ended
			d.b.Args.Object(th.OpenSpan(ns, d.nameOf(ev)), ev.args)
			return
		}
		d.b.Args.Object(th.Span(ns, d.endOf(ev, time, at), d.nameOf(ev)), ev.args)
		if ns == 0 && isTotal(ev) {
			th.Sums++
		}
	case 'i', 'I', 'R':
		d.instant(th, ev, ns)
	case 'C':
		d.counter(th, ev, ns, at)
	case 'b', 'e', 'S', 'F':
		d.asyncEvent(th, ev, ns)
	case 'n', 'T', 'p':
		th.Note(ns, d.note(ev, false))
	case 's':
		d.flow(th, ev, ns, trace.FlowBegins)
	case 't':
		d.flow(th, ev, ns, trace.FlowSteps)
	case 'f':
		d.flow(th, ev, ns, trace.FlowEnds)
	default:
		d.other(th, ev, ns, at)
	}
}

// nameOf returns the name of a span, and notes where in the source it is, if that is said.
func (d *decoder) nameOf(ev *event) trace.Symbol {
	name, file, line := d.b.JSONSymbol(ev.name), ev.file, ev.line
	if file == nil && bytes.Contains(ev.args, []byte(`"src_line"`)) {
		file, line = trace.Member(ev.args, "src_file"), trace.Member(ev.args, "src_line")
	}
	if len(file) > 0 {
		d.locate(name, file, line, 0)
	}
	return name
}

// locate notes where spans with a name are; the lines of the writer begin with 1-first.
func (d *decoder) locate(name trace.Symbol, file, line []byte, first int64) {
	n, err := strconv.ParseInt(string(line), 10, 32)
	if err != nil {
		first = 0
	}
	d.b.Locate(name, d.b.JSONSymbol(file), n+first)
}

// nameOfEnd returns the name of the span that an end is of: the innermost one if it has none.
func (d *decoder) nameOfEnd(ev *event) trace.Symbol {
	if len(ev.name) == 0 {
		return trace.NoSymbol
	}
	return d.b.JSONSymbol(ev.name)
}

// endOf returns the end of a whole span.
func (d *decoder) endOf(ev *event, begin trace.Instant, at int64) int64 {
	dur, ok := trace.ParseTime(ev.dur, 3)
	if !ok || dur.Ns < 0 {
		d.b.Bad.Bad(trace.BadLength, at)
		return begin.Round()
	}
	return max(min(begin.Plus(dur).Round(), trace.MaxTime), begin.Round())
}

// isTotal reports whether a span is what clang writes of how long all of a name took, on a thread of its own from 0 on
// (spec/chrome-trace.md, Mapping).
func isTotal(ev *event) bool {
	return bytes.HasPrefix(ev.name, []byte("Total ")) && trace.Member(ev.args, "avg ms") != nil
}

// metadata takes a metadata event of a process or a thread. The last one wins.
func (d *decoder) metadata(th *trace.Thread, ev *event) {
	p := th.Process()
	index := func() int64 {
		n, _ := strconv.ParseInt(string(trace.Member(ev.args, "sort_index")), 10, 64)
		return n
	}
	switch string(ev.name) {
	case "process_name":
		p.Name = trace.Program(trace.JSONText(trace.Member(ev.args, "name")))
	case "thread_name":
		th.Name = trace.JSONText(trace.Member(ev.args, "name"))
	case "process_sort_index":
		p.Sort = index()
	case "thread_sort_index":
		th.Sort = index()
	}
}

// instant takes an instant: a message, or the begin of a frame.
func (d *decoder) instant(th *trace.Thread, ev *event, ns int64) {
	digits, ticks := d.b.Ticks(ev.name)
	n := d.note(ev, ticks)
	if ticks {
		if len(digits) == 0 {
			digits = trace.Member(ev.args, "n")
		}
		n.Ticks, n.Frame = true, -1
		if v, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
			n.Frame = v
		}
	}
	th.Note(ns, n)
}

// counter takes the values of a counter, one for each key of the arguments.
func (d *decoder) counter(th *trace.Thread, ev *event, ns, at int64) {
	id := ev.id
	if id == nil {
		id = ev.id2
	}
	trace.Members(ev.args, func(key, value []byte) {
		v, err := strconv.ParseFloat(string(value), 64)
		if err != nil || v-v != 0 {
			d.b.Bad.Bad(trace.BadNumber, at)
			return
		}
		if math.Abs(v) >= 1<<53 && !exact(value) {
			d.b.Bad.Bad(trace.LargeNumber, at)
		}
		d.key = append(append(append(append(append(d.key[:0], ev.name...), 0), id...), 0), key...)
		c := d.b.Counter(th.Process(), d.key, func() model.SeriesDef {
			name := trace.JSONText(key)
			if len(id) > 0 {
				name = trace.JSONText(id) + " " + name
			}
			return model.SeriesDef{Name: name, Group: trace.JSONText(ev.name), Kind: model.SeriesGauge}
		})
		d.b.Value(c, ns, v, at)
	})
}

// exact reports whether a number is none that is whole and that a value of a series can't hold.
func exact(value []byte) bool {
	whole, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil && trace.Exact(whole) || err != nil && !errors.Is(err, strconv.ErrRange)
}

// asyncEvent takes a begin or an end that belongs to no thread. Those with the same key nest.
func (d *decoder) asyncEvent(th *trace.Thread, ev *event, ns int64) {
	k := d.key[:0]
	id, pid := ev.id, []byte(th.Process().ID)
	if ev.id2 != nil {
		if id = trace.Member(ev.id2, "local"); id == nil {
			id, pid = trace.Member(ev.id2, "global"), nil
		}
	}
	for _, part := range [...][]byte{pid, ev.cat, ev.scope, id} {
		k = append(append(k, part...), 0)
	}
	old := ev.ph == 'S' || ev.ph == 'F'
	if old {
		k = append(append(k, 1), ev.name...)
	}
	d.key = k
	t := d.async[string(k)]
	if t == nil {
		if t = d.b.NewTrack(); t == nil {
			d.b.Bad.Bad(trace.NoMemory, trace.Unknown)
			return
		}
		th.Process().Attach(t, trace.NoSymbol)
		d.async[string(k)] = t
	}
	if ev.ph == 'e' || ev.ph == 'F' {
		d.b.Args.Object(t.End(ns, d.nameOfEnd(ev)), ev.args)
	} else {
		d.b.Args.Object(t.Begin(ns, d.nameOf(ev)), ev.args)
	}
}

// role returns the part of an event with a bind_id in its flow (version 2).
func (ev *event) role() trace.FlowRole {
	switch {
	case ev.flowOut == ev.flowIn:
		return trace.FlowThrough // both, or that is not said
	case ev.flowOut:
		return trace.FlowOut
	}
	return trace.FlowIn
}

// flow takes an event of a flow.
func (d *decoder) flow(th *trace.Thread, ev *event, ns int64, role trace.FlowRole) {
	k := d.key[:0]
	if role >= trace.FlowThrough {
		k = append(append(k, 1), ev.bindID...)
	} else {
		k = append(append(append(append(append(k, ev.cat...), 0), ev.name...), 0), ev.id...)
		k = append(append(k, 0), ev.id2...)
	}
	d.key = k
	th.Flow(ns, trace.Flow{
		Key: k, Name: d.b.JSONSymbol(ev.name), Role: role, OnNext: role == trace.FlowEnds && string(ev.bp) != "e",
	})
}

// unshown are the kinds of events that are read and not shown.
type unshown uint8

const (
	samples unshown = iota
	snapshots
	dumps
	clocks
	contexts
	numUnshown
)

// unshownPhases has their phases.
var unshownPhases = map[byte]unshown{
	'P': samples, 'N': snapshots, 'O': snapshots, 'D': snapshots, 'v': dumps, 'V': dumps, 'c': clocks,
	'(': contexts, ')': contexts,
}

var unshownWords = [numUnshown][2]string{
	{"sample", "samples"}, {"event of an object", "events of objects"},
	{"memory dump", "memory dumps"}, {"clock sync", "clock syncs"}, {"change of context", "changes of context"},
}

// other counts an event that is not shown.
func (d *decoder) other(th *trace.Thread, ev *event, ns, at int64) {
	th.See(ns)
	if kind, ok := unshownPhases[ev.ph]; ok {
		d.unshown[kind]++
		return
	}
	d.b.Bad.Bad(trace.BadEvent, at)
}

// reportUnshown warns of the events that are not shown.
func (d *decoder) reportUnshown() {
	var list trace.Unshown
	for k, n := range d.unshown {
		list.Add(n, unshownWords[k][0], unshownWords[k][1])
	}
	list.Report(d.sink.Define)
}

// reportSums warns of sums that are hidden.
func (d *decoder) reportSums() {
	if n := d.b.HiddenSums(); n > 0 {
		d.sink.Define(model.Warning{Text: fmt.Sprintf("%d spans “Total …” are sums that the compiler wrote as spans, "+
			"each on a "+
			"thread of its own: these are hidden, and figures of all threads do not count them.", n)})
	}
}
