package truth

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/model"
)

// written is a number as it is written: its value in base units (ns, bytes, 1/s, parts of 1) and
// half of its last digit. About is set by ≈, least by ≥.
type written struct {
	value, half  float64
	about, least bool
}

// factors are what units are in base units. What has none of them is a plain number.
var factors = map[string]float64{
	"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "%": 0.01,
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9,
}

// inBase is what a value of a series is in base units: times come in ns, shares in percent, what has
// a unit that the program knows nothing of as it is.
func inBase(d *model.SeriesDef) float64 {
	if factor, known := factors[d.Unit]; known {
		return factor
	}
	return 1
}

var (
	digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`)
	long2  = regexp.MustCompile(`^([0-9]+) (min|h) ([0-9]+) (s|min)$`)
	clock  = regexp.MustCompile(`^([0-9]+:)?([0-9]+):([0-9]+)(\.[0-9]+)?$`)
)

// read reads a number as panels write it; bare is what one without a unit is in base units.
func read(text string, bare float64) (w written, ok bool) {
	text = strings.ReplaceAll(text, "\u202f", "")
	if text == "–" { // what is too little to be written
		return written{half: 0.005 * bare}, true
	}
	if rest, less := strings.CutPrefix(text, "<"); less { // anything below
		w, ok = read(rest, bare)
		w.value, w.half = w.value/2, w.value/2
		return w, ok
	}
	sign := 1.0
	for again := true; again; {
		again = false
		for mark, f := range map[string]func(){
			"≈": func() { w.about = true }, "≥": func() { w.least = true }, "−": func() { sign = -sign },
			"-": func() { sign = -sign }, "#": func() {}, "+": func() {}, " ": func() {}, "×": func() {},
		} {
			if rest, cut := strings.CutPrefix(text, mark); cut {
				text, again = rest, true
				f()
			}
		}
	}
	if m := long2.FindStringSubmatch(text); m != nil {
		a, _ := strconv.ParseFloat(m[1], 64)
		b, _ := strconv.ParseFloat(m[3], 64)
		w.value, w.half = sign*(a*60+b)*1e9, 0.5e9
		if m[2] == "h" { // minutes are cut off, not rounded
			w.value, w.half = sign*(a*60+b)*60e9, 60e9
		}
		return w, true
	}
	if m := clock.FindStringSubmatch(text); m != nil {
		h, _ := strconv.ParseFloat(strings.TrimSuffix(m[1], ":"), 64)
		min, _ := strconv.ParseFloat(m[2], 64)
		s, _ := strconv.ParseFloat(m[3], 64)
		part, _ := strconv.ParseFloat("0"+m[4], 64)
		w.value = sign * math.Round((h*3600+min*60+s+part)*1e9)
		w.half = max(0.5*math.Pow10(9-max(len(m[4])-1, 0)), 0.5)
		return w, true
	}
	number := digits.FindString(text)
	if number == "" {
		return w, false
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return w, false
	}
	mantissa, exponent, _ := strings.Cut(number, "e")
	half := 0.5
	if _, after, point := strings.Cut(mantissa, "."); point {
		half = 0.5 * math.Pow10(-len(after))
	}
	if e, err := strconv.Atoi(exponent); err == nil {
		half *= math.Pow10(e)
	}
	unit, _, _ := strings.Cut(strings.TrimSpace(text[len(number):]), " ")
	unit, _, _ = strings.Cut(unit, "/")
	factor, known := factors[unit]
	if !known {
		factor = bare
	}
	w.value, w.half = sign*v*factor, half*factor
	if strings.HasSuffix(unit, "s") && known { // durations are whole nanoseconds before they are shortened
		w.half += 0.5
	}
	return w, true
}

// says tells whether what is written is a number, to its last digit; what is estimated, to a
// hundredth.
func (w written) says(v float64) bool {
	slack := w.half*(1+1e-9) + 1e-9*math.Abs(v)
	if w.about {
		slack += 0.01 * math.Abs(v)
	}
	return math.Abs(w.value-v) <= slack
}

func TestRead(t *testing.T) {
	for _, x := range []struct {
		text        string
		value, half float64
	}{
		{"843 ns", 843, 1}, {"61.0 µs", 61e3, 50.5}, {"−2.69 ms", -2.69e6, 5e3}, {"3 min 20 s", 200e9, 0.5e9},
		{"12\u202f407", 12407, 0.5}, {"1.34 k/s", 1340, 5}, {"17.3 MiB/s", 17.3 * (1 << 20), 0.05 * (1 << 20)},
		{"12.3 %", 0.123, 0.0005}, {"0:02.250\u202f123", 2.250123e9, 0.5e3}, {"≈ 4.00 s", 4e9, 5e6}, {"#12", 12, 0.5},
		{"2.50e-06", 2.5e-6, 0.5e-8}, {"75.3 Hz", 75.3, 0.05}, {"0.75 MB", 0.75, 0.005}, {"1:02:05.016", 3725.016e9, 0.5e6},
	} {
		w, ok := read(x.text, 1)
		if !ok || !near(w.value, x.value) || math.Abs(w.half-x.half) > 1e-3*x.half {
			t.Errorf("%q is %v ± %v, want %v ± %v", x.text, w.value, w.half, x.value, x.half)
		}
	}
	if w, _ := read("2.50 ms", 1); w.says(2.5051e6) || !w.says(2.504e6) {
		t.Error("the last digit does not count")
	}
	if w, ok := read("13.65", 1e6); !ok || !w.says(13.65e6) {
		t.Error("what has its unit in the header is not read")
	}
}
