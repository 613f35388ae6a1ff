//go:build soak

package journal

// faultsInFull lets TestFaults try every fault: go test -tags soak -run Faults ./net/journal
const faultsInFull = true

// killTrials is how many programs TestKill kills.
const killTrials = 200
