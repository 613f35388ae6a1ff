package gsttrace

import (
	"slices"
	"strings"

	"framescope/model"
)

// stock is the built-in meaning of a class, beyond its announcement.
type stock uint8

// The stock records, those of the leaks tracer last.
const (
	stockNone stock = iota
	stockNewElement
	stockNewPad
	stockBuffer
	stockEvent
	stockMessage
	stockQuery
	stockElementQuery
	stockRusage
	stockLatency  // a span as well
	stockReported // latencies, but no span
	stockAlive
	stockRefings
	stockAdded
	stockRemoved
)

// stockOf are the stock records by the names of their classes, with the fields that they must have.
var stockOf = map[string]struct {
	stock stock
	needs []string
}{
	"new-element": {stockNewElement, []string{"ix", "parent-ix", "name", "type", "is-bin"}},
	"new-pad":     {stockNewPad, []string{"ix", "parent-ix", "name", "type", "is-ghostpad", "pad-direction"}},
	"buffer": {stockBuffer, []string{"pad-ix", "element-ix", "peer-pad-ix", "peer-element-ix",
		"buffer-size"}},
	"event":                    {stockEvent, []string{"element-ix", "name"}},
	"message":                  {stockMessage, []string{"element-ix", "name", "structure"}},
	"query":                    {stockQuery, []string{"pad-ix", "element-ix", "name", "structure", "res"}},
	"element-query":            {stockElementQuery, []string{"element-ix", "name"}},
	"thread-rusage":            {stockRusage, []string{"ts", "time"}},
	"proc-rusage":              {stockRusage, []string{"ts", "time"}},
	"element-reported-latency": {stockReported, []string{"ts"}},
	"object-alive":             {stockAlive, []string{"type-name", "address", "description", "ref-count", "trace"}},
	"object-refings":           {stockRefings, []string{"ts", "address", "description", "ref-count", "trace"}},
	"object-added":             {stockAdded, []string{"type-name", "address"}},
	"object-removed":           {stockRemoved, []string{"type-name", "address"}},
}

// treatment is the way a value is shown.
type treatment uint8

const (
	treatSkip     treatment = iota
	treatNumber             // samples of a series
	treatState              // a band: booleans, enumerations and texts
	treatCategory           // the kind of event: a series of events for each text
	treatDetail             // in the text of a message
)

// valuePlan is the mapping of a field that is no key.
type valuePlan struct {
	field  int
	treat  treatment
	factor float64         // to the unit of the series
	nsAll  bool            // all ones stands for unknown or unlimited
	signed bool            // a difference of unsigned numbers
	def    model.SeriesDef // the common definition of this field's series
}

// Approximate memory costs of a group and its parts, in bytes, besides their texts and definitions.
const (
	groupBytes  = 1280
	seriesBytes = 320
	stateBytes  = 128
)

// plan is how records of a class are mapped.
type plan struct {
	class      *Class
	stock      stock
	ts, thread int   // fields, or -1
	key        []int // fields by which records are grouped
	values     []valuePlan
	category   int // index in values, or -1
	details    bool
	event      *model.SeriesDef // of records without any value
	groups     map[string]*group
	more       *group // see moreOf
}

// field is the index of a field by name, -1 for none.
func (pl *plan) field(name string) int { return pl.class.Index(name) }

// plan returns the plan of a class.
func (m *mapper) plan(c *Class) *plan {
	if pl := m.plans[c]; pl != nil {
		return pl
	}
	pl := &plan{class: c, ts: -1, thread: -1, category: -1, groups: map[string]*group{}}
	of := stockOf[c.Name]
	if !slices.ContainsFunc(of.needs, func(f string) bool { return pl.field(f) < 0 }) {
		pl.stock = of.stock
	}
	pl.ts = pl.field("ts")
	if at := pl.field("time"); strings.Contains(c.Name, "latency") && pl.stock == stockNone && at >= 0 &&
		!IsText(c.Fields[at].Kind) {
		pl.stock = stockLatency
	}
	pl.chooseKey()
	pl.chooseValues()
	m.plans[c] = pl
	return pl
}

// chooseKey finds the fields that say where a record belongs. A thread is where something was done
// rather than what it was done to, so it is a key only where there is no other.
func (pl *plan) chooseKey() {
	for i := range pl.class.Fields {
		f := &pl.class.Fields[i]
		if !f.Scope {
			continue
		}
		if f.Related == RelatedThread {
			if pl.thread < 0 && f.Kind == KindUint {
				pl.thread = i
			}
			continue
		}
		pl.key = append(pl.key, i)
	}
	switch pl.stock {
	case stockEvent, stockQuery, stockMessage, stockElementQuery: // by element
		pl.key = append(pl.key[:0], pl.field("element-ix"))
	}
}

// chooseValues chooses the mapping of each value, by the table of section 8.
func (pl *plan) chooseValues() {
	numbers := pl.stock != stockQuery && // whose res is the answer to an event, no state
		slices.ContainsFunc(pl.class.Fields, func(f Field) bool {
			return !f.Scope && f.Name != "ts" && (!IsText(f.Kind) || IsNamed(&f))
		})
	for i := range pl.class.Fields {
		f := &pl.class.Fields[i]
		if f.Scope || i == pl.ts {
			continue
		}
		v := valuePlan{field: i, factor: 1, def: pl.seriesOf(f)}
		v.treat = pl.treatmentOf(f, numbers)
		switch v.treat {
		case treatState:
			v.def.Kind = model.SeriesState
			if f.Kind == KindBool {
				v.def.States = []string{"no", "yes"}
			}
		case treatCategory:
			pl.category = len(pl.values)
		case treatNumber:
			v.number(f, pl)
		}
		if v.treat == treatDetail {
			pl.details = true
		}
		pl.values = append(pl.values, v)
	}
	if pl.stock == stockBuffer { // its size is the flow over a link
		d := &pl.values[pl.valueOf("buffer-size")].def
		d.Group, d.Kind, d.Role, d.Unit = "buffers", model.SeriesEvent, model.RoleFlow, "B"
	}
	isSeries := func(v valuePlan) bool { return v.treat == treatNumber || v.treat == treatState }
	if pl.category < 0 && !slices.ContainsFunc(pl.values, isSeries) {
		d := model.SeriesDef{Group: pl.class.Name, Kind: model.SeriesEvent, Role: model.RoleActivity}
		pl.event = &d
	}
}

// treatmentOf chooses how a value is shown. numbers means that there are others than texts, so that the texts are
// no events.
func (pl *plan) treatmentOf(f *Field, numbers bool) treatment {
	switch {
	case pl.stock == stockQuery && f.Name == "res":
		return treatSkip
	case f.Structure || f.Kind == KindStructure || f.Kind == KindPointer && !IsNamed(f):
		return treatDetail
	case IsText(f.Kind) && !IsNamed(f) && !numbers && pl.category < 0:
		return treatCategory
	case IsText(f.Kind) && !IsNamed(f) && !numbers:
		return treatDetail
	case IsNamed(f), IsText(f.Kind), f.Kind == KindBool: // an enumeration or flags are mostly written as a number
		return treatState
	}
	return treatNumber
}

// valueOf is the index in values of a field.
func (pl *plan) valueOf(name string) int {
	return slices.IndexFunc(pl.values, func(v valuePlan) bool { return pl.class.Fields[v.field].Name == name })
}

// groupName is what the series of a field have in common: "thread-rusage current-cpuload",
// "buffer-pts".
func (pl *plan) groupName(f *Field) string {
	switch {
	case pl.stock == stockLatency && f.Name == "time":
		return pl.class.Name
	case strings.HasPrefix(f.Name, pl.class.Name+"-"):
		return f.Name
	}
	return pl.class.Name + " " + f.Name
}

// seriesOf returns the announced definition of a field's series.
func (pl *plan) seriesOf(f *Field) model.SeriesDef {
	return model.SeriesDef{
		Group: Label(Name([]byte(pl.groupName(f)))), Description: Label(AboutOf(f)), Track: model.NoTrack,
		Object: model.NoObject, Peer: model.NoObject,
	}
}
