package model

import (
	"math"
	"strconv"
)

// Arg is an argument of a call or another annotation: one value of a span, under a key.
type Arg struct {
	Span  int32  // position in the batch's Spans
	Key   string // not empty; values inside others have keys such as a.b and a[0]
	Value ArgValue
}

// Limits of kept arguments: more of a span, or more different keys, are dropped, and longer texts are
// cut.
const (
	MaxArgs    = 128 // of a span
	MaxArgKeys = 1 << 12
	MaxArgText = 2 << 10 // bytes
)

// ArgKind is the type of a value.
type ArgKind uint8

// The kinds of values.
const (
	ArgText ArgKind = iota
	ArgInt
	ArgFloat
)

// ArgValue is the value of an argument: a number or a text. The zero value is an empty text. Values
// that are equal by == are the same.
type ArgValue struct {
	Kind ArgKind
	Text string // of an ArgText
	bits uint64
}

// TextArg returns a text.
func TextArg(s string) ArgValue { return ArgValue{Text: s} }

// IntArg returns a whole number.
func IntArg(v int64) ArgValue { return ArgValue{Kind: ArgInt, bits: uint64(v)} }

// FloatArg returns a number. A whole one, small enough to be exact, is an ArgInt.
func FloatArg(v float64) ArgValue {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return IntArg(int64(v))
	}
	return ArgValue{Kind: ArgFloat, bits: math.Float64bits(v)}
}

// FloatBits returns the ArgFloat of bits that Bits returned.
func FloatBits(bits uint64) ArgValue { return ArgValue{Kind: ArgFloat, bits: bits} }

// Bits returns the bits that distinguish a number from others of its kind.
func (v ArgValue) Bits() uint64 { return v.bits }

// Int returns an ArgInt.
func (v ArgValue) Int() int64 { return int64(v.bits) }

// Float returns an ArgInt or an ArgFloat.
func (v ArgValue) Float() float64 {
	if v.Kind == ArgInt {
		return float64(int64(v.bits))
	}
	return math.Float64frombits(v.bits)
}

// Append appends the value as it is shown, in the same way everywhere.
func (v ArgValue) Append(dst []byte) []byte {
	switch v.Kind {
	case ArgInt:
		return strconv.AppendInt(dst, v.Int(), 10)
	case ArgFloat:
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 64)
	}
	return append(dst, v.Text...)
}

// String is Append as a text.
func (v ArgValue) String() string {
	if v.Kind == ArgText {
		return v.Text
	}
	return string(v.Append(nil))
}
