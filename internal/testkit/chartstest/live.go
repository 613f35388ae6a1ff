package chartstest

import (
	"fmt"

	"framescope/model"
	"framescope/model/store"
)

// liveGame appends a frame of k collectors at a time, as a running game does.
type liveGame struct {
	S  *store.Session
	b  model.Batch
	k  int
	n  int64
	at int64
}

func NewLiveGame(k int) *liveGame {
	g := &liveGame{S: store.NewSession(), k: k, at: 1e9}
	g.S.Apply(model.TrackDef{ID: 0, Name: "Main"})
	g.S.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	for i := 1; i <= k; i++ {
		g.S.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: fmt.Sprintf("Stage %d", i), Sort: i})
		g.S.Apply(model.PathDef{ID: model.PathID(i), Collector: model.CollectorID(i)})
	}
	return g
}

func (g *liveGame) Frame() {
	g.b.Reset()
	g.b.HasFrame, g.b.Number, g.b.Begin = true, g.n, g.at
	for i := 1; i <= g.k; i++ {
		d := int64(300_000 + (g.n*int64(i)*7919)%200_000)
		g.b.Spans = append(g.b.Spans, model.Span{Begin: g.at, End: g.at + d, Path: model.PathID(i)})
		g.b.Self = append(g.b.Self, model.CollectorTime{Collector: model.CollectorID(i), Ns: d, Count: 1})
		g.at += d
	}
	g.b.End = g.at
	g.n++
	g.S.Append(&g.b)
}

// NewLiveRig returns a running game of k collectors that has had some frames, and a window that follows it.
func NewLiveRig(k, frames int, w, h float32) (*liveGame, *Rig) {
	g := NewLiveGame(k)
	for range frames {
		g.Frame()
	}
	rig := NewRig(g.S, 1, w, h)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	return g, rig
}
