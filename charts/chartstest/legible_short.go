//go:build !soak

package chartstest

// everyRecording tells whether the test of legible panels goes through all recordings.
const everyRecording = false
