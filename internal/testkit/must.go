package testkit

import (
	"regexp"
	"strings"
	"testing"
)

// Test is what Must and OK need of a test: testing.TB and rapid.T have it.
type Test interface {
	Helper()
	Fatal(args ...any)
}

// Must returns a function that returns the value of a call, and ends the test when the call failed:
//
//	data := testkit.Must(os.ReadFile(path))(t)
//
// The message of the failure begins with what is given besides.
func Must[T any](value T, err error) func(t Test, what ...any) T {
	return func(t Test, what ...any) T {
		if err != nil {
			t.Helper()
			OK(t, err, what...)
		}
		return value
	}
}

// OK ends the test when there is an error. The message of the failure begins with what is given
// besides.
func OK(t Test, err error, what ...any) {
	if err != nil {
		t.Helper()
		t.Fatal(append(what, err)...)
	}
}

// Contains fails the test for each of some texts that another one does not have in it.
func Contains(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Matches fails the test for each of some regular expressions that a text does not match.
func Matches(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
