package api

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"framescope/net/flare"
)

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
