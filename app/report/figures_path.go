package report

import (
	"strings"

	"framescope/internal/escape"
)

// Path joins a call path; for a name below its caller's name, the last part is enough.
func Path(names []string) string {
	short := make([]string, len(names))
	for i, n := range names {
		if i > 0 {
			n = strings.TrimPrefix(n, names[i-1]+":")
		}
		short[i] = escape.Name(n)
	}
	return strings.Join(short, " > ")
}
