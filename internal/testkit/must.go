package testkit

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
		t.Helper()
		OK(t, err, what...)
		return value
	}
}

// OK ends the test when there is an error. The message of the failure begins with what is given
// besides.
func OK(t Test, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(append(what, err)...)
	}
}
