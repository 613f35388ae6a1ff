package trace

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Instant is a time in whole ns and billionths of one: formats write times as decimal numbers, and
// since the epoch these have more digits than a float64.
type Instant struct {
	Ns   int64
	frac int64 // [0, 1e9)
}

const (
	billion = 1_000_000_000
	// MaxTime is what times are nearer to 0 than, ns, as model.MaxTime.
	MaxTime = 1 << 61
)

// Round returns the nearest ns, of two the later.
func (t Instant) Round() int64 {
	if t.frac >= billion/2 {
		return t.Ns + 1
	}
	return t.Ns
}

// Float returns the time in ns, fractions and all.
func (t Instant) Float() float64 { return float64(t.Ns) + float64(t.frac)/billion }

// Plus returns the sum.
func (t Instant) Plus(d Instant) Instant {
	t.Ns, t.frac = t.Ns+d.Ns, t.frac+d.frac
	if t.frac >= billion {
		t.Ns, t.frac = t.Ns+1, t.frac-billion
	}
	return t
}

// Minus returns the difference.
func (t Instant) Minus(d Instant) Instant {
	t.Ns, t.frac = t.Ns-d.Ns, t.frac-d.frac
	if t.frac < 0 {
		t.Ns, t.frac = t.Ns-1, t.frac+billion
	}
	return t
}

// powers are those of ten that an int64 has.
var powers = func() (p [19]int64) {
	for i, v := 0, int64(1); i < len(p); i, v = i+1, v*10 {
		p[i] = v
	}
	return
}()

// ParseTime reads a decimal number, with or without fraction and exponent, of a unit that has 10^scale
// ns: 3 is microseconds, 9 seconds. Digits beyond the ninth of a ns are left out. It returns false
// for any other text, and for numbers outside the range of times.
func ParseTime(b []byte, scale int) (t Instant, ok bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i++
	}
	whole, from := int64(0), i
	for ; i < len(b) && b[i]-'0' <= 9 && whole <= MaxTime/10; i++ {
		whole = whole*10 + int64(b[i]-'0')
	}
	if i == from {
		return t, false
	}
	part, places := int64(0), 0
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			if places < min(scale+9, 18) {
				part, places = part*10+int64(b[i]-'0'), places+1
			}
		}
	}
	switch {
	case i < len(b) && b[i]|0x20 == 'e':
		plain, ok := withoutExponent(b[from:i], b[i+1:])
		if !ok {
			return t, false
		}
		t, ok = ParseTime(plain, scale)
		if !ok || !negative {
			return t, ok
		}
	case i < len(b) || whole > MaxTime/powers[scale]:
		return t, false
	default:
		t.Ns = whole * powers[scale]
		if places <= scale {
			t.Ns += part * powers[scale-places]
		} else {
			t.Ns += part / powers[places-scale]
			t.frac = part % powers[places-scale] * powers[9+scale-places]
		}
	}
	if negative {
		t = Instant{}.Minus(t)
	}
	return t, t.Ns < MaxTime && t.Ns > -MaxTime
}

// farPlaces are so many zeros as an exponent may move the point: beyond, all is 0 or no time.
var farPlaces = bytes.Repeat([]byte{'0'}, 40)

// withoutExponent moves the point of a number by its exponent.
func withoutExponent(number, exponent []byte) (plain []byte, ok bool) {
	exp, err := strconv.Atoi(string(exponent))
	far := len(farPlaces)
	whole, part, _ := bytes.Cut(number, []byte{'.'})
	digits := slices.Concat(farPlaces, whole, part, farPlaces)
	return slices.Insert(digits, far+len(whole)+min(max(exp, -far), far), '.'), !errors.Is(err, strconv.ErrSyntax)
}

// Number reads a decimal number, with or without fraction and exponent. It returns false for any other text.
func Number(b []byte) (v float64, ok bool) {
	n, point, digits := int64(0), -1, 0
	for i, c := range b {
		switch {
		case c-'0' <= 9 && digits < 15:
			n, digits = n*10+int64(c-'0'), digits+1
		case c == '.' && point < 0:
			point = i
		default:
			if strings.Trim(string(b), "0123456789.+-eE") != "" {
				return 0, false
			}
			v, err := strconv.ParseFloat(string(b), 64)
			return v, err == nil
		}
	}
	if point < 0 {
		return float64(n), digits > 0
	}
	return float64(n) / float64(powers[len(b)-1-point]), digits > 0 // both are exact, so this is the nearest one
}
