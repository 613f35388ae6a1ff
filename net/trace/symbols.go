package trace

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
)

// Symbol is the number of a text of a recording: the name of spans, or the text of a message.
type Symbol uint32

const (
	// MoreSymbol stands for texts that there was no room for.
	MoreSymbol Symbol = 0
	// EmptySymbol is the empty text.
	EmptySymbol Symbol = 1
	// NoSymbol is no text, not even an empty one.
	NoSymbol = ^Symbol(0)
)

// The kinds of spans with collectors: calls of threads, and asynchronous spans, which are no calls.
const (
	ofThreads = iota
	ofTasks
)

// Symbols gives each text of a recording a number, and names their collectors and call paths.
type Symbols struct {
	room       *feed.Names
	bad        *Diagnostics
	table      *Table
	byText     map[string]Symbol
	byJSON     map[string]Symbol // as they stand in the file, with escapes
	list       []string
	collectors [2][]model.CollectorID // by symbol, 0: none yet
	places     map[Symbol]place       // of spans with that name
}

// place is a file and a line of the source code; the file is NoSymbol where there are several.
type place struct {
	file Symbol
	line int64
}

func newSymbols(sink feed.Sink, room *feed.Names, bad *Diagnostics, root string) Symbols {
	return Symbols{
		room: room, bad: bad, table: NewTable(sink, room, root), byText: map[string]Symbol{"": EmptySymbol},
		byJSON: map[string]Symbol{}, list: []string{feed.MoreNames, ""}, places: map[Symbol]place{},
	}
}

// Symbol returns the number of a text as it stands in the recording. Of one longer than MaxText the begin counts.
func (s *Symbols) Symbol(raw []byte) Symbol {
	if n, ok := s.byText[string(raw)]; ok {
		return n
	}
	if len(raw) > MaxText {
		return s.JSONSymbol(bytes.ReplaceAll(raw, []byte{'\\'}, []byte(`\\`)))
	}
	return s.add(s.byText, raw, func() string { return Text(string(raw)) })
}

// JSONSymbol returns the number of a text in JSON, with escapes.
func (s *Symbols) JSONSymbol(raw []byte) Symbol {
	if bytes.IndexByte(raw, '\\') < 0 && len(raw) <= MaxText {
		return s.Symbol(raw)
	}
	long := len(raw) > MaxText
	raw = raw[:min(len(raw), MaxText+utf8.UTFMax)] // JSONText marks what it cuts
	if n, ok := s.byJSON[string(raw)]; ok {
		return n
	}
	if long {
		s.bad.Bad(LongText, Unknown)
	}
	text := JSONText(raw)
	if n, ok := s.byText[text]; ok && !strings.ContainsRune(text, utf8.RuneError) {
		return n
	}
	return s.add(s.byJSON, raw, func() string { return text })
}

func (s *Symbols) add(to map[string]Symbol, raw []byte, text func() string) Symbol {
	if !s.room.Take(int64(2*len(raw) + 160)) {
		s.bad.Bad(NoMemoryForNames, Unknown)
		return MoreSymbol
	}
	n := Symbol(len(s.list))
	x := text()
	s.list = append(s.list, x)
	if key := string(raw); key != x {
		to[key] = n
	} else {
		to[x] = n
	}
	if _, ok := s.byText[x]; !ok && !strings.ContainsRune(x, utf8.RuneError) {
		s.byText[x] = n
	}
	return n
}

// Known returns the number of a text that the recording has; ok is false if it does not.
func (s *Symbols) Known(text string) (n Symbol, ok bool) {
	n, ok = s.byText[text]
	return n, ok
}

// Words returns the text of a symbol.
func (s *Symbols) Words(n Symbol) string {
	if int(n) >= len(s.list) {
		return ""
	}
	return s.list[n]
}

// Locate notes where in the source code spans with a name are, before they are published.
func (s *Symbols) Locate(n, file Symbol, line int64) {
	was, known := s.places[n]
	switch {
	case known && was.file != file:
		s.places[n] = place{file: NoSymbol}
	case !known && s.room.Take(64):
		s.places[n] = place{file, line}
	}
}

// placeOf returns the place of spans with a name.
func (s *Symbols) placeOf(n Symbol) model.Place {
	p, known := s.places[n]
	if !known {
		return model.Place{}
	}
	return Place(s.Words(p.file), p.line)
}

// collector returns the collector of a symbol.
func (s *Symbols) collector(kind int, n Symbol) model.CollectorID {
	known := s.collectors[kind]
	if int(n) >= len(known) {
		known = append(known, make([]model.CollectorID, len(s.list)-len(known))...)
		s.collectors[kind] = known
	}
	if known[n] != 0 {
		return known[n]
	}
	if n == MoreSymbol {
		known[n] = Other
		return Other
	}
	name := s.list[n]
	key := strings.Repeat("\x00", kind) + name
	if strings.ContainsRune(name, utf8.RuneError) { // others that are no UTF-8 may be shown alike, and are others
		key += "\x00" + string(rune(n))
	}
	known[n] = s.table.Keyed([]byte(key), func() model.CollectorDef {
		return model.CollectorDef{Name: name, Place: s.placeOf(n)}
	})
	return known[n]
}

// path returns the call path of a symbol below another.
func (s *Symbols) path(kind int, parent model.PathID, n Symbol) model.PathID {
	return s.table.Path(parent, s.collector(kind, n))
}
