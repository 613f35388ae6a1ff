package gsttrace

import (
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// direct is a sink that hands everything to a session at once.
type direct struct {
	session *store.Session
	batch   model.Batch
	batches int
	refuse  int // refuse batches from this one on; 0 never
	done    int64
	endings int
}

func (d *direct) Define(c model.Change) {
	if _, ok := c.(model.End); ok {
		d.endings++
	}
	d.session.Apply(c)
}

func (d *direct) Begin() *model.Batch {
	d.batch.Reset()
	return &d.batch
}

func (d *direct) Publish(b *model.Batch) bool {
	d.batches++
	d.session.Append(b)
	return d.refuse == 0 || d.batches < d.refuse
}

func (d *direct) Progress(done, _ int64) { d.done = done }

var _ feed.Sink = (*direct)(nil)

// capturePath returns the path of a capture. The test is skipped where it is absent.
func capturePath(t testing.TB, name string) string {
	t.Helper()
	return recordings.File(t, recordings.GStreamer, name+".log")
}

// captureText is the text of a capture.
func captureText(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name+".log")
}

// loaded holds the sessions that load has read.
var loaded = map[string]*store.Session{}

// load returns the session of a capture, read as a file once for all tests: they only ask it.
func load(t testing.TB, name string) *store.Session {
	t.Helper()
	if s := loaded[name]; s != nil {
		return s
	}
	d := &direct{session: store.NewSession()}
	testkit.OK(t, (Source{}).OpenFile(t.Context(), capturePath(t, name), d))
	testkit.That(t, d.endings == 1, "%s: %d ends", name, d.endings)
	loaded[name] = d.session
	return d.session
}

// decode reads a text in one piece.
func decode(text []byte) *store.Session {
	d := &direct{session: store.NewSession()}
	dec := NewDecoder(d, Options{Peer: "test", File: true})
	dec.Write(text)
	dec.Close("end")
	return d.session
}

// samples is how many samples the series of a group have that pass.
func samples(s *store.Session, group string, pass func(*spans.Series) bool) (n int64) {
	for _, x := range allSeries(s) {
		if x.Def.Group == group && (pass == nil || pass(x)) {
			n += x.Len()
		}
	}
	return n
}

func seriesNamed(t testing.TB, s *store.Session, group, name string) *spans.Series {
	t.Helper()
	for _, x := range allSeries(s) {
		if x.Def.Group == group && x.Def.Name == name {
			return x
		}
	}
	t.Fatalf("no series %q in group %q", name, group)
	return nil
}

func trackNamed(t testing.TB, s *store.Session, name string) *store.Track {
	t.Helper()
	for _, x := range allTracks(s) {
		if x.Title() == name {
			return x
		}
	}
	t.Fatalf("no track %q; choose one of %q", name, trackNames(s))
	return nil
}

func trackNames(s *store.Session) (names []string) {
	for id := range s.NumTracks() {
		names = append(names, s.Track(model.TrackID(id)).Title())
	}
	return names
}

// spansBelow counts the spans whose outermost collector's group is group.
func spansBelow(s *store.Session, group string) (n int) {
	for id := range s.NumTracks() {
		for _, x := range spansOf(s, model.TrackID(id)) {
			if inGroup(s, x.Path, group) {
				n++
			}
		}
	}
	return n
}

func inGroup(s *store.Session, path model.PathID, group string) bool {
	_, c := s.Path(path)
	return s.Collector(s.Collector(c).Parent).Name == group
}

func messages(s *store.Session, category string) (out []model.Message) {
	for id := range s.NumTracks() {
		for _, m := range s.Messages().Of(model.TrackID(id), -1<<60, 1<<60, nil) {
			if m.Category == category {
				out = append(out, m)
			}
		}
	}
	return out
}

func lossOf(s *store.Session, reason model.LossReason) int64 {
	n, _ := s.Losses()
	return n[reason]
}

func has(list []string, sub string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, sub) })
}

// allSeries lists the series of a session.
func allSeries(s *store.Session) (all []*spans.Series) {
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
