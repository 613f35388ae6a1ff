package details

import (
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// argSession has a call with arguments of every kind, with frames around it or without.
func argSession(framed bool) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", File: true})
	for id, name := range []string{"Frame", "LoadTexture"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Streaming"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	arg := func(key string, v model.ArgValue) model.Arg { return model.Arg{Span: 0, Key: key, Value: v} }
	b := model.Batch{
		HasFrame: framed, Number: 7, End: 16_000_000, Spans: []model.Span{{Begin: 2_000_000, End: 9_000_000, Path: 1}},
		Args: []model.Arg{
			arg("texture", model.TextArg("rock.dds")), arg("size", model.IntArg(-4096)), arg("data.scale", model.FloatArg(0.5)),
			arg("url", model.TextArg("https://assets.example/levels/canyon/textures/rock_albedo_4k.dds?version=20261120&quality=high")),
			arg("lines", model.TextArg("one\ntwo\tthree")), arg("empty", model.TextArg("")),
			arg("a key that is as long as the panel is wide, and longer", model.IntArg(1)),
		},
	}
	if framed {
		b.Alone = []model.CollectorTime{{Collector: 1, Ns: 7_000_000, Count: 1}}
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// The inspector tells the arguments of a call, those that are long in several lines, and gives each
// whole to be copied.
func TestArguments(t *testing.T) {
	for name, framed := range map[string]bool{"details_arguments": false, "details_arguments_framed": true} {
		s := argSession(framed)
		env := testEnv(s)
		b, _ := s.Spans().ByRef(spans.Ref{})
		env.View.SelectSpan(b)
		pane, rect := &Panel{}, draw.Rect{X1: 250, Y1: 560}
		pane.Update(env, rect, &panel.Input{})
		told := map[string]string{}
		for _, f := range pane.Facts(env, nil) {
			if f.Header == "7 arguments" {
				told[f.Measure] = f.Text
			}
		}
		if len(told) != 7 || told["size"] != "−4096" || told["data.scale"] != "0.5" || told["lines"] != "one�two three" {
			t.Errorf("%s: told is %q", name, told)
		}
		seen := map[string]bool{}
		for y := rect.Y0; y < rect.Y1; y++ {
			if hit := pane.HitTest(env, 100, y); hit.Kind == panel.HitLabel && len(hit.Lines) == 2 {
				seen[strings.Join(hit.Lines, "=")] = true
			}
		}
		if len(seen) != 7 || !seen["url=https://assets.example/levels/canyon/textures/rock_albedo_4k.dds?version=20261120&quality=high"] {
			t.Errorf("%s: under the mouse are %v", name, seen)
		}
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
		if n := testing.AllocsPerRun(20, func() { pane.Update(env, rect, &panel.Input{}) }); n != 0 {
			t.Errorf("a tick in which nothing changes allocates %v times", n)
		}
	}
}

// Where there is no room for all arguments, it says how many are left out.
func TestArgumentsWithoutRoom(t *testing.T) {
	s := argSession(false)
	env := testEnv(s)
	b, _ := s.Spans().ByRef(spans.Ref{})
	env.View.SelectSpan(b)
	pane := &Panel{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 200}, &panel.Input{})
	for _, x := range pane.List().Texts() {
		if strings.HasSuffix(x.Text, "arguments more") {
			return
		}
	}
	t.Errorf("nothing says that there are more: %v", pane.List().Texts())
}
