package feedtest

import (
	"iter"
	"strings"

	"framescope/model"
)

// Kept is a sink that keeps its input.
type Kept struct {
	Changes  []model.Change // all, in order
	Info     model.Info
	Names    []string // of collectors
	Owner    []model.CollectorID
	Parent   []model.PathID
	Tracks   []model.TrackDef
	Series   []model.SeriesDef
	Objects  []model.ObjectDef
	Links    []model.LinkDef
	Flows    []model.FlowDef
	Losses   []model.Loss
	Warnings []string
	End      *model.End
	Batches  []model.Batch
	now      model.Batch
}

// Define implements feed.Sink.
func (k *Kept) Define(c model.Change) {
	k.Changes = append(k.Changes, c)
	if len(k.Owner) == 0 {
		k.Owner, k.Parent = []model.CollectorID{0}, []model.PathID{0}
	}
	switch c := c.(type) {
	case model.Info:
		k.Info = c
	case model.CollectorDef:
		k.Names = append(k.Names, c.Name)
	case model.PathDef:
		k.Owner, k.Parent = append(k.Owner, c.Collector), append(k.Parent, c.Parent)
	case model.TrackDef:
		k.Tracks = append(k.Tracks, c)
	case model.SeriesDef:
		k.Series = append(k.Series, c)
	case model.ObjectDef:
		k.Objects = append(k.Objects, c)
	case model.LinkDef:
		k.Links = append(k.Links, c)
	case model.FlowDef:
		k.Flows = append(k.Flows, c)
	case model.Loss:
		k.Losses = append(k.Losses, c)
	case model.Warning:
		k.Warnings = append(k.Warnings, c.Text)
	case model.End:
		k.End = &c
	}
}

// Begin implements feed.Sink.
func (k *Kept) Begin() *model.Batch {
	k.now = model.Batch{}
	return &k.now
}

// Publish implements feed.Sink.
func (k *Kept) Publish(b *model.Batch) bool {
	k.Batches = append(k.Batches, *b)
	return true
}

// Progress implements feed.Sink.
func (k *Kept) Progress(int64, int64) {}

// Spans goes through all spans, with the track that they are on.
func (k *Kept) Spans() iter.Seq2[*model.TrackDef, *model.Span] {
	return func(yield func(*model.TrackDef, *model.Span) bool) {
		for i := range k.Batches {
			b := &k.Batches[i]
			for j := range b.Spans {
				if !yield(&k.Tracks[b.Track], &b.Spans[j]) {
					return
				}
			}
		}
	}
}

// Name returns the name of the last element of a call path.
func (k *Kept) Name(p model.PathID) string { return k.Names[k.Owner[p]] }

// Lost returns the number of losses with the given words.
func (k *Kept) Lost(words string) (n int64) {
	for _, l := range k.Losses {
		if strings.Contains(l.Detail, words) {
			n += l.N
		}
	}
	return n
}

// Values returns the values of each series.
func (k *Kept) Values() [][]float64 {
	values := make([][]float64, len(k.Series))
	for _, b := range k.Batches {
		for _, s := range b.Samples {
			values[s.Series] = append(values[s.Series], s.Value)
		}
	}
	return values
}

// Sum is the sum of all spans of a name.
type Sum struct {
	Count int64 `json:"count"`
	Total int64 `json:"total_ns"`
	Self  int64 `json:"self_ns"`
}

// Sums adds up the spans of some tracks by name.
func (k *Kept) Sums(of func(*model.TrackDef) bool) map[string]Sum {
	out := map[string]Sum{}
	for tr, s := range k.Spans() {
		if !of(tr) {
			continue
		}
		ns, name := s.End-s.Begin, k.Name(s.Path)
		x := out[name]
		out[name] = Sum{x.Count + 1, x.Total + ns, x.Self + ns}
		if up := k.Parent[s.Path]; up != model.PathRoot {
			x := out[k.Name(up)]
			x.Self -= ns
			out[k.Name(up)] = x
		}
	}
	return out
}
