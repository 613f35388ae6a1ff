package sessions

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Clients that send garbage make as many lines as they like; the log takes some and counts the
// rest.
func TestLogIsBounded(t *testing.T) {
	var out strings.Builder
	writeLog(&out, []string{"a", "b"}, 2)
	writeLog(&out, []string{"c"}, 1001)
	want := "framescope: a\nframescope: b\nframescope: c\nframescope: and 1000 lines more\n"
	testkit.Equal(t, out.String(), want, "the log says")
}
