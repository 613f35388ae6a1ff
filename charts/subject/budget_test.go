package subject

import (
	"testing"

	"framescope/assets"
	"framescope/charts/view"
)

func TestFrameColor(t *testing.T) {
	th := assets.Dark()
	for ns, want := range map[int64]assets.Color{
		16_000_000: th.FrameBar, 16_700_000: th.FrameBar, 17_000_000: th.FrameBar, 17_500_000: th.Over, 33_000_000: th.Over, 34_000_000: th.Bad,
	} {
		if got := FrameColor(&th, ns, view.DefaultBudgetNs); assets.Color(got) != want {
			t.Errorf("%d ns: %v, want %v", ns, got, want)
		}
	}
	if got := FrameColor(&th, 1e9, 0); assets.Color(got) != th.FrameBar {
		t.Errorf("without a budget: %v", got)
	}
}
