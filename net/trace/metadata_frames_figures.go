package trace

import (
	"bytes"
	"math"
	"strconv"
)

const (
	// Net is the argument of an instant with the self times of its frame, where they differ from those
	// of its spans: number, ns and starts of each collector, "3:1500:2 7:20:0". Levels is the one that says the values of
	// its counters: number, time from the frame's begin on in ns, and value of each.
	Net    = "frame_net"
	Levels = "frame_levels"

	mostFigures = math.MaxInt32 - 1
)

// Share is how much of a frame was of a collector by itself, in ns, and how often it began there.
type Share struct {
	Collector int
	Ns        int64
	Starts    int32
}

// ToldframesLevel is a value of a counter, so long after its frame began, in ns.
type ToldframesLevel struct {
	Collector int
	After     int64
	Value     float64
}

// AppendShare appends one to the text of those before.
func AppendShare(dst []byte, s Share) []byte {
	dst = appendNumbers(dst, int64(s.Collector), s.Ns)
	return strconv.AppendInt(dst, int64(s.Starts), 10)
}

// AppendLevel appends a value to the text of those before.
func AppendLevel(dst []byte, l ToldframesLevel) []byte {
	return strconv.AppendFloat(appendNumbers(dst, int64(l.Collector), l.After), l.Value, 'g', -1, 64)
}

func appendNumbers(dst []byte, a, b int64) []byte {
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	dst = append(strconv.AppendInt(dst, a, 10), ':')
	return append(strconv.AppendInt(dst, b, 10), ':')
}

// Figures holds the self times and counter values of frames.
type Figures struct {
	shares []Share
	levels []ToldframesLevel
	of     []figures
}

// figures are the ends of the lists of a frame, and whether it has self times.
type figures struct {
	shares, levels int
	net            bool
}

// FigureBytes bounds the memory for the figures in two texts.
func FigureBytes(net, levels []byte) int64 { return 8*int64(len(net)+len(levels)) + 64 }

// Add takes the texts on a frame, nil for none, and returns its number. Unreadable parts are left out, and
// whole is false then.
func (f *Figures) Add(net, levels []byte) (n int32, whole bool) {
	if len(f.of) >= mostFigures {
		return 0, false
	}
	whole = each(net, func(c int, ns int64, text string) bool {
		starts, err := strconv.ParseInt(text, 10, 32)
		if err == nil {
			f.shares = append(f.shares, Share{c, ns, int32(starts)})
		}
		return err == nil
	})
	whole = each(levels, func(c int, after int64, text string) bool {
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && v-v == 0 {
			f.levels = append(f.levels, ToldframesLevel{c, after, v})
		}
		return err == nil && v-v == 0
	}) && whole
	f.of = append(f.of, figures{len(f.shares), len(f.levels), net != nil})
	return int32(len(f.of)), whole
}

// each gives what stands in a text to fn, which reports whether it can be read.
func each(text []byte, fn func(c int, ns int64, rest string) bool) (whole bool) {
	whole = true
	for word := range bytes.FieldsSeq(text) {
		a, rest, _ := bytes.Cut(word, []byte(":"))
		b, value, _ := bytes.Cut(rest, []byte(":"))
		c, errA := strconv.ParseInt(string(a), 10, 32)
		ns, errB := strconv.ParseInt(string(b), 10, 64)
		whole = errA == nil && errB == nil && c >= 0 && ns >= -mostNumber && ns <= mostNumber && fn(int(c), ns, string(value)) && whole
	}
	return whole
}

// Of returns the figures with a number; net reports whether self times are known, even if there are none.
func (f *Figures) Of(n int32) (shares []Share, levels []ToldframesLevel, net bool) {
	if n <= 0 || int(n) > len(f.of) {
		return nil, nil, false
	}
	var from figures
	if n > 1 {
		from = f.of[n-2]
	}
	to := f.of[n-1]
	return f.shares[from.shares:to.shares], f.levels[from.levels:to.levels], to.net
}
