package trace

import (
	"bytes"

	"framescope/model"
)

// Words holds the metadata of a session and counts the unreadable metadata.
type Words struct {
	SessionInfo
	Topology Topology
	Unread   Unread
	ZeroNs   int64 // where HasZero
	HasZero  bool
}

// NewWords returns empty metadata.
func NewWords() Words { return Words{SessionInfo: SessionInfo{Unframed: -1}} }

// Take takes the text of a word at a byte of the file; room asks for memory for what stays, and define defines what one
// should know. It returns false for words that are of something else.
func (w *Words) Take(word string, text []byte, at int64, room func(bytes int64) bool, define func(model.Change)) bool {
	ok := true
	switch word {
	case Session:
		if ok = room(int64(len(text))); ok {
			w.SessionInfo = ReadSession(bytes.Clone(text))
		}
	case Note:
		var note model.Warning
		if note, ok = ReadNote(text); ok && room(int64(len(text))) {
			define(note)
		}
	case Object, Link:
		ok = room(TopologyBytes(text)) && w.Topology.Take(word, text)
	case Zero:
		if len(text) > 0 && text[0] == '{' {
			text = Member(text, Ns)
		}
		var ns int64
		if ns, ok = ReadZero(text); ok {
			w.ZeroNs, w.HasZero = ns, true
		}
	default:
		return false
	}
	if !ok {
		w.Unread.Add(word, at)
	}
	return true
}
