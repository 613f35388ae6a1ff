package pprof

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"framescope/net/trace"
)

// Fields of a profile (profile.proto, message Profile).
const (
	typeField     = 1
	sampleField   = 2
	functionField = 5
	textField     = 6
)

// Limits of reading a damaged profile again, in parts, to find its faults: how often, and how many bytes in all; one
// fault alone may take more.
const (
	leastTries = 40
	mostTried  = 256 << 20
)

// field is a field of a profile with its tag, and where it is.
type field struct {
	num  protowire.Number
	at   int64
	data []byte
}

// salvager reads the intact fields of a damaged profile.
type salvager struct {
	bad     trace.Diagnostics
	fields  []field // other than texts
	texts   []byte
	missing []byte // empty texts in place of those that are missing
	tries   int
}

// salvage reads the intact parts of a damaged or truncated profile. It returns nil where there are none.
func salvage(data []byte) (*profile.Profile, *trace.Diagnostics) {
	s := &salvager{tries: leastTries + mostTried/max(len(data), 1)}
	s.split(data)
	s.missing = bytes.Repeat([]byte{textField<<3 | byte(protowire.BytesType), 0}, 5*len(s.fields)+len(s.texts)/2+1)
	s.fields = s.intact(s.fields)
	p := s.parse(s.fields, s.texts)
	if p == nil || len(p.SampleType) == 0 {
		return nil, nil
	}
	if s.repair(p); len(p.Sample) == 0 {
		return nil, nil
	}
	return p, &s.bad
}

// split divides a profile into its fields. Behind a place that is none it goes on where fields follow one another.
// Texts are known by their number alone: behind such a place they count only if their first, which is empty, is
// there.
func (s *salvager) split(data []byte) {
	var seen [lastField + 1]bool
	lost := false // texts, of unknown number
	for at := 0; at < len(data); {
		num, _, n := protowire.ConsumeField(data[at:])
		another := num == typeField && seen[typeField] && seen[sampleField] && seen[textField]
		next := at + n
		if n < 0 && !another {
			if next = chain(data, at+1); next > 0 {
				s.bad.Bad(trace.Gap, int64(at))
				at, lost = next, true
				continue
			}
		}
		if n < 0 || another {
			s.bad.Bad(trace.Cut, int64(at))
			return
		}
		switch {
		case num == textField:
			if lost && !seen[textField] && next == at+2 { // the first of all
				lost = false
			}
			if !lost {
				s.texts = append(s.texts, data[at:next]...)
			}
		case num > textField && num <= lastField && num != commentField && seen[num]: // a profile has one
			s.bad.Bad(trace.Gap, int64(at))
		default:
			s.fields = append(s.fields, field{num, int64(at), data[at:next]})
		}
		if num <= lastField {
			seen[num] = true
		}
		at = next
	}
}

// sureFields is how many fields must follow one another behind a place that can't be read.
const sureFields = 16

// chain returns the first place of data, from a byte on, from which so many fields of a profile follow one another, or
// all up to its end; 0: there is none.
func chain(data []byte, from int) int {
	for ; from < len(data); from++ {
		rest := data[from:]
		for n := 0; ; n++ {
			if n == sureFields || n > 0 && len(rest) == 0 {
				return from
			}
			num, wire, k := protowire.ConsumeField(rest)
			if k < 0 || !isShaped(num, wire) {
				break
			}
			rest = rest[k:]
		}
	}
	return 0
}

// intact returns the fields that can be decoded.
func (s *salvager) intact(fields []field) []field {
	if s.parse(fields, nil) != nil {
		return fields
	}
	s.tries--
	if n := len(fields); n > 1 && s.tries > 0 {
		return slices.Concat(s.intact(fields[:n/2]), s.intact(fields[n/2:]))
	}
	for _, f := range fields {
		if f.num == sampleField {
			s.bad.Bad(trace.BadStack, f.at)
		} else {
			s.bad.Bad(trace.BadReference, f.at)
		}
	}
	return nil
}

// parse reads fields and texts, nil where that is impossible.
func (s *salvager) parse(fields []field, texts []byte) *profile.Profile {
	var data []byte
	for _, f := range fields {
		data = append(data, f.data...)
	}
	p, err := profile.ParseUncompressed(slices.Concat(data, texts, s.missing))
	if err != nil {
		return nil
	}
	return p
}

// repair leaves out samples with stacks or values that are not there, and names what lost its name.
func (s *salvager) repair(p *profile.Profile) {
	samples := s.places(sampleField)
	p.Sample = slices.DeleteFunc(p.Sample, func(x *profile.Sample) bool {
		at := samples[0]
		samples = samples[1:]
		damaged := len(x.Value) != len(p.SampleType) || slices.Contains(x.Location, nil)
		if damaged {
			s.bad.Bad(trace.BadStack, at)
		}
		return damaged
	})
	for i, at := range s.places(functionField) {
		if f := p.Function[i]; f.Name == "" {
			s.bad.Bad(trace.BadName, at)
			f.Name = fmt.Sprintf("(function %d, its name is lost)", f.ID)
		}
	}
	for i, at := range s.places(typeField) {
		if t := p.SampleType[i]; t.Type == "" {
			s.bad.Bad(trace.BadName, at)
			t.Type = strings.TrimSuffix("numbers"+string(rune('A'+i%26)), "A") // a word
		}
	}
}

// places returns where the fields of a number are.
func (s *salvager) places(num protowire.Number) (list []int64) {
	for _, f := range s.fields {
		if f.num == num {
			list = append(list, f.at)
		}
	}
	return list
}
