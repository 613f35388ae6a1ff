package flare

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// maxStack bounds the depth of a stack; the agent's own limit is 2,000.
const maxStack = 1 << 14

// folderStacks keeps each different stack once: neighbouring samples mostly have the same.
type folderStacks struct {
	known map[string][]MethodID
	names map[string]string
	ids   []MethodID
	key   []byte
}

func newStacks() *folderStacks {
	return &folderStacks{known: map[string][]MethodID{}, names: map[string]string{}}
}

// intern returns a kept copy of s.ids.
func (s *folderStacks) intern() []MethodID {
	s.key = s.key[:0]
	for _, id := range s.ids {
		s.key = binary.LittleEndian.AppendUint64(s.key, uint64(id))
	}
	if have, ok := s.known[string(s.key)]; ok {
		return have
	}
	kept := append([]MethodID(nil), s.ids...)
	s.known[string(s.key)] = kept
	return kept
}

// name returns a kept copy of a thread's name.
func (s *folderStacks) name(b []byte) string {
	if have, ok := s.names[string(b)]; ok {
		return have
	}
	name := string(b)
	s.names[name] = name
	return name
}

// folderMaxTimeMs bounds the times of samples, so that differences of them never overflow: some 280,000
// years after 1970.
const folderMaxTimeMs = 1 << 53

// parseRecord reads one stack record. The form that the recorder writes is scanned; anything else
// goes through the general reader of JSON.
func parseRecord(data []byte, st *folderStacks) (x Record, name string, err error) {
	x, name, err = readRecord(data, st)
	if err == nil && (x.TimeMs < 0 || x.TimeMs > folderMaxTimeMs) {
		return x, name, fmt.Errorf("a record has the invalid time %d ms", x.TimeMs)
	}
	return x, name, err
}

func readRecord(data []byte, st *folderStacks) (x Record, name string, err error) {
	if x, name, ok := scanRecord(data, st); ok {
		return x, name, nil
	}
	var j struct {
		Name  string     `json:"name"`
		CPU   int64      `json:"cpu_time"`
		Delta int64      `json:"cpu_time_delta"`
		Time  *int64     `json:"sample_time"`
		Count *int64     `json:"sample_count"`
		Stack []MethodID `json:"stacktrace"`
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return x, "", fmt.Errorf("a record is not a sample in JSON: %w", err)
	}
	if j.Time == nil {
		return x, "", fmt.Errorf("a record has no sample_time")
	}
	if len(j.Stack) > maxStack {
		return x, "", fmt.Errorf("a stack has too many methods: %d", len(j.Stack))
	}
	st.ids = append(st.ids[:0], j.Stack...)
	x = Record{TimeMs: *j.Time, CPUNs: j.CPU, CPUDeltaNs: j.Delta, Count: 1, Stack: st.intern()}
	if j.Count != nil {
		x.Count = *j.Count
	}
	return x, j.Name, nil
}

// scanRecord reads the compact form with the members in their usual order; ok is false for anything
// else.
func scanRecord(data []byte, st *folderStacks) (x Record, name string, ok bool) {
	s := scanner{data: data, ok: true}
	s.word(`{"id":`)
	s.int()
	s.word(`,"name":"`)
	name = s.text(st)
	s.word(`,"priority":`)
	s.int()
	s.word(`,"daemon":false,"state":"","cpu_time":`)
	x.CPUNs = s.int()
	s.word(`,"cpu_time_delta":`)
	x.CPUDeltaNs = s.int()
	s.word(`,"sample_time":`)
	x.TimeMs = s.int()
	s.word(`,"sample_count":`)
	x.Count = s.int()
	s.word(`,"stacktrace":[`)
	st.ids = st.ids[:0]
	for s.ok && s.at < len(data) && data[s.at] != ']' {
		if len(st.ids) > 0 {
			s.word(",")
		}
		st.ids = append(st.ids, MethodID(s.int()))
		if len(st.ids) > maxStack {
			return x, "", false
		}
	}
	s.word(`]`)
	if !s.ok {
		return x, "", false
	}
	// What follows are scratch members, always 0 on disk.
	if string(data[s.at:]) != `,"duration":0,"self_duration":0,"self_cpu_time":0}` {
		return x, "", false
	}
	x.Stack = st.intern()
	return x, name, true
}

type scanner struct {
	data []byte
	at   int
	ok   bool
}

func (s *scanner) word(w string) {
	if !s.ok || len(s.data)-s.at < len(w) || string(s.data[s.at:s.at+len(w)]) != w {
		s.ok = false
		return
	}
	s.at += len(w)
}

func (s *scanner) int() (n int64) {
	if !s.ok {
		return 0
	}
	neg := s.at < len(s.data) && s.data[s.at] == '-'
	if neg {
		s.at++
	}
	from := s.at
	for s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '9' && s.at-from < 18 {
		n = n*10 + int64(s.data[s.at]-'0')
		s.at++
	}
	if s.at == from || s.data[from] == '0' && s.at > from+1 {
		s.ok = false
	}
	if neg {
		n = -n
	}
	return n
}

// text reads up to the closing quote; the general reader handles escapes and other than plain printable text.
func (s *scanner) text(st *folderStacks) string {
	from := s.at
	for ; s.ok && s.at < len(s.data); s.at++ {
		c := s.data[s.at]
		if c == '"' {
			s.at++
			return st.name(s.data[from : s.at-1])
		}
		if c < 0x20 || c == '\\' || c >= 0x7f {
			break
		}
	}
	s.ok = false
	return ""
}
