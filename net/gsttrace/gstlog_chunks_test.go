package gsttrace_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/net/gsttrace"
)

// Whatever pieces a log comes in, the handler gets the same.
func TestPiecesMakeNoDifference(t *testing.T) {
	for _, name := range []string{"stderr-and-stdout.log", "leaks-refs-traces.log.gz", "color-leaks-debug.log", "constructed-windows.log.gz", "odd-names.log", "truncated.log.gz", "mixed-debug.log.gz"} {
		t.Run(name, func(t *testing.T) {
			log := capture(t, name)
			whole, wantCounts := read(string(log))
			random := rand.New(rand.NewPCG(1, 2))
			for pass, size := range map[string]func() int{
				"single bytes": func() int { return 1 },
				"17 bytes":     func() int { return 17 },
				"random":       func() int { return 1 + random.IntN(9000) },
			} {
				d := &dump{}
				r := gsttrace.NewLogReader(d, gsttrace.LogOptions{})
				buf := make([]byte, 9000)
				for i := 0; i < len(log); {
					n := copy(buf[:size()], log[i:])
					r.Write(buf[:n])
					clear(buf[:n]) // nothing of it may be kept
					i += n
				}
				r.Close()
				if diff := cmp.Diff(whole, d.out.String()); diff != "" {
					t.Errorf("%s (-whole +pieces):\n%.3000s", pass, diff)
				}
				if r.Counts() != wantCounts {
					t.Errorf("%s: counts %+v, want %+v", pass, r.Counts(), wantCounts)
				}
			}
		})
	}
}

// Idle hands over messages at once, yet waits for the rest of records over many lines.
func TestIdle(t *testing.T) {
	message := "0:00:00.000000001  1 0x1 WARN  default a.c:1:f: careful"
	record := columns + "object-alive, type-name=(string)GstPad, address=(gpointer)0x1, description=(string)<a:b>, ref-count=(uint)1, trace=(string)one (a.c:1)\ntwo (b.c:2)\n;\n"
	d := &dump{}
	r := gsttrace.NewLogReader(d, gsttrace.LogOptions{})
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

func TestNoAllocationPerRecord(t *testing.T) {
	log := capture(t, "all-audio-chain.log.gz")
	s := &sink{}
	r := gsttrace.NewLogReader(s, gsttrace.LogOptions{})
	r.Write(log)
	before := s.records
	// The second time only announcements allocate: a hundred of their lines at most.
	tail := log[len(log)-len(log)/2:]
	for i, b := range tail {
		if b == '\n' {
			tail = tail[i+1:]
			break
		}
	}
	allocs := testing.AllocsPerRun(5, func() { r.Write(tail) })
	if allocs > 0 || s.records < before+5*2000 {
		t.Errorf("%v allocations for some 2,600 records; %d records", allocs, s.records-before)
	}
}

// The same for records in structure notation, with and without their announcement.
func TestNoAllocationPerStructure(t *testing.T) {
	later := columns + `seen.class, src=(structure)"scope\,\ type\=\(GstTracerFieldType\)string\;", n=(structure)"value\,\ type\=\(GstTracerFieldType\)uint64\;";` + "\n"
	records := []byte(strings.Repeat(columns+`seen, src=(string)"my\ \"pad\"", n=(guint64)5;`+"\n"+columns+`unseen, have-x=(boolean)true, x=(double)1.5, src=(string)"my\ \"pad\"", n=(NeverHeardOf)< 5, 6 >;`+"\n", 500))
	s := &sink{}
	r := gsttrace.NewLogReader(s, gsttrace.LogOptions{})
	r.Write([]byte(later))
	r.Write(records)
	if allocs := testing.AllocsPerRun(5, func() { r.Write(records) }); allocs > 0 || s.records != 7*1000 || r.Counts().Generic != 7*500 {
		t.Errorf("%v allocations for 1,000 records; %+v", allocs, r.Counts())
	}
}
