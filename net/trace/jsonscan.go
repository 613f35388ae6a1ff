// A Reader streams JSON of any size, value by value, without building a tree. Strings and numbers are
// slices of its buffer. The jsonscan files also decode JSON strings and decimal times.

package trace
