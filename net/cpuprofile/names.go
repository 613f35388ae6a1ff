package cpuprofile

import (
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// frame is where a function is.
type frame struct {
	name, url []byte
	line      int64       // from 1; less: not known
	bad       trace.Tally // members that say nothing that they can
}

// maxLine bounds lines that can be.
const maxLine = math.MaxInt32

// read reads a member of a frame; the format counts lines from 1-first.
func (f *frame) read(r *trace.Reader, key []byte, first int64) {
	switch string(key) {
	case "functionName":
		f.name = append(f.name[:0], f.text(r)...)
	case "url":
		f.url = append(f.url[:0], f.text(r)...)
	case "lineNumber":
		null, at := r.Peek() == 'n', r.At()
		switch line, ok := r.Int(); {
		case ok && line >= -1 && line <= maxLine:
			f.line = line + first
		case !null && r.Err() == nil:
			f.bad.Add(at)
		}
	}
}

// text reads a text, or null.
func (f *frame) text(r *trace.Reader) []byte {
	first, at := r.Peek(), r.At()
	s := r.String()
	if first != '"' && first != 'n' && r.Err() == nil {
		f.bad.Add(at)
	}
	return s
}

// files gives functions their names, below the files that they are in.
type files struct {
	names *trace.Table
	urls  trace.Files
	taken map[string]bool // names of functions, with their files
	key   []byte
}

func newFiles(table *trace.Table) *files {
	return &files{names: table, urls: trace.Files{Names: table}, taken: map[string]bool{}}
}

// collector returns the collector of a function, and which sort of node it is.
func (x *files) collector(f *frame) (model.CollectorID, kind) {
	k := function
	switch string(f.name) {
	case "(root)":
		return trace.Root, root
	case "(idle)":
		return trace.Root, idle
	case "(program)", "(garbage collector)":
		k = other
	}
	x.key = append(append(append(x.key[:0], f.name...), 0), f.url...)
	x.key = strconv.AppendInt(append(x.key, 0), f.line, 10)
	return x.names.Keyed(x.key, func() model.CollectorDef { return x.define(f) }), k
}

// define describes a function: its name below its file. A function without a name, or with the name of
// another one in the file, is named with its line.
func (x *files) define(f *frame) model.CollectorDef {
	parent, file := x.urls.Collector(f.url)
	def := model.CollectorDef{Name: trace.JSONText(f.name), Parent: parent}
	id := def.Name + "\x00" + file
	told := def.Name == "" || x.taken[id]
	if def.Name == "" {
		def.Name = "(anonymous)"
	}
	if told && f.line > 0 {
		def.Name += ":" + strconv.FormatInt(f.line, 10)
	}
	x.taken[id] = true
	return def
}

// thread parses node's file name: CPU.date.time.pid.tid.seq.cpuprofile.
func thread(base string) (pid, tid int64, ok bool) {
	parts := strings.Split(base, ".")
	if len(parts) < 7 || parts[0] != "CPU" || parts[6] != "cpuprofile" {
		return 0, 0, false
	}
	pid, err1 := strconv.ParseInt(parts[3], 10, 32)
	tid, err2 := strconv.ParseInt(parts[4], 10, 32)
	return pid, tid, err1 == nil && err2 == nil && pid > 0 && tid >= 0
}

// programOf returns the name of a file without its endings.
func programOf(base string) string {
	for _, end := range []string{".gz", ".zst", ".json", ".cpuprofile"} {
		base = strings.TrimSuffix(base, end)
	}
	return base
}
