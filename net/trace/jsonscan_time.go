package trace

import "math"

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

// powers are those of ten that an int64 has.
var powers = func() (p [19]int64) {
	for i, v := 0, int64(1); i < len(p); i, v = i+1, v*10 {
		p[i] = v
	}
	return
}()

// Minus returns the difference.
func (t Instant) Minus(d Instant) Instant {
	t.Ns, t.frac = t.Ns-d.Ns, t.frac-d.frac
	if t.frac < 0 {
		t.Ns, t.frac = t.Ns-1, t.frac+billion
	}
	return t
}

// ParseTime reads a decimal number, with or without fraction and exponent, of a unit that has 10^scale
// ns: 3 is microseconds, 9 seconds. Digits beyond the ninth of a ns are left out. It returns false
// for any other text, and for numbers outside the range of times.
func ParseTime(b []byte, scale int) (t Instant, ok bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i++
	}
	v, digits, fraction := int64(0), 0, 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		v = v*10 + int64(b[i]-'0')
		digits++
	}
	if i < len(b) && b[i] == '.' && digits > 0 {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			v = v*10 + int64(b[i]-'0')
			fraction++
		}
	}
	digits += fraction
	if i < len(b) || digits == 0 || digits > 18 || digits-fraction+scale > 18 || fraction > scale+9 {
		return parseSlowly(b, scale)
	}
	if exp := scale - fraction; exp >= 0 {
		t.Ns = v * powers[exp]
	} else {
		t.Ns = v / powers[-exp]
		t.frac = v % powers[-exp] * powers[9+exp]
	}
	return t.signed(negative)
}

// signed returns t or its negative.
func (t Instant) signed(negative bool) (Instant, bool) {
	if negative {
		t.Ns = -t.Ns
		if t.frac > 0 {
			t.Ns, t.frac = t.Ns-1, billion-t.frac
		}
	}
	return t, t.Ns < MaxTime && t.Ns > -MaxTime
}

// parseSlowly is ParseTime for all numbers.
func parseSlowly(b []byte, scale int) (t Instant, ok bool) {
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
	point += exp + scale
	if point > 19 {
		return t, false
	}
	for k := range max(point, 0) {
		d := int64(0)
		if k < n {
			d = int64(digits[k])
		}
		if t.Ns > (math.MaxInt64-d)/10 {
			return t, false
		}
		t.Ns = t.Ns*10 + d
	}
	unit := int64(billion / 10)
	for k := point; k < n && unit > 0; k++ {
		if k >= 0 {
			t.frac += int64(digits[k]) * unit
		}
		unit /= 10
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
