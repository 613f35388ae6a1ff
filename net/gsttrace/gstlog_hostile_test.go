package gsttrace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// work counts how many bytes are handed over, so that a test can tell that nothing is read again
// and again.
type work struct {
	tally
	text int
}

func (w *work) Unreadable(o int64, text []byte, reason string) {
	w.text += len(text)
	w.tally.Unreadable(o, text, reason)
}

func TestLineBeyondTheLimit(t *testing.T) {
	event := columns + "event, thread-id=(guint64)1, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)"
	log := event + "a;\n" + event + strings.Repeat("x", 5000) + ";\n" + event + "b;\r\n" + strings.Repeat("y", 5000) + "\n" + event + "c;\n"
	for _, piece := range []int{len(log), 1, 7, 1024, 3000} {
		w := &work{tally: *newTally()}
		r := NewLogReader(w, LogOptions{MaxLine: 4096})
		for p := []byte(log); len(p) > 0; p = p[min(len(p), piece):] {
			r.Write(p[:min(len(p), piece)])
		}
		r.Close()
		c := r.Counts()
		if w.kinds["event"] != 3 || c.Overlong != 2 || c.Unreadable != 2 || c.Lines != 5 || c.Untimed != 1 || w.text != 2048 {
			t.Errorf("pieces of %d: %+v, %v, %d bytes", piece, c, w.kinds, w.text)
		}
		if !strings.HasPrefix(w.unreadable[0], "the line is too long: 0:00:00.016827541") {
			t.Errorf("%.100q", w.unreadable[0])
		}
	}
}

// A line of some megabytes is read: caps are long.
func TestLineOfMegabytes(t *testing.T) {
	long := strings.Repeat("caps, ", 3<<20/6)
	s, c := table(columns + "message, thread-id=(guint64)1, ts=(guint64)1, element-ix=(uint)0, name=(string)x, structure=(structure)" + long + ";\n")
	if c.Records != 1 || len(s.all[0]["structure"]) != len(long)+2 {
		t.Errorf("%+v", c)
	}
}

func TestEntryBeyondTheLimit(t *testing.T) {
	w := &work{tally: *newTally()}
	r := NewLogReader(w, LogOptions{MaxEntry: 10000})
	r.Write([]byte("0:00:00.000000001 1 0x1 LOG x a.c:1:f: m\n" + strings.Repeat("continued\n", 2000) + "0:00:00.000000002 1 0x1 LOG x a.c:1:f: m\n"))
	r.Close()
	if c := r.Counts(); c.Overlong != 1 || c.Messages != 1 || c.Foreign < 900 || c.Untimed != 2000 {
		t.Errorf("%+v", c)
	}
}

// Ambiguous texts must not make the matcher exponential or quadratic: these took minutes by a
// regular expression with backtracking.
func TestAmbiguousTexts(t *testing.T) {
	fields, record := "", "hostile"
	for i := range 40 {
		fields += fmt.Sprintf(`, f%d=(structure)"value\,\ type\=\(type\)gchararray\;"`, i)
	}
	for i := range 39 {
		record += fmt.Sprintf(", f%d=(string)", i)
		for j := range 40 {
			record += fmt.Sprintf(", f%d=(string)x", j)
		}
	}
	log := place + "hostile.class" + fields + ";\n" + columns + record + strings.Repeat(", f38=(string)", 50000) + ";\n"
	_, c := table(log)
	if c.Records+c.Unreadable != 1 {
		t.Errorf("%+v", c)
	}
	// One text before a number that never fits.
	log = columns + "new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)0, parent-ix=(uint)0, name=(string)" + strings.Repeat(", type=(string), is-bin=(boolean)", 50000) + "2;\n"
	if _, c := table(log); c.Unreadable != 1 {
		t.Errorf("%+v", c)
	}
	// A record that seems to end with every line.
	log = columns + "object-alive, type-name=(string)" + strings.Repeat("\n;", 200000) + "\n" + columns + "x;\n"
	if _, c := table(log); c.Unreadable != 1 || c.Records != 1 {
		t.Errorf("%+v", c)
	}
}

// Layouts are kept for so many classes only; what is beyond is unreadable, what was known before
// goes on.
func TestTooManyClasses(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(columns + "first, a=(int)1;\n")
	for i := range 3000 {
		fmt.Fprintf(&log, "%sclass-%d, a=(int)1;\n", columns, i)
		fmt.Fprintf(&log, "%sone-name, a%d=(int)1;\n", columns, i)
	}
	log.WriteString(columns + "first, a=(int)2;\n")
	s, c := table(log.String())
	if s.kinds["first"] != 2 || c.Records < 900 || c.Records > 1100 || c.Unreadable != 6002-c.Records {
		t.Errorf("%d records, %d unreadable", c.Records, c.Unreadable)
	}
}

func TestHostileAnnouncements(t *testing.T) {
	descriptor := `=(structure)"value\,\ type\=\(type\)guint\;"`
	many := ""
	for i := range 300 {
		many += fmt.Sprintf(", f%d%s", i, descriptor)
	}
	for name, message := range map[string]string{
		"too many fields":   "x.class" + many + ";",
		"twice":             "x.class, a" + descriptor + ", a" + descriptor + ";",
		"no type":           `x.class, a=(structure)"value\;";`,
		"no name":           ".class, a" + descriptor + ";",
		"long name":         strings.Repeat("n", 300) + ".class, a" + descriptor + ";",
		"no end":            "x.class, a" + descriptor,
		"not a structure":   "x.class, a=(structure)\"\\\"\";",
		"deep":              "x.class, a=(structure)" + strings.Repeat("<", 1<<16) + ";",
		"text behind":       "x.class, a" + descriptor + "; more",
		"bytes of no kind":  "x.class, \xff\xfe" + descriptor + ";",
		"a list as a field": "x.class, a={ 1, 2 };",
	} {
		s, c := table(place + message + "\n" + columns + "event, thread-id=(guint64)1, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)eos;\n")
		if c.Damaged != 1 || c.Unreadable != 1 || c.Announcements != 0 || s.kinds["event"] != 1 {
			t.Errorf("%s: %+v %.200q", name, c, s.unreadable)
		}
	}
}

// What is no number, or too great a one, is not taken for one.
func TestNumbersOutOfRange(t *testing.T) {
	event := "event, thread-id=(guint64)%s, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)a\\ b,;"
	for number, want := range map[string]int64{"18446744073709551615": 1, "18446744073709551616": 0, "99999999999999999999999": 0, "-1": 0, "": 0, "1,": 0, "0x5": 0} {
		_, c := table(columns + fmt.Sprintf(event, number) + "\n")
		if c.Records != want || c.Unreadable != 1-want {
			t.Errorf("%q: %+v", number, c)
		}
	}
}

func TestNoUTF8(t *testing.T) {
	s, c := table(columns + "event, thread-id=(guint64)1, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)\xff\x00\xfe;\n" + "\xc3\x28\n")
	if c.Records != 1 || s.all[0]["name"] != `"\xff\x00\xfe"` || c.Foreign != 1 {
		t.Errorf("%+v %v", c, s.all)
	}
}

// Two lines that were torn into each other: the record is lost, the next is read.
func TestTornLines(t *testing.T) {
	event := columns + "event, thread-id=(guint64)1, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)eos;\n"
	_, c := table(event + event[:120] + event + event)
	if c.Records != 2 || c.Unreadable != 1 {
		t.Errorf("%+v", c)
	}
}

// seeds are some short lines of each log.
func seeds(f *testing.F) (all [][]byte) {
	for _, name := range []string{"odd-names.log", "leaks-found.log", "leaks-traces-none.log", "stderr-and-stdout.log", "color-leaks-debug.log", "factories.log", "mixed-debug.log.gz", "constructed-windows.log.gz", "log-tracer.log.gz"} {
		var seed []byte
		for i, line := range bytes.SplitAfter(file(f, name), []byte("\n")) {
			if i%5 == 0 && len(line) < 900 && len(seed) < 2500 {
				seed = append(seed, line...)
			}
		}
		all = append(all, seed)
	}
	return all
}

func FuzzReader(f *testing.F) {
	for i, seed := range seeds(f) {
		f.Add(seed, uint16(i*7+1))
	}
	f.Fuzz(func(t *testing.T, log []byte, size uint16) {
		o := LogOptions{MaxLine: 2000, MaxEntry: 3000, MaxClasses: 20}
		whole, pieces := &dumper{}, &dumper{}
		a, b := NewLogReader(whole, o), NewLogReader(pieces, o)
		a.Write(log)
		a.Close()
		step := int(size)%(len(log)+1) + 1
		for p := log; len(p) > 0; p = p[min(len(p), step):] {
			piece := bytes.Clone(p[:min(len(p), step)])
			b.Write(piece)
			clear(piece)
		}
		b.Close()
		if whole.out.String() != pieces.out.String() || a.Counts() != b.Counts() {
			t.Errorf("pieces of %d bytes make a difference: %+v and %+v\n%s\n%s", step, a.Counts(), b.Counts(), whole.out.String(), pieces.out.String())
		}
		c := a.Counts()
		lines := int64(bytes.Count(log, []byte("\n")))
		if len(log) > 0 && log[len(log)-1] != '\n' {
			lines++
		}
		if c.Lines != lines || c.Bytes != int64(len(log)) || c.Records != int64(whole.records) || c.Entries != c.Records+c.Messages || c.Foreign > c.Untimed || c.Overlong > c.Unreadable || c.Damaged > c.Unreadable || c.Generic > c.Records {
			t.Errorf("counts of %d lines do not add up: %+v", lines, c)
		}
		if c.Entries+c.Foreign+c.Unreadable > c.Lines+c.Overlong {
			t.Errorf("more came out than went in: %+v", c)
		}
	})
}

func FuzzStructure(f *testing.F) {
	for _, seed := range seeds(f) {
		for line := range bytes.Lines(seed) {
			if _, m, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" :0:: ")); ok {
				f.Add(m)
			} else if _, m, ok := bytes.Cut(line, []byte("build_format: ")); ok {
				f.Add(m)
			}
		}
	}
	f.Add([]byte(`a, b=(structure)"c\,\ d\=\(int\){\ 1\,\ <\ 2\ >\ }", e=[ 1, 2, 3 ];`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, _ := ParseStructure(text, 8)
		size := len(s.Name)
		for _, field := range s.Fields {
			size += len(field.Name) + sizeOf(&field.Value, 9)
		}
		if size > 2*len(text) {
			t.Errorf("%d bytes of %d", size, len(text))
		}
	})
}

// sizeOf is how much text a value holds. It fails by a panic where items are nested deeper than
// was allowed.
func sizeOf(v *StructValue, depth int) int {
	if depth == 0 {
		panic("nested too deep")
	}
	size := len(v.Text)
	for i := range v.Items {
		size += sizeOf(&v.Items[i], depth-1)
	}
	return size
}
