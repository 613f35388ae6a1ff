package gsttrace

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	esc = 0x1b
	// pieceSize is the number of bytes of a line that gst-stats reads at once. Of a longer one the first piece alone
	// can match, and its record is cut.
	pieceSize = 4999
)

// compatReader reads records as gst-stats-1.0 1.22 does: as structure notation, with every nested value. A value of a
// type that has no reader makes the whole record vanish.
type compatReader struct {
	text   []byte
	values [8]Value
	fields fields
}

// record reads the wanted fields of a record; a missing text is printf's "(null)". The first line of the log decides
// whether all are read as colored ones.
func (n *compatReader) record(e *LogEntry, wanted []string, colored bool) (f *fields, ok bool) {
	m, _, _ := bytes.Cut(e.Message, []byte("\n"))
	if e.Colored != colored || e.Size > pieceSize || !utf8.Valid(m) ||
		!bytes.HasPrefix(e.Thread, []byte("0x")) && colored {
		return nil, false
	}
	f, n.text = &n.fields, n.text[:0]
	for i := range wanted {
		n.values[i] = Value{Text: noText}
		f[i] = &n.values[i]
	}
	s := scanner{text: m, loose: true}
	s.begin()
	for x, more := s.field(); more; x, more = s.field() {
		text, ok := n.value(x.typ, x.value, 0)
		if !ok {
			return nil, false
		}
		if i := slices.Index(wanted, string(x.key)); i >= 0 {
			n.values[i] = compatValue(text)
		}
	}
	return f, !s.bad
}

// compatValue is a value as a text, and as a number where it is one.
func compatValue(text []byte) Value {
	v := Value{Text: text}
	switch size, number := scanUint(text); {
	case size > 0 && size == len(text):
		v.Kind, v.Uint = KindUint, number
	case string(text) == "true":
		v.Kind, v.Uint = KindUint, 1
	}
	return v
}

// value returns the text of a value. ok is false where gst-stats can't read it.
func (n *compatReader) value(typ []byte, v rawValue, depth int) (text []byte, ok bool) {
	if depth >= maxNesting {
		return nil, false
	}
	if v.bracket != 0 {
		return nil, n.list(typ, v, depth+1)
	}
	if text = v.text; v.isQuoted() {
		from := len(n.text)
		n.text = unquote(n.text, text)
		text = n.text[from:len(n.text):len(n.text)]
	}
	return text, n.reads(string(typ), text, depth+1)
}

// list reads the items of a list, an array or a range. All have the type of the list, or one of their own.
func (n *compatReader) list(typ []byte, v rawValue, depth int) bool {
	s := scanner{text: v.text}
	for s.blanks(); s.pos < len(s.text); {
		own, item := s.typed()
		if own == nil {
			own = typ
		}
		if _, ok := n.value(own, item, depth); !ok || s.bad || !s.skip(',') && s.pos < len(s.text) {
			return false
		}
	}
	return true
}

// structures reads structures one behind the other, as in caps.
func (n *compatReader) structures(text []byte, depth int) bool {
	s := scanner{text: text, loose: true}
	for !s.bad && s.pos < len(s.text) {
		if name := s.begin(); len(name) == 0 || !isAlpha(name[0]) {
			return false
		}
		for x, more := s.field(); more; x, more = s.field() {
			if _, ok := n.value(x.typ, x.value, depth); !ok {
				return false
			}
		}
	}
	return !s.bad && len(text) > 0
}

// reads reports whether the type has a reader. What GStreamer itself wrote as a number or a text is one.
func (n *compatReader) reads(typ string, text []byte, depth int) bool {
	switch typ {
	case "guint64", "uint", "int", "string", "boolean", "":
		return true
	case "GstCaps":
		return slices.Contains(specialCaps, string(text)) || n.structures(text, depth)
	case "structure", "GstStructure", "taglist", "GstTagList", "GstSegment":
		return n.structures(text, depth)
	}
	return strings.HasSuffix(typ, "FlagsSet") || coreTypes[typ]
}

var (
	noText      = []byte("(null)") // as printf writes it
	specialCaps = []string{"ANY", "EMPTY", "NONE", "NULL"}
)

// coreTypes are the plain types and those of the core library, with its enumerations and flags: the only ones that
// gst-stats 1.22 reads, as it loads no plugins.
var coreTypes = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`
	i gint u guint gint64 glong gulong guchar bitmask GstBitmask double d gdouble float f gfloat
	bool b gboolean s str gchararray fraction GstFraction
	GstState GstStateChangeReturn GstFormat GstStructureChangeType GstStreamStatusType GstProgressType
	GstSeekType GstSeekFlags GstSegmentFlags GstBufferingMode GstMessageType GstPadDirection GstPadMode
	GstPadPresence GstPadFlags GstBufferFlags GstBufferCopyFlags GstSchedulingFlags GstStreamType GstStreamFlags
	GstTagMergeMode GstTagFlag GstTagScope GstURIType GstURIError GstQOSType GstEventType GstEventTypeFlags
	GstQueryType GstQueryTypeFlags GstClockType GstClockReturn GstClockEntryType GstClockFlags GstTaskState
	GstTocScope GstTocEntryType GstTocLoopType GstMetaFlags GstMemoryFlags GstMapFlags GstCapsIntersectMode
	GstCapsFlags GstCoreError GstResourceError GstStreamError GstLibraryError GstPluginError GstPluginFlags
	GstPluginDependencyFlags GstTracerValueScope GstTracerValueFlags GstPromiseResult GstRank GstBusFlags
	GstBusSyncReply GstBinFlags GstElementFlags GstObjectFlags GstMiniObjectFlags GstLockFlags GstParseError
	GstParseFlags GstPipelineFlags GstPadLinkReturn GstPadLinkCheck GstPadProbeType GstPadProbeReturn
	GstPadTemplateFlags GstFlowReturn GstIteratorResult GstIteratorItem GstSearchMode GstTypeFindProbability
	GstAllocatorFlags GstBufferPoolAcquireFlags GstStackTraceFlags GstDebugLevel GstDebugColorFlags
	GstDebugColorMode GstDebugGraphDetails GstBuffer buffer GBytes datetime GstDateTime GDate date
	GstCapsFeatures flagset GstFlagSet type GType
`) {
		set[name] = true
	}
	return set
}()
