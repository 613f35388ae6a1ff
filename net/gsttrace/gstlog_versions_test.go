package gsttrace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What other versions than 1.22 write, and damaged logs; the source is FORMAT.md.

func TestSymbolsBefore118(t *testing.T) {
	s, _ := table(place + `x.class, thread-id=(structure)"scope\,\ type\=\(type\)guint64\,\ related-to\=\(GstTracerValueScope\)GST_TRACER_VALUE_SCOPE_THREAD\;", ` +
		`load=(structure)"value\,\ type\=\(type\)guint\,\ description\=\(string\)\"load\\\ in\\\ \\342\\200\\260\"\,\ flags\=\(GstTracerValueFlags\)GST_TRACER_VALUE_FLAGS_OPTIONAL+GST_TRACER_VALUE_FLAGS_AGGREGATED\,\ min\=\(guint\)0\,\ max\=\(guint\)1000\;", ` +
		`all=(structure)"value\,\ type\=\(type\)guint64\,\ min\=\(guint64\)0\,\ max\=\(guint64\)18446744073709551615\;";` + "\n" +
		columns + "x, thread-id=(guint64)7, have-load=(boolean)0, load=(uint)99, all=(guint64)1;\n")
	want := []Field{
		{Name: "thread-id", Type: "guint64", Kind: KindUint, Scope: true, Related: RelatedThread},
		{Name: "load", Type: "uint", Kind: KindUint, Optional: true, Aggregated: true, Description: "load in ‰", Max: 1000, HasMin: true, HasMax: true},
		{Name: "all", Type: "guint64", Kind: KindUint},
	}
	if diff := cmp.Diff(want, s.classes["x"].Fields); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]map[string]string{{"": "x", "thread-id": "7", "load": "-", "all": "1"}}, s.all); diff != "" {
		t.Error(diff)
	}
}

// After 1.28 classes are announced at their first use, with types of their own, and records are in
// structure notation.
func TestAfter128(t *testing.T) {
	log := columns + `latency.class, src=(structure)"scope\,\ type\=\(GstTracerFieldType\)string\,\ related-to\=\(GstTracerValueScope\)pad\;", time=(structure)"value\,\ type\=\(GstTracerFieldType\)clock-time\;", ` +
		`live=(structure)"value\,\ type\=\(GstTracerFieldType\)boolean\,\ flags\=\(GstTracerValueFlags\)optional\;", n=(structure)"value\,\ type\=\(GstTracerFieldType\)int\;";` + "\n" +
		columns + `latency, src=(string)"my\ source\,\ \"main\"", time=(guint64)15, have-live=(boolean)true, live=(boolean)true, n=(int)-3;` + "\n" +
		columns + `latency, src=(string)plain, time=(guint64)16, have-live=(boolean)false, live=(boolean)false, n=(int)4;` + "\n" +
		columns + `latency, src=(string)NULL, time=(guint64)17, n=(int)4;` + "\n" +
		columns + `latency, src=(string)cut, time=(guint64)18;` + "\n"
	s, c := table(log)
	want := []map[string]string{
		{"": "latency", "src": `"my source, \"main\""`, "time": "15", "live": "true", "n": "-3"},
		{"": "latency", "src": `"plain"`, "time": "16", "live": "-", "n": "4"},
		{"": "latency", "src": "-", "time": "17", "live": "-", "n": "4"},
	}
	if diff := cmp.Diff(want, s.all[:3]); diff != "" || s.classes["latency"].Fields[1].Kind != KindUint {
		t.Errorf("%s", diff)
	}
	if c.Announcements != 1 || len(s.all) != 4 || c.Generic != 1 { // one field is missing: by its own notation
		t.Errorf("%+v", c)
	}
}

// The same without the announcement: stock layouts whose types differ are read by notation, with
// the roles that are known.
func TestLateStartAfter128(t *testing.T) {
	s, c := table(columns + `buffer, thread-id=(guint64)5, ts=(guint64)6, pad-ix=(uint)1, buffer-size=(uint)8, have-buffer-pts=(boolean)false, buffer-pts=(guint64)3, buffer-flags=(uint)64;` + "\n" +
		columns + `event, thread-id=(guint64)5, ts=(guint64)6, pad-ix=(uint)1, element-ix=(uint)2, name=(string)"a\ b";` + "\n")
	want := []map[string]string{
		{"": "buffer", "thread-id": "5", "ts": "6", "pad-ix": "1", "buffer-size": "8", "buffer-pts": "-", "buffer-flags": "64"},
		{"": "event", "thread-id": "5", "ts": "6", "pad-ix": "1", "element-ix": "2", "name": `"a b"`},
	}
	if diff := cmp.Diff(want, s.all); diff != "" {
		t.Error(diff)
	}
	f := s.classes["buffer"].Fields
	if c.Generic != 1 || !f[0].Scope || f[0].Related != RelatedThread || !f[4].Optional || s.classes["buffer"].Origin != OriginGeneric {
		t.Errorf("%+v %+v", c, f)
	}
}

func TestLatencyOf114(t *testing.T) {
	s, _ := table(columns + "latency, src=(string)a b_src, sink=(string)c_sink, time=(guint64)5, ts=(guint64)6;\n")
	if diff := cmp.Diff([]map[string]string{{"": "latency", "src": `"a b_src"`, "sink": `"c_sink"`, "time": "5", "ts": "6"}}, s.all); diff != "" || s.classes["latency"].Origin != OriginBuiltin {
		t.Error(diff)
	}
}

func TestTemplateWhereTheAnnouncementIsDamaged(t *testing.T) {
	log := place + `y.class, id=(structure)"scope\,\ type\=` + "\n" +
		hint + "y, id=(string)%s, have-n=(boolean)%i, n=(guint64)%I64u, x=(double)%f;\n" +
		columns + "y, id=(string)a, b; c, have-n=(boolean)1, n=(guint64)12, x=(double)0,500000;\n" +
		columns + "y, id=(string), have-n=(boolean)0, n=(guint64)12, x=(double)-1.5e3;\n"
	s, c := table(log)
	want := []map[string]string{{"": "y", "id": `"a, b; c"`, "n": "12", "x": "0.5"}, {"": "y", "id": `""`, "n": "-", "x": "-1500"}}
	if diff := cmp.Diff(want, s.all); diff != "" || c.Damaged != 1 || c.Unreadable != 1 || s.classes["y"].Origin != OriginTemplate {
		t.Errorf("%+v\n%s", c, diff)
	}
}

// A program that was started again announces once more: the same class stays the same pointer,
// another layout is a new class, and records of both are read.
func TestAnnouncedAgain(t *testing.T) {
	first := place + `z.class, a=(structure)"value\,\ type\=\(type\)guint\;";` + "\n" + hint + "z, a=(uint)%u;\n"
	second := place + `z.class, a=(structure)"value\,\ type\=\(type\)guint\;", b=(structure)"value\,\ type\=\(type\)gchararray\;";` + "\n"
	text, c := read(first + columns + "z, a=(uint)1;\n" + first + second + columns + "z, a=(uint)2, b=(string)x;\n" + columns + "z, a=(uint)3;\n")
	if n := strings.Count(text, "class z announced"); n != 2 || c.Announcements != 3 || c.Records != 3 || c.Generic != 0 {
		t.Errorf("%d classes, %+v\n%s", n, c, text)
	}
}

func TestColumnsAndPositions(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"0:00:00.003750296  6096 0x5591e4446f50 DEBUG             GST_TRACER gsttracer.c:159:gst_tracer_register:<registry0> update x (latency)",
			"message @0 line 1 3750296 pid 6096 0x5591e4446f50 DEBUG GST_TRACER gsttracer.c:159:gst_tracer_register:true<registry0> \"update x (latency)\"\n"},
		{"100:01:02.000000003 1 (nil) WARN x C:\\a b\\c.c:12:A::f::g:<a:b@0x1> > m",
			"message @0 line 1 360062000000003 pid 1 (nil) WARN x C:\\a b\\c.c:12:A::f::g:true<a:b@0x1> \"> m\"\n"},
		{"0:00:00.000000001 1 0x1 INFO x a.c:1:f:(NULL) text", "message @0 line 1 1 pid 1 0x1 INFO x a.c:1:f:true<(NULL)> \"text\"\n"},
		{"0:00:00.000000001 1 0x1 LOG x a.c:1:f:<a> b> text", "message @0 line 1 1 pid 1 0x1 LOG x a.c:1:f:true<a> \"b> text\"\n"},
		{"0:00:00.000000001 1 0x1 ERROR x a.c:1:f: ", "message @0 line 1 1 pid 1 0x1 ERROR x a.c:1:f:false<> \"\"\n"},
		{"0:00:00.000000001 1 0x1 FIXME x a.c:1:f:<a>", "message @0 line 1 1 pid 1 0x1 FIXME x a.c:1:f:true<a> \"\"\n"},
		{"0:00:00.000000001 1 0x1 MEMDUMP x a.c:1:f: 00000000: 41\n  next\n", "message @0 line 1 1 pid 1 0x1 MEMDUMP x a.c:1:f:false<> \"00000000: 41\\n  next\"\n"},
		{"0:00:00.000000001 1 0x1 TRACE x :0:do_push_buffer_pre:<s:src> 0:00:00.1, pad=<s:src>\r\n", "message @0 line 1 1 pid 1 0x1 TRACE x :0:do_push_buffer_pre:true<s:src> \"0:00:00.1, pad=<s:src>\"\n"},
		{"0:00:00.000000001 1 0x1 NOLEVEL x a.c:1:f: m\nfree", "unreadable @0 no level behind the thread: \"0:00:00.000000001 1 0x1 NOLEVEL x a.c:1:f: m\"\nforeign @45 \"free\"\n"},
		{"9999999999:00:00.000000001 1 0x1 LOG x a.c:1:f: m", "unreadable @0 its time can't be read: \"9999999999:00:00.000000001 1 0x1 LOG x a.c:1:f: m\"\n"},
		{"0:00:00.000000001 99999999999999999999 0x1 LOG x a.c:1:f: m\n", "unreadable @0 no process number behind the time: \"0:00:00.000000001 99999999999999999999 0x1 LOG x a.c:1:f: m\"\n"},
		{"0:00:00.0000", "unreadable @0 the log ends in the middle of this line: \"0:00:00.0000\"\n"},
		{"0:00:00.000000001 1 0x", "unreadable @0 the log ends in the middle of this line: \"0:00:00.000000001 1 0x\"\n"},
		{"\xff\xfe\x00", "foreign @0 \"\\xff\\xfe\\x00\"\n"},
	} {
		got, _ := read(test.line)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q\n%s", test.line, diff)
		}
	}
}
