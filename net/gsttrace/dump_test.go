package gsttrace

import (
	"fmt"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/series"
	"framescope/model/spans"
	"framescope/model/store"
)

// allSeries lists the series of a session.
func allSeries(s *store.Session) (all []*series.Series) {
	for id := range s.Series().Len() {
		all = append(all, s.Series().ByID(model.SeriesID(id)))
	}
	return all
}

// allTracks lists the tracks of a session.
func allTracks(s *store.Session) (all []*store.Track) {
	for id := range s.NumTracks() {
		all = append(all, s.Track(model.TrackID(id)))
	}
	return all
}

func spansOf(s *store.Session, id model.TrackID) (out []spans.Bar) {
	for lane := range s.Track(id).Lanes() {
		for _, b := range s.Spans().Visible(id, lane, -1<<60, 1<<60, 0, nil) {
			b.Ref.Index = 0
			out = append(out, b)
		}
	}
	return out
}

func dumpSeries(s *store.Session) string {
	var b strings.Builder
	for _, x := range allSeries(s) {
		fmt.Fprintf(&b, "series %+v: %d samples\n", x.Def, x.Len())
	}
	return b.String()
}

// dump writes everything that a session holds, to compare two of them.
func dump(s *store.Session) string {
	var b strings.Builder
	for id := range s.NumTracks() {
		t := s.Track(model.TrackID(id))
		fmt.Fprintf(&b, "track %+v\n", t.Def)
		for _, x := range spansOf(s, model.TrackID(id)) {
			fmt.Fprintf(&b, "  span %d %d-%d path %d flags %d\n", x.Ref.Lane, x.Begin, x.End, x.Path, x.Flags)
		}
		for _, m := range s.Messages().Of(t.Def.ID, -1<<60, 1<<60, nil) {
			fmt.Fprintf(&b, "  message %+v\n", m)
		}
	}
	for id := range s.Collectors().Len() {
		c := s.Collector(model.CollectorID(id))
		fmt.Fprintf(&b, "collector %d %q %d %v\n", id, c.FullName, c.Parent, c.Color)
	}
	for id := range s.Paths().Len() {
		p, c := s.Path(model.PathID(id))
		fmt.Fprintf(&b, "path %d %d %d\n", id, p, c)
	}
	for _, x := range allSeries(s) {
		fmt.Fprintf(&b, "series %+v\n", x.Def)
		for _, v := range x.Samples(-1<<60, 1<<60, 0, nil) {
			fmt.Fprintf(&b, "  %d %v\n", v.Time, v.Value)
		}
	}
	for _, o := range s.Topology().Objects() {
		fmt.Fprintf(&b, "object %+v\n", o)
	}
	for _, l := range s.Topology().Links() {
		fmt.Fprintf(&b, "link %+v\n", l)
	}
	for _, r := range s.Topology().Resources() {
		fmt.Fprintf(&b, "resource %+v\n", r)
		for _, e := range s.Topology().RefEvents(r.ID) {
			fmt.Fprintf(&b, "  %+v\n", e)
		}
	}
	n, lines := s.Losses()
	fmt.Fprintf(&b, "losses %v %q\n", n, lines)
	return b.String()
}

// firstDifference shows where two dumps part.
func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(la), len(lb)) {
		if la[i] != lb[i] {
			from := max(i-2, 0)
			return fmt.Sprintf("line %d:\n%s\nagainst\n%s", i, strings.Join(la[from:i+1], "\n"), lb[i])
		}
	}
	return fmt.Sprintf("%d lines against %d; then %q", len(la), len(lb), slices.Concat(la, lb)[min(len(la), len(lb))-1])
}
