package perfscript

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// maxSymbol is how much of a symbol is kept, in bytes: names of templates have no end.
const maxSymbol = 4 << 10

// frame is a line of a stack.
type frame struct {
	zero        bool // its address is 0
	digits      int  // of its address
	symbol, dso []byte
}

func hexDigit(c byte) bool { return digit(c) || c >= 'a' && c <= 'f' }

// parse reads a line: ADDRESS SYMBOL+0xOFFSET (DSO). All but the address may be missing.
func (f *frame) parse(line []byte) bool {
	address, rest := cutWord(pastBlanks(line))
	if len(address) == 0 || len(address) > 16 {
		return false
	}
	f.zero, f.digits = true, len(address)
	for _, c := range address {
		if !hexDigit(c) {
			return false
		}
		f.zero = f.zero && c == '0'
	}
	f.symbol, f.dso = rest, nil
	if at := lastGroup(rest); at >= 0 && (at == 0 || blank(rest[at-1])) {
		f.symbol, f.dso = bytes.TrimRight(rest[:at], blanks), rest[at+1:len(rest)-1]
	}
	f.symbol = withoutOffset(f.symbol)
	return bytes.IndexByte(f.symbol, '\t') < 0 && utf8.Valid(f.symbol)
}

// isSure reports whether the line is no row of a table of counts and names, such as pprof's text: it has a DSO, or an
// address that no count looks like. pprof writes (inline) behind a name where perf writes (inlined).
func (f *frame) isSure() bool {
	return f.digits >= fewDigits || f.dso != nil && string(f.dso) != "inline"
}

// lastGroup returns where the parentheses open that close at the end of a text, -1 where there are none.
func lastGroup(b []byte) int {
	if len(b) == 0 || b[len(b)-1] != ')' {
		return -1
	}
	depth := 0
	for k := len(b) - 1; k >= 0; k-- {
		switch b[k] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// withoutOffset cuts +0x1f from the end of a symbol.
func withoutOffset(b []byte) []byte {
	i := len(b)
	for i > 0 && hexDigit(b[i-1]) {
		i--
	}
	if i < len(b) && bytes.HasSuffix(b[:i], []byte("+0x")) {
		return b[:i-3]
	}
	return b
}

// place is a line that says where in the source the frame above is: file.c:13, or game[4f0], game+0x4f0 where perf
// does not know.
var place = regexp.MustCompile(`^\S.*(:[0-9?-]+|\[[0-9a-f]+\]|\+0x[0-9a-f]+)$`)

// symbols gives frames their names, below the libraries that they are in.
type symbols struct {
	names *trace.Table
	key   []byte
	fresh model.CollectorDef // of the frame that came last, if it is the first of its function
}

// locate takes the line behind a frame that says where in the source it is.
func (x *symbols) locate(line []byte, sink feed.Sink) {
	def := x.fresh
	if def.Place = trace.PlaceOf(string(line)); def.ID > trace.Other && def.Line > 0 {
		sink.Define(def)
	}
	x.fresh = model.CollectorDef{}
}

// collector returns the collector of a frame.
func (x *symbols) collector(f *frame) model.CollectorID {
	x.key = append(append(append(x.key[:0], f.symbol...), 0), f.dso...)
	x.fresh = model.CollectorDef{}
	id := x.names.Keyed(x.key, func() model.CollectorDef {
		def := model.CollectorDef{Name: shownSymbol(f.symbol), Parent: trace.Root}
		switch dso := string(f.dso); dso {
		case "", "inlined", "[unknown]":
		default:
			def.Parent = x.names.Group(f.dso, func() string { return shownDSO(dso) })
		}
		def.Sort = -1
		x.fresh = def
		return def
	})
	if x.fresh.Name != "" {
		x.fresh.ID = id
	}
	return id
}

var rustHash = regexp.MustCompile(`(.)::h[0-9a-f]{16}$`)

// shownSymbol is a symbol without the hash that Rust appends.
func shownSymbol(b []byte) string {
	if len(b) == 0 {
		return "[unknown]"
	}
	return string(rustHash.ReplaceAll(b[:min(len(b), maxSymbol)], []byte("$1")))
}

// shownDSO returns the shown name of a library or program: its file name without its folder.
func shownDSO(dso string) string {
	if at := strings.LastIndexByte(dso, '/'); at >= 0 && at+1 < len(dso) && dso[0] == '/' {
		return dso[at+1:]
	}
	return dso
}
