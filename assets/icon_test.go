package assets_test

import (
	"fmt"
	"testing"

	"framescope/assets"
	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
)

func TestIcon(t *testing.T) {
	for _, size := range []int{16, 32, 64} {
		name := fmt.Sprintf("testdata/golden/icon-%d.png", size)
		golden.CheckImage(t, name, assets.Icon(size), golden.DefaultMaxDiff, golden.DefaultMaxPixels)
	}
	img := assets.Icon(0)
	testkit.That(t, img.Rect.Empty(), "an icon of size 0 is %v", img.Rect)
}
