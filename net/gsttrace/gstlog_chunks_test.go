package gsttrace

import (
	"strings"
	"testing"
)

// Idle hands over messages at once, yet waits for the rest of records over many lines.
func TestIdle(t *testing.T) {
	message := "0:00:00.000000001  1 0x1 WARN  default a.c:1:f: careful"
	record := columns + "object-alive, type-name=(string)GstPad, address=(gpointer)0x1, description=(string)<a:b>, ref-count=(uint)1, trace=(string)one (a.c:1)\ntwo (b.c:2)\n;\n"
	d := &dumper{}
	r := NewLogReader(d, LogOptions{})
	steps := []struct {
		bytes             string
		messages, records int64
	}{
		{message, 0, 0}, {"\n", 1, 0}, {record[:100], 1, 0}, {record[100 : len(record)-3], 1, 0}, {record[len(record)-3:], 1, 1}, {message + "\n", 2, 1},
	}
	for i, s := range steps {
		r.Write([]byte(s.bytes))
		r.Idle()
		if c := r.Counts(); c.Messages != s.messages || c.Records != s.records {
			t.Errorf("after step %d: %d messages, %d records, want %+v", i, c.Messages, c.Records, s)
		}
	}
	r.Write([]byte("printed\n")) // the message before was handed over
	r.Close()
	if c := r.Counts(); c.Foreign != 1 || c.Unreadable != 0 {
		t.Errorf("%+v\n%s", c, d.out.String())
	}
}

// Records in structure notation allocate nothing, with and without their announcement.
func TestNoAllocationPerStructure(t *testing.T) {
	later := columns + `seen.class, src=(structure)"scope\,\ type\=\(GstTracerFieldType\)string\;", n=(structure)"value\,\ type\=\(GstTracerFieldType\)uint64\;";` + "\n"
	records := []byte(strings.Repeat(columns+`seen, src=(string)"my\ \"pad\"", n=(guint64)5;`+"\n"+columns+`unseen, have-x=(boolean)true, x=(double)1.5, src=(string)"my\ \"pad\"", n=(NeverHeardOf)< 5, 6 >;`+"\n", 500))
	s := &counter{}
	r := NewLogReader(s, LogOptions{})
	r.Write([]byte(later))
	r.Write(records)
	if allocs := testing.AllocsPerRun(5, func() { r.Write(records) }); allocs > 0 || s.records != 7*1000 || r.Counts().Generic != 7*500 {
		t.Errorf("%v allocations for 1,000 records; %+v", allocs, r.Counts())
	}
}

// counter counts the records of a log.
type counter struct{ records int64 }

func (*counter) Class(*Class)                     {}
func (c *counter) Record(*Record)                 { c.records++ }
func (*counter) Message(*LogEntry)                {}
func (*counter) Foreign(int64, []byte)            {}
func (*counter) Unreadable(int64, []byte, string) {}
