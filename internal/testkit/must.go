package testkit

// test is what a test, a benchmark, a fuzz test or a property is here.
type test interface {
	Helper()
	Fatal(args ...any)
}

// Must returns what a call gives that must not fail, and ends the test where it does:
//
//	data := testkit.Must(os.ReadFile(name))(t)
func Must[T any](v T, err error) func(t test) T {
	return func(t test) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// OK ends the test where something failed.
func OK(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
