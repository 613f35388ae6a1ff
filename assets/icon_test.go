package assets_test

import (
	"fmt"
	"testing"

	"framescope/assets"
	"framescope/charts/draw/golden"
)

func TestIcon(t *testing.T) {
	for _, size := range []int{16, 32, 64} {
		golden.Check(t, fmt.Sprintf("testdata/golden/icon-%d.png", size), assets.Icon(size))
	}
	if img := assets.Icon(0); !img.Rect.Empty() {
		t.Errorf("an icon of size 0 is %v", img.Rect)
	}
}
