package escape_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"framescope/internal/escape"
	"framescope/internal/testkit"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"App:Draw größe 漢字 \u200912\u2009345": "App:Draw größe 漢字 \u200912\u2009345",
		"a\x1b[31mred":                      "a\uFFFD[31mred",
		"a\r\nb\x00c\td":                    "a\uFFFD\uFFFDb\uFFFDc d",
		"\u202egnp.exe\u2066\u200e":         "\uFFFDgnp.exe\uFFFD\uFFFD",
		"C1 \u009b2J, \x7f, \u2028, \ufeff": "C1 \uFFFD2J, \uFFFD, \uFFFD, \uFFFD",
		"bad \xff utf-8":                    "bad \uFFFD utf-8",
		"👩\u200d💻 ❤\ufe0f":                  "👩\u200d💻 ❤\ufe0f",
	} {
		testkit.Equal(t, escape.Line(text), want, "%q", text)
	}
}

func TestNamesAreCutInTheMiddle(t *testing.T) {
	got := escape.Name(strings.Repeat("é", escape.MaxName))
	testkit.That(t, utf8.RuneCountInString(got) == escape.MaxName && !strings.Contains(got, "…"), "%q", got)
	for _, n := range []int{escape.MaxName + 1, 5000, 1 << 20} {
		got := escape.Name("begin" + strings.Repeat("é\x1b", n) + "end")
		if utf8.RuneCountInString(got) != escape.MaxName || !strings.HasPrefix(got, "beginé\uFFFD") || !strings.HasSuffix(got, "end") ||
			strings.Count(got, "…") != 1 {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	n, err := fmt.Fprintf(escape.NewWriter(&out), "a\x1b]0;title\a\n\tb\r\n")
	testkit.That(t, n == 16 && err == nil, "%d %v", n, err)
	testkit.Equal(t, out.String(), "a\uFFFD]0;title\uFFFD\n\tb\uFFFD\n", "out")
}
