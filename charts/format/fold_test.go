package format

import "testing"

func TestContainsFold(t *testing.T) {
	for _, tc := range []struct {
		s, sub string
		want   bool
	}{
		{"App:Show code", "SHOW", true}, {"App", "", true}, {"", "a", false}, {"Тень:Карта", "карта", true}, {"Draw", "Drawn", false}, {"描画:影", "影", true}, {"a\xffb", "B", true},
	} {
		if got := ContainsFold(tc.s, tc.sub); got != tc.want {
			t.Errorf("ContainsFold(%q, %q) = %v", tc.s, tc.sub, got)
		}
	}
}
