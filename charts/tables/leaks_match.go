package tables

import (
	"strings"

	"framescope/charts/format"
	"framescope/model"
)

// matchRefs finds for each event of a reference history its partner: for a reference taken the
// event that gave it up, and the other way round; -1 without one. References without a partner keep
// an object alive.
//
// The log does not say which reference an unref gives up, so this is a rule, not a fact. Code
// mostly gives up a reference in the function that took it, the latest one first; so each function
// that takes references has a stack, and an unref in a function pops the stack of that function.
// The remaining unrefs belong to references that were handed on: they give up the latest one, taken
// before them, that no function gave up itself. Without traces, or with nameless functions, only
// the second part works, and the pairs nest like brackets.
func matchRefs(events []model.RefEvent) (partner []int32) {
	for range events {
		partner = append(partner, -1)
	}
	pair := func(open []int32, i int) []int32 {
		if events[i].Ref {
			return append(open, int32(i))
		}
		n := len(open)
		if n == 0 {
			return open
		}
		partner[i], partner[open[n-1]] = open[n-1], int32(i)
		return open[:n-1]
	}
	stacks := map[string][]int32{}
	for i := range events {
		if head := traceHead(events[i].Trace); head != "" {
			stacks[head] = pair(stacks[head], i)
		}
	}
	var open []int32
	for i := range events {
		if partner[i] < 0 {
			open = pair(open, i)
		}
	}
	return partner
}

// traceFrame is one line of a stack trace: "gst_pad_new (gstpad.c:412)", "??
// (/usr/lib/libgstbase-1.0.so.0:0x7f13)".
type traceFrame struct{ function, place string }

// parseFrame parts a line of a trace.
func parseFrame(line string) traceFrame {
	line = strings.TrimSpace(line)
	if i := strings.LastIndex(line, " ("); i >= 0 && strings.HasSuffix(line, ")") {
		return traceFrame{line[:i], line[i+2 : len(line)-1]}
	}
	return traceFrame{function: line}
}

// nextFrame returns the first frame of a trace and the rest; it skips empty lines.
func nextFrame(trace string) (f traceFrame, rest string, ok bool) {
	for len(trace) > 0 {
		var line string
		line, trace, _ = strings.Cut(trace, "\n")
		if f = parseFrame(line); f.function != "" {
			return f, trace, true
		}
	}
	return traceFrame{}, "", false
}

// unnamed reports whether the function of a frame is not known.
func (f traceFrame) unnamed() bool { return f.function == "??" }

// library returns the name of the library that a frame is in, without folders and version, or the
// file: "libgstbase-1.0".
func (f traceFrame) library() string {
	place := f.place
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		place = place[:i]
	}
	place = place[strings.LastIndexAny(place, `/\`)+1:]
	if i := strings.Index(place, ".so"); i > 0 {
		place = place[:i]
	}
	return place
}

// plumbing reports whether a frame belongs to the tracer, or to the functions that take, give up or
// make every reference: it does not identify the caller.
func (f traceFrame) plumbing() bool {
	if strings.Contains(f.place, "gstcoretracers") || strings.Contains(f.place, "gstleaks") {
		return true
	}
	switch name := f.function; name {
	case "gst_debug_get_stack_trace", "gst_object_ref", "gst_object_unref", "gst_object_ref_sink", "gst_object_replace",
		"gst_mini_object_ref", "gst_mini_object_unref",
		"g_object_ref", "g_object_unref", "g_object_ref_sink", "g_type_create_instance", "gst_clear_object":
		return true
	default:
		return strings.HasPrefix(name, "g_object_new") || strings.HasPrefix(name, "gst_tracer_")
	}
}

// traceHead returns the function that a reference was taken or given up in: the first frame of a
// trace that is no plumbing; nothing when its name is not known.
func traceHead(trace string) string {
	for f, rest, ok := nextFrame(trace); ok; f, rest, ok = nextFrame(rest) {
		switch {
		case f.plumbing():
		case f.unnamed():
			return ""
		default:
			return f.function
		}
	}
	return ""
}

// appendTraceLine appends a trace folded to a line: the functions from the innermost out, without
// plumbing and nameless ones, at most four.
func appendTraceLine(dst []byte, trace string) []byte {
	n, library := 0, ""
	for n < 4 {
		f, rest, ok := nextFrame(trace)
		if !ok {
			break
		}
		trace = rest
		if f.plumbing() {
			continue
		}
		if f.unnamed() {
			if n == 0 && library == "" {
				library = f.library()
			}
			continue
		}
		if n > 0 {
			dst = append(dst, " ‹ "...)
		}
		dst = append(dst, format.ClipName(f.function)...)
		n++
	}
	if n == 0 {
		if library == "" {
			return append(dst, "no trace"...)
		}
		dst = append(append(dst, "somewhere in "...), format.ClipName(library)...)
	}
	return dst
}

// numFrames returns the number of frames of a trace, at most limit.
func numFrames(trace string, limit int) (n int) {
	for _, rest, ok := nextFrame(trace); ok && n < limit; _, rest, ok = nextFrame(rest) {
		n++
	}
	return n
}

// frameAt returns the frame with an index.
func frameAt(trace string, index int) (f traceFrame) {
	for range index + 1 {
		f, trace, _ = nextFrame(trace)
	}
	return f
}
