package tracetest

import (
	"fmt"
	"strings"

	"framescope/model/store"
)

// Faults writes the diagnostics of a session: "2 bad-line at line 3, 1 cut".
func Faults(s *store.Session) string {
	var out []string
	for _, d := range s.Diagnostics() {
		text := fmt.Sprintf("%d %s", d.N, d.Kind)
		if d.Place != "" {
			text += " at " + d.Place
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
