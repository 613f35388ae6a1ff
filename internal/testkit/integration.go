//go:build integration

package testkit

// Integration says that tests drive other programs, and build for other platforms, as the gate does in a step of its
// own.
const Integration = true
