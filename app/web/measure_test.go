package web_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"framescope/app/load"
	"framescope/internal/testkit"
)

// TestSpeed prints how long it takes to the first picture, and to read a recording that FRAMESCOPE_RECORDING names, up to
// its last frame FRAMESCOPE_LAST.
func TestSpeed(t *testing.T) {
	path, last := os.Getenv("FRAMESCOPE_RECORDING"), os.Getenv("FRAMESCOPE_LAST")
	if path == "" || last == "" {
		t.Skip("FRAMESCOPE_RECORDING names no recording, or FRAMESCOPE_LAST not its last frame")
	}
	path = testkit.Must(filepath.Abs(path))(t)
	b, address := open(t)
	b.visit(address)
	b.await(started)
	t.Logf("first picture after %.0f ms", b.eval("performance.now()"))
	b.eval("globalThis.worst = 0; globalThis.last = performance.now(); " +
		"(function f() { const n = performance.now(); worst = Math.max(worst, n - last); last = n; requestAnimationFrame(f); })()")
	b.eval("globalThis.began = performance.now()")
	b.drop(path)
	b.until("its last frame is selected", func() bool {
		b.key("End", "End")
		return b.eval("seen.includes('\"FrameA\":"+last+",')") == true
	})
	took := b.eval("performance.now() - began").(float64)
	st := testkit.Must(os.Stat(path))(t)
	t.Logf("%.1f MB in %.0f ms; the longest pause between two pictures %.0f ms", float64(st.Size())/1e6, took, b.eval("worst"))
	began := time.Now()
	_, err := load.File(t.Context(), path, load.Options{})
	testkit.NoErr(t, err)
	t.Logf("without a browser and a window: %.0f ms", time.Since(began).Seconds()*1e3)
}
