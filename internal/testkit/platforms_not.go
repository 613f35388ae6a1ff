//go:build !platforms

package testkit

// Platforms says that tests build for other platforms and run there, as the gate does in a step of its own.
const Platforms = false
