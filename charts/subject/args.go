package subject

import (
	"framescope/charts/panel"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// TipArgs is the greatest number of arguments of a call in a tooltip.
const TipArgs = 4

// ArgWords returns a key and a value as panels show them, in one line each.
func ArgWords(a *model.Arg) (key, value string) {
	return escape.Name(a.Key), ArgValue(a.Value)
}

// ArgValue returns a value as panels show it, in one line.
func ArgValue(v model.ArgValue) string {
	text := v.String()
	if v.Kind != model.ArgText && text[0] == '-' {
		return "−" + text[1:]
	}
	return escape.Name(text)
}

// SourceTip adds where in the source code something is, if that is known.
func SourceTip(tip *panel.TipLines, p model.Place) {
	if p != (model.Place{}) {
		tip.Text("source\t")
		tip.With(p.AppendWhere(tip.Buf)).End()
	}
}

// ArgsTip adds the first arguments of a span to a tooltip, and how many there are more. list is scratch
// memory, which is returned.
func ArgsTip(tip *panel.TipLines, s *store.Session, r spans.Ref, list []model.Arg) []model.Arg {
	if !s.Args().Any() {
		return list
	}
	list = s.Args().Of(r.Track, int(r.Lane), r.Index, list[:0])
	for i := range list[:min(len(list), TipArgs)] {
		key, value := ArgWords(&list[i])
		tip.Text(key).Text(" =\t").Text(value).End()
	}
	if more := len(list) - TipArgs; more > 0 {
		tip.Plural(int64(more), "argument more", "arguments more").End()
	}
	return list
}
