package gsttrace

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"framescope/internal/testkit"

	"framescope/net/trace"
)

// Damage is counted by kind; what is around it is read.
func TestDamagedLines(t *testing.T) {
	event := "event, thread-id=(guint64)%s, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)a\\ b,;\n"
	descriptor := `=(structure)"value\,\ type\=\(type\)guint\;"`
	many := ""
	for i := range 300 {
		many += fmt.Sprintf(", f%d%s", i, descriptor)
	}
	type kinds = map[trace.Kind]int64
	badEvent := kinds{trace.BadEvent: 1}
	for log, want := range map[string]kinds{
		columns + fmt.Sprintf(event, "18446744073709551615"):                                                {},
		columns + fmt.Sprintf(event, "18446744073709551616"):                                                badEvent,
		columns + fmt.Sprintf(event, "-1"):                                                                  badEvent,
		columns + fmt.Sprintf(event, ""):                                                                    badEvent,
		columns + fmt.Sprintf(event, "1,"):                                                                  badEvent,
		columns + "event, name=(string)\xff\x00\xfe;\n\xc3\x28\n":                                           badEvent,
		anEvent[:120] + anEvent:                                                                             badEvent, // torn into each other
		"0:00:00.000000001 1 0x1 NOLEVEL x a.c:1:f: m\nfree\n":                                              {trace.BadLine: 1},
		"0:00:00.000000001 99999999999999999999 0x1 LOG x a.c:1:f: m\n":                                     {trace.BadLine: 1},
		"9999999999:00:00.000000001 1 0x1 LOG x a.c:1:f: m\n":                                               {trace.BadTime: 1},
		columns + "event, name=(string)" + strings.Repeat("x", trace.MostLine) + ";\n":                      {trace.LongLine: 1},
		"0:00:00.000000001 1 0x1 LOG x a.c:1:f: m\n" + strings.Repeat(strings.Repeat("y", 1<<20-2)+"\n", 9): {trace.LongLine: 1},
		place + "x.class" + many + ";\n":                                                                    badEvent,
		place + "x.class, a" + descriptor + ", a" + descriptor + ";\n":                                      badEvent,
		place + "x.class, a=(structure)\"value\\;\";\n":                                                     badEvent,
		place + ".class, a" + descriptor + ";\n":                                                            badEvent,
		place + strings.Repeat("n", 300) + ".class, a" + descriptor + ";\n":                                 badEvent,
		place + "x.class, a" + descriptor + "\n":                                                            badEvent,
		place + "x.class, a=(structure)" + strings.Repeat("<", 1<<16) + ";\n":                               badEvent,
		place + "x.class, \xff\xfe" + descriptor + ";\n":                                                    badEvent,
	} {
		s, c := table(log + anEvent)
		var n int64
		for _, k := range want {
			n += k
		}
		testkit.That(t, maps.Equal(s.bad, want) && c.Unreadable == n && s.kinds["event"] >= 1,
			"%.200q: %v, want %v; %v", log, s.bad, want, s.kinds)
	}
	for _, cut := range []string{"0:00:00.0000", "0:00:00.000000001 1 0x", anEvent[:100]} {
		s, c := table(anEvent + cut)
		testkit.That(t, s.bad[trace.Cut] == 1 && c.CutLast && c.Records == 1, "%q: %v", cut, s.bad)
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
	testkit.That(t, c.Records+c.Unreadable == 1, "%+v", c)
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
	testkit.That(t, s.kinds["first"] == 2 && c.Records >= 900 && c.Records <= 1100 && c.Unreadable == 6002-c.Records,
		"%d records, %d unreadable", c.Records, c.Unreadable)
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
		whole, a := table(string(log))
		pieces, b := tableOf(string(log), int(size)%(len(log)+1)+1)
		testkit.That(t, whole.text.String() == pieces.text.String() && a == b,
			"pieces of %d bytes make a difference: %+v and %+v\n%s\n%s", size, a, b, &whole.text, &pieces.text)
		if a.Bytes != int64(len(log)) || a.Records != int64(len(whole.all)) || a.Entries != a.Records+a.Messages || a.Foreign > a.Untimed || a.Generic > a.Records {
			t.Errorf("counts do not add up: %+v", a)
		}
		testkit.That(t, a.Entries+a.Foreign+a.Unreadable <= a.Lines+a.Overlong, "more came out than went in: %+v", a)
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
		s, _ := ParseStructure(text)
		size := len(s.Name)
		for _, field := range s.Fields {
			size += len(field.Name) + len(field.Text)
		}
		testkit.That(t, size <= 2*len(text), "%d bytes of %d", size, len(text))
	})
}
