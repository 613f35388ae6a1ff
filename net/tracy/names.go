package tracy

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// query is a kind of question to the program, as it is numbered in all versions.
type query uint8

const (
	askEnd query = iota
	askText
	askThread
	askLocation
	askPlot
	askFrame
	askParameter
	askFiber
	askDisconnect // and those for frames of stacks and external names, in an order that versions have
)

// ordersExternal is the version from which on the question for external names has a higher rank, before the others.
const ordersExternal = 66

// Questions on their way are few, so that the program, which sends before it reads, never has to wait for us while we
// wait for it.
const (
	mostAsked  = 1000
	queryBytes = 1 + 8 + 4
	nameBytes  = 200 // for each pointer
)

// names are the names that the program refers to by pointers, and the questions for them.
type names struct {
	table     *trace.Table
	sink      feed.Sink
	room      *feed.Names
	bad       *trace.Diagnostics
	texts     map[reference]*text
	places    map[uint64]*location
	recent    [64]recentPlace
	payloads  map[string]*location
	ordered   []*location // in order of the questions: their answers do not name them
	questions []byte
	asked     int    // without an answer
	thread    []byte // name of the thread in the answer that comes

	askExternal query // for the name of a thread of any program, and its program
}

type recentPlace struct {
	ptr   uint64
	place *location
}

// reference is a pointer to a text of a kind: the number of a thread is one, too.
type reference struct {
	kind query
	ptr  uint64
}

// text is a text of the program, and what waits for it.
type text struct {
	words string
	known bool
	then  []func(words string)
}

// location is a place of the source: what the zones there are called.
type location struct {
	collector       model.CollectorID
	def             model.CollectorDef
	title, function string
	known           bool
	then            []func(*location) // are called when its name is known
}

// named calls a function when the name of a place is known.
func (l *location) named(then func(*location)) {
	if l.known && l.function != "" {
		then(l)
	}
	l.then = append(l.then, then)
}

func newNames(sink feed.Sink, room *feed.Names, bad *trace.Diagnostics) *names {
	return &names{
		table: trace.NewTable(sink, room, "All zones"), sink: sink, room: room, bad: bad, texts: map[reference]*text{},
		places: map[uint64]*location{}, payloads: map[string]*location{},
	}
}

func keyOf(ptr uint64) []byte { return binary.LittleEndian.AppendUint64(nil, ptr) }

// want calls a function with a text of the program, now or when it comes. No text is at 0.
func (n *names) want(kind query, ptr uint64, then func(words string)) {
	if ptr == 0 && kind != askThread {
		then("")
		return
	}
	at := reference{kind, ptr}
	x := n.texts[at]
	if x == nil {
		if !n.room.Take(nameBytes) {
			n.bad.Bad(trace.NoMemoryForNames, trace.Unknown)
			return
		}
		x = &text{}
		n.texts[at] = x
		n.question(kind, ptr)
	}
	if x.known {
		then(x.words)
		return
	}
	x.then = append(x.then, then)
}

// question asks the program.
func (n *names) question(kind query, ptr uint64) {
	n.questions = append(n.questions, byte(kind))
	n.questions = binary.LittleEndian.AppendUint64(n.questions, ptr)
	n.questions = append(n.questions, 0, 0, 0, 0)
}

// ask sends as many questions as may be on their way. Of a recording the answers are in it.
func (n *names) ask(send func([]byte) error) error {
	if send == nil {
		n.questions = n.questions[:0]
		return nil
	}
	some := min(len(n.questions), (mostAsked-n.asked)*queryBytes)
	if some <= 0 {
		return nil
	}
	n.asked += some / queryBytes
	err := send(n.questions[:some])
	n.questions = append(n.questions[:0], n.questions[some:]...)
	return err
}

// settled reports whether all questions are answered.
func (n *names) settled() bool { return len(n.questions) == 0 && n.asked == 0 }

// answer takes an answer of the program.
func (n *names) answer(r *record) {
	switch r.is {
	case stringText:
		n.answered(askText, r)
	case threadName:
		n.answered(askThread, r)
	case plotName:
		n.answered(askPlot, r)
	case frameName:
		n.answered(askFrame, r)
	case fiberName:
		n.answered(askFiber, r)
	case externalThreadName:
		n.thread = append(n.thread[:0], r.text...)
	case externalName: // the program of that thread
		if len(n.thread) > 0 && !bytes.Equal(n.thread, r.text) {
			r.text = fmt.Appendf(nil, "%s: %s", r.text, n.thread)
		}
		n.answered(n.askExternal, r)
	case sourceLocation:
		n.asked = max(n.asked-1, 0)
		if len(n.ordered) == 0 {
			n.bad.Bad(trace.BadReference, trace.Unknown)
			return
		}
		l := n.ordered[0]
		n.ordered = n.ordered[1:]
		n.describe(l, r)
	case answered:
		n.asked = max(n.asked-1, 0)
	}
}

func (n *names) answered(kind query, r *record) {
	n.asked = max(n.asked-1, 0)
	at := reference{kind, r.uint("ptr")}
	x := n.texts[at]
	if x == nil || x.known {
		n.bad.Bad(trace.BadReference, trace.Unknown)
		return
	}
	if !n.room.Take(int64(len(r.text))) {
		n.bad.Bad(trace.NoMemoryForNames, trace.Unknown)
		return
	}
	x.words, x.known = trace.Shown(string(r.text)), true
	for _, then := range x.then {
		then(x.words)
	}
	x.then = nil
}

// location returns the place of the source at a pointer.
func (n *names) location(ptr uint64) *location {
	slot := &n.recent[ptr>>4%uint64(len(n.recent))]
	if slot.ptr == ptr && slot.place != nil {
		return slot.place
	}
	l := n.places[ptr]
	if l == nil {
		l = &location{title: fmt.Sprintf("zone at %#x", ptr)}
		n.define(l, keyOf(ptr))
		if !n.room.Take(nameBytes) {
			n.bad.Bad(trace.NoMemoryForNames, trace.Unknown)
			return l
		}
		n.places[ptr] = l
		n.ordered = append(n.ordered, l)
		n.question(askLocation, ptr)
	}
	*slot = recentPlace{ptr, l}
	return l
}

// define gives a place its collector.
func (n *names) define(l *location, key []byte) {
	l.collector = n.table.Keyed(key, func() model.CollectorDef { return model.CollectorDef{Name: l.title} })
}

// rename gives a place another name.
func (n *names) rename(l *location, title string) {
	if l.def.ID, l.def.Name = l.collector, title; title != "" && l.collector != trace.Other {
		n.sink.Define(l.def)
	}
}

// describe takes what the program says of a place.
func (n *names) describe(l *location, r *record) {
	l.known = true
	name, function, file := r.uint("name"), r.uint("function"), r.uint("file")
	color, line := r.uint("color"), r.uint("line")
	l.def.Color = rgb(color)
	again := func() {
		title := cmp.Or(l.title, l.function)
		if title == "" {
			return // to come
		}
		n.rename(l, title)
		for _, then := range l.then {
			then(l)
		}
	}
	l.title = ""
	n.want(askText, file, func(s string) {
		if s != "" {
			l.def.Place = trace.Place(s, int64(line))
			again()
		}
	})
	n.want(askText, function, func(s string) { l.function = s; again() })
	if name != 0 {
		n.want(askText, name, func(s string) { l.title = s; again() })
	}
}

// payload takes a place that a program made while it ran: color, line, function, file and name. Programs with
// scripts have many of them.
func (n *names) payload(b []byte) *location {
	if l := n.payloads[string(b)]; l != nil {
		return l
	}
	if len(b) < 8 {
		n.bad.Bad(trace.BadReference, trace.Unknown)
		return nil
	}
	color, line := uint64(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint32(b[4:])
	function, rest, _ := bytes.Cut(b[8:], []byte{0})
	file, name, _ := bytes.Cut(rest, []byte{0})
	l := &location{
		def: model.CollectorDef{Color: rgb(color), Place: trace.Place(string(file), int64(line))}, known: true,
		function: trace.Shown(string(function)),
	}
	l.title = cmp.Or(trace.Shown(string(name)), l.function, l.def.Where())
	l.def.Name = l.title
	l.collector = n.table.Keyed(append([]byte{'p'}, b[4:]...), func() model.CollectorDef { return l.def })
	if n.room.Take(int64(nameBytes + len(b))) {
		n.payloads[string(b)] = l
	}
	return l
}

// close says what names never came.
func (n *names) close() {
	unknown := 0
	for _, l := range n.places {
		if !l.known {
			unknown++
		}
	}
	if unknown > 0 {
		n.sink.Define(model.Warning{Text: fmt.Sprintf(
			"%d places of zones never got a name; they are shown by their address", unknown)})
	}
	n.table.Report()
}

// rgb returns a color of the program, that of a place; 0: it has none.
func rgb(color uint64) model.RGB {
	return model.RGB{R: uint8(color >> 16), G: uint8(color >> 8), B: uint8(color), Set: color&0xffffff != 0}
}
