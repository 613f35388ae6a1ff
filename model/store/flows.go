package store

import (
	"framescope/model"
	"framescope/model/spans"
)

// appendFlows adds the arrows that end on a track.
func (s *Session) appendFlows(t *Track, b *model.Batch, number int64) {
	if len(b.Flows) == 0 {
		return
	}
	if !b.HasFrame {
		number = model.NoFrame
	}
	if t.flows == nil {
		t.flows = spans.NewTrack(&s.flows, t.Def.ID, s.mem.account(kindOther))
	}
	var bad int64
	for _, f := range b.Flows {
		if s.ensureTrack(f.FromTrack) == nil || uint(f.Name) >= uint(s.flows.NumNames()) {
			bad++
			continue
		}
		f.From, f.To = model.ClampTime(f.From), model.ClampTime(f.To)
		t.flows.Queue(&f, number)
	}
	if bad > 0 {
		s.limit(b.Track, bad, "flows of tracks or names out of bounds")
	}
	if late := t.flows.Take(); late > 0 {
		s.lose(model.Loss{
			Reason: model.LossLate, Track: b.Track, N: int64(late), Detail: "flows came too late to be put in their place",
		})
	}
	t.coverPart(t.flows)
}
