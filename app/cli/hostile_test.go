package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names from a file or the command line neither turn the text around them nor begin a line, in pages, pictures and errors.
func TestHostileNamesInPagesAndErrors(t *testing.T) {
	dir := t.TempDir()
	const name = "Main|<i>\u202eevil\u009b31m"
	path := filepath.Join(dir, "names.json")
	trace := `[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"` + name + `"}}`
	for i := range 40 {
		trace += fmt.Sprintf(`,{"ph":"X","name":"Frame","pid":1,"tid":1,"ts":%d,"dur":9000},`+
			`{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":5000}`, i*16000, name, i*16000+100)
	}
	if err := os.WriteFile(path, []byte(trace+"]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"report", path, "--frames", "Frame", "--html"},
		{"render", path, "--frames", "Frame", "--chart", "calltree", "-o", filepath.Join(dir, "tree.svg")},
		{"report", path, "--frames", "Frame", "--stats"},
	} {
		var out, errs bytes.Buffer
		if code := Execute(args, &out, &errs); code != 0 {
			t.Fatalf("%v: %d %s", args, code, errs.String())
		}
		all := out.String() + errs.String()
		if picture, err := os.ReadFile(filepath.Join(dir, "tree.svg")); err == nil {
			all += string(picture)
		}
		if !strings.Contains(all, "evil") || strings.ContainsAny(all, "\u202e\u009b") || strings.Contains(all, "<i>") && args[0] != "report" {
			t.Errorf("%v: the name is missing, or turns what stands around it", args)
		}
	}
	var out, errs bytes.Buffer
	Execute([]string{"why", dir + "/a\n::error::x/b"}, &out, &errs)
	for line := range strings.Lines(errs.String()) {
		if strings.HasPrefix(line, "::") {
			t.Errorf("an argument begins a line: %q", errs.String())
		}
	}
}

// What reads the results of a check in place of people learns that a recording was not read wholly.
func TestDamageIsInTheResultsOfChecks(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../testdata/chrometrace/engine-object.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	damaged, budgets := filepath.Join(dir, "cut.json.gz"), filepath.Join(dir, "b.toml")
	if err := os.WriteFile(damaged, data[:len(data)*3/4], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(budgets, []byte("[[budget]]\nname = \"frame\"\nlimit = \"1h\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	markdown, junit := filepath.Join(dir, "m.md"), filepath.Join(dir, "j.xml")
	for _, form := range []string{"--github", "--json"} {
		var out, errs bytes.Buffer
		code := Execute([]string{"check", damaged, "--budgets", budgets, form, "--markdown", markdown, "--junit", junit}, &out, &errs)
		if code == 0 {
			t.Fatalf("status 0: %s", errs.String())
		}
		if !strings.Contains(out.String(), `"unread"`) && !strings.Contains(out.String(), "::error") {
			t.Errorf("%s does not say that it is damaged: %s\n%s", form, out.String(), errs.String())
		}
	}
	for _, name := range []string{markdown, junit} {
		text, err := os.ReadFile(name)
		says := strings.Contains(string(text), "could be read") || strings.Contains(string(text), "<error")
		if err != nil || !strings.Contains(string(text), "cut.json.gz") || !says {
			t.Errorf("%s does not say so: %v %s", filepath.Base(name), err, text)
		}
	}
}
