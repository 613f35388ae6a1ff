package frames

import (
	"math/bits"

	"framescope/model"
)

// tile tallies the frames [from, to], at most 64.
func (a *tallyAll) tile(t *Thread, from, to int64) {
	a.read(t, from, to)
	if a.figure != FigureSelf {
		a.tiles.Gather(a.h.Parents)
	}
	a.endTile(from)
}

// endTile adds the tile of the frames from position from on to the tallies, and empties it.
func (a *tallyAll) endTile(from int64) {
	for k := range a.tiles.Rows {
		row := &a.tiles.Rows[k]
		if own := a.tallyOf(row.Slot, from, bits.OnesCount64(row.Mask)); own != nil {
			own.AddTile(from, row)
		}
	}
	a.tiles.Reset()
}

// read puts the self times in the frames into the tile.
func (a *tallyAll) read(t *Thread, from, to int64) {
	y := &a.tiles
	i := rowsBefore(&t.frames.selfEnd, from)
	for p := from; p <= to; p++ {
		f := uint(p-from) % TileFrames
		end := t.frames.selfEnd.At(p)
		if a.leaves(t, p) {
			i = end
			continue
		}
		for i < end {
			run := t.self.rows.Run(i, end)
			for k := range run {
				r := &run[k]
				slot := a.h.Slot(model.CollectorID(r.collector))
				if slot < 0 {
					continue
				}
				ns, count := r.ns(), r.count()
				if r.wide() {
					var n int32
					ns, n = t.self.widenNext(i+int64(k), &a.next)
					count = int64(n)
				}
				row := y.Row(slot)
				row.Ns[f] += ns
				row.Mask |= 1 << f
				row.Self += ns
				row.Count += count
			}
			i += int64(len(run))
		}
	}
}
