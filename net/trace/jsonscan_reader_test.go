package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// value reads what follows as encoding/json has it, numbers as they stand there.
func value(r *Reader) any {
	switch r.Peek() {
	case '{':
		out := map[string]any{}
		r.Object(func(key []byte) {
			k := JSONText(key)
			out[k] = value(r)
		})
		return out
	case '[':
		out := []any{}
		r.Array(func() { out = append(out, value(r)) })
		return out
	case '"':
		return JSONText(r.String())
	}
	switch b := r.Plain(); string(b) {
	case "true":
		return true
	case "false":
		return false
	case "":
		return nil
	default:
		return json.Number(b)
	}
}

// FuzzReader reads what encoding/json reads, too, to the same end, whatever the pieces; other text
// ends in an error or is taken as it seems.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e3,"x\u00e4\n\"",true,null,{}],"b":{"c":[[]]}}`, "\xef\xbb\xbf [1 , 2]", `{"a"`, `[1,2`, `"`, `[}`, `{"a" 1}`, `nul`,
		`["\ud83d\ude00\\"]`, strings.Repeat("[", 200), "[0\"0\x1e\"0",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text))
		got := value(r)
		if len(text) > 4<<10 { // long strings byte by byte take long
			return
		}
		slow := NewReader(iotest.OneByteReader(bytes.NewReader(text)))
		if again := value(slow); !reflect.DeepEqual(got, again) || (r.Err() == nil) != (slow.Err() == nil) {
			t.Fatalf("%v, %v; byte by byte %v, %v", got, r.Err(), again, slow.Err())
		}
		skip := NewReader(bytes.NewReader(text))
		skip.Skip()
		testkit.MustThat(t, r.Err() != nil || skip.Err() == nil, "%v is read, but skipped: %v", got, skip.Err())
		d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
		d.UseNumber()
		var want any
		if d.Decode(&want) != nil || bytes.ContainsAny(text, "\x00\x7f") || len(text) > MaxText || !json.Valid(text) || !utf8.Valid(text) {
			return
		}
		testkit.MustThat(t, r.Err() == nil && reflect.DeepEqual(got, want),
			"%q: %#v, %v; want %#v", text, got, r.Err(), want)
	})
}

// TestReaderSkips skips what is of another kind than was asked for, and what nobody reads.
func TestReaderSkips(t *testing.T) {
	r := NewReader(strings.NewReader(`{"text": [1,{"a":"]"}], "n": "seven", "list": 3, "ok": 12.9, "left": {"deep": [null]}, "minus": -4e1}`))
	got := map[string]any{}
	r.Object(func(key []byte) {
		switch k := string(key); k {
		case "text":
			got[k] = string(r.String())
		case "n", "ok", "minus":
			n, ok := r.Int()
			got[k] = []any{n, ok}
		case "list":
			got[k] = r.Array(func() { t.Error("a number has elements") })
		}
	})
	want := map[string]any{
		"text": "", "n": []any{int64(0), false}, "list": false, "ok": []any{int64(12), true}, "minus": []any{int64(-40), true},
	}
	testkit.That(t, reflect.DeepEqual(got, want) && r.Err() == nil, "%v, %v", got, r.Err())
}

// TestReaderBounds keeps no text of any length, and nothing that lies too deep.
func TestReaderBounds(t *testing.T) {
	long := NewReader(strings.NewReader(`["` + strings.Repeat(`\"x`, 2<<20) + `", 7]`))
	var words []string
	long.Array(func() {
		if long.Peek() == '"' {
			words = append(words, string(long.String()))
			return
		}
		words = append(words, string(long.Plain()))
	})
	testkit.That(t, reflect.DeepEqual(words, []string{"…", "7"}) && long.Err() == nil && len(long.buf) <= maxToken,
		"%.40q, %v, %d bytes kept", words, long.Err(), len(long.buf))
	deep := NewReader(strings.NewReader(strings.Repeat("[", maxNested+1)))
	value(deep)
	testkit.That(t, deep.Err() != nil && strings.Contains(deep.Err().Error(), "nest deeper"), "%v", deep.Err())
	number := NewReader(strings.NewReader(strings.Repeat("1", 2*maxToken)))
	if n := number.Plain(); n != nil || number.Err() == nil {
		t.Errorf("a number of %d digits, %v", len(n), number.Err())
	}
	broken := NewReader(io.MultiReader(strings.NewReader("[1, 2, "), iotest.ErrReader(io.ErrUnexpectedEOF)))
	n := 0
	broken.Array(func() { n++ })
	testkit.That(t, n == 2 && errors.Is(broken.Err(), io.ErrUnexpectedEOF), "%d values, %v", n, broken.Err())
}

// TestSpoiled tells of control characters in texts and between values, read or skipped, but not of tabs
// and ends of lines.
func TestSpoiled(t *testing.T) {
	for text, want := range map[string]SpoiledError{
		"{\"a\t\":\"\r\n\",\n\t\"b\":[1,2]}\x00\x00":    {N: 2, At: 23},
		"{\"a\x00\":1,\"b\":\"\x01\"}":                  {N: 2, At: 3},
		"{\"a\":[1,\x002,\x00 3]}":                      {N: 2, At: 8},
		"{\"skip\":{\"a\":\"\x00\x00\",\"b\":[1\x00]}}": {N: 2, At: 14},
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			x := NewReader(r)
			x.Object(func(key []byte) {
				if string(key) != "skip" {
					value(x)
				}
			})
			got := SpoiledError{}
			if bad, ok := errors.AsType[*SpoiledError](x.End()); ok {
				got = *bad
			}
			testkit.That(t, got == want, "%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestCommas tells of commas that are missing or too many, with the byte of the first; what is not there in
// a list is read as null, so that what is behind it keeps its place.
func TestCommas(t *testing.T) {
	for text, want := range map[string]struct {
		list  []any
		n, at int64
	}{
		`[1,2]`:                {[]any{"1", "2"}, 0, 0},
		`[11,8,,6,17]`:         {[]any{"11", "8", "", "6", "17"}, 1, 6},
		`[0, , ,1]`:            {[]any{"0", "", "", "1"}, 2, 4},
		`[,0,1]`:               {[]any{"", "0", "1"}, 1, 1},
		`[0,1,]`:               {[]any{"0", "1"}, 1, 5},
		`[,]`:                  {[]any{""}, 2, 1},
		`[0 1,2]`:              {[]any{"0", "1", "2"}, 1, 3},
		`[{"a":1,,"b":2},{,}]`: {[]any{"ab", ""}, 2, 8},
		`[{"a":1 "b":2,},3]`:   {[]any{"ab", "3"}, 2, 8},
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			x := NewReader(r)
			var got []any
			x.Array(func() {
				if x.Peek() != '{' {
					got = append(got, string(x.Plain()))
					return
				}
				keys := ""
				x.Object(func(key []byte) { keys += string(key) })
				got = append(got, keys)
			})
			bad, _ := errors.AsType[*SpoiledError](x.End())
			if bad == nil {
				bad = &SpoiledError{}
			}
			testkit.That(t, reflect.DeepEqual(got, want.list) && bad.N == want.n && bad.At == want.at && x.Err() == nil,
				"%s: %q, %+v, %v", text, got, bad, x.Err())
		}
	}
}

// TestGraver tells that a text was not read to its end before what is damaged in it.
func TestGraver(t *testing.T) {
	little, more, end := &SpoiledError{N: 1}, &SpoiledError{N: 2}, errors.New("cut")
	for _, c := range [][3]error{{nil, nil, nil}, {little, nil, little}, {nil, little, little}, {more, little, more}, {little, more, more},
		{end, more, end}, {more, end, end}, {end, nil, end}} {
		got := Graver(c[0], c[1])
		testkit.That(t, got == c[2], "%v and %v: %v", c[0], c[1], got)
	}
}

// TestTimes reads numbers as exact decimals, whatever they look like.
func TestTimes(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "1849.364", "1795299712238323.068", "2603.4430000000002", "2.2e+01", "2.2E1", "1e-3", "5e-4",
		"4.9999e-4", "-1.5", "-0.0005", "-0.00051", "0.0005", "0.00049999", "123456789012345.6785", "1e15", "0.0e5",
		"000012.5", "100000e-2", "0.00012e4",
		"12345678901234567e-3", "1234567890.1234567890123456789", "2305843009213693",
	} {
		got, ok := ParseTime([]byte(text), 3)
		want, _ := new(big.Rat).SetString(text)
		want.Mul(want, big.NewRat(1000, 1)).Add(want, big.NewRat(1, 2))
		floor := new(big.Int).Div(want.Num(), want.Denom())
		testkit.That(t, ok && got.Round() == floor.Int64(),
			"%s µs are %d ns, %v; want %s", text, got.Round(), ok, floor)
	}
	for _, text := range []string{
		"", "-", ".5", "1.2.3", "1e", "1e+", "abc", "12x", "1e400", "99999999999999999", "2305843009213694", "NaN", "--1",
		"1 2", "0x10",
	} {
		got, ok := ParseTime([]byte(text), 3)
		testkit.That(t, !ok, "%q is %v", text, got)
	}
	// Both are rounded together, so that children end with their parents.
	a, _ := ParseTime([]byte("0.0004"), 3)
	b, _ := ParseTime([]byte("0.0004"), 3)
	got := a.Plus(b).Round()
	testkit.That(t, got == 1, "0.4 ns and 0.4 ns are %d ns", got)
}

// TestWords reads times, the ends of strings, texts of JSON, numbers in the names of frames, and names of programs.
func TestWords(t *testing.T) {
	read := map[string]func(text []byte, scale int) string{
		"time": func(text []byte, scale int) string {
			got, ok := ParseTime(text, scale)
			return fmt.Sprint(got.Round(), " ", ok)
		},
		"string": func(text []byte, _ int) string { return fmt.Sprint(EndOfString(text, 0)) },
		"json":   func(text []byte, _ int) string { return JSONText(text) },
		"frame": func(text []byte, _ int) string {
			number, ok := Frame(text)
			return fmt.Sprintf("%q %v", number, ok)
		},
		"program": func(text []byte, _ int) string { return Program(string(text)) },
	}
	testkit.Lines(t, "testdata/texts.txt", func(line string) string {
		kind, text, _ := strings.Cut(line, " | ")
		kind, scale, _ := strings.Cut(kind, " ")
		n, _ := strconv.Atoi(scale)
		return read[kind]([]byte(text), n)
	})
	testkit.Equal(t, EndOfString([]byte(`"`), 2), -1, "a string that begins behind the text ends at")
	long := JSONText([]byte(strings.Repeat("ü", MaxText)))
	testkit.That(t, len(long) <= MaxText+3 && strings.HasSuffix(long, "ü…"), "a long text ends in %q", long[len(long)-8:])
	a, _ := ParseTime([]byte("1.25"), 0)
	b, _ := ParseTime([]byte("0.75"), 0)
	d := b.Minus(a)
	testkit.That(t, d.Ns == -1 && d.frac == billion/2, "%+v", d)
}

// TestReadOn reads on behind what can't be read, at the next object that begins as the first does.
func TestReadOn(t *testing.T) {
	nuls := strings.Repeat("\x00", readBytes)
	for text, want := range map[string]struct {
		got   string
		n, at int64
	}{
		`{"l":[{"id":1,"x":{"y":"a"}},{"id":2},{"id":3}],"m":4}`:                            {"1 2 3 m", 0, 0},
		`{"l":[{"id":1},{"id":2,"x":!}},"z":5},{"id":3}],"m":4}`:                            {"1 3 m", 1, 27},
		`{"l":[{"id":1},{"id":2,"x":{"y":"` + nuls + `x":{"y":7}},{"id":3}],"m":4}`:         {"1 3 m", 2, 33},
		`{"l":[{"id":1},{"id":2,"` + nuls + `,"x":[{"id":9` + nuls[:3] + `{"id":3}],"m":4}`: {"1 3 m", 7, 24},
		`{"l":[{"id":1},{"id":2,"x":!}},"z":5}],"m":4}`:                                     {"1", 0, 0}, // no other follows
		`{"l":[5,{"id":2,"x":!},{"id":3}],"m":4}`:                                           {"3 m", 1, 20},
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			x := NewReader(r)
			var got []string
			x.Object(func(key []byte) {
				if string(key) == "m" {
					got = append(got, "m")
					return
				}
				x.Array(func() {
					id := int64(0)
					if x.Object(func(key []byte) {
						if string(key) == "id" {
							id, _ = x.Int()
						}
					}) {
						got = append(got, fmt.Sprint(id))
					}
				})
			})
			bad, _ := errors.AsType[*SpoiledError](x.End())
			if bad == nil {
				bad = &SpoiledError{}
			}
			if s := strings.Join(got, " "); s != want.got || bad.N != want.n || bad.At != want.at {
				t.Errorf("%.60q: %q, %d from %d on, %v; want %+v", text, s, bad.N, bad.At, x.Err(), want)
			}
		}
	}
}

// TestEntries overwrites a part of a list: all entries but those that it touches, and those beside these, stand where
// they stood, and the list beside it is whole.
func TestEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64Range(0, 999), 1, 60).Draw(t, "list")
		var text []byte
		var begins []int
		for _, v := range list {
			begins = append(begins, len(text))
			text = fmt.Appendf(text, "%d,", v)
		}
		text = text[:len(text)-1]
		from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(text)).Draw(t, "to")
		with := rapid.SampledFrom([]string{"\x00", "(", "!"}).Draw(t, "with")
		copy(text[from:to], strings.Repeat(with, to-from))

		var lists [2][]int64
		var hole Hole
		i := 0
		x := NewReader(strings.NewReader(`{"a":{"list":[` + string(text) + `]},"b":{"list":` + strings.ReplaceAll(fmt.Sprint(list), " ", ",") + `}}`))
		x.Object(func([]byte) {
			x.Object(func([]byte) {
				h := x.Entries(func() {
					if v, ok := x.Int(); x.Err() == nil {
						testkit.MustThat(t, ok || i == 0, "no number")
						lists[i] = append(lists[i], v)
					}
				})
				hole.Any = hole.Any || h.Any
				if i++; i == 1 {
					hole = h
				}
			})
		})
		testkit.MustThat(t, hole.Any && i == 2 && slices.Equal(lists[1], list), "%q: %v, %v", text, hole, lists)
		got := Fit(nil, lists[0], hole, len(list), -1)
		testkit.MustEqual(t, len(got), len(list), "%q: entries", text)
		for k, v := range got {
			before, behind := max(k-2, 0), min(k+2, len(list)-1)
			touched := begins[before] < to+1 && begins[behind]+len(fmt.Sprint(list[behind])) > from-1
			testkit.MustThat(t, v == list[k] || v == -1 && touched, "%q: entry %d is %d, not %d", text, k, v, list[k])
		}
	})
}

// cutWords cuts words that begin with <, a digit of their length and >, in pieces, and lists the words and the lost places.
func cutWords(data string, step int) string {
	var said []string
	r := Records{Mark: []byte("<")}
	r.Cut = func(b []byte, _ bool) (int, bool, error) {
		switch {
		case len(b) < 3:
			return 0, false, nil
		case b[0] != '<' || b[1] < '1' || b[1] > '9' || b[2] != '>':
			return 0, false, errors.New("no word")
		}
		return 3 + int(b[1]-'0'), true, nil
	}
	r.Sure = func(b []byte, _ bool) (sure, short bool) {
		return len(b) > 2 && b[1] > '0' && b[1] <= '9' && b[2] == '>', len(b) < 3
	}
	r.Take = func(b []byte, at int64) error { said = append(said, fmt.Sprintf("%d %s", at, b[3:])); return nil }
	r.Lost = func(at int64, why error) { said = append(said, fmt.Sprintf("%d lost: %v", at, why)) }
	for len(data) > 0 {
		n := min(step, len(data))
		r.Write([]byte(data[:n])) //nolint:errcheck // Take has none
		data = data[n:]
	}
	r.End() //nolint:errcheck // likewise
	return strings.Join(said, "; ")
}

// TestRecords cuts words with damage in any pieces: all whole words are taken, and each lost place is reported once.
func TestRecords(t *testing.T) {
	for data, want := range map[string]string{
		"":                           "",
		"<3>abc<1>d":                 "0 abc; 6 d",
		"<3>abc--<<1><1>d<":          "0 abc; 6 lost: no word; 9 <; 13 lost: no word",
		"<3>abc<9>d<2>ef":            "0 abc; 6 lost: " + ErrLong.Error() + "; 10 ef",
		"<3>abc\x00\x00\x00\x00\x00": "0 abc; 6 lost: no word",
		"<3>abc<5>de":                "0 abc; 6 lost: " + ErrCut.Error(),
	} {
		for step := 1; step <= max(len(data), 1); step++ {
			testkit.Equal(t, cutWords(data, step), want, "%q in pieces of %d", data, step)
		}
	}
}

// TestRecordsForget looks for a record in bytes without end, and keeps none of them.
func TestRecordsForget(t *testing.T) {
	seen := 0
	r := Records{
		Mark: []byte("ab"), Take: func([]byte, int64) error { return nil }, Lost: func(int64, error) {},
		Cut:  func([]byte, bool) (int, bool, error) { return 0, false, errors.New("none") },
		Sure: func(b []byte, _ bool) (bool, bool) { seen = max(seen, len(b)); return false, len(b) < 5 },
	}
	for range 1 << 10 {
		r.Write(bytes.Repeat([]byte("ab"), 50)) //nolint:errcheck // Take has none
	}
	testkit.That(t, seen <= 110 && r.Place() > 1<<16, "%d bytes are kept, %d read", seen, r.Place())
}
