package pprof

import (
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"framescope/model"
	"framescope/net/trace"
)

// fault is why something of a damaged profile is missing.
type fault uint8

const (
	badField fault = iota
	badSample
	noLocation
	wrongValues
	badLocation
	badFunction
	badMapping
	noFunction
	noText
	badLabel
	twice
	numFaults
)

// faultWords are the texts of the diagnostics.
var faultWords = [numFaults]string{
	badField:    "malformed fields are left out",
	badSample:   "samples that can't be decoded are left out",
	noLocation:  "samples with missing or damaged locations are left out",
	wrongValues: "samples with the wrong number of values are left out",
	badLocation: "locations that can't be decoded are left out, with their samples",
	badFunction: "functions that can't be decoded are shown by their numbers",
	badMapping:  "mappings that can't be decoded are left out",
	noFunction:  "locations in missing functions: these functions are shown by their numbers",
	noText:      "names are missing: functions are shown by their numbers",
	badLabel:    "labels without texts are left out",
	twice:       "locations, functions and mappings with a duplicate id, or with id 0, are left out",
}

// damage describes the missing parts of a damaged profile.
type damage struct {
	faults [numFaults]trace.Tally
	cut    string // why and where it ends early; empty: it does not
}

// none reports whether no damage was found.
func (d *damage) none() bool {
	return d.cut == "" && !slices.ContainsFunc(d.faults[:], func(t trace.Tally) bool { return t.N > 0 })
}

// tell defines the losses.
func (d *damage) tell(define func(model.Change)) {
	if d == nil {
		return
	}
	if d.cut != "" {
		define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: d.cut})
	}
	for f, t := range d.faults {
		t.Tell(define, model.LossMalformed, faultWords[f])
	}
}

// raw is a message of a profile as it stands there, and where.
type raw struct {
	at   int64
	data []byte
}

// salvager reads the intact parts of a damaged profile (profile.proto, message Profile).
type salvager struct {
	damage
	p *profile.Profile

	texts                                   []string
	types, samples, mappings, places, funcs []raw
	period                                  []raw
	defaultType                             uint64

	mappingOf map[uint64]*profile.Mapping
	placeOf   map[uint64]*profile.Location
	funcOf    map[uint64]*profile.Function
}

// salvage reads the intact parts of a damaged or truncated profile. It returns nil where there are
// none.
func salvage(data []byte) (*profile.Profile, *damage) {
	s := &salvager{
		p: &profile.Profile{}, mappingOf: map[uint64]*profile.Mapping{}, placeOf: map[uint64]*profile.Location{},
		funcOf: map[uint64]*profile.Function{},
	}
	s.split(data)
	for i, t := range s.types {
		s.p.SampleType = append(s.p.SampleType, s.valueType(t, i))
	}
	for _, t := range s.period {
		s.p.PeriodType = s.valueType(t, 0)
	}
	if s.defaultType > 0 {
		s.p.DefaultSampleType, _ = s.text(s.defaultType)
	}
	for _, m := range s.mappings {
		s.mapping(m)
	}
	for _, f := range s.funcs {
		s.function(f)
	}
	for _, l := range s.places {
		s.place(l)
	}
	for _, x := range s.samples {
		s.sample(x)
	}
	if len(s.p.SampleType) == 0 || len(s.p.Sample) == 0 {
		return nil, &s.damage
	}
	return s.p, &s.damage
}

// split divides a profile into its messages, as far as they follow each other.
func (s *salvager) split(data []byte) {
	for at := int64(0); at < int64(len(data)); {
		num, wire, k := protowire.ConsumeTag(data[at:])
		if k < 0 {
			s.cut = fmt.Sprintf("byte %d: % x… is not a field of a profile; the rest is left out", at, data[at:min(at+4, int64(len(data)))])
			return
		}
		if num == 1 && len(s.types) > 0 && len(s.texts) > 0 && len(s.samples) > 0 {
			s.cut = fmt.Sprintf("byte %d: another profile begins inside this one, and is left out with what follows", at)
			return
		}
		body := data[at+int64(k):]
		size := protowire.ConsumeFieldValue(num, wire, body)
		if size < 0 {
			s.cut = fmt.Sprintf("byte %d: the profile ends inside a field; the rest is missing", at)
			return
		}
		if known := int(num) < len(topFields); known && wire != topFields[num] && num != 13 {
			s.faults[badField].Add(at)
		} else if wire == protowire.BytesType {
			v, _ := protowire.ConsumeBytes(body)
			s.message(num, raw{at, v})
		} else if wire == protowire.VarintType {
			v, _ := protowire.ConsumeVarint(body)
			s.number(num, v)
		}
		at += int64(k + size)
	}
}

func (s *salvager) message(num protowire.Number, m raw) {
	switch num {
	case 1:
		s.types = append(s.types, m)
	case 2:
		s.samples = append(s.samples, m)
	case 3:
		s.mappings = append(s.mappings, m)
	case 4:
		s.places = append(s.places, m)
	case 5:
		s.funcs = append(s.funcs, m)
	case 6:
		s.texts = append(s.texts, string(m.data))
	case 11:
		s.period = []raw{m}
	}
}

func (s *salvager) number(num protowire.Number, v uint64) {
	switch num {
	case 9:
		s.p.TimeNanos = int64(v)
	case 10:
		s.p.DurationNanos = int64(v)
	case 12:
		s.p.Period = int64(v)
	case 14:
		s.defaultType = v
	}
}

// text returns a text by its number.
func (s *salvager) text(i uint64) (string, bool) {
	if i < uint64(len(s.texts)) {
		return s.texts[i], true
	}
	return "", false
}

// textOr returns text, or a replacement for a lost one.
func (s *salvager) textOr(i uint64, at int64, lost string) string {
	text, ok := s.text(i)
	if !ok {
		s.faults[noText].Add(at)
		return lost
	}
	return text
}

// each calls number with each value of the numeric fields of a message, lists included, and message
// with each embedded message. It returns false where the message is malformed.
func each(data []byte, number func(num protowire.Number, v uint64), message func(num protowire.Number, v []byte)) bool {
	for len(data) > 0 {
		num, wire, k := protowire.ConsumeTag(data)
		if k < 0 {
			return false
		}
		size := protowire.ConsumeFieldValue(num, wire, data[k:])
		if size < 0 {
			return false
		}
		switch wire {
		case protowire.VarintType:
			v, _ := protowire.ConsumeVarint(data[k:])
			number(num, v)
		case protowire.BytesType:
			v, _ := protowire.ConsumeBytes(data[k:])
			message(num, v)
		default:
			return false
		}
		data = data[k+size:]
	}
	return true
}

// appendNumbers appends the numbers of a list that is packed; false where it is none.
func appendNumbers(list []uint64, packed []byte) ([]uint64, bool) {
	for len(packed) > 0 {
		v, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return list, false
		}
		list, packed = append(list, v), packed[n:]
	}
	return list, true
}

func ignore(protowire.Number, []byte) {}

// fields returns the numbers of a message by their fields, up to 7.
func fields(data []byte, message func(num protowire.Number, v []byte)) (f [8]uint64, ok bool) {
	ok = each(data, func(num protowire.Number, v uint64) {
		if int(num) < len(f) {
			f[num] = v
		}
	}, message)
	return f, ok
}

// valueType reads the type of the values at an index (message ValueType).
func (s *salvager) valueType(m raw, i int) *profile.ValueType {
	f, ok := fields(m.data, ignore)
	if !ok {
		s.faults[badField].Add(m.at)
	}
	return &profile.ValueType{Type: s.textOr(f[1], m.at, lostType(i)), Unit: s.textOr(f[2], m.at, "")}
}

// lostType names a sample type with a lost name, by its index: a word.
func lostType(i int) string {
	name := "numbers"
	for ; i > 0; i /= 26 {
		name += string(rune('A' + i%26))
	}
	return name
}

// added reports whether something gets a number that nothing has.
func added[T any](s *salvager, of map[uint64]*T, id uint64, at int64, x *T) bool {
	if _, has := of[id]; has || id == 0 {
		s.faults[twice].Add(at)
		return false
	}
	of[id] = x
	return true
}

func (s *salvager) mapping(m raw) {
	f, ok := fields(m.data, ignore)
	if !ok {
		s.faults[badMapping].Add(m.at)
		return
	}
	x := &profile.Mapping{ID: f[1], Start: f[2], Limit: f[3], Offset: f[4], File: s.textOr(f[5], m.at, "")}
	if added(s, s.mappingOf, x.ID, m.at, x) {
		s.p.Mapping = append(s.p.Mapping, x)
	}
}

func (s *salvager) function(m raw) {
	f, ok := fields(m.data, ignore)
	if !ok {
		s.faults[badFunction].Add(m.at)
		return
	}
	x := &profile.Function{ID: f[1]}
	if !added(s, s.funcOf, x.ID, m.at, x) {
		return
	}
	x.Name = s.textOr(f[2], m.at, lostName(x.ID))
	x.SystemName, _ = s.text(f[3])
	x.Filename, _ = s.text(f[4])
	s.p.Function = append(s.p.Function, x)
}

func lostName(id uint64) string { return fmt.Sprintf("(function %d, its name is lost)", id) }

// nameless returns a function with a number but no name.
func (s *salvager) nameless(id uint64) *profile.Function {
	f := &profile.Function{ID: id, Name: lostName(id)}
	s.funcOf[id] = f
	s.p.Function = append(s.p.Function, f)
	return f
}

// place reads a location, with its lines.
func (s *salvager) place(m raw) {
	x := &profile.Location{}
	whole, lost := true, false
	f, ok := fields(m.data, func(num protowire.Number, v []byte) {
		if num != 4 {
			return
		}
		line, ok := fields(v, ignore)
		whole = whole && ok
		l := profile.Line{Function: s.funcOf[line[1]], Line: int64(line[2])}
		if l.Function == nil && line[1] != 0 {
			l.Function, lost = s.nameless(line[1]), true
		}
		x.Line = append(x.Line, l)
	})
	if !ok || !whole {
		s.faults[badLocation].Add(m.at)
		return
	}
	x.ID, x.Address, x.Mapping = f[1], f[3], s.mappingOf[f[2]]
	if added(s, s.placeOf, x.ID, m.at, x) {
		s.p.Location = append(s.p.Location, x)
		if lost {
			s.faults[noFunction].Add(m.at)
		}
	}
}

func (s *salvager) sample(m raw) {
	var places, values []uint64
	x, whole := &profile.Sample{}, true
	var labels []raw
	ok := each(m.data, func(num protowire.Number, v uint64) {
		switch num {
		case 1:
			places = append(places, v)
		case 2:
			values = append(values, v)
		}
	}, func(num protowire.Number, v []byte) {
		ok := true
		switch num {
		case 1:
			places, ok = appendNumbers(places, v)
		case 2:
			values, ok = appendNumbers(values, v)
		case 3:
			labels = append(labels, raw{m.at, v})
		}
		whole = whole && ok
	})
	for _, id := range places {
		x.Location = append(x.Location, s.placeOf[id])
	}
	for _, v := range values {
		x.Value = append(x.Value, int64(v))
	}
	switch {
	case !ok || !whole:
		s.faults[badSample].Add(m.at)
	case slices.Contains(x.Location, nil):
		s.faults[noLocation].Add(m.at)
	case len(values) != len(s.p.SampleType):
		s.faults[wrongValues].Add(m.at)
	default:
		for _, l := range labels {
			s.label(x, l)
		}
		s.p.Sample = append(s.p.Sample, x)
	}
}

func (s *salvager) label(x *profile.Sample, m raw) {
	f, ok := fields(m.data, ignore)
	key, named := s.text(f[1])
	text, said := s.text(f[2])
	switch {
	case !ok || !named || !said:
		s.faults[badLabel].Add(m.at)
	case f[2] != 0:
		if x.Label == nil {
			x.Label = map[string][]string{}
		}
		x.Label[key] = append(x.Label[key], text)
	case f[3] != 0 || f[4] != 0:
		if x.NumLabel == nil {
			x.NumLabel = map[string][]int64{}
		}
		x.NumLabel[key] = append(x.NumLabel[key], int64(f[3]))
	}
}
