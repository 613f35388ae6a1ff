package details

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
)

// elementDetails has the figures of an element of a pipeline, or of a pad, in a range of time.
type elementDetails struct {
	id       model.ObjectID
	pads     []model.SeriesID // of how long buffers took, one a pad
	took     flow.Figures
	fill     flow.Fill
	dropped  float64
	drops    bool // it reports drops
	track    model.TrackID
	thread   model.TrackID   // that pushes from it
	fillers  []model.TrackID // others that bring it buffers
	worst    spans.Bar       // the stop that took longest
	samples  []model.Sample  // of the pad at which most time went by, those that were looked at
	messages []messages.Hit  // the newest, from the newest on
	page     []messages.Hit
	awaits   bool   // the newest messages are not found yet
	found    uint64 // revision of the results at the time of the query
}

// Bounds of the data read for an element.
const (
	elementSamples = 1 << 16 // samples, for the histogram; of more, equal parts of the range give equal numbers
	messagesShown  = 5
	messagesLooked = 4096 // of the newest
	messagesPage   = 256
)

// shows reports whether other rows show the content of a series better.
func (x *elementDetails) shows(s *spans.Series) bool {
	return s.Def.Role == model.RoleLatency && x.took.N > 0 ||
		s.Def.Role == model.RoleLevel && x.fill.Known && s.Def.Unit == ""
}

// measureElement gets the figures of an element or a pad from the model.
func (p *Panel) measureElement(env *panel.Env, of subjectOf) {
	x := &p.element
	*x = elementDetails{
		id: of.about, track: model.NoTrack, thread: model.NoTrack, pads: x.pads[:0], fillers: x.fillers[:0],
		samples: x.samples[:0], messages: x.messages[:0], page: x.page,
	}
	if of.about == model.NoObject {
		return
	}
	s, index := of.session, env.View.Causes().Flow()
	element := flow.ElementOf(s, of.about)
	if element == of.about {
		x.pads = index.TookAll(of.about, x.pads)
		x.fill = index.Fill(of.about, of.t0, of.t1)
		x.dropped, x.drops = index.Dropped(of.about, of.t0, of.t1)
		x.track = index.Track(of.about)
	} else {
		for _, id := range s.Series().ByObject(of.about) {
			if s.Series().ByID(id).Def.Role == model.RoleLatency {
				x.pads = append(x.pads, id)
			}
		}
	}
	x.thread = index.Thread(element)
	for _, l := range s.Topology().Links() {
		from, to := flow.ElementOf(s, l.From), flow.ElementOf(s, l.To)
		if t := index.Thread(from); to == element && t != model.NoTrack && t != x.thread && !x.fills(t) {
			x.fillers = append(x.fillers, t)
		}
	}
	x.took = flow.Took(s, x.pads, of.t0, of.t1)
	if x.track != model.NoTrack && x.took.N > 0 {
		var one [1]spans.Bar
		for _, b := range s.Spans().Longest(x.track, model.NoCollector, -1, of.t0, of.t1, 1, one[:0]) {
			x.worst = b
		}
	}
	p.latencies(of)
	x.findMessages(of)
}

func (x *elementDetails) fills(t model.TrackID) bool {
	for _, f := range x.fillers {
		if f == t {
			return true
		}
	}
	return false
}

// latencies counts how long buffers took at the pad at which most time went by.
func (p *Panel) latencies(of subjectOf) {
	x := &p.element
	if x.took.N == 0 {
		return
	}
	of1 := of.session.Series().ByID(x.took.Series)
	st := of1.Stats(of.t0, of.t1)
	p.stats = frames.Stats{Min: st.Min / 1e9, Median: st.P50 / 1e9, P95: st.P95 / 1e9, P99: st.P99 / 1e9,
		Max: st.Max / 1e9}
	if !p.scale("buffer", "buffers") {
		return
	}
	p.all = st.N
	if parts := int64(64); st.N <= elementSamples {
		x.samples = of1.Samples(of.t0, of.t1, 0, x.samples)
	} else {
		for i := range parts {
			a, b := of.t0+(of.t1-of.t0)/parts*i, of.t0+(of.t1-of.t0)/parts*(i+1)
			x.samples = of1.Samples(a, b, elementSamples/int(parts), x.samples)
		}
	}
	for i := range x.samples {
		if m := &x.samples[i]; !math.IsNaN(m.Value) {
			p.count(m.Value/1e9, m.Time)
		}
	}
}

// findMessages finds the newest messages of the element or of its pads in the range.
func (x *elementDetails) findMessages(of subjectOf) {
	o, _ := of.session.Topology().Object(of.about)
	name := o.Name
	if o.Kind != model.ObjectElement && o.Kind != model.ObjectBin {
		in, _ := of.session.Topology().Object(o.Parent)
		name = in.Name + ":" + o.Name
	}
	q := messages.Query{MinSeverity: model.SeverityTrace, T0: of.t0, T1: of.t1 - 1}
	_, n, share := of.session.Messages().FindSoFar(q, nil)
	x.messages, x.found = x.messages[:0], of.session.Messages().FoundStamp()
	if x.awaits = share < 1; x.awaits {
		return
	}
	for end := n; end > max(n-messagesLooked, 0); end -= messagesPage {
		q.First, q.Limit = max(end-messagesPage, 0), min(end, messagesPage)
		x.page, _, _ = of.session.Messages().FindSoFar(q, x.page[:0])
		for i := len(x.page) - 1; i >= 0; i-- {
			if m := &x.page[i]; m.Object == name || len(m.Object) > len(name) && m.Object[:len(name)+1] == name+":" {
				if x.messages = append(x.messages, *m); len(x.messages) == messagesShown {
					return
				}
			}
		}
	}
}

// threadRows writes which thread pushes from the element, and which others bring it buffers.
func (p *Panel) threadRows(r *rows, of subjectOf) {
	x := &p.element
	if x.thread != model.NoTrack {
		r.add("pushed on by", subject.ThreadName(of.session, x.thread), r.env.Theme.Text)
	}
	for _, t := range x.fillers {
		r.add("filled by", subject.ThreadName(of.session, t), r.env.Theme.Text)
	}
}

// latencyRows writes how long buffers took, how they are spread, and how full it is.
func (p *Panel) latencyRows(r *rows, of subjectOf, hover int) {
	x, t := &p.element, r.env.Theme
	duration := func(name string, ns float64, about bool) draw.Rect {
		var b []byte
		if about && ns != 0 {
			b = append(b, "≈ "...)
		}
		return r.add(name, string(format.AppendDuration(b, int64(ns+0.5))), t.Text)
	}
	if f := &x.took; f.N > 0 {
		r.add("buffers", string(format.AppendCount(nil, f.N)), t.Text)
		duration("median", f.MedianNs, f.Estimated)
		duration("p99", f.P99Ns, f.Estimated)
		row := duration("longest", f.MaxNs, false)
		if x.worst.Count > 0 && x.worst.End-x.worst.Begin == int64(f.MaxNs) {
			b := x.worst
			p.link(row, func(*panel.Env) panel.Hit {
				hit := panel.NoHit()
				hit.Kind, hit.Track, hit.Bar, hit.TimeNs, hit.Collector = panel.HitSpan, b.Ref.Track, b, b.Begin, b.Collector
				hit.Lines = []string{"click: go to this buffer"}
				return hit
			}, func(env *panel.Env) { env.View.GoToSpan(b) })
		}
		if len(p.counts) > 0 {
			y := r.y + r.env.Px(6)
			p.drawHistogram(r.env, of, y, 100, hover)
			if !p.bins.Empty() {
				r.y = p.bins.Y1 + r.env.Px(20)
			}
		}
	}
	if f := &x.fill; f.Known {
		count := func(name string, v float64) { r.add(name, string(format.AppendValue(nil, v, "")), t.Text) }
		count("in it, median", f.Median)
		count("in it, most", f.Most)
		if f.Limit > 0 {
			count("takes at most", f.Limit)
		}
	}
	if x.drops {
		c := format.Pick(x.dropped > 0, t.Over, t.Text)
		r.add("dropped", string(format.AppendCount(nil, int64(x.dropped))), c)
	}
}

// messageRows writes the newest messages.
func (p *Panel) messageRows(r *rows) {
	x, env := &p.element, r.env
	if len(x.messages) == 0 && !x.awaits {
		return
	}
	r.line()
	r.head("its messages, the newest first")
	r.If(x.awaits).add("searching …", "", env.Theme.TextDim)
	for i := range x.messages {
		m := x.messages[i]
		rect := r.row(env.Px(20))
		p.link(rect, func(env *panel.Env) panel.Hit { return hitMessage(env, &m) }, func(env *panel.Env) {
			env.View.SelectAt(view.Message(m.Track, m.Message), m.Time)
			env.View.Steer().Reveal(m.Time)
		})
		at := string(format.AppendClock(nil, m.Time, 1e6))
		p.Out.TextIn(draw.Small, rect, draw.Left, at, draw.Color(env.Theme.TextDim))
		rect.X0 += env.Atlas.Measure(draw.Small, at) + env.Px(8)
		text, _ := subject.MessageLine(m.Text)
		p.Out.TextIn(draw.Small, rect, draw.Left, text, draw.Color(env.Theme.Text2))
		p.addFact("message", at)
		r.y = rect.Y1
	}
}

// hitMessage describes a message.
func hitMessage(env *panel.Env, m *messages.Hit) panel.Hit {
	hit := panel.NoHit()
	hit.Kind, hit.Track, hit.TimeNs, hit.Thing = panel.HitMessage, m.Track, m.Time, view.Message(m.Track, m.Message)
	title := ""
	if t := env.View.Session().Track(m.Track); t != nil {
		title = t.Title()
	}
	var l panel.TipLines
	l.Begin()
	subject.MessageTip(&l, title, &m.Message)
	l.Add("click: show it in all panels")
	hit.Lines = l.All()
	return hit
}

// goToLatency goes to the buffer that took so long and left an element at a time.
func (p *Panel) goToLatency(env *panel.Env, of subjectOf, x binned) {
	if t := of.session.Track(p.element.track); t != nil {
		for lane := range t.Lanes() {
			b, ok := of.session.Spans().At(p.element.track, lane, x.at-1, 0)
			if ok && b.End == x.at && float64(b.End-b.Begin)/1e9 == x.value {
				env.View.GoToSpan(b)
				return
			}
		}
	}
	env.View.SetPlayhead(x.at)
}
