package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/model/locks"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/model/store"
)

// seriesSummary is one series in a range; its values are in its unit.
type seriesSummary struct {
	Name    string  `json:"name"`
	Group   string  `json:"group,omitempty"`
	Thread  string  `json:"thread,omitempty"`
	Object  string  `json:"object,omitempty"`
	Unit    string  `json:"unit,omitempty"`
	Kind    string  `json:"kind"`
	Samples int64   `json:"samples"`
	Gaps    int64   `json:"gaps"`
	Min     float64 `json:"min"`
	Mean    float64 `json:"mean"`
	ByTime  bool    `json:"mean_by_time"`
	Median  float64 `json:"median"`
	P90     float64 `json:"p90"`
	P95     float64 `json:"p95"`
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
	StdDev  float64 `json:"std_dev"`
	Sum     float64 `json:"sum"`
	First   float64 `json:"first"`
	Last    float64 `json:"last"`
	Rate    float64 `json:"rate_per_second"`
	// States are the observed states, the longest first, only for a series of kind state.
	States []stateShare `json:"states,omitempty"`
}

// stateShare is for how long a state was in force.
type stateShare struct {
	State string  `json:"state"`
	Ns    int64   `json:"duration_ns"`
	Share float64 `json:"share"` // of the time with a known state; 0 for a single moment
}

// lockSummary is one lock in a range, over all threads.
type lockSummary struct {
	Lock        string    `json:"lock"`
	Waits       int64     `json:"waits"`
	Waited      int64     `json:"waited_ns"`
	LongestWait *useOfOne `json:"longest_wait,omitempty"` // of one thread
	Unheld      int64     `json:"unheld"`                 // tries that got it without a known holder: no waits
	UnheldNs    int64     `json:"unheld_time_ns"`         // total time of these tries
	Holds       int64     `json:"holds"`
	Held        int64     `json:"held_ns"`
	LongestHold *useOfOne `json:"longest_hold,omitempty"` // by one thread
	Failed      int64     `json:"failed"`
	Conditions  int64     `json:"conditions"`
	Condition   int64     `json:"condition_wait_ns"`
	LongestCond *useOfOne `json:"longest_condition_wait,omitempty"` // of one thread
	Signals     int64     `json:"signals"`
	Threads     int       `json:"threads"`
}

// useOfOne is one use of a lock.
type useOfOne struct {
	Ns     int64  `json:"duration_ns"`
	At     int64  `json:"at_ns"`
	Thread string `json:"thread"`
	// Holder is the thread that held it during a wait.
	Holder   string `json:"held_by,omitempty"`
	HolderNs int64  `json:"meanwhile_held_ns,omitempty"`
}

// messageSummary counts the messages of a range.
type messageSummary struct {
	Count      int64           `json:"count"`
	Severities []countOf       `json:"severities"` // the gravest first, without empty ones
	Categories []categoryCount `json:"categories"` // by name, without empty ones
}

type countOf struct {
	Severity string `json:"severity"` // trace, log, debug, info, fixme, warning or error
	Count    int64  `json:"count"`
}

type categoryCount struct {
	Category string `json:"category"`
	Count    int64  `json:"count"`
}

// summariseSeries returns the series that have samples in a range, by group and in order of
// definition. With tracks only theirs.
func summariseSeries(s *store.Session, only []model.TrackID, t0, t1 int64) (out []seriesSummary) {
	for _, group := range s.Series().ByGroup() {
		for _, id := range group.Series {
			x := s.Series().ByID(id)
			d := &x.Def
			// a stack's values are no numbers
			if x.Len() == 0 || len(only) > 0 && !slices.Contains(only, d.Track) || d.Role.OfStacks() {
				continue
			}
			st := x.ExactStats(t0, t1)
			if st.N == 0 && st.Gaps == 0 {
				continue
			}
			l := seriesSummary{
				Name: d.Name, Group: d.Group, Unit: d.Unit, Kind: d.Kind.Word(),
				Samples: st.N, Gaps: st.Gaps, Min: st.Min, Mean: st.Mean, ByTime: d.Holds(), Median: st.P50, P90: st.P90,
				P95: st.P95, P99: st.P99, Max: st.Max, StdDev: st.StdDev, Sum: st.Sum, First: st.First, Last: st.Last,
				Rate: st.Rate,
			}
			bound(&l.Min, &l.Mean, &l.Median, &l.P90, &l.P95, &l.P99, &l.Max, &l.StdDev, &l.Sum, &l.First, &l.Last, &l.Rate)
			if d.Kind == model.SeriesState {
				l.States = sharesOf(x, t0, t1)
			}
			if t := s.Track(d.Track); t != nil {
				l.Thread = t.Title()
			}
			if o, ok := s.Topology().Object(d.Object); ok {
				l.Object = o.Name
			}
			out = append(out, l)
		}
	}
	return out
}

// sharesOf returns the states that a series had in a range.
func sharesOf(x *spans.Series, t0, t1 int64) (out []stateShare) {
	states, all := x.States(t0, t1, x.Samples(t0, t1, 0, nil), nil)
	for _, st := range states {
		one := stateShare{State: x.Def.State(st.Value), Ns: st.Ns}
		if one.State == "" {
			one.State = strconv.FormatFloat(st.Value, 'f', -1, 64)
		}
		if all > 0 {
			one.Share = float64(st.Ns) / float64(all)
		}
		out = append(out, one)
	}
	return out
}

// summariseLocks returns the locks that were used in a range, that with the most waiting first.
func summariseLocks(s *store.Session, t0, t1 int64) (out []lockSummary) {
	use := func(u *locks.Use) *useOfOne {
		if u.End <= u.Begin {
			return nil
		}
		one := &useOfOne{Ns: u.End - u.Begin, At: u.Begin}
		if t := s.Track(u.Track); t != nil {
			one.Thread = t.Title()
		}
		return one
	}
	stats := s.Locks().Stats(t0, t1, nil)
	slices.SortStableFunc(stats, func(a, b locks.Stats) int {
		return cmp.Or(cmp.Compare(b.WaitNs, a.WaitNs), cmp.Compare(b.HoldNs, a.HoldNs))
	})
	for i := range stats {
		l := &stats[i]
		wait := use(&l.LongestWait)
		if t := s.Track(l.Holder); wait != nil && l.HolderNs > 0 && t != nil {
			wait.Holder, wait.HolderNs = t.Title(), l.HolderNs
		}
		out = append(out, lockSummary{
			Lock: s.Collector(l.Lock).Title(), Waits: l.Waits, Waited: l.WaitNs, LongestWait: wait,
			Unheld: l.Unheld, UnheldNs: l.UnheldNs, Holds: l.Holds, Held: l.HoldNs, LongestHold: use(&l.LongestHold),
			Failed: l.Failed, Conditions: l.Conditions, Condition: l.ConditionNs, LongestCond: use(&l.LongestCondition),
			Signals: l.Signals, Threads: l.Threads,
		})
	}
	return out
}

// messagePage is the number of messages read at a time.
const messagePage = 4096

// summariseMessages counts the messages of a range, with tracks only theirs; nil when there are
// none.
func summariseMessages(s *store.Session, only []model.TrackID, t0, t1 int64) *messageSummary {
	q := messages.Query{T0: t0, T1: t1 - 1, Tracks: only, MinSeverity: model.SeverityTrace, Limit: messagePage}
	if q.T0 == 0 && q.T1 == 0 {
		q.T1 = 1 // both 0 would ask for all time
	}
	var severities [model.SeverityError - model.SeverityTrace + 1]int64
	categories := map[string]int64{}
	m := &messageSummary{Severities: []countOf{}, Categories: []categoryCount{}}
	for page := []messages.Hit(nil); ; q.First += messagePage {
		page, _ = s.Messages().Find(q, page[:0])
		for i := range page {
			severities[min(max(page[i].Severity, model.SeverityTrace), model.SeverityError)-model.SeverityTrace]++
			if c := page[i].Category; c != "" {
				categories[c]++
			}
		}
		if m.Count += int64(len(page)); len(page) < messagePage {
			break
		}
	}
	if m.Count == 0 {
		return nil
	}
	for v := len(severities) - 1; v >= 0; v-- {
		if severities[v] > 0 {
			m.Severities = append(m.Severities, countOf{(model.SeverityTrace + model.Severity(v)).Word(), severities[v]})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(categories)) {
		m.Categories = append(m.Categories, categoryCount{c, categories[c]})
	}
	return m
}
