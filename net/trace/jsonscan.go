// File jsonscan.go reads JSON of any size without a tree of it: a Reader goes from value to value of
// a stream, strings and numbers are slices of what was read until somebody asks what they mean. It
// owns the texts and the decimal times of such files. It knows no format.

package trace
