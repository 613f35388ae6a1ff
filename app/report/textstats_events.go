// This file writes the output of the official text-stats. It depends on the store.

package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strconv"

	"framescope/model"
	"framescope/model/store"
)

// Events writes the trace events of text-stats' JSON (section 15.3), one a line: with names
// escaped and a closing bracket, so that any JSON parser reads them.
type Events struct {
	Out     *bufio.Writer
	Session *store.Session
	Name    func(*model.Collector) string // full names
	PID     int64
	Any     bool // something was written already

	names map[model.CollectorID][]byte // quoted
	line  []byte
}

// Thread writes the name of a thread.
func (w *Events) Thread(t *store.Track) {
	w.begin()
	w.line = append(w.line, `{"name":"thread_name","ph":"M","pid":`...)
	w.line = strconv.AppendInt(w.line, w.PID, 10)
	w.line = append(w.line, `,"tid":`...)
	w.line = strconv.AppendInt(w.line, int64(t.Def.Index), 10)
	w.line = append(w.line, `,"args":{"name":`...)
	w.line = append(w.line, quote(t.Title())...)
	w.line = append(w.line, "}}"...)
	w.end()
}

func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return []byte(`""`) // a string always encodes
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (w *Events) begin() {
	w.line = w.line[:0]
	if w.Any {
		w.line = append(w.line, ",\n"...)
	}
	w.Any = true
}

func (w *Events) end() { w.Out.Write(w.line) }

// Event writes that a collector began on a thread, or ended.
func (w *Events) Event(c model.CollectorID, micros int64, begin bool, tid int) {
	name, ok := w.names[c]
	if !ok {
		col := w.Session.Collector(c)
		if col == nil {
			col = &model.Collector{Name: "Unknown"}
		}
		name = quote(w.Name(col))
		if col.Defined { // otherwise its name may still come
			if w.names == nil {
				w.names = map[model.CollectorID][]byte{}
			}
			w.names[c] = name
		}
	}
	w.begin()
	w.line = append(w.line, `{"name":`...)
	w.line = append(w.line, name...)
	w.line = append(w.line, `,"ts":`...)
	w.line = strconv.AppendInt(w.line, micros, 10)
	if begin {
		w.line = append(w.line, `,"ph":"B","tid":`...)
	} else {
		w.line = append(w.line, `,"ph":"E","tid":`...)
	}
	w.line = strconv.AppendInt(w.line, int64(tid), 10)
	w.line = append(w.line, `,"pid":`...)
	w.line = strconv.AppendInt(w.line, w.PID, 10)
	w.line = append(w.line, '}')
	w.end()
}
