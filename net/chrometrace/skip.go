package chrometrace

import "framescope/net/jsonscan"

// skipper skips a value of any size that comes in pieces.
type skipper struct {
	depth           int
	inText, escaped bool
	begun           bool
}

// skip returns how many bytes of b belong to the value, and whether it has ended.
func (s *skipper) skip(b []byte) (n int, done bool) {
	for i, c := range b {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inText:
			s.escaped = c == '\\'
			if s.inText = c != '"'; !s.inText && s.depth == 0 {
				return i + 1, true
			}
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth == 0 { // it belongs to what is around
				return i, true
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		case s.depth == 0 && s.begun && !jsonscan.IsPlain(c):
			return i, true
		}
		s.begun = true
	}
	return len(b), false
}
