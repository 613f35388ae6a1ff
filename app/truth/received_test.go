package truth

import (
	"slices"
	"strings"

	looks "framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
)

// receivedRow takes what report says of the account, else counts what is there.
func receivedRow(p *part, _ *view.View, r *record) (out figuresOf) {
	said, ledger := p.report(), p.s.Ledger()
	if said == nil {
		said = row{}
	}
	add := func(v float64) { out = append(out, map[string]float64{"n": v}) }
	for _, line := range said.rows("ledger") {
		if line.text("reason") == r.name {
			n, _ := line.number("count")
			add(n)
		}
	}
	for _, l := range p.s.Limits() {
		if r.name == "· "+l.What {
			add(float64(l.N))
		}
	}
	if n, ok := p.things()[r.name]; ok && !ledger.Framed {
		add(n)
	}
	sampling := said.object("calls").object("sampling")
	for words, field := range map[string]string{
		"time between samples, median": "median_ns", "one in twenty below": "p5_ns", "one in twenty above": "p95_ns",
		"asked for": "asked_ns", "gaps in the sampling": "gaps", "gaps, all together": "gap_ns", "longest gap": "longest_ns",
	} {
		if v, ok := sampling[field].(float64); ok && r.name == words {
			add(v)
		}
	}
	switch _, end, _ := p.s.Bounds(); r.name {
	case "of all":
		add(float64(ledger.Received) / float64(ledger.Sent))
	case "time step":
		add(float64(p.s.Info().Clock.Step(end)))
	case "memory":
		add(float64(p.memory))
	}
	return out
}

// things counts what a session has, one by one.
func (p *plain) things() map[string]float64 {
	n := map[string]float64{
		"threads and streams": float64(p.s.NumTracks()), "objects": float64(len(p.s.Topology().Objects())),
		"listed resources": float64(len(p.s.Topology().Resources())),
	}
	for id, spans := range p.spans {
		n["spans"] += float64(len(spans))
		n["messages"] += float64(len(p.s.Messages().Of(id, -1<<62, 1<<62, nil)))
	}
	values := 0.0
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		had := len(x.Samples(-1<<62, 1<<62, int(x.Len()), nil))
		switch {
		case had == 0 || x.Def.Role == model.RoleWeight:
		case x.Def.Role != model.RoleStack:
			values += float64(had)
			n["series"]++
		default:
			if of, _ := p.numSamples(x.Def.Track, -1<<62, 1<<62); of == of {
				n["samples"] += of
			} else {
				n["stacks"] += float64(had)
			}
		}
	}
	if n["samples"]+n["stacks"] > 0 {
		n["values of series"] = values
	} else {
		n["samples"] = values
	}
	return n
}

// receivedWords wants the line of the account, or of the notes on the session, as it is told there, or
// the part of a note that stands in a line of the panel.
func receivedWords(x *tip) string {
	_, lines := x.s.Losses()
	said := strings.Join(x.words, "\n")
	noted := slices.ContainsFunc(x.s.Warnings(), func(w string) bool { return strings.Contains(w, said) })
	if !slices.Contains(lines, said) && !noted {
		return "nobody noted that"
	}
	return ""
}

// messagesTip is of a message.
func messagesTip(x *tip) (out figuresOf) {
	track, m, _ := x.hit.Thing.Message()
	for _, said := range x.s.Messages().Of(track, m.Time, m.Time, nil) {
		out = append(out, map[string]float64{"time": float64(said.Time)})
	}
	return out
}

// messageWords wants a message that was said then, by that thread, and as it was said, as far as
// there is room.
func messageWords(x *tip) string {
	if _, isOne := x.said["time"]; !isOne {
		return "" // a button
	}
	tight := func(s string) string { return strings.Join(strings.Fields(s), "") }
	shown := []string{}
	for _, line := range x.words {
		if strings.HasPrefix(line, "level\t") {
			break
		}
		shown = append(shown, line)
	}
	text, cut := strings.CutSuffix(tight(strings.Join(shown, "\n")), "…")
	track, m, _ := x.hit.Thing.Message()
	for _, said := range x.s.Messages().Of(track, m.Time, m.Time, nil) {
		whole := tight(said.Text)
		switch {
		case whole != text && whole != text+"…" && !(cut && strings.HasPrefix(whole, text)):
		case x.named["level"] != looks.SeverityName(said.Severity), x.named["category"] != said.Category:
		case x.named["object"] != said.Object, x.named["thread"] != x.s.Track(track).Title():
		default:
			return ""
		}
	}
	return "nobody said that"
}
