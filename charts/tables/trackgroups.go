package tables

import (
	"cmp"
	"slices"
	"strconv"

	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// Threads of several processes, else threads, the parts of a program and the ways through it, are groups of the
// list of threads: where there are several, each has a heading.

// Group implements table.Grouper.
func (t *Threads) Group(r *threadRow) int {
	if r.head != "" {
		return 2 * r.group
	}
	return 2*r.group + 1
}

// groupOf returns the group of a track: of its process, where there are several, else of its kind.
func (t *threadRows) groupOf(s *store.Session, track *store.Track, several bool) int {
	if several {
		if main := s.Track(s.MainTrack()); main != nil && len(t.titles) == 0 { // its process comes first
			t.titles = append(t.titles, view.ProcessOf(s, main))
		}
		name := view.ProcessOf(s, track)
		i := slices.Index(t.titles, name)
		if i < 0 {
			i, t.titles = len(t.titles), append(t.titles, name)
		}
		return i
	}
	if len(t.titles) == 0 {
		t.titles = append(t.titles, make([]string, view.NumKindGroups)...)
	}
	i, title := view.KindGroup(track.Def.Kind)
	t.titles[i] = title
	return i
}

// headings are the words of headings that were made: they are asked for with every range.
type headings map[heading]string

type heading struct {
	title string
	n     int
}

func (h *headings) text(title string, n int) string {
	if *h == nil || len(*h) > 1000 {
		*h = headings{}
	}
	words, ok := (*h)[heading{title, n}]
	if !ok {
		words = title + " " + strconv.Itoa(n)
		(*h)[heading{title, n}] = words
	}
	return words
}

// group puts the rows of each group together, below a heading where there are several.
func (t *threadRows) group() {
	n, groups := append(t.counts[:0], make([]int, len(t.titles))...), 0
	t.counts = n
	for i := range t.All {
		g := t.All[i].group
		if n[g]++; n[g] == 1 {
			groups++
		}
	}
	if groups > 1 {
		for g := range n {
			if n[g] > 0 {
				t.All = append(t.All, threadRow{
					id: model.NoTrack, group: g, share: unknown, mark: -1, head: t.heads.text(t.titles[g], n[g]),
				})
			}
		}
	}
	slices.SortStableFunc(t.All, func(a, b threadRow) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(len(b.head), len(a.head)))
	})
}

// Line implements table.Liner: headings are no threads.
func (t *Threads) Line(r *threadRow) (table.Line, bool) {
	return table.Line{Words: r.head}, r.head != ""
}
