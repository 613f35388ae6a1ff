package view

import (
	"reflect"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
)

// Whatever changes how a session is looked at changes the stamp that pictures are drawn by: each
// verb there is, so that none can be forgotten that is new.
func TestEveryVerbOfTheLookChangesTheStamp(t *testing.T) {
	verbs := map[string]func(l *Look){
		"CycleDepth":          func(l *Look) { l.CycleDepth() },
		"CycleMeasure":        nil, // of sessions with several
		"HideIdle":            func(l *Look) { l.HideIdle(true) },
		"MeasuredBy":          func(l *Look) { l.MeasuredBy(7) },
		"MoveTrack":           func(l *Look) { l.MoveTrack(tDraw, tMain, false) },
		"MoveTrackBy":         func(l *Look) { l.MoveTrackBy(tMain, 1) },
		"ResetColor":          func(l *Look) { l.ResetColor("App") },
		"SetColor":            func(l *Look) { l.SetColor("App", assets.RGB(1, 2, 3)) },
		"SetColors":           func(l *Look) { l.SetColors(map[string]assets.Color{"App": assets.RGB(9, 2, 3)}) },
		"SetColorsAsSent":     func(l *Look) { l.SetColorsAsSent(true) },
		"SetDepthLimit":       func(l *Look) { l.SetDepthLimit(7) },
		"SetFound":            func(l *Look) { l.SetFound(true, []model.CollectorID{cApp}) },
		"SetFoundCalls":       func(l *Look) { l.SetFoundCalls(new(find.Hits)) },
		"SetFoundNames":       func(l *Look) { l.SetFoundNames(new(find.Hits)) },
		"SetFrameBudget":      func(l *Look) { l.SetFrameBudget(33 * ms) },
		"SetGoneShown":        func(l *Look) { l.SetGoneShown(true) },
		"SetGroupClosed":      func(l *Look) { l.SetGroupClosed("threads", true) },
		"SetHidden":           func(l *Look) { l.SetHidden(cGeom, true) },
		"SetMeasure":          func(l *Look) { l.SetMeasure(spans.MeasureSamples) },
		"SetMessageFilter":    func(l *Look) { l.SetMessageFilter(MessageFilter{Text: "x"}) },
		"SetShowCounters":     func(l *Look) { l.SetShowCounters(!l.ShowCounters()) },
		"SetShowFlows":        func(l *Look) { l.SetShowFlows(!l.ShowFlows()) },
		"SetShowInterpolated": func(l *Look) { l.SetShowInterpolated(!l.ShowInterpolated()) },
		"SetTrackFolded":      func(l *Look) { l.SetTrackFolded(tDraw, true) },
		"SetTrackGrouping":    func(l *Look) { l.SetTrackGrouping(TracksByKind) },
		"SetTrackHidden":      func(l *Look) { l.SetTrackHidden(tDraw, true) },
		"SetTrackLanes":       func(l *Look) { l.SetTrackLanes(tDraw, 2) },
		"SetTrackOrder":       func(l *Look) { l.SetTrackOrder(TracksByName) },
		"SetTrackPinned":      func(l *Look) { l.SetTrackPinned(tDraw, true) },
		"SetTracks":           func(l *Look) { l.SetTracks(TrackLook{Pinned: []string{"Draw"}}) },
		"ShowAll":             func(l *Look) { l.SetHidden(cGeom, true); l.ShowAll() },
		"ShowAllTracks":       nil, // of what is hidden: TestTracksOfSums
		"ShowTracks":          nil, // of what is hidden: TestShowAll
	}
	look := reflect.TypeFor[*Look]()
	for i := range look.NumMethod() {
		name := look.Method(i).Name
		verb := look.Method(i).Type.NumOut() == 0
		for _, prefix := range []string{"Set", "Cycle", "Move", "Hide", "Reset"} {
			rest, is := strings.CutPrefix(name, prefix)
			verb = verb || is && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
		}
		if _, listed := verbs[name]; verb && !listed {
			t.Errorf("%s is not looked at", name)
		}
	}
	for name, do := range verbs {
		if _, there := look.MethodByName(name); !there {
			t.Errorf("there is no %s", name)
		}
		if do == nil {
			continue
		}
		v := viewOf(game())
		switch name { // what there was before
		case "ResetColor":
			v.Look().SetColor("App", assets.RGB(1, 2, 3))
		case "SetFound":
			v.Look().SetFound(true, nil)
		}
		before := v.Stamp()
		if do(v.Look()); v.Stamp() == before {
			t.Errorf("%s changed how the session is looked at, the stamp did not change", name)
		}
	}
}
