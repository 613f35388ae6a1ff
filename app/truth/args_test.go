package truth

import (
	"fmt"
	"slices"
	"strings"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/widgets/details"
)

// argsOf are the arguments of a span, as panels show them.
func (p *plain) argsOf(track model.TrackID, lane int, index int64) (keys, values []string) {
	for _, a := range p.s.Args().Of(track, lane, index, nil) {
		value := escape.Name(a.Value.String())
		if a.Value.Kind != model.ArgText {
			value = strings.ReplaceAll(string(a.Value.Append(nil)), "-", "−")
			if at := strings.LastIndex(value, "e−"); at > 0 { // a power of ten
				value = value[:at] + "e-" + value[at+len("e−"):]
			}
		}
		keys, values = append(keys, escape.Name(a.Key)), append(values, value)
	}
	return keys, values
}

// takeArgs takes the arguments of a call out of what its tooltip says, and tells whether they are those
// of the call: the first of them, one after the other, and how many there are more.
func (x *tip) takeArgs(seen map[string]int) string {
	if x.hit.Kind != panel.HitSpan || x.panel != "timeline" && x.panel != "processors" && x.panel != "calls" {
		return ""
	}
	ref := x.hit.Bar.Ref
	keys, values := x.argsOf(ref.Track, int(ref.Lane), ref.Index)
	if len(keys) == 0 {
		return ""
	}
	var want []string
	for i := range keys[:min(len(keys), 4)] {
		want = append(want, keys[i]+" =\t"+values[i])
	}
	if n := len(keys) - len(want); n > 0 {
		want = append(want, string(format.AppendPlural(nil, int64(n), "argument more", "arguments more")))
	}
	at := slices.Index(x.words, want[0])
	if at < 0 || len(x.words) < at+len(want) || !slices.Equal(x.words[at:at+len(want)], want) {
		return fmt.Sprintf("it lacks the arguments %q", want)
	}
	x.words = slices.Delete(slices.Clone(x.words), at, at+len(want))
	seen[x.panel+".arguments"]++
	return ""
}

// compareArgs compares the arguments of the selected span in the details.
func (p *part) compareArgs(t complainer, rig *chartstest.Rig, pane *details.Panel, seen map[string]int) {
	ref, keys, values := rig.Env.View.Span().Ref, []string{}, []string{}
	for _, f := range pane.Facts(rig.Env, nil) {
		if strings.HasSuffix(f.Header, " argument") || strings.HasSuffix(f.Header, " arguments") {
			keys, values = append(keys, f.Measure), append(values, f.Text)
		}
	}
	wantKeys, wantValues := p.argsOf(ref.Track, int(ref.Lane), ref.Index)
	if n := len(keys); n < len(wantKeys) && n > 8 { // there is no room for more
		wantKeys, wantValues = wantKeys[:n], wantValues[:n]
	}
	if !slices.Equal(keys, wantKeys) || !slices.Equal(values, wantValues) {
		t.Errorf("%s: the arguments in the details are %q %q, they are %q %q", p, keys, values, wantKeys, wantValues)
	}
	seen["arguments"] += len(keys)
}
