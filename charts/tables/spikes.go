package tables

import (
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model/why"
)

// Spikes is the source of the list of spikes of the view's track: of the frames that stand out, by
// their causes, or where there are no frames of the buffers that were late, by theirs. A click goes there.
type Spikes struct {
	perUnit[spikeRow, spikeList]
}

// spikeList is one of the lists of spikes. Words describes the rows.
type spikeList interface {
	source[spikeRow]
	table.Waiter
	Words(env *panel.Env) string
}

// waits lets a list of spikes stay as it is while the mouse is over it: one that is greater than the
// others would push one out.
type waits bool

// Wait implements table.Waiter.
func (w *waits) Wait(on bool) { *w = waits(on) }

// chosenRange in a key's Extra marks spikes of a chosen range.
const chosenRange = 1 << 63

// spikeRow is a frame that stands out, or several with one root cause.
type spikeRow struct {
	list  *hitches
	group *why.Group
	hitch *why.Hitch // a frame of an open group, or the worst one of the group
	fold  table.Fold // of a group of several
	depth int
	place int    // of the cause
	name  string // of the cause
}

// Wait implements table.Waiter.
func (t *Spikes) Wait(on bool) {
	t.Frames.Wait(on)
	t.Spans.Wait(on)
}

// NewSpikes returns the source.
func NewSpikes() *Spikes {
	late := &lateBuffers{hitches{selects: selectsBuffer}}
	return &Spikes{over[spikeRow, spikeList](&hitches{selects: selectsFrame}, late)}
}

// Group implements table.Grouper: frames stand below their causes.
func (t *Spikes) Group(r *spikeRow) int { return r.place }

// Words describes the rows if they need it.
func (t *Spikes) Words(env *panel.Env) string { return t.now.Words(env) }
