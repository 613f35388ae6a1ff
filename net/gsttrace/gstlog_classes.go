package gsttrace

import (
	"slices"
	"strconv"
	"strings"

	"framescope/net/trace"
)

// Limits of classes and their announcements.
const (
	maxClasses     = 1024
	maxVariants    = 8 // layouts of one name: programs of different versions may write to one file
	maxFields      = 256
	maxName        = 256
	maxDescription = 1024
)

// classBook keeps the classes of a log: the layouts of the records of each name, the one to try first is first.
type classBook struct {
	byName map[string][]*Class
	count  int // classes
}

// prefer puts a layout before others; one that was made from a record stays last.
func prefer(list []*Class, i int) {
	if c := list[i]; i > 0 && c.Origin != OriginGeneric {
		copy(list[1:], list[:i])
		list[0] = c
	}
}

// find returns the layouts of a name, with its stock layouts if there are such; nil when nothing is
// known, or there are too many classes.
func (b *classBook) find(name []byte) []*Class {
	list := b.byName[string(name)]
	if list == nil && len(b.byName) < maxClasses {
		if list = builtins(string(name)); list != nil {
			b.byName[string(name)] = list
		}
	}
	return list
}

// put keeps a class as the first of its name, and returns it, or the same one that is known; nil when there are too
// many.
func (b *classBook) put(c *Class) *Class {
	list := b.find([]byte(c.Name))
	for i, v := range list {
		if v.Origin == c.Origin && slices.Equal(v.Fields, c.Fields) && v.layout.quoted == c.layout.quoted {
			prefer(list, i)
			return v
		}
	}
	if b.count >= maxClasses || list == nil && len(b.byName) >= maxClasses {
		return nil
	}
	b.count++
	list = append(list[:min(len(list), maxVariants-1)], c)
	prefer(list, len(list)-1)
	b.byName[c.Name] = list
	return c
}

// parseAnnouncement makes a class from the message of its announcement (FORMAT.md section 5); nil if it is none.
func parseAnnouncement(message []byte) *Class {
	s, ok := ParseStructure(message)
	name, isClass := strings.CutSuffix(s.Name, ".class")
	if !ok || !isClass || name == "" || len(name) > maxName || len(s.Fields) > maxFields ||
		message[len(message)-1] != ';' {
		return nil
	}
	c := &Class{Name: name, Origin: OriginAnnounced}
	later := false
	for i := range s.Fields {
		f, after128, ok := announcedField(&s.Fields[i])
		if !ok || c.Index(f.Name) >= 0 {
			return nil
		}
		later = later || after128
		c.Fields = append(c.Fields, f)
	}
	c.compile(later)
	return c
}

// announcedField reads one descriptor. later is true for the form of the versions after 1.28.
func announcedField(in *StructField) (f Field, later, ok bool) {
	d, ok := ParseStructure([]byte(in.Text))
	typ := d.Get("type")
	if !ok || in.Name == "" || typ == nil || typ.Text == "" || len(in.Name)+len(typ.Text) > maxName {
		return f, false, false
	}
	f = Field{Name: in.Name, Scope: d.Name == "scope", Structure: d.Name == "structure", Type: shortType(typ.Text)}
	if later = typ.Type == "GstTracerFieldType"; later {
		f.Type = laterType(typ.Text)
	}
	f.Kind = kindOf(f.Type)
	f.Related = relatedOf(d.text("related-to"))
	f.Description, _ = Cut([]byte(d.text("description")), maxDescription)
	f.Optional, f.Aggregated = flagsOf(d.text("flags"))
	f.setRange(d.text("min"), d.text("max"))
	return f, later, true
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
	text = strings.ToLower(text)
	return strings.Contains(text, "optional"), strings.Contains(text, "aggregated")
}

var related = map[string]Related{
	"process": RelatedProcess, "thread": RelatedThread, "element": RelatedElement, "pad": RelatedPad,
}

// relatedOf reads a scope's reference: the nick of 1.18 and later or the symbol of before.
func relatedOf(text string) Related {
	return related[strings.ToLower(strings.TrimPrefix(text, "GST_TRACER_VALUE_SCOPE_"))]
}

// setRange takes over the announced range, if it is narrower than that of the type.
func (f *Field) setRange(low, high string) {
	switch high {
	case "18446744073709551615", "9223372036854775807", "4294967295", "2147483647": // the maxima of integers
	default:
		f.Max, f.HasMax = bound(high)
	}
	switch low {
	case "-9223372036854775808", "-2147483648":
	default:
		if f.Min, f.HasMin = bound(low); f.Min == 0 && !f.HasMax { // of an unsigned type
			f.HasMin = false
		}
	}
	if f.HasMin && f.HasMax && f.Min > f.Max {
		f.HasMin, f.HasMax, f.Min, f.Max = false, false, 0, 0
	}
}

// bound reads an end of a range; that of the type of a float is none.
func bound(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n < 1e300 && n > -1e300) {
		return 0, false
	}
	return n, true
}

// builtinText lists the stock records (FORMAT.md section 6), one layout a line and the newest first
// where there are two: what a log has announced itself goes before. A field is name:type, with
// /thread, /process, /element or /pad for what a scope refers to, ? when it is optional, + when it
// is aggregated and ! for the structure of messages.
const builtinText = `
latency src-element-id:string/element src-element:string/element src:string/pad sink-element-id:string/element sink-element:string/element sink:string/pad time:guint64 ts:guint64
latency src:string/pad sink:string/pad time:guint64 ts:guint64
element-latency element-id:string/element element:string/element src:string/pad time:guint64 ts:guint64
element-reported-latency element-id:string/element element:string/element live:boolean min:guint64 max:guint64 ts:guint64
new-element thread-id:guint64/thread ts:guint64 ix:uint/element parent-ix:uint/element name:string type:string is-bin:boolean
new-pad thread-id:guint64/thread ix:uint/pad parent-ix:uint/element name:string type:string is-ghostpad:boolean pad-direction:GstPadDirection
buffer thread-id:guint64/thread ts:guint64 pad-ix:uint/pad element-ix:uint/element peer-pad-ix:uint/pad peer-element-ix:uint/element buffer-size:uint buffer-pts:guint64? buffer-dts:guint64? buffer-duration:guint64? buffer-flags:GstBufferFlags
event thread-id:guint64/thread ts:guint64 pad-ix:uint/pad element-ix:uint/element name:string
message thread-id:guint64/thread ts:guint64 element-ix:uint/element name:string structure:structure!
query thread-id:guint64/thread ts:guint64 pad-ix:uint/pad element-ix:uint/element peer-pad-ix:uint/pad peer-element-ix:uint/element name:string structure:structure res:boolean?
element-query thread-id:guint64/thread ts:guint64 element-ix:uint/element name:string
thread-rusage thread-id:guint64/thread ts:guint64 average-cpuload:uint+ current-cpuload:uint time:guint64+
proc-rusage process-id:guint64/process ts:guint64 average-cpuload:uint+ current-cpuload:uint time:guint64+
object-alive type-name:string address:gpointer description:string ref-count:uint trace:string
object-refings ts:guint64 type-name:string address:gpointer description:string ref-count:uint trace:string
object-added type-name:string address:gpointer
object-removed type-name:string address:gpointer
factory-used thread-id:guint64/thread ts:guint64 factory-type:string factory:string plugin:string source-module:string
`

// builtins makes the layouts of the stock records of one name.
func builtins(name string) (all []*Class) {
	for line := range strings.Lines(builtinText) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != name {
			continue
		}
		c := &Class{Name: name, Origin: OriginBuiltin}
		for _, w := range words[1:] {
			c.Fields = append(c.Fields, builtinField(w))
		}
		c.compile(true)
		all = append(all, c)
	}
	return all
}

func builtinField(word string) Field {
	name, typ, _ := strings.Cut(word, ":")
	typ, scope, isScope := strings.Cut(typ, "/")
	f := Field{Name: name, Scope: isScope, Related: relatedOf(scope), Type: strings.TrimRight(typ, "?+!")}
	f.Optional = strings.HasSuffix(typ, "?")
	f.Aggregated = strings.HasSuffix(typ, "+")
	f.Structure = strings.HasSuffix(typ, "!")
	f.Kind = kindOf(f.Type)
	if strings.HasSuffix(name, "-cpuload") {
		f.Max, f.HasMin, f.HasMax = 1000, true, true
	}
	return f
}

// genericClass makes a class from a record in structure notation, with what the stock records say of fields by the
// same names. It returns nil when the message is none.
func genericClass(m []byte) *Class {
	sc := scanner{text: m}
	c := &Class{Name: string(unquote(nil, sc.begin())), Origin: OriginGeneric}
	optional := ""
	for f, ok := sc.field(); ok; f, ok = sc.field() {
		key, typ := string(unquote(nil, f.key)), string(f.typ)
		if have, ok := strings.CutPrefix(key, "have-"); ok && kindOf(typ) == KindBool {
			optional = have
			continue
		}
		if key == "" || len(key) > maxName || len(typ) > maxName || len(c.Fields) >= maxFields || c.Index(key) >= 0 {
			return nil
		}
		c.Fields = append(c.Fields, Field{Name: key, Type: typ, Kind: kindOf(typ), Optional: optional == key})
		optional = ""
	}
	if sc.bad || c.Name == "" || len(c.Name) > maxName {
		return nil
	}
	for _, b := range builtins(c.Name) {
		for i := range c.Fields {
			c.Fields[i].describe(b)
		}
	}
	c.compile(true)
	return c
}

// describe takes over what a stock class says of a field of this name.
func (f *Field) describe(stock *Class) {
	if k := stock.Index(f.Name); k >= 0 {
		named := *f
		*f = stock.Fields[k]
		f.Type, f.Kind, f.Optional = named.Type, named.Kind, named.Optional
	}
}

// Time returns the time of an entry's event, in ns: the one in the record, if that is of the same clock as the time
// of the line, else that of the line.
func (e *LogEntry) Time(told uint64) int64 {
	if told > trace.MaxTime || isFar(int64(told), e.TimeNs) {
		return e.TimeNs
	}
	return int64(told)
}
