package convert_test

import (
	"io"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/internal/testkit"
	"framescope/model"
)

// leftOf writes a part and returns what is told to be left out, a line each.
func leftOf(t *testing.T, f *convert.Format, p *convert.Part) string {
	t.Helper()
	testkit.OK(t, f.Give(t.Context(), p, io.Discard))
	var lines []string
	for _, l := range p.Left() {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, "\n")
}

// What formats can't hold is told: losses and warnings, other measures, and in which files functions are.
func TestLeftOut(t *testing.T) {
	lossy := twins()
	lossy.Apply(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 3, Detail: "odd"})
	lossy.Apply(model.Warning{Text: "Mind the gap."})
	lossy.Apply(model.CollectorDef{ID: 2, Name: "main.c"})
	lossy.Apply(model.CollectorDef{ID: 3, Name: "Update", Parent: 2})
	lossy.Apply(model.PathDef{ID: 2, Collector: 3})
	heap := converttest.Open(t, "pprof/game-heap.pprof")
	for _, c := range []struct {
		f    *convert.Format
		p    *convert.Part
		want []string
	}{
		{&convert.ChromeFormat, converttest.Part(t, lossy, ""), []string{"1 account of what the recording lacks: malformed: 3"}},
		{&convert.FoldedFormat, converttest.Part(t, lossy, ""), []string{
			"1 file or group of a function", "1 name of several functions: which become one", "1 note on the recording: Mind the gap.",
		}},
		{&convert.FoldedFormat, converttest.Part(t, heap, ""), []string{"3 other measures: ", "--measure NAME writes another one than"}},
		{&convert.SpeedscopeFormat, converttest.Part(t, heap, ""), []string{"3 other measures: "}},
		{&convert.PprofFormat, converttest.Part(t, heap, ""), []string{"functions' files, lines, programs and labels", "1 time and length of a profile"}},
	} {
		got := leftOf(t, c.f, c.p)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not told:\n%s", c.f.ID, want, got)
			}
		}
	}
	if got := leftOf(t, &convert.PprofFormat, converttest.Part(t, twins(), "")); strings.Contains(got, "function") || strings.Contains(got, "account") {
		t.Errorf("told: %s", got)
	}
}
