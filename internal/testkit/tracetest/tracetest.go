// Package tracetest has what tests of sampled sources need: a sink that checks what it gets, keeps it,
// and sums it up by names in the plainest way.
package tracetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// Sink keeps what a source hands over, and gives it to a session as well.
type Sink struct {
	T        testing.TB
	Session  *store.Session
	Info     model.Info
	Tracks   []model.TrackDef
	Losses   []model.Loss
	Warnings []string
	Ended    string

	Spans   map[model.TrackID][]model.Span
	Samples map[model.TrackID][]model.Sample
	Others  map[model.TrackID]int // of Samples, those that are of no stack
	Notes   map[model.TrackID][]model.Message
	Weighed map[model.TrackID][]model.Sample // see PartWeights

	names  []string
	owner  []model.CollectorID
	parent []model.PathID
	of     map[model.SeriesID]model.TrackID
	stacks map[model.SeriesID]bool
	weighs map[model.SeriesID]bool
	now    model.Batch
}

// New returns an empty sink.
func New(t testing.TB) *Sink {
	return &Sink{
		T: t, Session: store.NewSession(), owner: []model.CollectorID{0}, parent: []model.PathID{0},
		Spans: map[model.TrackID][]model.Span{}, Samples: map[model.TrackID][]model.Sample{},
		of: map[model.SeriesID]model.TrackID{}, stacks: map[model.SeriesID]bool{}, weighs: map[model.SeriesID]bool{},
		Others: map[model.TrackID]int{}, Notes: map[model.TrackID][]model.Message{},
	}
}

// Open reads a file by a source. The error is that of the source.
func Open(t testing.TB, s feed.Source, path string) (*Sink, error) {
	k := New(t)
	err := s.OpenFile(t.Context(), path, k)
	return k, err
}

// Text reads a text as a file of that name. The error is that of the source.
func Text(t testing.TB, s feed.Source, name, text string) (*Sink, error) {
	t.Helper()
	return Open(t, s, feedtest.File(t, name, text))
}

// Runs writes the spans of a track by their begins, in units of so many ns, with - and + where a begin or end is open.
func (k *Sink) Runs(track model.TrackID, unit int64) string {
	var out []string
	for _, s := range k.Spans[track] {
		open := ""
		if s.Flags&model.SpanOpenBegin != 0 {
			open = "-"
		}
		if s.Flags&model.SpanOpenEnd != 0 {
			open += "+"
		}
		out = append(out, fmt.Sprintf("%s %d-%d%s", k.Stack(s.Path), s.Begin/unit, s.End/unit, open))
	}
	return strings.Join(out, ", ")
}

// NoJSON is the diagnostic for missing or surplus commas.
const NoJSON = "the text is not JSON: commas, or the values between them, are missing; the first is at byte "

// Same is a name as it is.
func Same(name string) string { return name }

// Define implements feed.Sink.
func (k *Sink) Define(c model.Change) {
	k.Session.Apply(c)
	switch c := c.(type) {
	case model.Info:
		k.Info = c
	case model.CollectorDef:
		if int(c.ID) > len(k.names) {
			k.T.Fatalf("collector %d after %d", c.ID, len(k.names))
		}
		k.names = append(k.names[:c.ID], append([]string{c.Name}, k.names[min(int(c.ID)+1, len(k.names)):]...)...)
	case model.PathDef:
		if int(c.ID) != len(k.owner) || int(c.Parent) >= len(k.owner) || int(c.Collector) >= len(k.names) {
			k.T.Fatalf("path %+v after %d", c, len(k.owner))
		}
		k.owner, k.parent = append(k.owner, c.Collector), append(k.parent, c.Parent)
	case model.TrackDef:
		if int(c.ID) < len(k.Tracks) {
			k.Tracks[c.ID] = c
		} else {
			k.Tracks = append(k.Tracks, c)
		}
	case model.SeriesDef:
		k.of[c.ID], k.stacks[c.ID] = c.Track, c.Role == model.RoleStack
		k.weighs[c.ID] = c.Role == model.RoleWeight
	case model.Loss:
		k.Losses = append(k.Losses, c)
	case model.Warning:
		k.Warnings = append(k.Warnings, c.Text)
	case model.End:
		k.Ended = c.Reason
	}
}

// Begin implements feed.Sink.
func (k *Sink) Begin() *model.Batch { k.now.Reset(); return &k.now }

// Progress implements feed.Sink.
func (k *Sink) Progress(int64, int64) {}

// Publish implements feed.Sink. It demands of a batch what model.Batch asks for.
func (k *Sink) Publish(b *model.Batch) bool {
	for i, s := range b.Spans {
		if s.End < s.Begin || int(s.Path) >= len(k.owner) || s.Path == model.PathRoot {
			k.T.Fatalf("span %+v", s)
		}
		if i > 0 && (s.Begin < b.Spans[i-1].Begin || s.Begin == b.Spans[i-1].Begin && s.Lane < b.Spans[i-1].Lane) {
			k.T.Fatalf("spans out of order: %+v, %+v", b.Spans[i-1], s)
		}
	}
	k.Spans[b.Track] = append(k.Spans[b.Track], b.Spans...)
	for _, s := range b.Samples {
		if !k.stacks[s.Series] {
			k.Others[b.Track]++
		} else if int(s.Value) >= len(k.owner) {
			k.T.Fatalf("sample %+v", s)
		}
		k.Samples[k.of[s.Series]] = append(k.Samples[k.of[s.Series]], s)
	}
	k.Notes[b.Track] = append(k.Notes[b.Track], b.Messages...)
	k.Session.Append(b)
	return true
}

// PartWeights moves what samples stand for from Samples to Weighed.
func (k *Sink) PartWeights() {
	k.Weighed = map[model.TrackID][]model.Sample{}
	for track, list := range k.Samples {
		k.Samples[track] = slices.DeleteFunc(list, func(s model.Sample) bool {
			if k.weighs[s.Series] {
				k.Weighed[track] = append(k.Weighed[track], s)
				k.Others[track]--
			}
			return k.weighs[s.Series]
		})
	}
}

// Name is the name of what a call path ends with.
func (k *Sink) Name(p model.PathID) string { return k.names[k.owner[p]] }

// Stack is a call path in words, the outermost first, between semicolons.
func (k *Sink) Stack(p model.PathID) string {
	var words []string
	for ; p != model.PathRoot; p = k.parent[p] {
		words = append([]string{k.Name(p)}, words...)
	}
	return strings.Join(words, ";")
}

// Sum is the time of a name: self time, and inclusive time counted once per stack.
type Sum struct{ Self, Inclusive int64 }

// Times sums up the spans of a track by name, in ns. name makes one of several names.
func (k *Sink) Times(track model.TrackID, name func(string) string) map[string]Sum {
	out := map[string]Sum{}
	for _, s := range k.Spans[track] {
		k.add(out, s.Path, s.End-s.Begin, name, true)
		if up := k.parent[s.Path]; up != model.PathRoot {
			n := name(k.Name(up))
			x := out[n]
			x.Self -= s.End - s.Begin
			out[n] = x
		}
	}
	return out
}

// add counts a path for its name, once if the name is on its stack already.
func (k *Sink) add(out map[string]Sum, p model.PathID, n int64, name func(string) string, self bool) {
	me := name(k.Name(p))
	x := out[me]
	if self {
		x.Self += n
	}
	again := false
	for up := k.parent[p]; up != model.PathRoot; up = k.parent[up] {
		again = again || name(k.Name(up)) == me
	}
	if !again {
		x.Inclusive += n
	}
	out[me] = x
}

// Counts sums up the samples of a track by name.
func (k *Sink) Counts(track model.TrackID, name func(string) string) map[string]Sum {
	out := map[string]Sum{}
	for _, s := range k.Samples[track] {
		if !k.stacks[s.Series] {
			continue
		}
		for p := model.PathID(s.Value); p != model.PathRoot; p = k.parent[p] {
			k.add(out, p, 1, name, p == model.PathID(s.Value))
		}
	}
	return out
}

// Weights sums up what the samples of a track stand for, by name.
func (k *Sink) Weights(track model.TrackID, name func(string) string) map[string]Sum {
	out := map[string]Sum{}
	var stacks, weights []float64
	for _, s := range k.Samples[track] {
		if k.stacks[s.Series] {
			stacks = append(stacks, s.Value)
		} else {
			weights = append(weights, s.Value)
		}
	}
	for i, v := range stacks {
		for p := model.PathID(v); p != model.PathRoot; p = k.parent[p] {
			k.add(out, p, int64(weights[i]), name, p == model.PathID(v))
		}
	}
	return out
}

// Lost returns the number of losses with the given words in their diagnostics.
func (k *Sink) Lost(words string) (n int64) {
	for _, l := range k.Losses {
		if strings.Contains(l.Detail, words) {
			n += l.N
		}
	}
	return n
}

// Nowhere is a sink that keeps nothing but how much came.
type Nowhere struct {
	Spans, Samples int
	b              model.Batch
}

// Define implements feed.Sink.
func (n *Nowhere) Define(model.Change) {}

// Begin implements feed.Sink.
func (n *Nowhere) Begin() *model.Batch { n.b.Reset(); return &n.b }

// Publish implements feed.Sink.
func (n *Nowhere) Publish(b *model.Batch) bool {
	n.Spans += len(b.Spans)
	n.Samples += len(b.Samples)
	return true
}

// Progress implements feed.Sink.
func (n *Nowhere) Progress(int64, int64) {}
