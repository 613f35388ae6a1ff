package firefox

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// decoder sends the content of a file to a sink.
type decoder struct {
	*trace.Profile
	sink feed.Sink
	keep keeper
	want feed.Frames

	meta                             meta
	libs                             texts // by index: their names
	all, own                         tables
	threads                          []header
	hasCounters, allocations, nested bool
	gecko                            bool

	at        int // of the thread that is read
	now       thread
	stacks    stacks
	kind      string // of weights, where there are no times
	framed    int    // thread that has the frames, none without
	processes int
	main      int
	counters  int
	tally     counter
	barList   []bar
	noteList  []int32
	textKey   []byte
	said      trace.Texts // of instants, and data of intervals beside their names

	place     int64 // file offset of the current thread or counter
	idle      int64 // samples without CPU time
	sampled   int64
	bare      int64 // samples without a stack
	timed     int64 // markers that are not shown, for want of times
	causes    int64 // markers with stacks
	skipped   []string
	cancelled bool
}

func newDecoder(sink feed.Sink, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, want: frames, framed: none, main: none, Profile: trace.NewProfile(sink, model.Info{
			Source: "firefox", Program: feed.Stem(path, ".json", ".profile"), Peer: path,
		}),
	}
	d.Bad.Within = true
	d.keep = keeper{room: d.Room, bad: &d.Bad}
	d.stacks.d = d
	return d
}

// begin publishes the description of the program, and decides whether there are times, and which
// thread has the frames.
func (d *decoder) begin() error {
	if err := d.refusal(); err != nil {
		return err
	}
	m := &d.meta
	weights, pids := map[string]bool{}, map[word]bool{}
	for i := range d.threads {
		t := &d.threads[i]
		if t.samples > 0 {
			weights[t.weight] = true
			d.kind = cmp.Or(d.kind, t.weight)
		}
		if t.samples+t.markers > 0 {
			pids[t.pid] = true
		}
		if t.frames > 0 && (d.framed == none || t.frames > d.threads[d.framed].frames) {
			d.framed = i
		}
	}
	timeless := m.timeUnit == "bytes" || len(weights) == 1 && weights["bytes"]
	d.processes = len(pids)
	if timeless {
		d.framed = none
	}
	if name, ok := d.want.Named(); ok && d.framed == none {
		d.sink.Define(trace.NoFrames("marker of a thread", name))
	}
	if m.version > newest {
		d.Warn("The profile has version %d, Framescope knows %d: newer parts may be missing or wrong.",
			m.version, newest)
	}
	d.Info.Version = fmt.Sprintf("Firefox Profiler JSON %d", m.version)
	d.Info.Program = cmp.Or(product(m.product), d.Info.Program)
	if m.product != "" && m.product != d.Info.Program {
		d.Facts = append(d.Facts, m.product)
	}
	if m.system != "" {
		d.Facts = append(d.Facts, m.system)
	}
	if timeless {
		d.Facts = append(d.Facts, "without times")
	} else if at, ok := trace.ParseTime([]byte(m.start), 6); ok {
		d.Info.ZeroAt = model.DayTime{UnixNs: at.Round(), StepNs: 1e6}
	}
	d.Info.Sampling = model.Sampling{Timeless: timeless, AskedNs: int64(m.interval)}
	d.Kind = kindOf(d.kind)
	d.Define()
	return nil
}

// product is the name of the program: samply's importer has those of the machine and of perf behind it.
func product(s string) string {
	if at := strings.Index(s, " on "); at > 0 && strings.Contains(s[at:], "(perf version ") {
		return s[:at]
	}
	return s
}

// read reads the file the second time: threads, one by one, and counters.
func (d *decoder) read(r *trace.Reader) {
	d.keep.read(r, fields{
		"threads": each(func() {
			if d.at < len(d.threads) {
				d.place = r.At()
				d.thread(r, d.at)
			}
			if d.at++; d.cancelled || d.Out.Cancelled() {
				d.cancelled = true
				r.Stop(feed.ErrCancelled)
			}
		}),
		"counters": each(func() {
			d.place = r.At()
			d.counter(r)
		}),
	})
}

// track defines the track of a thread. ok is false where there is no room for it.
func (d *decoder) track(i int) (model.TrackDef, bool) {
	def := d.trackOf(i)
	id, ok := d.Names.Track(fmt.Sprint(i), def)
	def.ID = id
	d.threads[i].track = id
	return def, ok
}

// trackOf describes a thread: by its name, and by its number where another has the name, too.
func (d *decoder) trackOf(i int) model.TrackDef {
	t := &d.threads[i]
	def := model.TrackDef{Name: t.name, Index: int(max(leading(t.tid), 0)), Main: i == d.main || i == d.framed}
	same := func(o header) bool { return o.name == t.name && o.samples+o.markers > 0 }
	others := slices.ContainsFunc(d.threads[:i], same) || slices.ContainsFunc(d.threads[i+1:], same)
	switch {
	case t.name == "":
		def.Name, def.Kin = "thread "+cmp.Or(string(t.tid), fmt.Sprint(i+1)), "thread"
	case others:
		def.Name, def.Kin = strings.TrimSpace(t.name+" "+string(t.tid)), t.name
	}
	if d.processes > 1 {
		def.Process = cmp.Or(t.process, "process")
		if t.site != "" {
			def.Process += " (" + t.site + ")"
		}
		def.Process = strings.TrimSpace(def.Process + " " + string(t.pid))
	}
	return def
}

// unknown is the collector of functions that are not in the tables.
func (d *decoder) unknown() model.CollectorID { return d.Names.Collector([]byte("(unknown)")) }

// kindOf returns the kind of the weights.
func kindOf(weight string) trace.WeightKind {
	switch weight {
	case "bytes":
		return trace.WeightKind{Name: "bytes", Unit: "B"}
	case "samples":
		return trace.WeightKind{Name: model.WeightSamples}
	case "tracing-ms":
		return trace.WeightKind{Name: "time", Unit: "ns"}
	}
	return trace.WeightKind{Name: trace.Shown(weight)}
}

// scaled is a weight in the unit of its kind.
func scaled(weight string, n float64) float64 {
	if weight == "tracing-ms" {
		return math.Round(n * 1e6)
	}
	return n
}

// finish publishes the rest and reports the losses. broken is why the file was not read to its end,
// nil where it was.
func (d *decoder) finish(broken error) error {
	if d.cancelled {
		return feed.ErrCancelled
	}
	d.chooseMain()
	if d.idle > 0 {
		d.Facts = append(d.Facts, fmt.Sprintf("%d of %d samples found their thread without CPU time since the one before",
			d.idle, d.sampled))
	}
	if err := d.Finish(broken); err != nil {
		return err
	}
	d.report()
	return nil
}

// report says what of the file is not shown.
func (d *decoder) report() {
	if d.bare > 0 {
		d.Warn("%d samples have no stack: nothing is shown at their times.", d.bare)
	}
	if s := d.meta.symbolicated; (s == "false" || s == "") && d.sampled > 0 {
		d.Warn("The profile was saved without symbols: functions of the program are addresses in their library. " +
			"Saved from samply's page, once it shows their names, it has them.")
	}
	more := d.skipped
	if d.timed > 0 {
		more = append(more, fmt.Sprintf("%d markers, as it has no times", d.timed))
	}
	if d.causes > 0 {
		more = append(more, fmt.Sprintf("the stacks of %d markers", d.causes))
	}
	if d.allocations {
		more = append(more, "allocations")
	}
	if u := d.meta.cpuUnit; u != "" && cpuUnit(u) == 0 {
		more = append(more, "CPU use, which is in "+u)
	}
	if d.Info.Sampling.Timeless && d.hasCounters {
		more = append(more, "counters")
	}
	if len(more) > 0 {
		d.Warn("Not shown from the file: %s.", strings.Join(more, ", "))
	}
}

// chooseMain says which thread to look at first: the one that has frames, that was looked at when the
// profile was saved, or of the main threads the one with most CPU time, or most samples.
func (d *decoder) chooseMain() {
	is := func(i int) bool { return d.threads[i].track != model.NoTrack }
	for i := range d.threads {
		t := &d.threads[i]
		if t.main != "true" || !is(i) {
			continue
		}
		if d.main == none {
			d.main = i
		}
		m := &d.threads[d.main]
		if cmp.Or(cmp.Compare(t.cpu, m.cpu), cmp.Compare(t.samples, m.samples)) > 0 {
			d.main = i
		}
	}
	if s := d.meta.selected; s >= 0 && s < int64(len(d.threads)) && is(int(s)) {
		d.main = int(s)
	}
	if d.framed != none {
		d.main = d.framed
	}
	if d.main == none {
		return
	}
	t := &d.threads[d.main]
	if d.Info.PID = leading(t.pid); d.Info.PID == 0 {
		d.Info.PID = none
	}
	if d.framed == none {
		def := d.trackOf(d.main)
		def.ID, def.Main = t.track, true
		d.sink.Define(def)
	}
}
