package gsttrace

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of an announcement.
const (
	maxFields      = 256
	maxName        = 256
	maxDescription = 1024
)

// parseAnnouncement makes a class from the message of its announcement (FORMAT.md section 5).
func parseAnnouncement(message []byte) (*Class, error) {
	s, size, err := parseStructure(message, 0)
	if err != nil {
		return nil, err
	}
	if size < len(message) || message[len(message)-1] != ';' {
		return nil, errors.New("it has no end")
	}
	name, ok := strings.CutSuffix(s.Name, ".class")
	if !ok || name == "" || len(name) > maxName {
		return nil, fmt.Errorf("%.80q is not a class name", s.Name)
	}
	if len(s.Fields) > maxFields {
		return nil, fmt.Errorf("too many fields: %d", len(s.Fields))
	}
	c := &Class{Name: name, Origin: OriginAnnounced}
	quoted := false
	for i := range s.Fields {
		f, later, err := announcedField(&s.Fields[i])
		if err != nil {
			return nil, err
		}
		if c.Index(f.Name) >= 0 {
			return nil, fmt.Errorf("duplicate field %.80q", f.Name)
		}
		quoted = quoted || later
		c.Fields = append(c.Fields, f)
	}
	c.layout = compile(c)
	c.layout.quoted = quoted
	return c, nil
}

// announcedField reads one descriptor. later is true for the form of the versions after 1.28.
func announcedField(in *StructField) (f Field, later bool, err error) {
	d, err := ParseStructure([]byte(in.Value.Text), 0)
	if err != nil {
		return f, false, fmt.Errorf("field %.80q: %w", in.Name, err)
	}
	f.Name = in.Name
	if f.Name == "" || len(f.Name) > maxName {
		return f, false, fmt.Errorf("%.80q is not a field name", f.Name)
	}
	switch d.Name {
	case "scope":
		f.Scope = true
	case "structure":
		f.Structure = true
	}
	typ := d.Get("type")
	if typ == nil || typ.Value.Text == "" || len(typ.Value.Text) > maxName {
		return f, false, fmt.Errorf("field %.80q has no type", in.Name)
	}
	f.Type = shortType(typ.Value.Text)
	if later = typ.Type == "GstTracerFieldType"; later {
		f.Type = laterType(typ.Value.Text)
	}
	f.Kind = kindOf(f.Type)
	if r := d.Get("related-to"); r != nil {
		f.Related = relatedOf(r.Value.Text)
	}
	if t := d.Get("description"); t != nil {
		f.Description = cutText(strings.ToValidUTF8(t.Value.Text, "\uFFFD"), maxDescription)
	}
	if t := d.Get("flags"); t != nil {
		f.Optional, f.Aggregated = flagsOf(t.Value.Text)
	}
	f.setRange(d.Get("min"), d.Get("max"))
	return f, later, nil
}

// cutText keeps at most n bytes, whole characters.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// laterType is the short name of a type by the nick or symbol of the versions after 1.28.
func laterType(nick string) string {
	nick = strings.ToLower(strings.TrimPrefix(nick, "GST_TRACER_FIELD_TYPE_"))
	switch nick {
	case "int64", "uint64":
		return "g" + nick
	case "clock-time", "clock_time":
		return "guint64"
	}
	return nick
}

// flagsOf reads the flags of a value: symbols, nicks or the number.
func flagsOf(text string) (optional, aggregated bool) {
	if n, err := strconv.ParseUint(text, 0, 32); err == nil {
		return n&1 != 0, n&2 != 0
	}
	for word := range strings.SplitSeq(text, "+") {
		switch strings.TrimPrefix(word, "GST_TRACER_VALUE_FLAGS_") {
		case "OPTIONAL", "optional":
			optional = true
		case "AGGREGATED", "aggregated":
			aggregated = true
		}
	}
	return optional, aggregated
}

// setRange takes over the announced range, if it is narrower than that of the type.
func (f *Field) setRange(low, high *StructField) {
	if high != nil {
		switch high.Value.Text {
		case "18446744073709551615", "9223372036854775807", "4294967295", "2147483647": // the maxima of integers
		default:
			if n, err := strconv.ParseFloat(high.Value.Text, 64); err == nil && n < 1e300 && n > -1e300 {
				f.Max, f.HasMax = n, true
			}
		}
	}
	if low != nil {
		switch low.Value.Text {
		case "-9223372036854775808", "-2147483648":
		default:
			if n, err := strconv.ParseFloat(low.Value.Text, 64); err == nil && n < 1e300 && n > -1e300 && (n != 0 || f.HasMax) {
				f.Min, f.HasMin = n, true
			}
		}
	}
	if f.HasMin && f.HasMax && f.Min > f.Max {
		f.HasMin, f.HasMax, f.Min, f.Max = false, false, 0, 0
	}
}

const templateIntro = "new format string: "

// parseTemplate makes a class from the printf template beside an announcement. It has the types, but no roles,
// flags and descriptions, except those of the stock records of that name.
func parseTemplate(message []byte) (*Class, bool) {
	text, ok := bytes.CutPrefix(message, []byte(templateIntro))
	if !ok || len(text) == 0 || text[len(text)-1] != ';' {
		return nil, false
	}
	parts := strings.Split(string(text[:len(text)-1]), ", ")
	if parts[0] == "" || len(parts[0]) > maxName || len(parts) > 2*maxFields+1 {
		return nil, false
	}
	c := &Class{Name: parts[0], Origin: OriginTemplate}
	optional := ""
	for _, p := range parts[1:] {
		name, rest, ok1 := strings.Cut(p, "=(")
		typ, format, ok2 := strings.Cut(rest, ")")
		if !ok1 || !ok2 || name == "" || typ == "" || len(name) > maxName || len(typ) > maxName || !strings.HasPrefix(format, "%") || c.Index(name) >= 0 {
			return nil, false
		}
		if have, ok := strings.CutPrefix(name, "have-"); ok && typ == "boolean" && optional == "" {
			optional = have
			continue
		}
		f := Field{Name: name, Type: typ, Kind: kindOf(typ), Optional: optional != ""}
		if optional != "" && optional != name {
			return nil, false
		}
		optional = ""
		c.Fields = append(c.Fields, f)
	}
	if optional != "" || len(c.Fields) > maxFields {
		return nil, false
	}
	describe(c)
	c.layout = compile(c)
	return c, true
}

// sameLayout reports whether records of two classes are written alike.
func sameLayout(a, b *Class) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		x, y := &a.Fields[i], &b.Fields[i]
		if x.Name != y.Name || x.Type != y.Type || x.Optional != y.Optional {
			return false
		}
	}
	return true
}
