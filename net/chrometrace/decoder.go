package chrometrace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// errNoEvents is the error for a file in which nothing has a time.
var errNoEvents = errors.New("no events: no object has a phase and a time")

// Kind is the name of the format in model.Info.
const Kind = "chrometrace"

// decoder gathers the events of a file and then passes them to a sink, in order of time.
type decoder struct {
	sink  feed.Sink
	want  feed.Frames
	info  model.Info
	scan  scanner
	room  *feed.Names
	texts *texts
	args  *trace.Gathered
	ends  map[uint32]uint32 // begins of spans with other arguments at the end, to these ends

	events      int64
	used        int64 // gathered bytes that are not yet taken from room
	full        bool  // there is none for more
	first, last int64 // ns, of all that has a time
	fine        bool  // some of them are no whole microseconds

	key       []byte // scratch
	open      []int  // scratch: spans that have not ended
	spilled   []int64
	newest    *thread
	threads   []*thread
	byKey     map[string]*thread
	processes []*process
	byPid     map[string]*process

	counters []counter
	seriesOf map[string]model.SeriesID
	samples  []model.Sample
	asyncs   []*thread // of each key
	asyncOf  map[string]uint32
	steps    []step

	knots     []knot
	flowOf    map[string]uint32
	flowNames map[uint32]model.FlowID

	credit    int64 // empty frames that may be published
	problems  [numProblems]trace.Tally
	unshown   [numUnshown]int64
	uncounted bool // the file's numbers of frames are not those that are shown
	cancelled bool
}

func newDecoder(sink feed.Sink, path string, frames feed.Frames) *decoder {
	d := &decoder{
		sink: sink, want: frames, room: feed.NamesOf(sink), first: math.MaxInt64, last: math.MinInt64,
		byKey: map[string]*thread{}, byPid: map[string]*process{}, seriesOf: map[string]model.SeriesID{},
		asyncOf: map[string]uint32{}, flowOf: map[string]uint32{}, flowNames: map[uint32]model.FlowID{},
		info: model.Info{
			Source: Kind, Program: programOf(path), Peer: path, PID: -1, Version: "Chrome trace JSON", File: true,
		},
	}
	d.args, d.ends = trace.NewGathered(d.room), map[uint32]uint32{}
	d.scan.take = d.take
	d.sink.Define(d.info)
	d.texts = newTexts(d.room, sink.Define, func(p problem) { d.count(p, trace.Unknown) })
	return d
}

// finish publishes the gathered events. broken is why the file could not be read to its end, or nil.
func (d *decoder) finish(broken error) error {
	cut := d.scan.close()
	d.scan.nuls.Tell(d.sink.Define)
	d.problems[tooBig] = d.scan.tooBig
	switch {
	case d.scan.damage != "": // the next "{" is not looked for: spec/chrome-trace.md, Errors
		d.lose(model.LossMalformed, d.scan.damage+"; the rest of the file is left out")
	case broken != nil:
		d.lose(model.LossTruncated, broken.Error())
	case cut != "":
		d.lose(model.LossTruncated, cut)
	}
	if d.scan.behind != "" {
		d.lose(model.LossTruncated, d.scan.behind+", which is left out")
	}
	if d.first > d.last {
		d.tellProblems()
		if why := cmp.Or(d.scan.damage, d.scan.behind, cut); why != "" {
			return fmt.Errorf("%w; %s", errNoEvents, why)
		}
		return errNoEvents
	}
	d.credit = emptyCredit + emptyEach*d.events
	var main *thread
	if name, ok := d.want.Named(); ok {
		if main = d.framesOf(name); main == nil {
			d.sink.Define(trace.NoFrames("span of a thread", name))
		}
	} else if d.want != feed.NoFrames {
		if main = d.findFrames(); main == nil {
			d.suggest()
		}
	}
	list := d.shown()
	async, groups := d.groupAsync()
	d.define(list, groups, main)
	d.tie()
	for _, th := range list {
		if d.cancelled {
			break
		}
		if th.track == model.NoTrack {
			continue
		}
		d.settled(th)
		spans := d.settle(d.nest(th.spans))
		trace.SortRuns(th.notes, func(a, b note) int { return cmp.Compare(a.time, b.time) })
		p := publisher{d: d, track: th.track, spans: spans, notes: th.notes, arrows: th.arrows, main: th == th.proc.main}
		bind(p.arrows, p.spans)
		p.all(th.proc.borders)
		th.spans, th.marks, th.notes, th.arrows = nil, nil, nil, nil
	}
	for _, g := range groups {
		if g.track != model.NoTrack && !d.cancelled {
			p := publisher{d: d, track: g.track, spans: d.rows(g, async)}
			p.Loose(math.MaxInt64)
		}
	}
	d.publishSamples()
	d.tellProblems()
	return nil
}

// lose reports that the rest of the file is missing.
func (d *decoder) lose(reason model.LossReason, detail string) {
	d.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: 1, Detail: detail})
}

// define defines tracks, series and the info of the program.
func (d *decoder) define(list []*thread, groups []*group, main *thread) {
	used := map[*process]bool{}
	for _, th := range list {
		used[th.proc] = true
	}
	for _, c := range d.counters {
		used[c.proc] = true
	}
	for _, g := range groups {
		used[g.proc] = true
	}
	several := len(used) > 1
	names, threads := map[string]int{}, map[string]*process{}
	for p := range used {
		names[p.name]++
	}
	for _, th := range list {
		if p, ok := threads[th.name]; ok && p != th.proc {
			threads[th.name] = nil // in several processes
		} else {
			threads[th.name] = th.proc
		}
	}
	title := func(p *process) string {
		switch {
		case !several:
			return ""
		case p.name == "":
			return "process " + p.pid
		case names[p.name] > 1:
			return p.name + " " + p.pid
		}
		return p.name
	}
	next := model.TrackID(0)
	define := func(def model.TrackDef) model.TrackID {
		if def.ID = next; next >= feed.SureThreads && !d.room.Admit(def) {
			return model.NoTrack
		}
		d.sink.Define(def)
		next++
		return def.ID
	}
	totals := 0
	for i, th := range list {
		def := model.TrackDef{
			Name: th.name, Index: i, Process: title(th.proc), Main: th == main, Skips: th.proc.skips,
			Object: model.NoObject, Peer: model.NoObject,
		}
		if th.sums() {
			def.Sums = true
			totals += th.totals
		}
		if n, err := strconv.Atoi(th.tid); err == nil {
			def.Index = n
		} else if def.Name == "" {
			def.Name = th.tid
		}
		if def.Name != "" && threads[th.name] == nil && def.Process != "" {
			def.Name = nameIn(def.Name, def.Process)
		}
		if th.track = define(def); th.track == model.NoTrack {
			if n := len(th.spans) + len(th.marks) + len(th.notes); n > 0 {
				d.problems[noThread].AddN(int64(n), trace.Unknown)
			}
		}
	}
	for i, g := range groups {
		def := model.TrackDef{
			Name: g.title(d.texts), Index: i, Process: title(g.proc), Kind: model.TrackAsync, Object: model.NoObject, Peer: model.NoObject,
		}
		same := func(other *group) bool { return other.text == g.text && other.proc != g.proc }
		if slices.ContainsFunc(groups, same) {
			def.Name = nameIn(def.Name, def.Process)
		}
		if g.track = define(def); g.track == model.NoTrack {
			d.problems[noThread].AddN(int64(len(g.trees)), trace.Unknown)
		}
	}
	for i := range d.counters {
		def := d.counters[i].def(model.SeriesID(i))
		if title := title(d.counters[i].proc); title != "" {
			def.Name = strings.TrimSuffix(title+" "+def.Name, " ")
		}
		d.sink.Define(def)
	}
	if totals > 0 {
		d.sink.Define(model.Warning{Text: fmt.Sprintf("%d spans “Total …” are sums that the compiler wrote as spans, each on a "+
			"thread of its own: these are hidden, and figures of all threads do not count them.", totals)})
	}
	d.tellInfo(list, main, used)
}

// nameIn returns a name with its process, for names that other processes also have.
func nameIn(name, process string) string { return name + " (" + process + ")" }

// tellInfo defines the info of the program: the process that has the frames, or else the only one that has
// threads, or else the only one with anything to show.
func (d *decoder) tellInfo(list []*thread, main *thread, used map[*process]bool) {
	elsewhere := func(th *thread) bool { return th.proc != list[0].proc }
	var p *process
	switch {
	case main != nil:
		p = main.proc
	case len(list) > 0 && !slices.ContainsFunc(list, elsewhere):
		p = list[0].proc
	case len(list) == 0 && len(used) == 1:
		for p = range used {
			break
		}
	}
	if p != nil {
		if p.name != "" {
			d.info.Program = p.name
		}
		if pid, err := strconv.ParseInt(p.pid, 10, 64); err == nil && pid > 0 {
			d.info.PID = pid
		}
	}
	form := "object"
	if d.scan.array {
		form = "array"
	}
	d.info.Detail = fmt.Sprintf("as an %s; 0 is %s µs of the trace's own clock", form, microseconds(d.first))
	d.sink.Define(d.info)
}

// microseconds writes ns as µs, with all digits.
func microseconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "−", -ns
	}
	s := fmt.Sprintf("%s%d.%03d", sign, ns/1000, ns%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// def returns the series of a counter. Its value holds until the next.
func (c *counter) def(id model.SeriesID) model.SeriesDef {
	def := model.SeriesDef{
		ID: id, Name: c.key, Group: c.name, Kind: model.SeriesGauge, Track: model.NoTrack, Object: model.NoObject,
		Peer: model.NoObject,
	}
	if c.id != "" {
		def.Name = c.id + " " + c.key
	}
	return def
}

// publishSamples publishes the values of counters, in order of time.
func (d *decoder) publishSamples() {
	trace.SortRuns(d.samples, func(a, b model.Sample) int { return cmp.Compare(a.Time, b.Time) })
	for i := 0; i < len(d.samples) && !d.cancelled; {
		b := d.sink.Begin()
		b.Track = model.NoTrack
		for ; i < len(d.samples) && len(b.Samples) < looseSpans; i++ {
			s := d.samples[i]
			s.Time -= d.first
			b.Samples = append(b.Samples, s)
		}
		d.cancelled = !d.sink.Publish(b)
	}
	d.samples = nil
}
