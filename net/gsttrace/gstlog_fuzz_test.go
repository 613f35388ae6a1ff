package gsttrace

import (
	"bytes"
	"testing"
)

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
