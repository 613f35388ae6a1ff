package gsttrace

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
)

func TestParseStructure(t *testing.T) {
	text := func(s string) StructValue { return StructValue{Text: s} }
	typed := func(typ, s string) StructValue { return StructValue{Type: typ, Text: s} }
	for _, test := range []struct {
		in     string
		want   Structure
		failAt int // -1: no error
	}{
		{`value, type=(type)guint64, description=(string)"per\ mille\ \342\200\260", min=(guint64)0;`, Structure{Name: "value", Fields: []StructField{
			{Name: "type", Type: "type", Value: text("guint64")}, {Name: "description", Type: "string", Value: text("per mille ‰")}, {Name: "min", Type: "guint64", Value: text("0")}}}, -1},
		{`a`, Structure{Name: "a"}, -1},
		{` a ;  `, Structure{Name: "a"}, -1},
		{`a, b = (int) 5 , c=x, ;`, Structure{Name: "a", Fields: []StructField{{Name: "b", Type: "int", Value: text("5")}, {Name: "c", Value: text("x")}}}, -1},
		{`a,\ b=(int)5;`, Structure{Name: "a", Fields: []StructField{{Name: "b", Type: "int", Value: text("5")}}}, -1},
		{`a, b=(string)NULL, c=(string)"NULL", d=(string)"";`, Structure{Name: "a", Fields: []StructField{
			{Name: "b", Type: "string", Value: StructValue{Kind: StructNull}}, {Name: "c", Type: "string", Value: text("NULL")}, {Name: "d", Type: "string", Value: text("")}}}, -1},
		{`video/x-raw(memory:GLMemory), format=(string){ I420, "a\ b" }, size=(fraction)[ 1/2, 30/1 ], m=< (int)1, { x, y } >`, Structure{Name: "video/x-raw", Features: "memory:GLMemory", Fields: []StructField{
			{Name: "format", Type: "string", Value: StructValue{Kind: StructList, Items: []StructValue{text("I420"), text("a b")}}},
			{Name: "size", Type: "fraction", Value: StructValue{Kind: StructRange, Items: []StructValue{text("1/2"), text("30/1")}}},
			{Name: "m", Value: StructValue{Kind: StructArray, Items: []StructValue{typed("int", "1"), {Kind: StructList, Items: []StructValue{text("x"), text("y")}}}}}}}, -1},
		{`a, s=(structure)[b, c=(int)1];`, Structure{Name: "a", Fields: []StructField{{Name: "s", Type: "structure", Value: text("b, c=(int)1")}}}, -1},
		{`a, b=(NeverHeardOf)"\(X\)\ y", c=(guint64)18446744073709551616;`, Structure{Name: "a", Fields: []StructField{{Name: "b", Type: "NeverHeardOf", Value: text("(X) y")}, {Name: "c", Type: "guint64", Value: text("18446744073709551616")}}}, -1},
		{`"a\,\ b\=\(int\)5\;"`, Structure{Name: "a", Fields: []StructField{{Name: "b", Type: "int", Value: text("5")}}}, -1},
		{``, Structure{}, 0},
		{`a b`, Structure{Name: "a"}, 2},
		{`a; b`, Structure{Name: "a"}, 3},
		{`a, b=(int)5, c=(string)x y;`, Structure{Name: "a", Fields: []StructField{{Name: "b", Type: "int", Value: text("5")}, {Name: "c", Type: "string", Value: text("x")}}}, 25},
		{`a, b=(string);`, Structure{Name: "a"}, 13},
		{`a, b=(int 5;`, Structure{Name: "a"}, 10},
		{`a, b="open`, Structure{Name: "a"}, 5},
		{`a, b={ 1, 2`, Structure{Name: "a"}, 11},
		{`a, b={ 1, < 2 } >;`, Structure{Name: "a"}, 14},
		{`a, b`, Structure{Name: "a"}, 4},
	} {
		got, err := ParseStructure([]byte(test.in), 0)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.in, diff)
		}
		at := -1
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			at = syntax.Offset
		} else if err != nil {
			t.Errorf("%s: %v", test.in, err)
		}
		if at != test.failAt {
			t.Errorf("%s: error at %d (%v), want %d", test.in, at, err, test.failAt)
		}
	}
}

// Caps inside queries are quoted up to five times.
func TestNestedFiveTimes(t *testing.T) {
	quote := func(s string) string {
		var out strings.Builder
		out.WriteByte('"')
		for _, c := range []byte(s) {
			if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-+/:.", rune(c)) {
				out.WriteByte('\\')
			}
			out.WriteByte(c)
		}
		return out.String() + `"`
	}
	text := "core, n=(int)7;"
	for range 5 {
		text = "level, inner=(structure)" + quote(text) + ";"
	}
	for range 5 {
		s := testkit.Must(ParseStructure([]byte(text), 0))(t)
		text = s.Get("inner").Value.Text
	}
	if text != "core, n=(int)7;" {
		t.Error(text)
	}
}

func TestBracketsTooDeep(t *testing.T) {
	for _, n := range []int{32, 33, 1 << 20} {
		_, err := ParseStructure([]byte("a, b="+strings.Repeat("< ", n)+"1"+strings.Repeat(" >", n)), 0)
		if (err == nil) != (n <= 32) {
			t.Errorf("%d brackets: %v", n, err)
		}
	}
	if _, err := ParseStructure([]byte("a, b=< { 1 } >"), 1); err == nil {
		t.Error("two brackets where one was allowed")
	}
}
