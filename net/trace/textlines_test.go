package trace

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"framescope/internal/testkit"
)

// cut cuts a text in pieces; a line that is too long is "…", an end without LF is marked.
func cut(data []byte, size func(i int) int) (out []string) {
	var c Cutter
	c.Take = func(line []byte) {
		text := string(line)
		if c.Unended {
			text += "$"
		}
		if out = append(out, text); c.N != int64(len(out)) {
			panic("number of the line")
		}
	}
	c.Long = func() { out = append(out, "…") }
	for i := 0; len(data) > 0; i++ {
		n := min(max(size(i), 1), len(data))
		c.Write(bytes.Clone(data[:n]))
		data = data[n:]
	}
	c.Close()
	return out
}

// wide is a text in UTF-16.
func wide(s string, big bool) (out []byte) {
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		if lo, hi := byte(u), byte(u>>8); big {
			out = append(out, hi, lo)
		} else {
			out = append(out, lo, hi)
		}
	}
	return out
}

// TestLines reads one text in every encoding, cut at every byte.
func TestLines(t *testing.T) {
	const text = "one\r\n\ntwo ü 𝄞\nlast"
	want := []string{"one", "", "two ü 𝄞", "last$"}
	for name, data := range map[string][]byte{
		"plain": []byte(text), "marked": []byte("\ufeff" + text), "little": wide(text, false), "big": wide(text, true),
	} {
		for at := range len(data) + 1 {
			got := cut(data, func(i int) int { return []int{at, len(data)}[min(i, 1)] })
			testkit.MustThat(t, slices.Equal(got, want), "%s cut at %d: %q", name, at, got)
		}
		got := cut(data, func(int) int { return 1 })
		testkit.That(t, slices.Equal(got, want), "%s byte by byte: %q", name, got)
	}
	got := cut([]byte("a"), func(int) int { return 1 })
	testkit.That(t, slices.Equal(got, []string{"a$"}), "one byte: %q", got)
}

// TestLong leaves out a line that is too long, whether it comes at once or in pieces.
func TestLong(t *testing.T) {
	for _, n := range []int{MostLine, MostLine + 1} {
		data := []byte("a\n" + strings.Repeat("x", n) + "\nb\n")
		whole, pieces := cut(data, func(int) int { return len(data) }), cut(data, func(int) int { return 1000 })
		if !slices.Equal(whole, pieces) || len(whole) != 3 || (whole[1] == "…") != (n > MostLine) || whole[2] != "b" {
			t.Errorf("%d bytes: %d and %d lines", n, len(whole), len(pieces))
		}
	}
}

// TestHead returns whole lines alone, unless all of the text is there.
func TestHead(t *testing.T) {
	text := []byte("one\ntwo\nthr")
	got := Head(text, false, 9)
	testkit.That(t, slices.Equal(got, []string{"one", "two"}), "%q", got)
	got = Head(text, true, 9)
	testkit.That(t, slices.Equal(got, []string{"one", "two", "thr"}), "%q", got)
	got = Head(text, true, 1)
	testkit.That(t, slices.Equal(got, []string{"one"}), "%q", got)
}

// FuzzLines holds pieces of any text against the whole.
func FuzzLines(f *testing.F) {
	f.Add(uint8(3), []byte("one\r\ntwo\n\nlast"))
	f.Add(uint8(1), wide("a𝄞\nb", false))
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		want := cut(data, func(int) int { return len(data) })
		got := cut(data, func(int) int { return int(step) })
		testkit.MustThat(t, slices.Equal(got, want), "%q in pieces of %d: %q", want, step, got)
	})
}
