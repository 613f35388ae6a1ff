package chartstest

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// Trace makes a stack trace as the tracer writes it.
func Trace(functions ...string) string {
	var b strings.Builder
	b.WriteString("gst_debug_get_stack_trace " +
		"(/usr/lib/x86_64-linux-gnu/libgstreamer-1.0.so.0.2200.0:0x7f131f6b64b5)\n?? " +
		"(/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstcoretracers.so:0x7f131eff4c55)\n")
	for _, f := range functions {
		switch {
		case f == "??":
			b.WriteString("?? (/usr/lib/x86_64-linux-gnu/libgstreamer-1.0.so.0.2200.0:0x7f131f697bf3)\n")
		case strings.Contains(f, "("):
			b.WriteString(f + "\n")
		default:
			b.WriteString(f + " (/usr/lib/x86_64-linux-gnu/libgstreamer-1.0.so.0.2200.0:0x7f131f692b32)\n")
		}
	}
	return b.String()
}

// LeakSession has the leaks of a program, the listings of two checkpoints, and the history of a pad
// with two references never released.
func LeakSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{File: true, Program: "leaky"})
	id := model.ResourceID(0)
	list := func(fate model.ResourceFate, listing int, class, address, description string, refs int64, tr string) {
		s.Apply(model.ResourceDef{
			ID: id, Fate: fate, Listing: listing, Time: 1_790_000_000, Type: class, Address: address,
			Description: description, RefCount: refs, Trace: tr,
		})
		id++
	}
	main := []string{"gst_parse_launch_full", "main (leaky.c:4)", "__libc_start_call_main (libc_start_call_main.h:58)"}
	list(model.ResourceLeaked, 3, "GstPad", "0x55e44be32680", "<passer:src>", 3,
		Trace(append([]string{"??", "??", "g_object_new_valist", "g_object_new", "gst_pad_new_from_template", "??"},
			main...)...))
	list(model.ResourceLeaked, 3, "GstPad", "0x55e44be32430", "<passer:sink>", 1, "")
	list(model.ResourceLeaked, 3, "GstMessage", "0x5653c94e9090",
		"application message: 0x5653c94e9090, time 99:99:99.999999999, seq-num 8, element 'passer', GstMessageQuirk, "+
			"text=(string)\"a; b, c\";", 1, "")
	list(model.ResourceLeaked, 3, "GstCaps", "0x5653c947db70",
		"video/x-raw, format=(string){ I420, NV12 }, width=(int)[ 1, 640 ], framerate=(fraction)30/1", 1, "")
	list(model.ResourceLeaked, 3, "GstEvent", "0x5653c94ea8a0",
		"seek event: 0x5653c94ea8a0, time 99:99:99.999999999, seq-num 7", 1, "")
	for i := range 14 {
		list(model.ResourceAdded, 1, "GstBuffer", fmt.Sprintf("0x7f27b002e%03x", 32*i), "", -1, "")
		if i%2 == 0 {
			list(model.ResourceAdded, 2, "GstMemory", fmt.Sprintf("0x7f27b001c%03x", 16*i), "", -1, "")
		}
		if i%3 == 0 {
			list(model.ResourceRemoved, 2, "GstBuffer", fmt.Sprintf("0x7f27b002e%03x", 32*i), "", -1, "")
		}
	}
	step := func(ms int64, ref bool, count int64, functions ...string) {
		s.Apply(model.RefEvent{Resource: 0, Time: ms * 1_000_000, Ref: ref, Count: count, Trace: Trace(functions...)})
	}
	step(219, true, 2, append([]string{"gst_object_ref", "gst_element_link_pads_full", "gst_element_link_pads_filtered",
		"??"}, main...)...)
	step(359, false, 1, append([]string{"gst_object_unref", "gst_element_link_pads_full", "gst_element_link_pads_filtered",
		"??"}, main...)...)
	at := int64(371)
	for range 9 {
		step(at, true, 2, "gst_object_ref", "gst_pad_get_peer", "??", "g_list_foreach", "gst_bin_iterate_sorted",
			"gst_element_change_state", "main (leaky.c:10)")
		step(at+4, false, 1, "gst_object_unref", "??", "g_list_foreach", "gst_bin_iterate_sorted", "gst_element_change_state",
			"main (leaky.c:10)")
		at += 41
	}
	step(800, true, 2, "gst_object_ref", "on_pad_added (leaky.c:31)", "g_signal_emit", "main (leaky.c:10)")
	step(860, true, 3, "gst_object_ref", "gst_pad_get_peer", "??", "g_list_foreach")
	step(864, false, 2, "gst_object_unref", "??", "g_list_foreach")
	step(1200, true, 3, "gst_object_ref", "remember (leaky.c:52)", "on_message (leaky.c:44)", "main (leaky.c:12)")
	step(1300, true, 4, "gst_object_ref", "gst_pad_push", "gst_base_src_loop")
	step(1500, false, 3, "gst_object_unref", "gst_pad_push", "gst_base_src_loop")
	return s
}
