package golden

import (
	"path/filepath"
	"strings"
)

// colored are the pictures that are compared with their colors, by their paths without the end. They
// are few: a color that changes changes each of them. Together they show every family of panels, each
// theme, and the whole window.
var colored = []string{
	"charts/testdata/golden/timeline_frames",
	"charts/testdata/golden/timeline_flows_high-contrast",
	"charts/testdata/golden/flame_frame",
	"charts/testdata/golden/flame_light",
	"charts/testdata/golden/strip_frame",
	"charts/testdata/golden/strip_light",
	"charts/testdata/golden/piano_frame",
	"charts/testdata/golden/frames",
	"charts/testdata/golden/overview_load",
	"charts/testdata/golden/overview_events_light",
	"charts/testdata/golden/series_states",
	"charts/testdata/golden/series_load_light",
	"charts/testdata/golden/table_spikes",
	"charts/testdata/golden/slowcalls_light",
	"charts/testdata/golden/compare_flame",
	"charts/testdata/golden/compare_lines_light",
	"charts/testdata/golden/compare_times",
	"charts/testdata/golden/locks_contention",
	"charts/testdata/golden/topology_small",
	"charts/testdata/golden/leaks_table_light",
	"charts/testdata/golden/waterfall_median",
	"charts/testdata/golden/processors_all_light",
	"charts/testdata/golden/budgets_narrow",
	"charts/timepane/testdata/golden/tip_1",
	"widgets/testdata/golden/disk_narrow",
	"widgets/testdata/golden/jvm_list_light",
	"widgets/details/testdata/golden/details_span_in_frame",
	"widgets/details/testdata/golden/details_collector_light",
	"widgets/testdata/golden/clips_narrow",
	"app/e2e/testdata/opened",
	"app/e2e/testdata/menu",
	"app/e2e/testdata/pipeline-topology",
	"app/e2e/testdata/size-1920x1080-at-1.5",

	// The renderers' own colors, which are no theme's.
	"charts/draw/testdata/golden/bars",
	"charts/draw/testdata/golden/clip",
	"charts/draw/testdata/golden/lines",
	"charts/draw/testdata/golden/text",
	"charts/draw/testdata/golden/text-1.5",
	"charts/draw/testdata/golden/text-2",
	"assets/testdata/golden/icon-16",
	"assets/testdata/golden/icon-32",
	"assets/testdata/golden/icon-64",
}

// Colored reports whether the picture at path, as of Check, is compared with its colors.
func Colored(path string) bool {
	abs, err := filepath.Abs(strings.TrimSuffix(path, ".png"))
	if err != nil {
		return false
	}
	for _, c := range colored {
		if strings.HasSuffix(filepath.ToSlash(abs), "/"+c) {
			return true
		}
	}
	return false
}
