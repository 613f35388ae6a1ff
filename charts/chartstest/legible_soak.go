//go:build soak

package registry

// everyRecording tells whether the test of legible panels goes through all recordings.
const everyRecording = true
