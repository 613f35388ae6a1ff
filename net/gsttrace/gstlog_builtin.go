package gsttrace

import "strings"

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
		if len(line) <= len(name) || line[len(name)] != ' ' || line[:len(name)] != name {
			continue
		}
		words := strings.Fields(line)
		c := &Class{Name: name, Origin: OriginBuiltin}
		for _, w := range words[1:] {
			c.Fields = append(c.Fields, builtinField(w))
		}
		c.layout = compile(c)
		all = append(all, c)
	}
	return all
}

func builtinField(word string) Field {
	name, typ, _ := strings.Cut(word, ":")
	typ, scope, isScope := strings.Cut(typ, "/")
	f := Field{Name: name, Scope: isScope, Related: relatedOf(scope)}
	f.Optional = strings.HasSuffix(typ, "?")
	f.Aggregated = strings.HasSuffix(typ, "+")
	f.Structure = strings.HasSuffix(typ, "!")
	f.Type = strings.TrimRight(typ, "?+!")
	f.Kind = kindOf(f.Type)
	if strings.HasSuffix(name, "-cpuload") {
		f.Max, f.HasMin, f.HasMax = 1000, true, true
	}
	return f
}

// describe takes over what the stock records say of fields by the same names, for classes that were
// not announced.
func describe(c *Class) {
	for _, b := range builtins(c.Name) {
		for i := range c.Fields {
			f := &c.Fields[i]
			k := b.Index(f.Name)
			if k < 0 {
				continue
			}
			known := &b.Fields[k]
			f.Scope, f.Related, f.Aggregated, f.Structure = known.Scope, known.Related, known.Aggregated, known.Structure
			f.Min, f.Max, f.HasMin, f.HasMax = known.Min, known.Max, known.HasMin, known.HasMax
		}
	}
}

// relatedOf reads a scope's reference: the nick of 1.18 and later or the symbol of before.
func relatedOf(text string) Related {
	switch strings.TrimPrefix(text, "GST_TRACER_VALUE_SCOPE_") {
	case "process", "PROCESS":
		return RelatedProcess
	case "thread", "THREAD":
		return RelatedThread
	case "element", "ELEMENT":
		return RelatedElement
	case "pad", "PAD":
		return RelatedPad
	}
	return RelatedNone
}
