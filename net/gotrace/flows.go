package gotrace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

// maxFlowNames bounds the names of flows.
const maxFlowNames = 256

// created is the name of flows from the creator of a goroutine to its first run.
const created = "goroutine made"

// roused is the wakeup of a goroutine that has not run since.
type roused struct {
	by   *goroutine // nil: nobody
	at   int64
	name model.FlowID
}

// wake is the flow from one goroutine to the run of another, which it made or woke.
type wake struct {
	by       *goroutine
	from, to int64
	name     model.FlowID
}

// rouse notes the goroutine that makes g ready to run.
func (d *decoder) rouse(g *goroutine, from, to exptrace.GoState, by exptrace.GoID) {
	was := g.roused
	g.roused = roused{}
	switch {
	case to == exptrace.GoRunning && was.by != nil:
		g.wakes = append(g.wakes, wake{was.by, was.at, max(d.now, was.at), was.name})
		d.pending++
	case to == exptrace.GoRunnable && by != exptrace.NoGoroutine && (from == exptrace.GoWaiting ||
		from == exptrace.GoNotExist):
		w := d.goroutineOf(by)
		name := created
		if from == exptrace.GoNotExist {
			g.made = !w.tracing
		}
		if from == exptrace.GoWaiting {
			name = "wake-up"
			if g.state > waiting {
				name += strings.TrimPrefix(d.words.states[g.state], "waiting")
			}
		}
		g.roused = roused{w, d.now, d.flowName(name)}
	}
}

// flowName returns the number of a name of flows; where there are too many, that of the first.
func (d *decoder) flowName(name string) model.FlowID {
	id, ok := d.flows[name]
	if !ok {
		id = model.FlowID(len(d.flows))
		def := model.FlowDef{ID: id, Name: name}
		if len(d.flows) >= maxFlowNames || !d.room.Admit(def) {
			return 0
		}
		d.flows[name] = id
		d.sink.Define(def)
	}
	return id
}

// publishWakes publishes the flows that lead to g, or leaves them to the track that it shares. One from a goroutine
// without a decided track waits, and so do those after it: they are published in order of time.
func (d *decoder) publishWakes(g *goroutine) {
	flows, n := d.arrows[:0], 0
	for ; n < len(g.wakes) && g.wakes[n].by.placed; n++ {
		w := &g.wakes[n]
		if w.by.refused {
			d.bad.Bad(trace.FlowWithoutTrack, trace.Unknown)
			continue
		}
		flows = append(flows, model.Flow{
			From: w.from, To: w.to, FromTrack: w.by.track, Name: w.name, FromLane: model.NoLane, ToLane: model.NoLane,
		})
	}
	if g.shared != nil {
		g.shared.flows = append(g.shared.flows, flows...)
	} else {
		d.publishFlows(g.track, flows)
	}
	g.wakes, d.arrows = slices.Delete(g.wakes, 0, n), flows
}

func (d *decoder) publishFlows(track model.TrackID, flows []model.Flow) {
	publishAll(d, track, flows, func(b *model.Batch) *[]model.Flow { return &b.Flows })
}

// flushFlows publishes the flows to goroutines that share a track, in order of time. The newest wait for
// those to goroutines that may be short-lived, unless a trace has ended.
func (d *decoder) flushFlows(r *rows, last bool) {
	slices.SortStableFunc(r.flows, func(a, b model.Flow) int { return cmp.Compare(a.To, b.To) })
	n := len(r.flows)
	if !last {
		n, _ = slices.BinarySearchFunc(r.flows, d.now-shortLife, func(f model.Flow, ns int64) int {
			return cmp.Compare(f.To, ns)
		})
	}
	d.publishFlows(r.def.ID, r.flows[:n])
	r.flows = slices.Delete(r.flows, 0, n)
}

// taskTitle returns the name of a task with its number.
func (d *decoder) taskTitle(id exptrace.TaskID) string {
	t, ok := d.tasks[id]
	switch {
	case !ok:
		return fmt.Sprintf("task %d", id)
	case t.title == "":
		t.title = fmt.Sprintf("%s %d", cutText(t.name), id)
		d.tasks[id] = t
	}
	return t.title
}

// isTask reports whether a number is that of a task.
func isTask(id exptrace.TaskID) bool { return id != exptrace.BackgroundTask && id != exptrace.NoTask }

// taskKey is the argument of regions and tasks that says which task it is.
const taskKey = "task"

// argue gives the span of a task its arguments.
func (d *decoder) argue(t exptrace.Task) {
	list := []model.Arg{{Key: taskKey, Value: model.TextArg(d.taskTitle(t.ID))}}
	if isTask(t.Parent) {
		list = append(list, model.Arg{Key: "parent", Value: model.TextArg(d.taskTitle(t.Parent))})
	}
	d.tasks[t.ID].bar.args = list
}

// rangeArgs are the arguments at the end of a range.
func rangeArgs(ev *exptrace.Event) (list []model.Arg) {
	for _, a := range ev.RangeAttributes() {
		if a.Value.Kind() == exptrace.ValueUint64 {
			list = append(list, model.Arg{Key: a.Name, Value: model.IntArg(int64(a.Value.Uint64()))})
		}
	}
	return list
}
