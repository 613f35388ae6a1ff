package testkit

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// Diff is cmp.Diff, and much quicker where there is no difference.
func Diff(want, got any, opts ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, opts...)
}
