package draw

import (
	"testing"

	"pgregory.net/rapid"
)

// A name in which nothing parts it has no second part.
func TestUnqualifiedNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom([]rune(`ab1 .:/\$(→_-µ`))).Draw(t, "name")
		if !qualified(name) && nextPart(name, 0) != 0 {
			t.Fatalf("%q is parted at %d", name, nextPart(name, 0))
		}
	})
}
