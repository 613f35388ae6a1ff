package chrometrace

import (
	"slices"

	"framescope/model"
)

// framesOf makes frames of the spans of a name, in each process those of the thread that has most of
// them. Time between two is of none; one inside another of the name is a part of it. It returns the
// thread to look at first, nil where no span is called so.
func (d *decoder) framesOf(name string) (main *thread) {
	called := make([]bool, len(d.texts.list)) // several texts, where they stand in groups
	for n, text := range d.texts.list {
		called[n] = text == name
	}
	for _, th := range d.threads {
		if !slices.Contains(called, true) {
			break
		}
		th.spans, th.marks = d.pair(th.spans, th.marks), nil
		order(th.spans)
		var list []border
		for i := range th.spans {
			s := &th.spans[i]
			if n := len(list); called[s.text] && s.end > s.begin && (n == 0 || s.begin >= list[n-1].End) {
				list = append(list, border{Number: int64(n), Begin: s.begin, End: s.end})
			}
		}
		if p := th.proc; len(list) > len(p.borders) {
			p.borders, p.main = list, th
			if main == nil || len(list) > len(main.proc.borders) || main.proc == p {
				main = th
			}
		}
	}
	if main == nil {
		d.sink.Define(model.Warning{Text: "No span of a thread is called " + name + ", so there are no frames."})
	}
	return main
}
