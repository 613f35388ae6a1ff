package headless

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
)

// ComparedCharts are the names of the comparison charts.
func ComparedCharts() (names []string) {
	for _, d := range registry.Compared() {
		names = append(names, d.ID)
	}
	return names
}

// ComparedHelp describes these charts, one line each.
func ComparedHelp() string {
	var b strings.Builder
	for _, d := range registry.Compared() {
		fmt.Fprintf(&b, "  %-11s  %s\n", d.ID, d.Help)
	}
	return b.String()
}

// Compared draws a chart of the differences between two sides; names are their titles. It ignores the
// options Range, Thread, Group and Collector: the sides define the compared ranges.
func Compared(sides [2]compare.Side, names [2]string, o PictureOptions) (*draw.Picture, error) {
	all := registry.Compared()
	i := slices.Index(ComparedCharts(), o.Chart)
	if i < 0 {
		return nil, fmt.Errorf("no chart %q for comparisons; choose one of: %s", o.Chart, strings.Join(ComparedCharts(), ", "))
	}
	fitted, err := o.size(&all[i])
	if err != nil {
		return nil, err
	}
	for side, x := range sides {
		if x.Session.MainTrack() == model.NoTrack && !x.Session.Contents().Timeless {
			return nil, errors.New(names[side] + " has nothing to compare")
		}
	}
	env, err := o.env(sides[view.SideB].Session)
	if err != nil {
		return nil, err
	}
	env.View.ClearSelection()
	env.Comparing = new(view.Comparing)
	for side, x := range sides {
		env.Comparing.Set(side, view.MarkOf(x, names[side]), env.View.Look().FrameBudgetNs())
	}
	for env.Comparing.Result() == nil {
		env.Comparing.Tick(1 << 30)
	}
	chart := all[i].New()
	if fitted {
		fit(env, chart, &o)
	}
	return paint(env, chart, &o), nil
}
