package chrometrace

import "math"

// instant is a time in whole ns and billionths of one. All times of the format are decimal numbers
// of microseconds; since the epoch they have more digits than a float64.
type instant struct {
	ns   int64
	frac int64 // [0, 1e9)
}

const (
	billion  = 1_000_000_000
	mostTime = 1 << 61 // ns, as model.MaxTime
)

// round returns the nearest ns, of two the later.
func (t instant) round() int64 {
	if t.frac >= billion/2 {
		return t.ns + 1
	}
	return t.ns
}

// plus returns the sum.
func (t instant) plus(d instant) instant {
	t.ns, t.frac = t.ns+d.ns, t.frac+d.frac
	if t.frac >= billion {
		t.ns, t.frac = t.ns+1, t.frac-billion
	}
	return t
}

// parseTime reads a decimal number of microseconds, with or without fraction and exponent. Digits
// beyond the twelfth of the fraction are left out. It returns false for what is none, and for what
// is further from 0 than times can be.
func parseTime(b []byte) (t instant, ok bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i++
	}
	from := i
	v := int64(0)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		v = v*10 + int64(b[i]-'0')
		if i-from > 15 {
			return parseSlowly(b)
		}
	}
	if v > mostTime/1000 {
		return t, false
	}
	if i == from {
		return t, false
	}
	scale := int64(100)
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' <= 9 && scale > 0; i++ {
			t.ns += int64(b[i]-'0') * scale
			scale /= 10
		}
		for scale = billion / 10; i < len(b) && b[i]-'0' <= 9; i++ {
			t.frac += int64(b[i]-'0') * scale
			scale /= 10
		}
	}
	if i < len(b) {
		return parseSlowly(b)
	}
	t.ns += v * 1000
	return t.signed(negative)
}

// signed returns t or its negative.
func (t instant) signed(negative bool) (instant, bool) {
	if negative {
		t.ns = -t.ns
		if t.frac > 0 {
			t.ns, t.frac = t.ns-1, billion-t.frac
		}
	}
	return t, t.ns < mostTime && t.ns > -mostTime
}

// parseSlowly is parseTime for all numbers.
func parseSlowly(b []byte) (t instant, ok bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i++
	}
	var digits [40]byte
	n, point, any := 0, 0, false // point is how many digits stand before it
	fraction := false
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '.' && !fraction && any:
			fraction = true
			continue
		case c-'0' <= 9:
			any = true
			if !fraction && (n > 0 || c != '0') {
				point++
			}
			if n == 0 && c == '0' {
				if fraction {
					point--
				}
				continue
			}
			if n < len(digits) {
				digits[n] = c - '0'
				n++
			}
			continue
		}
		break
	}
	if !any {
		return t, false
	}
	exp, ok := exponent(b[i:])
	if !ok {
		return t, false
	}
	if n == 0 {
		return t, true
	}
	point += exp + 3
	if point > 19 {
		return t, false
	}
	for k := range max(point, 0) {
		d := int64(0)
		if k < n {
			d = int64(digits[k])
		}
		if t.ns > (math.MaxInt64-d)/10 {
			return t, false
		}
		t.ns = t.ns*10 + d
	}
	scale := int64(billion / 10)
	for k := point; k < n && scale > 0; k++ {
		if k >= 0 {
			t.frac += int64(digits[k]) * scale
		}
		scale /= 10
	}
	return t.signed(negative)
}

// exponent reads what may follow the digits of a number.
func exponent(b []byte) (exp int, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0] != 'e' && b[0] != 'E' || len(b) < 2 {
		return 0, false
	}
	i, sign := 1, 1
	if b[i] == '-' || b[i] == '+' {
		if b[i] == '-' {
			sign = -1
		}
		i++
	}
	if i == len(b) {
		return 0, false
	}
	for ; i < len(b); i++ {
		if b[i]-'0' > 9 {
			return 0, false
		}
		exp = min(exp*10+int(b[i]-'0'), 1000)
	}
	return sign * exp, true
}
