package truth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/place"
)

// row is an object of the report's JSON.
type row map[string]any

// rows returns the objects of a list.
func (r row) rows(name string) (out []row) {
	list, _ := r[name].([]any)
	for _, v := range list {
		out = append(out, v.(map[string]any))
	}
	return out
}

func (r row) object(name string) row { m, _ := r[name].(map[string]any); return m }

func (r row) text(name string) string { v, _ := r[name].(string); return v }

// number returns a number in base units: durations in ns.
func (r row) number(name string) (float64, bool) {
	for _, unit := range []struct {
		end string
		ns  float64
	}{{"", 1}, {"_ns", 1}, {"_ms", 1e6}, {"_s", 1e9}} {
		if v, ok := r[name+unit.end].(float64); ok {
			return v * unit.ns, true
		}
	}
	return math.NaN(), false
}

// report returns the report on a part, of its thread; nil where none can be asked for.
func (p *part) report() row {
	if !p.asked {
		p.asked = true
		p.answer = p.ask()
	}
	return p.answer
}

func (p *part) ask() row {
	o := report.Options{Stats: true, JSON: true}
	if p.track != model.NoTrack {
		o.Threads = []string{fmt.Sprint(p.s.Track(p.track).Def.Index)}
		if name := p.s.Track(p.track).Title(); p.named(name) == 1 {
			o.Threads[0] = name
		}
	}
	switch {
	case p.selected && p.last >= p.first:
		th := p.s.Track(p.track)
		o.Range = place.TimeRange{A: th.Frame(p.first).Number, B: th.Frame(p.last).Number, HasA: true, HasB: true}
	case p.selected:
		o.Range = place.TimeRange{Times: true, A: p.t0, B: p.t1, HasA: true, HasB: true}
	}
	if o.Range.A < 0 || o.Range.B < 0 {
		return nil // counts from the end
	}
	var r row
	if err := asJSON(&r, func(w io.Writer) error { return report.Write(w, p.s, o) }); err != nil {
		panic(fmt.Sprintf("%s: %v", p, err))
	}
	return r
}

// asJSON reads what is written as JSON.
func asJSON(into any, write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return json.Unmarshal(b.Bytes(), into)
}

// framesOnly are the options of a report on some frames of the main thread, by their numbers.
func framesOnly(first, last int64) report.Options {
	return report.Options{Stats: true, JSON: true, Range: place.TimeRange{A: first, B: last, HasA: true, HasB: true}}
}

func (p *part) named(name string) (n int) {
	for id := range model.TrackID(p.s.NumTracks()) {
		if t := p.s.Track(id); t != nil && strings.EqualFold(t.Title(), name) {
			n++
		}
	}
	return n
}

func (p part) String() string {
	name := "all"
	if t := p.s.Track(p.track); t != nil {
		name = t.Title()
	}
	return fmt.Sprintf("%s, %s, frames %d to %d, %d to %d ns", p.name, name, p.first, p.last, p.t0, p.t1)
}

// near tells whether two numbers are the same but for the order of sums.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }

// parts of a report, by their names, and what compares them. What is not here fails.
var reportParts = map[string]func(p *part, r row, compare func(string, row, map[string]float64)){
	"session": (*part).checkSession,
	"threads": func(p *part, r row, compare func(string, row, map[string]float64)) {
		for _, th := range r.rows("threads") {
			p.checkFrames(th, compare)
		}
	},
	"ledger":  (*part).checkLedger,
	"missing": (*part).checkMissing,
	"diagnostics": func(p *part, r row, compare func(string, row, map[string]float64)) {
		for i, d := range p.s.Diagnostics() {
			compare("diagnostics: "+d.Kind, r.rows("diagnostics")[i], map[string]float64{"count": float64(d.N)})
		}
	},
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

// written is a number as it is written: its value in base units (ns, bytes, 1/s, parts of 1) and
// half of its last digit. About is set by ≈, least by ≥.
type written struct {
	value, half  float64
	about, least bool
}

// factors are what units are in base units. What has none of them is a plain number.
var factors = map[string]float64{
	"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "%": 0.01,
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9,
}

// inBase is what a value of a series is in base units: times come in ns, shares in percent, what has
// a unit that the program knows nothing of as it is.
func inBase(d *model.SeriesDef) float64 {
	if factor, known := factors[d.Unit]; known {
		return factor
	}
	return 1
}

var (
	digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`)
	long2  = regexp.MustCompile(`^([0-9]+) (min|h) ([0-9]+) (s|min)$`)
	clock  = regexp.MustCompile(`^([0-9]+:)?([0-9]+):([0-9]+)(\.[0-9]+)?$`)
)

// read reads a number as panels write it; bare is what one without a unit is in base units.
func read(text string, bare float64) (w written, ok bool) {
	text = strings.ReplaceAll(text, "\u202f", "")
	if text == "–" { // what is too little to be written
		return written{half: 0.005 * bare}, true
	}
	if rest, less := strings.CutPrefix(text, "<"); less { // anything below
		w, ok = read(rest, bare)
		w.value, w.half = w.value/2, w.value/2
		return w, ok
	}
	sign := 1.0
	for again := true; again; {
		again = false
		for mark, f := range map[string]func(){
			"≈": func() { w.about = true }, "≥": func() { w.least = true }, "−": func() { sign = -sign },
			"-": func() { sign = -sign }, "#": func() {}, "+": func() {}, " ": func() {}, "×": func() {},
		} {
			if rest, cut := strings.CutPrefix(text, mark); cut {
				text, again = rest, true
				f()
			}
		}
	}
	if m := long2.FindStringSubmatch(text); m != nil {
		a, _ := strconv.ParseFloat(m[1], 64)
		b, _ := strconv.ParseFloat(m[3], 64)
		w.value, w.half = sign*(a*60+b)*1e9, 0.5e9
		if m[2] == "h" { // minutes are cut off, not rounded
			w.value, w.half = sign*(a*60+b)*60e9, 60e9
		}
		return w, true
	}
	if m := clock.FindStringSubmatch(text); m != nil {
		h, _ := strconv.ParseFloat(strings.TrimSuffix(m[1], ":"), 64)
		min, _ := strconv.ParseFloat(m[2], 64)
		s, _ := strconv.ParseFloat(m[3], 64)
		part, _ := strconv.ParseFloat("0"+m[4], 64)
		w.value = sign * math.Round((h*3600+min*60+s+part)*1e9)
		w.half = max(0.5*math.Pow10(9-max(len(m[4])-1, 0)), 0.5)
		return w, true
	}
	number := digits.FindString(text)
	if number == "" {
		return w, false
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return w, false
	}
	mantissa, exponent, _ := strings.Cut(number, "e")
	half := 0.5
	if _, after, point := strings.Cut(mantissa, "."); point {
		half = 0.5 * math.Pow10(-len(after))
	}
	if e, err := strconv.Atoi(exponent); err == nil {
		half *= math.Pow10(e)
	}
	unit, _, _ := strings.Cut(strings.TrimSpace(text[len(number):]), " ")
	unit, _, _ = strings.Cut(unit, "/")
	factor, known := factors[unit]
	if !known {
		factor = bare
	}
	w.value, w.half = sign*v*factor, half*factor
	if strings.HasSuffix(unit, "s") && known { // durations are whole nanoseconds before they are shortened
		w.half += 0.5
	}
	return w, true
}

// says tells whether what is written is a number, to its last digit; what is estimated, to a
// hundredth.
func (w written) says(v float64) bool {
	slack := w.half*(1+1e-9) + 1e-9*math.Abs(v)
	if w.about {
		slack += 0.01 * math.Abs(v)
	}
	return math.Abs(w.value-v) <= slack
}

func TestRead(t *testing.T) {
	for _, x := range []struct {
		text        string
		value, half float64
	}{
		{"843 ns", 843, 1}, {"61.0 µs", 61e3, 50.5}, {"−2.69 ms", -2.69e6, 5e3}, {"3 min 20 s", 200e9, 0.5e9},
		{"12\u202f407", 12407, 0.5}, {"1.34 k/s", 1340, 5}, {"17.3 MiB/s", 17.3 * (1 << 20), 0.05 * (1 << 20)},
		{"12.3 %", 0.123, 0.0005}, {"0:02.250\u202f123", 2.250123e9, 0.5e3}, {"≈ 4.00 s", 4e9, 5e6}, {"#12", 12, 0.5},
		{"2.50e-06", 2.5e-6, 0.5e-8}, {"75.3 Hz", 75.3, 0.05}, {"0.75 MB", 0.75, 0.005}, {"1:02:05.016", 3725.016e9, 0.5e6},
	} {
		w, ok := read(x.text, 1)
		testkit.That(t, ok && near(w.value, x.value) && math.Abs(w.half-x.half) <= 1e-3*x.half,
			"%q is %v ± %v, want %v ± %v", x.text, w.value, w.half, x.value, x.half)
	}
	w, _ := read("2.50 ms", 1)
	testkit.That(t, !w.says(2.5051e6) && w.says(2.504e6), "the last digit does not count")
	w, ok := read("13.65", 1e6)
	testkit.That(t, ok && w.says(13.65e6), "what has its unit in the header is not read")
}

// outsideName is how tables of figures of frames call what is in none of them.
const outsideName = "outside of frames"

// outsideOf is what a thread did in none of its frames: what its spans add up to, less what its
// frames have. There is some only where the frames of one thread cut what the others did.
func (p *plain) outsideOf(id model.TrackID) map[model.CollectorID]figures {
	out := map[model.CollectorID]figures{}
	t := p.s.Track(id)
	if main := p.s.Track(p.s.MainTrack()); t.NumFrames() == 0 || main == nil || !main.Def.Main {
		return out
	}
	within := p.framed(id, false, 0, t.NumFrames()-1)
	for c, f := range p.sums([]model.TrackID{id}, model.MinTime, model.MaxTime).of {
		x := figures{calls: f.calls, self: f.self}
		if in := within[c]; in != nil {
			x.calls -= in.starts
			for _, ns := range in.own {
				x.self -= int64(ns)
			}
		}
		if x.calls > 0 || x.self > 0 {
			out[c] = x
		}
	}
	return out
}

// outsideRow is the line below such a table.
func outsideRow(p *part) figuresOf {
	sum := figures{}
	for _, x := range p.outsideOf(p.track) {
		sum.calls, sum.self = sum.calls+x.calls, sum.self+x.self
	}
	return figuresOf{{"calls": float64(sum.calls), "self": float64(sum.self)}}
}

// callsInOpenFrame is how many calls of the track began in a frame that had not ended: these are outside of the
// frames that count, and in one.
func (p *part) callsInOpenFrame() float64 {
	o, ok := p.s.Track(p.track).OpenFrame()
	if !ok {
		return 0
	}
	n := int64(0)
	for _, f := range p.sums([]model.TrackID{p.track}, o.Begin, o.End).of {
		n += f.calls
	}
	return float64(n)
}

// What ran outside of frames is in the report by its collectors, and below the tables of figures of
// frames, whichever frames are selected: the same number.
func TestOutsideOfFrames(t *testing.T) {
	told, lines := map[string]int{}, 0
	everywhere := map[*subject]float64{}
	eachPart(t, func(t *testing.T, p *part) {
		if p.track == model.NoTrack {
			return
		}
		if _, known := everywhere[p.subject]; !known {
			for id := range model.TrackID(p.s.NumTracks()) {
				of := *p
				of.track = id
				everywhere[p.subject] += outsideRow(&of)[0]["calls"] - of.callsInOpenFrame()
			}
		}
		whole := *p
		whole.selected, whole.asked = false, false
		if th := whole.report().rows("threads"); p.last >= p.first && len(th) == 1 {
			want := p.outsideOf(p.track)
			for _, l := range th[0].rows("outside_frames") {
				lines++
				calls, _ := l.number("calls")
				self, _ := l.number("self")
				found := false
				for c, x := range want {
					if found = p.s.Collector(c).Title() == l.text("collector"); found {
						if float64(x.calls) != calls || float64(x.self) != self {
							t.Errorf("%s: %s outside of frames: %v calls, %v ns; it is %+v", p, l.text("collector"), calls, self, x)
						}
						delete(want, c)
						break
					}
				}
				testkit.That(t, found, "%s: report says %s ran outside of frames", p, l.text("collector"))
			}
			testkit.That(t, len(want) == 0, "%s: report leaves out what ran outside of frames: %+v", p, want)
		}
		want := outsideRow(p)[0]
		for _, id := range []string{"collectors", "statistics"} {
			d, _ := registry.Find(id)
			rig, c := p.rig(), d.New()
			settle(rig, c)
			all := records(c.(panel.Teller).Facts(rig.Env, nil))
			at := slices.IndexFunc(all, func(r record) bool { return r.name == outsideName })
			testkit.Equal(t, p.last >= p.first && want["calls"]+want["self"] > 0, at >= 0, "%s: %s says so: %v; there is some",
				p, id, at >= 0)
			if at < 0 {
				continue
			}
			told[id]++
			tip := strings.Join(c.HitTest(rig.Env, rig.R.X0+40, rig.R.Y1-4).Lines, "\n")
			for measure, before := range map[string]string{"calls": "\ncalls\t", "self": "\nself, without callees\t"} {
				if f := all[at].cells[measure]; f.Value != want[measure] || !strings.Contains(tip, before+f.Text+"\n") {
					t.Errorf("%s: %s states %s %v (%s), it is %v; its tooltip: %q", p, id, measure, f.Value, f.Text, want[measure], tip)
				}
			}
			// What was received is counted over all threads, and the line is of one.
			several := "\nreceived in all threads\t" + string(format.AppendCount(nil, int64(everywhere[p.subject]))) + " calls\n"
			if more := everywhere[p.subject] > want["calls"]; more != strings.Contains(tip, several) ||
				!strings.HasPrefix(tip, "Outside of frames on "+p.s.Track(p.track).Title()+", ") {
				t.Errorf("%s: %s: of %v calls in all threads, %q", p, id, everywhere[p.subject], tip)
			}
		}
	})
	testkit.That(t, told["collectors"] >= 6 && told["statistics"] >= 6 && lines >= 20,
		"only %v were compared, and %d lines of reports", told, lines)
}
