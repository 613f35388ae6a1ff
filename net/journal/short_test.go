//go:build !soak

package journal

// faultsInFull lets TestFaults try every fault; else a few of them.
const faultsInFull = false

// killTrials is how many programs TestKill kills.
const killTrials = 3
