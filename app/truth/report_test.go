package truth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"framescope/app/report"
	"framescope/model"
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
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1)
}
