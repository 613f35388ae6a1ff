//go:build !page

package flare

import (
	"context"
	"regexp"
	"slices"
	"strings"
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
func (q *query) listMethods(req *request, out *reply) error {
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
	found := MatchMethods(q.rec, match)
	found = found[:min(len(found), maxMethodsSent)]
	var list array
	for _, id := range found {
		var o object
		o.text("full_name", q.rec.Methods[id])
		o.int("method_id", int64(id))
		list.add(&o)
	}
	var o object
	o.raw("method_infos", list.end())
	o.text("method_name_filter", filter)
	o.text("session_id", q.id)
	o.int("total_method_size", int64(len(found)))
	return out.success(&o)
}

// search answers with the calls of some methods that took long, and before that with how far it is.
func (q *query) search(ctx context.Context, req *request, out *reply) error {
	ids, err := req.integers("method_ids")
	if err != nil {
		return err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	find := Search{
		MinMs:      req.integer("min_duration", defaultMinMs),
		MaxMs:      req.integer("max_duration", -1),
		MaxHits:    int(min(max(req.integer("max_size", defaultHits), 0), apiMaxHits)),
		ThreadName: req.trimmed("thread_name_filter", ""),
		Compat:     q.compat,
	}
	for _, id := range ids {
		find.Methods = append(find.Methods, MethodID(id))
	}
	if q.compat {
		// The summary gives its whole recording.
		find.StartMs, find.EndMs = q.bounds()
	} else {
		find.StartMs, find.EndMs = q.times(req)
	}
	progress, sendErr := 0, error(nil)
	search, cancel := context.WithCancel(ctx)
	defer cancel()
	groups, limited, err := Find(search, q.rec, find, func(percent int, thread string) {
		if percent <= progress+progressStep || sendErr != nil {
			return
		}
		progress = percent
		var o object
		o.bool("search_finished", false)
		o.text("search_message", "searching "+thread)
		o.int("search_progress", int64(percent))
		o.text("session_id", q.id)
		if sendErr = out.success(&o); sendErr != nil {
			cancel()
		}
	})
	if sendErr != nil {
		return sendErr
	}
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
	data, err := q.groups(groups)
	if err != nil {
		return err
	}
	var o object
	o.raw("method_call_groups", data)
	o.raw("method_ids", appendInts(nil, ids))
	o.bool("search_error", limited)
	o.bool("search_finished", !limited)
	o.text("search_message", message)
	o.int("search_progress", int64(progress))
	o.text("session_id", q.id)
	return out.success(&o)
}

// groups writes the hits of a search.
func (q *query) groups(groups []Group) ([]byte, error) {
	var list array
	for i, g := range groups {
		var stack, calls array
		for _, id := range g.Stack {
			name := q.rec.Methods[id]
			if !q.compat {
				name = q.rec.Method(id)
			}
			var o object
			o.raw("features", []byte("[]"))
			o.text("full_name", name)
			o.int("method_id", int64(id))
			stack.add(&o)
		}
		for _, c := range g.Calls {
			if len(list.b)+len(calls.b) > maxReply {
				return nil, failuref("the answer would have more than %d MB: raise min_duration or lower max_size", maxReply>>20)
			}
			calls.add(q.call(&c))
		}
		var o object
		o.raw("call_stack", stack.end())
		o.raw("features", []byte("[]"))
		o.int("group_id", int64(i+1))
		o.raw("method_calls", calls.end())
		list.add(&o)
	}
	return list.end(), nil
}

func (q *query) call(c *Call) *object {
	var o object
	o.int("calls", c.Samples)
	o.int("cpu", c.CPUNs/1000)
	o.int("duration", c.Ms)
	o.raw("durations", appendInts(nil, c.StackMs))
	name := ""
	if !q.compat {
		name = q.rec.Method(c.Method)
		o.int("at_time", c.AtMs)
	}
	o.text("full_name", name)
	o.int("method_id", int64(c.Method))
	o.raw("primary_stacks", appendInts(nil, c.Stack))
	o.int("samples", 0)
	o.int("start_time", c.StartMs)
	o.int("thread_id", c.Thread)
	o.text("thread_name", c.ThreadName)
	return &o
}
