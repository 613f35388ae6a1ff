package testkit

import "testing"

// Fails fails the test unless there is an error whose message has some texts in it.
func Fails(t testing.TB, err error, wants ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", wants)
		return
	}
	Contains(t, err.Error(), wants...)
}

// Refused returns a function that is Fails of the error of a call:
//
//	testkit.Refused(os.ReadFile(path))(t, "no such file")
func Refused[T any](_ T, err error) func(t testing.TB, wants ...string) {
	return func(t testing.TB, wants ...string) {
		t.Helper()
		Fails(t, err, wants...)
	}
}
