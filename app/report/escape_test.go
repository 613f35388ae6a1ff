package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"framescope/internal/escape"
	"framescope/internal/testkit"
)

func TestMarkdown(t *testing.T) {
	for _, name := range append(testkit.HostileNames, "", " ", "plain") {
		line := "### " + escape.Markdown(name)
		code, rest, ok := testkit.MarkdownCode(line)
		blank := strings.Trim(name, " ") == ""
		testkit.That(t, ok && rest == "### " && len(code) <= 1 && (blank || len(code) != 0 && code[0] == escape.Line(name)),
			"%q: %q: code %q, rest %q", name, line, code, rest)
		row := escape.MarkdownRow("1", escape.Markdown(name), escape.Markdown("x"+name))
		code, rest, ok = testkit.MarkdownCode(row)
		n := testkit.MarkdownCells(row)
		testkit.That(t, ok && n == 3 && code[len(code)-1] == "x"+escape.Line(name) && strings.Trim(rest, " |") == "1",
			"%q: %q: %d cells, code %q, rest %q", name, row, n, code, rest)
	}
}

func TestWorkflow(t *testing.T) {
	undo := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for _, name := range testkit.HostileNames {
		line := "::error title=" + escape.WorkflowProperty(name) + ",line=1::" + escape.Workflow(name)
		properties, message, _ := strings.Cut(line[len("::error "):], "::")
		title, rest, _ := strings.Cut(properties, ",")
		if strings.ContainsAny(line, "\r\n") || undo.Replace(title) != "title="+name || rest != "line=1" ||
			strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(message) != name {
			t.Errorf("%q: %q", name, line)
		}
	}
}

// Cells are read as what was written, but for the apostrophe before what is a formula.
func TestAppendCell(t *testing.T) {
	for _, separator := range []byte{',', '\t'} {
		for _, name := range append(testkit.HostileNames, "", "-", "–", "-1e5", "-1e5+1", "+0.5 %", "-12 frames", "+A1", "-.",
			"−5", "- 5", "-1.5 µs", "''=1", "'a", "'-5") {
			line := string(escape.AppendCell(nil, name, separator)) + string(separator) + "x\n"
			in := csv.NewReader(strings.NewReader(line))
			in.Comma = rune(separator)
			row, err := in.Read()
			if err != nil || len(row) != 2 {
				t.Errorf("%q: %q: %q, %v", name, line, row, err)
				continue
			}
			want := strings.ReplaceAll(name, "\r\n", "\n") // as the reader has it
			formula := []rune(strings.TrimLeft(strings.TrimLeft(name, "'"), " "))
			if len(formula) > 0 && strings.ContainsRune("=+-@\t\r\n＝", formula[0]) {
				switch name {
				case "-5", "'-5", "+1.5 ms", "-1e5", "+0.5 %", "-12 frames", "-.", "-1.5 µs":
				default:
					want = "'" + want
				}
			}
			testkit.That(t, row[0] == want && escape.Cell(row[0]) == strings.ReplaceAll(name, "\r\n", "\n"),
				"%q is read as %q, and that as %q", name, row[0], escape.Cell(row[0]))
		}
	}
}

// JSON gives every text back, and has no character that a terminal would act on.
func TestWriteJSON(t *testing.T) {
	want := map[string]string{"a": "x\u202ey\u009b\u00ad\U000e0001\x1b\u200bz <&> é 日本 \t\n\u2028"}
	var out bytes.Buffer
	testkit.OK(t, escape.WriteJSON(&out, want))
	got := map[string]string{}
	err := json.Unmarshal(out.Bytes(), &got)
	testkit.That(t, err == nil && maps.Equal(got, want), "%v is read as %v, %v", out.String(), got, err)
	if text := out.String(); !strings.Contains(text, "<&> é 日本") || strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && !escape.IsVisible(r)
	}) {
		t.Errorf("wrote %q", text)
	}
}

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
