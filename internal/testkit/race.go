//go:build race

package testkit

// Race says that the race detector watches the tests.
const Race = true
