package assets_test

import (
	"fmt"
	"testing"

	"framescope/assets"
	"framescope/charts/draw/golden"
)

func TestIcon(t *testing.T) {
	for _, size := range []int{16, 32, 64} {
		name := fmt.Sprintf("testdata/golden/icon-%d.png", size)
		golden.CheckImage(t, name, assets.Icon(size), golden.DefaultMaxDiff, golden.DefaultMaxPixels)
	}
	if img := assets.Icon(0); !img.Rect.Empty() {
		t.Errorf("an icon of size 0 is %v", img.Rect)
	}
}
