package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model"
)

// BenchmarkMessages makes the timeline's flags and the table of a million messages anew each time.
func BenchmarkMessages(b *testing.B) {
	s := chartstest.MessageSession(1_000_000)
	begin, end, _ := s.Bounds()
	for name, f := range map[string]view.MessageFilter{"all": {}, "filtered": {Text: "99", Least: model.SeverityLog, HasLeast: true}} {
		b.Run(name, func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.Look().SetMessageFilter(f)
			var tl Timeline
			chartstest.BenchmarkPan(b, env, &tl, begin, end, 1)
		})
		b.Run(name+" table", func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.Look().SetMessageFilter(f)
			m := tables.NewMessages()
			chartstest.BenchmarkPan(b, env, m, begin, end, 1)
		})
	}
}
