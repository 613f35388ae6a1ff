package api

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"framescope/net/flare"
)

// Failures of queries, in the original's words.
const (
	errNoSession    = failure("sample session not found")
	errDisconnected = failure("sample session is disconnected")
	errNoThread     = failure("thread cpu time file not found")
	errNoThreadID   = failure("missing or invalid option 'thread_id'")
	errPeriod       = failure("time period error, end_time must be greater than start_time")
)

// query is a request about one session, with the recording as it is at that time.
type query struct {
	id      string
	compat  bool
	rec     *flare.Recording
	dir     string         // of the recording as clients call it, may be empty
	summary *flare.Summary // of a sample folder in compat mode, may be nil
}

// query finds the session of a request. A session with a lost agent is closed; its recording can be opened as a
// sample folder.
func (s *Server) query(req *request) (*query, error) {
	id, err := req.text("session_id", false)
	if err != nil {
		return nil, err
	}
	x := s.sessions.get(id)
	if x == nil {
		return nil, errNoSession
	}
	q := &query{id: id, compat: s.opt.Compat}
	if x.file != nil {
		q.rec, q.dir, q.summary = x.file.rec, x.file.name, x.file.summary
		return q, nil
	}
	q.rec, q.dir = x.live.snapshot()
	if reason, ended := x.live.ended(); ended {
		s.sessions.remove(x)
		if s.opt.Compat {
			return nil, errDisconnected
		}
		if q.dir != "" {
			reason += ", the recording is " + q.dir
		}
		return nil, failuref("%s: %s", errDisconnected, reason)
	}
	return q, nil
}

// bounds are the bounds of the session: those of the samples, or in compat mode what the folder's
// summary says.
func (q *query) bounds() (startMs, endMs int64) {
	if q.compat && q.rec.RecordStartMs > 0 && q.rec.LastRecordMs > 0 {
		return q.rec.RecordStartMs, q.rec.LastRecordMs
	}
	startMs, endMs, _ = q.rec.Bounds()
	return startMs, endMs
}

// threads returns the threads with samples, ascending by id.
func (q *query) threads() (out []*flare.Thread) {
	for _, t := range q.rec.Threads {
		if len(t.Records) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// named returns the threads that a request names, and whether it names any. lenient leaves those out that are not
// known; else they are an error, for the original too where it has no series of them. Each counts once, but in what
// the original does.
func (q *query) named(req *request, lenient bool) (out []*flare.Thread, some bool, err error) {
	ids, err := req.integers("thread_ids")
	if err != nil {
		return nil, false, err
	}
	known := map[int64]bool{}
	for _, id := range ids {
		t := q.rec.Thread(id)
		switch unknown := t == nil || q.compat && !lenient && !flare.HasSeries(t); {
		case unknown && lenient || known[id] && (lenient || !q.compat):
			continue
		case unknown:
			return nil, true, errNoThread
		}
		known[id] = true
		if out = append(out, t); len(out) > maxThreads {
			return nil, true, failuref("more than %d threads", maxThreads)
		}
	}
	return out, len(ids) > 0, nil
}

// thread returns the thread of a request.
func (q *query) thread(req *request) (*flare.Thread, error) {
	id := req.integer("thread_id", 0)
	if id <= 0 {
		return nil, errNoThreadID
	}
	t := q.rec.Thread(id)
	if t == nil || q.compat && !flare.HasSeries(t) || !q.compat && len(t.Records) == 0 {
		return nil, errNoThread
	}
	return t, nil
}

// times returns the range of a request as it is given.
func (q *query) times(req *request) (startMs, endMs int64) {
	clamp := func(ms int64) int64 { return min(max(ms, -1), flare.MaxTimeMs) }
	return clamp(req.integer("start_time", -1)), clamp(req.integer("end_time", -1))
}

// dashboard answers with the info of the recording and each thread's newest sample.
func (q *query) dashboard(_ context.Context, _ *request, out *reply) error {
	info, threads := q.state()
	return out.success(fields{"sample_info": info, "threads": flare.ListOf(threads)})
}

// state is what the dashboard shows. In compat mode that of a folder is its summary's, up to a
// second old when the recording ended.
func (q *query) state() (flare.Info, []flare.ThreadRecord) {
	if q.summary != nil {
		var threads []flare.ThreadRecord
		for _, t := range q.summary.Threads {
			if t.Count != 0 {
				t.Stack = flare.ListOf(t.Stack)
				threads = append(threads, t)
			}
		}
		slices.SortFunc(threads, func(a, b flare.ThreadRecord) int { return cmp.Compare(a.ID, b.ID) })
		return q.summary.Info, threads
	}
	info := q.rec.Info
	info.Dir = q.dir
	info.IntervalMs = info.StepMs()
	info.RecordStartMs, info.LastRecordMs = q.bounds()
	var threads []flare.ThreadRecord
	for _, t := range q.threads() {
		x := t.Records[len(t.Records)-1]
		threads = append(threads, flare.RecordOf(t.ID, t.Name, x))
	}
	return info, threads
}

// shownThreads returns the threads that the dashboard shows.
func (q *query) shownThreads() (out []*flare.Thread) {
	_, shown := q.state()
	for _, x := range shown {
		if t := q.rec.Thread(x.ID); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// Limits of cpu_time.
const (
	cpuBatch      = 50      // threads in one reply
	maxCPUBuckets = 1 << 22 // in all replies to one request
	leastUnitMs   = 10
	defaultWidth  = 900
)

// cpuTime answers with the CPU time of threads by buckets, 50 threads in each reply.
func (q *query) cpuTime(ctx context.Context, req *request, out *reply) error {
	threads, some, err := q.named(req, true)
	if err != nil {
		return err
	}
	if !some {
		threads = q.shownThreads()
	}
	start, end, unit, err := q.cpuRange(req)
	if err != nil {
		return err
	}
	list, room := []fields{}, int64(maxCPUBuckets)
	for _, t := range threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		series := t.CPU
		// A live session has no series yet, and a folder may lack one. Those of the original lack the use in steps
		// with several samples, and put it at the time of a reading instead of the time between two: they are for
		// compat mode.
		step := max(series.StepMs, min(max(q.rec.IntervalMs, 0), 1<<20), 1)
		switch {
		case !q.compat && len(t.Records) > 0:
			series = flare.Used(t, step)
		case len(series.Values) == 0:
			series = flare.SeriesOf(t, step)
		}
		if len(series.Values) == 0 {
			continue
		}
		if room -= flare.Buckets(&series, start, end, unit); room < 0 {
			return failuref("the answer would have more than %d values: ask for a longer unit or a shorter range", maxCPUBuckets)
		}
		c := flare.SumCPU(&series, start, end, unit, q.compat)
		list = append(list, fields{
			"end_time": c.EndMs, "id": t.ID, "start_time": c.StartMs, "steps": len(c.Us), "total_cpu_time": c.TotalUs,
			"ts_data": flare.ListOf(c.Us), "unit_time_ms": c.UnitMs,
		})
	}
	for {
		part := list[:min(len(list), cpuBatch)]
		err := out.success(fields{"session_id": q.id, "thread_cpu_times": part})
		if list = list[len(part):]; err != nil || len(list) == 0 {
			return err
		}
	}
}

// cpuRange returns the range of the request within the session, and the length of a bucket.
func (q *query) cpuRange(req *request) (start, end, unit int64, err error) {
	first, last := q.bounds()
	start, end = q.times(req)
	if start < 0 {
		start = first
	}
	if end < 0 {
		end = last
	}
	start, end = min(max(start, first), last), min(max(end, first), last)
	unit = req.integer("unit_time_ms", -1)
	if unit < leastUnitMs {
		if end <= start {
			return 0, 0, 0, errPeriod
		}
		width := req.integer("graph_width", defaultWidth)
		if width <= 0 {
			return 0, 0, 0, failure("invalid option 'graph_width'")
		}
		unit = flare.AutomaticUnit(start, end, width, q.rec.StepMs())
	}
	if !q.compat && end == last {
		// The newest step is more than its beginning.
		end = flare.MaxTimeMs
	}
	return start, end, min(unit, flare.MaxTimeMs), nil
}

// Limits and defaults of searches.
const (
	defaultMinMs   = 100
	defaultHits    = 2000
	apiMaxHits     = 100_000
	progressStep   = 5 // percent
	maxPattern     = 1000
	maxMethodsSent = 1 << 18
)

// listMethods answers with the methods with names that contain a text, or (option regex) match a regular
// expression. Upper and lower case count in compat mode only.
func (q *query) listMethods(_ context.Context, req *request, out *reply) error {
	filter := req.trimmed("method_name_filter", "")
	match := func(name string) bool { return strings.Contains(name, filter) }
	switch {
	case req.flag("regex"):
		if len(filter) > maxPattern {
			return failuref("a regular expression of more than %d bytes", maxPattern)
		}
		pattern := filter
		if !q.compat {
			pattern = "(?i)" + pattern
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return failuref("invalid regular expression: %v", err)
		}
		match = re.MatchString
	case !q.compat:
		lower := strings.ToLower(filter)
		match = func(name string) bool { return strings.Contains(strings.ToLower(name), lower) }
	}
	found := flare.MatchMethods(q.rec, match)
	found = found[:min(len(found), maxMethodsSent)]
	list := []fields{}
	for _, id := range found {
		list = append(list, fields{"full_name": q.rec.Methods[id], "method_id": id})
	}
	return out.success(fields{
		"method_infos": list, "method_name_filter": filter, "session_id": q.id, "total_method_size": len(found),
	})
}

// search answers with the calls of some methods that took long, and before that with how far it is.
func (q *query) search(ctx context.Context, req *request, out *reply) error {
	ids, err := req.integers("method_ids")
	if err != nil {
		return err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	find := flare.Search{
		MinMs:      req.integer("min_duration", defaultMinMs),
		MaxMs:      req.integer("max_duration", -1),
		MaxHits:    int(min(max(req.integer("max_size", defaultHits), 0), apiMaxHits)),
		ThreadName: req.trimmed("thread_name_filter", ""),
		Compat:     q.compat,
	}
	for _, id := range ids {
		find.Methods = append(find.Methods, flare.MethodID(id))
	}
	if q.compat {
		// The summary gives its whole recording.
		find.StartMs, find.EndMs = q.bounds()
	} else {
		find.StartMs, find.EndMs = q.times(req)
	}
	progress := 0
	search, cancel := context.WithCancel(ctx)
	defer cancel()
	groups, limited, err := flare.Find(search, q.rec, find, func(percent int, thread string) {
		if percent <= progress+progressStep || out.broken != nil {
			return
		}
		progress = percent
		if out.success(fields{
			"search_finished": false, "search_message": "searching " + thread, "search_progress": percent,
			"session_id": q.id,
		}) != nil {
			cancel()
		}
	})
	if err != nil {
		return err
	}
	if !q.compat && !limited {
		progress = 100
	}
	message := ""
	if limited {
		message = "there are more calls than max_size: raise max_size or min_duration"
	}
	return out.success(fields{
		"method_call_groups": q.groups(groups), "method_ids": ids, "search_error": limited, "search_finished": !limited,
		"search_message": message, "search_progress": progress, "session_id": q.id,
	})
}

// groups returns the hits of a search as clients get them.
func (q *query) groups(groups []flare.Group) []fields {
	list := []fields{}
	for i, g := range groups {
		stack, calls := []fields{}, []fields{}
		for _, id := range g.Stack {
			name := q.rec.Methods[id]
			if !q.compat {
				name = q.rec.Method(id)
			}
			stack = append(stack, fields{"features": []int{}, "full_name": name, "method_id": id})
		}
		for _, c := range g.Calls {
			calls = append(calls, q.call(&c))
		}
		list = append(list, fields{"call_stack": stack, "features": []int{}, "group_id": i + 1, "method_calls": calls})
	}
	return list
}

func (q *query) call(c *flare.Call) fields {
	out := fields{
		"calls": c.Samples, "cpu": c.CPUNs / 1000, "duration": c.Ms, "durations": c.StackMs, "full_name": "",
		"method_id": c.Method, "primary_stacks": c.Stack, "samples": 0, "start_time": c.StartMs, "thread_id": c.Thread,
		"thread_name": c.ThreadName,
	}
	if !q.compat {
		out["full_name"], out["at_time"] = q.rec.Method(c.Method), c.AtMs
	}
	return out
}
