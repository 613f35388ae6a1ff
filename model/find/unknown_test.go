package find

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// A mistyped key is told with the nearest one. Names with colons or brackets are names.
func TestUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"thred:Main":         `no key "thred": thred:Main is looked for in names. thread is the nearest key`,
		"Draw -pth:App/Cull": `no key "pth"`,
		"slef>1ms":           "self is the nearest key",
		"agr:url":            "arg is the nearest key",
		"nmae:x":             "name is the nearest key",
		"thread:Main":        "",
		"std::sort":          "",
		"part::x":            "",
		"App:Cull":           "",
		"foo:bar":            "",
		"vector<T>":          "",
		"call<T>":            "",
		`"thred:Main"`:       "",
		"thred:":             "",
		"thred":              "",
	} {
		e, err := Parse(text)
		testkit.NoErr(t, err, text)
		got := e.Unknown()
		testkit.That(t, (want != "" || got == "") && strings.Contains(got, want), "%s: %q, want %q", text, got, want)
	}
}
