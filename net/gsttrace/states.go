package gsttrace

import (
	"bytes"
	"strings"

	"framescope/model"
)

// stateChanged notes a state. The first change also gives the state before, back to the element's creation.
func (m *mapper) stateChanged(p *process, o *object, from, to int, timeNs int64) {
	if o == nil || to < 0 {
		return
	}
	if o.state == nil {
		d := model.SeriesDef{Group: "state", Kind: model.SeriesState, Role: model.RoleState, States: States[:]}
		o.state = &groupSeries{id: p.series(o.fullName(), o, d)}
		if from >= 0 && o.def.Created != model.TimeUnknown && o.def.Created < timeNs {
			m.out.Sample(o.state.id, o.def.Created, float64(from))
			o.state.last = uint64(from) + 1
		}
	}
	if o.state.last != uint64(to)+1 {
		o.state.last = uint64(to) + 1
		m.out.Sample(o.state.id, timeNs, float64(to))
	}
}

// resultsOf are the results of the log tracer's calls that worked, as numbers and as words.
var resultsOf = map[string][2]string{
	"push_buffer": {"0", "ok"}, "push_buffer_list": {"0", "ok"}, "pull_range": {"0", "ok"}, "chain_buffer": {"0", "ok"},
	"chain_list": {"0", "ok"}, "pad_link": {"0", "ok"},
	"push_event": {"1", "true"}, "send_event": {"1", "true"}, "bin_add": {"1", "true"}, "bin_remove": {"1", "true"},
	"pad_unlink": {"1", "true"},
}

// callFacts takes from a line of the log tracer the facts for the session: states, objects and links.
// It returns whether the line is worth a message.
func (m *mapper) callFacts(p *process, t *thread, e *LogEntry, hook []byte, phase int8, timeNs int64) (shown bool) {
	result, known := resultsOf[string(hook)]
	failed := phase > 0 && known && !Worked(e.Message, result[0], result[1])
	switch name := string(hook); {
	case name == "element_new":
		if o := m.objectOf(p, e.Object); o != nil && o.def.Created == model.TimeUnknown {
			o.def.Created = timeNs
			m.define(o)
		}
	case phase < 0:
		if name == "post_message" {
			m.posted(p, t, e, timeNs)
		}
	case phase == 0 || failed:
	case name == "element_change_state":
		from, to := ChangeOf(Argument(e.Message, "change"))
		switch strings.ToLower(string(Argument(e.Message, "res"))) {
		case "1", "3", "success", "no-preroll", "gst_state_change_success", "gst_state_change_no_preroll":
			m.stateChanged(p, m.objectOf(p, e.Object), from, to, timeNs)
		case "0", "failure", "gst_state_change_failure":
			failed = true
		}
	case name == "bin_add", name == "bin_remove":
		m.binChanged(p, e, name == "bin_add")
	case name == "pad_link", name == "pad_unlink":
		m.linkChanged(p, e, name == "pad_link", timeNs)
	}
	return phase <= 0 || failed
}

// posted takes from a message that an element posts its state and the thread that it enters.
func (m *mapper) posted(p *process, t *thread, e *LogEntry, timeNs int64) {
	head, _, ok := bytes.Cut(e.Message, []byte("GstMessageS"))
	if !ok {
		return
	}
	s, _ := ParseStructure(e.Message[len(head):])
	switch s.Name {
	case "GstMessageStateChanged":
		own := append(append(append(m.scratch[:0], ", element '"...), e.Object...), "', "...)
		m.scratch = own
		if bytes.Contains(head, own) { // else a bin passes it on
			m.stateChanged(p, m.objectOf(p, e.Object), State(s.text("old-state")), State(s.text("new-state")), timeNs)
		}
	case "GstMessageStreamStatus":
		if strings.EqualFold(s.text("type"), "enter") {
			t.entered(taskName(&s))
		}
	}
}

// binChanged notes that an element was put in a bin, or taken out.
func (m *mapper) binChanged(p *process, e *LogEntry, added bool) {
	bin, child := m.objectOf(p, Bracketed(e.Message, "bin")), m.objectOf(p, Bracketed(e.Message, "element"))
	if bin == nil || child == nil {
		return
	}
	if bin.def.Kind == model.ObjectElement {
		bin.def.Kind = model.ObjectBin
		m.define(bin)
	}
	if added {
		m.setParent(child, bin, true)
	} else if child.parent == bin {
		child.parent, child.byRecord = nil, false
		m.define(child)
	}
}

// linkChanged notes that two pads were linked, or no longer are.
func (m *mapper) linkChanged(p *process, e *LogEntry, linked bool, timeNs int64) {
	from := m.padOf(p, Bracketed(e.Message, "src"), model.PadSource)
	to := m.padOf(p, Bracketed(e.Message, "sink"), model.PadSink)
	if from == nil || to == nil {
		return
	}
	if linked {
		m.link(from, to, timeNs)
	} else if l := m.links[linkKey{from.id(), to.id()}]; l != nil && isOpen(l) {
		l.Until = timeNs
		m.out.Define(*l)
	}
}

// objectOf returns the element that the log tracer names; nil while it has no name of its own.
func (m *mapper) objectOf(p *process, text []byte) *object {
	if len(text) == 0 || bytes.Contains(text, []byte("@0x")) || bytes.Contains(text, []byte("(NULL)")) ||
		bytes.Equal(text, []byte("''")) {
		return nil
	}
	return p.elementNamed(m.name(text), "")
}

// padOf returns the pad that is written as element:pad.
func (m *mapper) padOf(p *process, text []byte, dir model.PadDirection) *object {
	k := bytes.LastIndexByte(text, ':')
	if k <= 0 {
		return nil
	}
	element := m.objectOf(p, text[:k])
	if element == nil {
		return nil
	}
	pad := p.padNamed(element, m.name(text[k+1:]), dir)
	if pad.def.Direction == model.PadUnknown {
		pad.def.Direction = dir
		m.define(pad)
	}
	return pad
}

// call maps a line of the log tracer. It reports whether the line is worth a message: begins with arguments are,
// ends only with a failure.
func (m *mapper) call(p *process, t *thread, e *LogEntry, hook []byte, phase int8, timeNs int64) (shown bool) {
	p.calls = true
	if phase != 0 {
		id := m.collector(string(hook), hook, e.Object, m.colors.at(e.Object))
		if phase < 0 {
			t.calls.push(id, timeNs)
		} else {
			t.calls.pop(id, timeNs)
		}
	}
	return m.callFacts(p, t, e, hook, phase, timeNs)
}
