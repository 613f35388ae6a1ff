package cpuprofile

import (
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// function is where a function is.
type function struct {
	name, url []byte
	line      int64 // from 1; less: not known
}

// names gives functions their names, below the files that they are in.
type names struct {
	*trace.Profile
	taken map[string]bool // names of functions, with their files
	key   []byte
}

// read reads a member of a function; the format counts lines from 1-first.
func (x *names) read(r *trace.Reader, f *function, key []byte, first int64) {
	switch string(key) {
	case "functionName":
		f.name = x.ReadName(r, f.name[:0])
	case "url":
		f.url = x.ReadName(r, f.url[:0])
	case "lineNumber":
		null, at := r.Peek() == 'n', r.At()
		line, ok := r.Int()
		if ok = ok && line >= -1 && line <= maxLine; ok {
			f.line = line + first
		} else if !null && r.Err() == nil {
			x.Bad.Bad(trace.BadNumber, at)
		}
	}
}

// collector returns the collector of a function, Root of (root) and (idle), which are none.
func (x *names) collector(f *function) model.CollectorID {
	if name := string(f.name); name == "(root)" || name == "(idle)" {
		return trace.Root
	}
	x.key = append(append(append(x.key[:0], f.name...), 0), f.url...)
	x.key = strconv.AppendInt(append(x.key, 0), f.line, 10)
	return x.Names.Keyed(x.key, func() model.CollectorDef { return x.define(f) })
}

// define describes a function: its name below its file. A function without a name, or with the name of
// another one in the file, is named with its line.
func (x *names) define(f *function) model.CollectorDef {
	parent, file := x.Files.Collector(f.url)
	def := model.CollectorDef{
		Name: trace.JSONText(f.name), Parent: parent, Place: trace.Place(trace.JSONText(f.url), f.line),
	}
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

// parseName parses node's file name: CPU.date.time.pid.tid.seq.cpuprofile.
func parseName(base string) (pid, tid int64, ok bool) {
	parts := strings.Split(base, ".")
	if len(parts) < 7 || parts[0] != "CPU" || parts[6] != "cpuprofile" {
		return 0, 0, false
	}
	pid, err1 := strconv.ParseInt(parts[3], 10, 32)
	tid, err2 := strconv.ParseInt(parts[4], 10, 32)
	return pid, tid, err1 == nil && err2 == nil && pid > 0 && tid >= 0
}
