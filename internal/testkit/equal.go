package testkit

import (
	"fmt"
	"reflect"
	"slices"
)

// A T fails: a test, a benchmark, a fuzz test or a property.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// NoErr ends the test when err is one. What says of which thing, where the line does not.
func NoErr(t T, err error, what ...any) {
	if err != nil {
		t.Helper()
		t.Fatalf("%s%v", fmt.Sprintln(what...), err)
	}
}

// Equal fails when got is not what is wanted. The format names what it is.
func Equal[V comparable](t T, got, want V, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Errorf("%s", differ(got, want, format, args))
	}
}

// MustEqual is Equal for what the rest of the test stands on.
func MustEqual[V comparable](t T, got, want V, format string, args ...any) {
	if got != want {
		t.Helper()
		t.Fatalf("%s", differ(got, want, format, args))
	}
}

// EqualSlices fails when got has other elements than wanted, or another order.
func EqualSlices[S ~[]E, E comparable](t T, got, want S, format string, args ...any) {
	if !slices.Equal(got, want) {
		t.Helper()
		t.Errorf("%s", differ(got, want, format, args))
	}
}

// MustEqualSlices is EqualSlices for what the rest of the test stands on.
func MustEqualSlices[S ~[]E, E comparable](t T, got, want S, format string, args ...any) {
	if !slices.Equal(got, want) {
		t.Helper()
		t.Fatalf("%s", differ(got, want, format, args))
	}
}

// Same fails when got differs from what is wanted in anything that reflect.DeepEqual sees.
func Same(t T, got, want any, format string, args ...any) {
	if !reflect.DeepEqual(got, want) {
		t.Helper()
		t.Errorf("%s", differ(got, want, format, args))
	}
}

// MustSame is Same for what the rest of the test stands on.
func MustSame(t T, got, want any, format string, args ...any) {
	if !reflect.DeepEqual(got, want) {
		t.Helper()
		t.Fatalf("%s", differ(got, want, format, args))
	}
}

// differ says how what there is differs from what is wanted: long things on lines of their own, of pointers
// where they lead.
func differ(got, want any, format string, args []any) string {
	verb := "%+v"
	switch reflect.ValueOf(got).Kind() {
	case reflect.String:
		verb = "%q"
	case reflect.Pointer:
		verb = "%p"
	}
	g, w := fmt.Sprintf(verb, got), fmt.Sprintf(verb, want)
	between, and := " ", ", "
	if len(g)+len(w) > 100 {
		between, and = "\n", "\n"
	}
	return fmt.Sprintf(format, args...) + ":" + between + "got " + g + and + "want " + w
}

// That fails unless something holds.
func That(t T, holds bool, format string, args ...any) {
	if !holds {
		t.Helper()
		t.Errorf(format, args...)
	}
}

// MustThat is That for what the rest of the test stands on.
func MustThat(t T, holds bool, format string, args ...any) {
	if !holds {
		t.Helper()
		t.Fatalf(format, args...)
	}
}

// NoDiff fails with a difference that there is.
func NoDiff(t T, diff, format string, args ...any) {
	t.Helper()
	That(t, diff == "", "%s:\n%s", fmt.Sprintf(format, args...), diff)
}

// MustNoDiff is NoDiff for what the rest of the test stands on.
func MustNoDiff(t T, diff, format string, args ...any) {
	t.Helper()
	MustThat(t, diff == "", "%s:\n%s", fmt.Sprintf(format, args...), diff)
}
