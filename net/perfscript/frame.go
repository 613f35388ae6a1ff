package perfscript

import (
	"bytes"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// maxSymbol is how much of a symbol is kept, in bytes: names of templates have no end.
const maxSymbol = 4 << 10

// frame is a line of a stack.
type frame struct {
	zero        bool // its address is 0
	symbol, dso []byte
	placed      bool // a DSO is given
}

func hexDigit(c byte) bool { return digit(c) || c >= 'a' && c <= 'f' }

// parse reads a line: ADDRESS SYMBOL+0xOFFSET (DSO). All but the address may be missing.
func (f *frame) parse(line []byte) bool {
	i := 0
	for i < len(line) && blank(line[i]) {
		i++
	}
	from := i
	zero := true
	for ; i < len(line) && hexDigit(line[i]); i++ {
		zero = zero && line[i] == '0'
	}
	if i == from || i-from > 16 || i < len(line) && !blank(line[i]) {
		return false
	}
	for i < len(line) && blank(line[i]) {
		i++
	}
	b := line[i:]
	f.zero = zero
	f.symbol, f.dso, f.placed = b, nil, false
	if n := len(b); n > 0 && b[n-1] == ')' {
		depth := 0
		for k := n - 1; k >= 0; k-- {
			if b[k] == ')' {
				depth++
			} else if b[k] == '(' {
				if depth--; depth == 0 {
					if k == 0 || blank(b[k-1]) {
						f.symbol, f.dso, f.placed = b[:blanksBefore(b, k)], b[k+1:n-1], true
					}
					break
				}
			}
		}
	}
	f.symbol = withoutOffset(f.symbol)
	return true
}

// withoutOffset cuts +0x1f from the end of a symbol.
func withoutOffset(b []byte) []byte {
	i := len(b)
	for i > 0 && hexDigit(b[i-1]) {
		i--
	}
	if i < len(b) && i > 3 && b[i-1] == 'x' && b[i-2] == '0' && b[i-3] == '+' {
		return b[:i-3]
	}
	return b
}

// symbols gives frames their names, below the libraries that they are in.
type symbols struct {
	names *trace.Table
	key   []byte
}

// collector returns the collector of a frame.
func (x *symbols) collector(f *frame) model.CollectorID {
	x.key = append(append(append(x.key[:0], f.symbol...), 0), f.dso...)
	return x.names.Keyed(x.key, func() model.CollectorDef {
		def := model.CollectorDef{Name: shownSymbol(f.symbol), Parent: trace.Root}
		switch dso := string(f.dso); dso {
		case "", "inlined", "[unknown]":
		default:
			def.Parent = x.names.Group(f.dso, func() string { return shownDSO(dso) })
			if def.Parent == trace.Other {
				def.Parent = trace.Root
			}
		}
		return def
	})
}

// shownSymbol is a symbol without the hash that Rust appends.
func shownSymbol(b []byte) string {
	const hash = 16
	if at := len(b) - hash - 3; at > 0 && bytes.Equal(b[at:at+3], []byte("::h")) {
		whole := true
		for _, c := range b[at+3:] {
			whole = whole && hexDigit(c)
		}
		if whole {
			b = b[:at]
		}
	}
	if len(b) == 0 {
		return "[unknown]"
	}
	return string(b[:min(len(b), maxSymbol)])
}

// shownDSO returns the shown name of a library or program: its file name without its folder.
func shownDSO(dso string) string {
	if at := strings.LastIndexByte(dso, '/'); at >= 0 && at+1 < len(dso) && dso[0] == '/' {
		return dso[at+1:]
	}
	return dso
}
