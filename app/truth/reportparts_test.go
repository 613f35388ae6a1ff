package truth

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/locks"
)

// parts of a report, by their names, and what compares them. What is not here fails.
var reportParts = map[string]func(p *part, r row, compare func(string, row, map[string]float64)){
	"session": (*part).checkSession,
	"threads": func(p *part, r row, compare func(string, row, map[string]float64)) {
		for _, th := range r.rows("threads") {
			p.checkFrames(th, compare)
		}
	},
	"ledger":    (*part).checkLedger,
	"missing":   (*part).checkMissing,
	"bookmarks": func(*part, row, func(string, row, map[string]float64)) {}, // places and words
	"notes":     func(*part, row, func(string, row, map[string]float64)) {}, // words
	"calls": func(p *part, r row, compare func(string, row, map[string]float64)) {
		p.checkCalls(r.object("calls"), compare)
	},
	"series": func(p *part, r row, compare func(string, row, map[string]float64)) {
		for _, x := range r.rows("series") {
			p.checkSeries(x, compare)
		}
	},
	"locks":    (*part).checkLocks,
	"messages": (*part).checkMessages,
}

// checkSession compares how many frames the session has: those of its main thread, whatever the range.
func (p *part) checkSession(r row, compare func(string, row, map[string]float64)) {
	want := map[string]float64{"pid": float64(p.s.Info().PID), "frames": 0, "missing_frames": 0}
	if t := p.s.Track(p.s.MainTrack()); t != nil && t.NumFrames() > 0 {
		least, most, numbers := int64(math.MaxInt64), int64(math.MinInt64), map[int64]bool{}
		for i := range t.NumFrames() {
			n := t.Frame(i).Number
			least, most, numbers[n] = min(least, n), max(most, n), true
		}
		want["frames"], want["missing_frames"] = float64(t.NumFrames()), missing(t, least, most, len(numbers))
	}
	compare("session", r.object("session"), want)
}

// checkLedger: what was received is what is there, counted by the frame and not by frames and threads;
// and the lines on frames add up.
func (p *part) checkLedger(r row, compare func(string, row, map[string]float64)) {
	lines, sum := map[string]float64{}, 0.0
	for _, l := range r.rows("ledger") {
		n, _ := l.number("count")
		if lines[l.text("key")] = n; l["in_sum"] == true && l.text("key") != "in_all" {
			sum += n
		}
	}
	if all, counted := lines["in_all"]; counted {
		compare("ledger", row{"in_all": all, "received": lines["received"]},
			map[string]float64{"in_all": sum, "received": float64(p.framesOnce())})
	}
	said := map[string]float64{}
	ledger := p.s.Ledger()
	for _, l := range ledger.Lines(nil) {
		said[l.Key] = float64(l.N)
	}
	for key, n := range lines {
		compare("ledger: "+key, row{"count": n}, map[string]float64{"count": said[key]})
	}
}

// checkMissing: what is missing stands in the account, as many.
func (p *part) checkMissing(r row, compare func(string, row, map[string]float64)) {
	for _, m := range r.rows("missing") {
		want := 0.0
		for _, l := range r.rows("ledger") {
			if l.text("key") == m.text("key") {
				want, _ = l.number("count")
			}
		}
		n, _ := m.number("count")
		compare("missing: "+m.text("key"), row{"count": n}, map[string]float64{"count": want})
	}
}

// lockFigures are those of a lock in a range, from its uses one by one, and how its longest wait and
// hold may be told: there may be several as long.
func (p *part) lockFigures(lock model.CollectorID) (want map[string]float64, longest map[string][]row) {
	want, longest = map[string]float64{
		"waits": 0, "waited_ns": 0, "unheld": 0, "unheld_time_ns": 0, "holds": 0, "held_ns": 0, "failed": 0, "conditions": 0, "condition_wait_ns": 0, "signals": 0,
	}, map[string][]row{}
	threads, uses := map[model.TrackID]bool{}, p.uses(lock)
	for _, u := range uses {
		if u.Begin > p.t1 || u.End < p.t0 || u.Depth > 0 {
			continue
		}
		threads[u.Track] = true
		ns, long := float64(min(u.End, p.t1)-max(u.Begin, p.t0)), ""
		switch u.Kind {
		case locks.Waiting:
			if !u.OpenEnd && !slices.ContainsFunc(uses, func(h locks.Bar) bool { return keeps(&h, &u) }) {
				want["unheld"]++ // it was free
				want["unheld_time_ns"] += ns
				continue
			}
			want["waits"]++
			want["waited_ns"] += ns
			long = "longest_wait"
		case locks.Holding:
			want["holds"]++
			want["held_ns"] += ns
			long = "longest_hold"
		case locks.Condition:
			want["conditions"]++
			want["condition_wait_ns"] += ns
			long = "longest_condition_wait"
		case locks.Failed:
			want["failed"]++
		default:
			want["signals"]++
		}
		took := float64(u.End - u.Begin)
		if long == "" || took <= 0 {
			continue
		}
		use := row{"duration_ns": took, "at_ns": float64(u.Begin), "thread": p.s.Track(u.Track).Title()}
		if most := longest[long]; len(most) > 0 && took < most[0]["duration_ns"].(float64) {
			continue
		} else if len(most) > 0 && took > most[0]["duration_ns"].(float64) {
			longest[long] = nil
		}
		if u.Kind == locks.Waiting { // who held it meanwhile
			held := map[model.TrackID]float64{}
			for _, h := range uses {
				if h.Kind == locks.Holding && h.Depth == 0 {
					held[h.Track] += float64(max(min(h.End, u.End)-max(h.Begin, u.Begin), 0))
				}
			}
			for _, ns := range held {
				if most, _ := use["meanwhile_held_ns"].(float64); ns > most {
					use["meanwhile_held_ns"] = ns
				}
			}
		}
		longest[long] = append(longest[long], use)
	}
	want["threads"] = float64(len(threads))
	return want, longest
}

// keeps tells whether a use of a lock kept a try of another thread waiting.
func keeps(h, try *locks.Bar) bool {
	return h.Kind == locks.Holding && h.Depth == 0 && h.Track != try.Track && h.Begin < try.End && (h.OpenEnd || h.End > try.Begin)
}

// checkLocks compares the locks that were used.
func (p *part) checkLocks(r row, compare func(string, row, map[string]float64)) {
	lines := map[string]row{}
	for _, l := range r.rows("locks") {
		lines[l.text("lock")] = l
	}
	for c := range model.CollectorID(p.s.Collectors().Len()) {
		if p.s.Collector(c) == nil {
			continue
		}
		want, longest := p.lockFigures(c)
		if want["threads"] == 0 {
			continue
		}
		name := p.s.Collector(c).Title()
		line := lines[name]
		for _, field := range []string{"longest_wait", "longest_hold", "longest_condition_wait"} {
			said := line.object(field)
			for _, use := range longest[field] { // one of them
				if len(differences(said, numbersOf(use))) == 0 && said.text("thread") == use.text("thread") || use["at_ns"] == said["at_ns"] {
					for of, v := range numbersOf(use) {
						want[field+"."+of] = v
					}
					break
				}
			}
		}
		compare("lock "+name, line, want)
		delete(lines, name)
	}
	for name, line := range lines {
		compare("lock "+name+" should not be there", line, nil)
	}
}

func numbersOf(r row) map[string]float64 {
	out := map[string]float64{}
	for name, v := range r {
		if n, ok := v.(float64); ok {
			out[name] = n
		}
	}
	return out
}

// severityNames are the gravities of messages, as reports name them.
var severityNames = map[model.Severity]string{
	model.SeverityTrace: "trace", model.SeverityLog: "log", model.SeverityDebug: "debug", model.SeverityInfo: "info",
	model.SeverityFixme: "fixme", model.SeverityWarning: "warning", model.SeverityError: "error",
}

// checkMessages counts messages, all, and by what they are.
func (p *part) checkMessages(r row, compare func(string, row, map[string]float64)) {
	said, count := r.object("messages"), 0.0
	by := map[string]float64{}
	for id := range model.TrackID(p.s.NumTracks()) {
		if p.s.Track(id) == nil || id != p.track && p.track != model.NoTrack {
			continue
		}
		for _, m := range p.s.Messages().Of(id, p.t0, p.t1-1, nil) {
			count++
			by[severityNames[m.Severity]]++
			if m.Category != "" {
				by["category "+m.Category]++
			}
		}
	}
	if said == nil && count == 0 {
		return
	}
	compare("messages", said, map[string]float64{"count": count})
	told := row{}
	for _, l := range said.rows("severities") {
		told[l.text("severity")] = l["count"]
	}
	for _, l := range said.rows("categories") {
		told["category "+l.text("category")] = l["count"]
	}
	compare("messages", told, by)
}
