// The reader of the debug log of GStreamer 1.8 and later: bytes in, log entries and tracer records out (FORMAT.md,
// sections 2 to 6).
//
// The reader is pushed: a file, a pipe, standard input and a growing log all call [LogReader.Write] with whatever
// bytes they have. It calls a [Handler] in the order of the log. Input is untrusted: unreadable parts are counted
// and passed to [Handler.Unreadable], and reading goes on.

package gsttrace

import (
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// levels are the words of levels.
var levels = map[string]model.Severity{
	"ERROR": model.SeverityError, "WARN": model.SeverityWarning, "FIXME": model.SeverityFixme, "INFO": model.SeverityInfo,
	"DEBUG": model.SeverityDebug, "LOG": model.SeverityLog, "TRACE": model.SeverityTrace, "MEMDUMP": model.SeverityTrace,
}

// LogEntry is one entry of the log: one line, or several where its message contains line feeds. All
// slices are valid during the handler's call only.
type LogEntry struct {
	Line   int64  // number of its first line in the stream, from 1
	TimeNs int64  // nanoseconds since the program initialised GStreamer, taken when the line was formatted
	PID    uint64 // process number
	// Thread is the column's text: a key. It is a pointer in hexadecimal, or from 1.28 a decimal thread number; the
	// text alone does not show which.
	Thread   []byte
	Level    model.Severity
	Category []byte
	File     []byte // empty for tracer records
	FileLine int
	Function []byte
	Object   []byte // without the angle brackets around it
	Message  []byte // may contain line feeds and bytes that are no UTF-8
	Colored  bool   // the line had colors
	Size     int    // bytes of the first line, with its end
}

// ValueKind says what a [Value] is, and in which of its members.
type ValueKind uint8

// The kinds of values.
const (
	KindText      ValueKind = iota // Text: a string, an enumeration's nick, a type never heard of
	KindUint                       // Uint: digits
	KindInt                        // Uint, in two's complement: digits, perhaps a sign
	KindFloat                      // Float: a number in any form of the C library
	KindBool                       // Uint: 0, 1, true, false
	KindPointer                    // Text as written, and Uint: 0x and hexadecimal digits, or (nil)
	KindEnum                       // of fields alone: a number, which is KindInt, or nicks or symbols, which are KindText
	KindStructure                  // Text: structure notation, for ParseStructure
)

// Related is the kind of thing that a scope field refers to.
type Related uint8

// Kinds of things that scopes refer to.
const (
	RelatedNone Related = iota
	RelatedProcess
	RelatedThread
	RelatedElement
	RelatedPad
)

// Field is one field of a class of records, as its announcement describes it.
type Field struct {
	Name        string
	Type        string // the short type name as records write it: "string", "uint", "guint64", "GstBufferFlags"
	Kind        ValueKind
	Scope       bool // it says where a measurement belongs: use it as a key
	Related     Related
	Optional    bool   // records say whether there is a value; see Value.Present
	Aggregated  bool   // a total or average since tracing began: only the latest counts
	Description string // fit for a label; may be empty
	// Min and Max are the announced range. Neither is set where it is just the type's range, which
	// says nothing.
	Min, Max       float64
	HasMin, HasMax bool
	Structure      bool // announced as a structure, not as a value (only that of messages)
}

// Origin says how a class became known.
type Origin uint8

// The origins of classes, best first.
const (
	OriginAnnounced Origin = iota // from its announcement in the log
	OriginBuiltin                 // a stock record without an announcement in the log
	OriginGeneric                 // made from a record in structure notation, when nothing else was known
)

// String names the origin.
func (o Origin) String() string { return [...]string{"announced", "built-in", "generic"}[o] }

// Class is the layout of one kind of record. Classes are never changed once a record of them was handed over, and a
// pointer stays valid for the life of the reader, so it can be a map key.
type Class struct {
	Name   string // without ".class"
	Fields []Field
	Origin Origin

	layout *layout
}

// Index is the position of a field by its name in Fields and in Record.Values, or -1.
func (c *Class) Index(name string) int {
	return slices.IndexFunc(c.Fields, func(f Field) bool { return f.Name == name })
}

// Value is the value of one field in one record. Only the members that Kind names mean anything.
// Text is valid during the handler's call only.
type Value struct {
	Present bool // false when an optional field has no value
	Kind    ValueKind
	Uint    uint64
	Float   float64
	Text    []byte
}

// Number is the value as a floating point number: 0 or 1 for booleans, 0 for text.
func (v *Value) Number() float64 {
	switch v.Kind {
	case KindInt:
		return float64(int64(v.Uint))
	case KindFloat:
		return v.Float
	}
	return float64(v.Unsigned())
}

// Unsigned is the value as an unsigned number, whatever way it was written: 0 for text, and
// negative numbers wrap.
func (v *Value) Unsigned() uint64 {
	switch {
	case IsText(v.Kind), v.Kind == KindFloat && !(v.Float > 0 && v.Float < 1<<63):
		return 0
	case v.Kind == KindFloat:
		return uint64(v.Float)
	}
	return v.Uint
}

// Record is one tracer record. It and all below it are valid during the handler's call only.
type Record struct {
	Entry  *LogEntry
	Class  *Class
	Values []Value // one for each of Class.Fields, in their order
}

// Handler receives what the reader finds, in the order of the log. Nothing handed over may be kept
// or changed, except a [Class], which may be kept: a class whose layout changes has another pointer and the same name.
type Handler interface {
	// Record is called for every tracer record.
	Record(r *Record)
	// Message is called for every other entry: ordinary debug lines, the log tracer's lines,
	// announcements and their templates.
	Message(e *LogEntry)
	// Foreign is called for a line that is no part of the log, such as what the program itself
	// printed. text is without its line end.
	Foreign(text []byte)
	// Unreadable is called for unreadable parts of the log. line is the number of the first line of it. Of a very long
	// text it gets only the beginning. The kind is trace.Cut where the end of the log is missing: see Counts.CutLast.
	Unreadable(kind trace.Kind, line int64, text []byte)
}

// Counts are a reader's counts so far.
type Counts struct {
	Bytes         int64 // of the log
	Lines         int64 // begun lines, a last one without line end included
	Untimed       int64 // lines that do not begin with a time: continuations and foreign lines
	Foreign       int64 // of those, lines that are no part of the log
	Entries       int64 // records, messages and announcements
	Records       int64 // of tracers
	Messages      int64 // entries that are not records, announcements that could be read included
	Announcements int64 // class announcements, repetitions included
	Damaged       int64 // class announcements that could not be read (they are unreadable)
	Unreadable    int64 // calls of Handler.Unreadable
	Overlong      int64 // of those, too long lines or entries
	Generic       int64 // of Records, those read by structure notation alone
	CutLast       bool  // the stream ended without a line end

	NULs trace.NULs `json:"-"` // in place of data
}
