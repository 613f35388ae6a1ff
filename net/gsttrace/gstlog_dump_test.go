package gsttrace

import (
	"fmt"
	"strings"
)

// dumper writes all that a handler gets as text.
type dumper struct {
	out     strings.Builder
	records int
}

func (d *dumper) Class(c *Class) {
	fmt.Fprintf(&d.out, "class %s %v\n", c.Name, c.Origin)
	for _, f := range c.Fields {
		fmt.Fprintf(&d.out, "  %+v\n", f)
	}
}

func (d *dumper) entry(kind string, e *LogEntry) {
	fmt.Fprintf(&d.out, "%s @%d line %d %d pid %d %s %v %s %s:%d:%s:%v<%s>", kind, e.Offset, e.Line, e.TimeNs, e.PID, e.Thread, e.Level, e.Category, e.File, e.FileLine, e.Function, e.HasObject, e.Object)
}

func (d *dumper) Record(r *Record) {
	d.records++
	d.entry("record", r.Entry)
	fmt.Fprintf(&d.out, " %s", r.Class.Name)
	for i := range r.Values {
		fmt.Fprintf(&d.out, " %s=%s", r.Class.Fields[i].Name, show(&r.Values[i]))
	}
	d.out.WriteByte('\n')
}

func show(v *Value) string {
	if !v.Present {
		return "-"
	}
	switch v.Kind {
	case KindUint:
		return fmt.Sprint(v.Uint)
	case KindInt:
		return fmt.Sprint(v.Int)
	case KindFloat:
		return fmt.Sprint(v.Float)
	case KindBool:
		return fmt.Sprint(v.Bool)
	}
	return fmt.Sprintf("%q", v.Text)
}

func (d *dumper) Message(e *LogEntry) {
	d.entry("message", e)
	fmt.Fprintf(&d.out, " %q\n", e.Message)
}

func (d *dumper) Foreign(offset int64, text []byte) {
	fmt.Fprintf(&d.out, "foreign @%d %q\n", offset, text)
}

func (d *dumper) Unreadable(offset int64, text []byte, reason string) {
	fmt.Fprintf(&d.out, "unreadable @%d %s: %q\n", offset, reason, text)
}

// read reads a whole log at once.
func read(log string) (string, Counts) {
	d := &dumper{}
	r := NewLogReader(d, LogOptions{})
	r.Write([]byte(log))
	r.Close()
	return d.out.String(), r.Counts()
}

// row is a record of the last log line, by field.
type rows struct {
	tally
	all []map[string]string
}

func (s *rows) Record(r *Record) {
	s.tally.Record(r)
	row := map[string]string{"": r.Class.Name}
	for i := range r.Values {
		row[r.Class.Fields[i].Name] = show(&r.Values[i])
	}
	s.all = append(s.all, row)
}

// table reads a log into rows.
func table(log string) (*rows, Counts) {
	s := &rows{tally: *newTally()}
	r := NewLogReader(s, LogOptions{})
	r.Write([]byte(log))
	r.Close()
	return s, r.Counts()
}

const (
	columns = "0:00:00.016827541  8596 0x5643198aa460 TRACE             GST_TRACER :0:: "
	place   = "0:00:00.005718082  8596 0x5643197fa760 TRACE             GST_TRACER gsttracerrecord.c:109:gst_tracer_record_build_format: "
	hint    = "0:00:00.005724731  8596 0x5643197fa760 DEBUG             GST_TRACER gsttracerrecord.c:123:gst_tracer_record_build_format: new format string: "
)
