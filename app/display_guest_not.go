//go:build !ebitenginevmguest

package app

// guestBuild reports that Ebitengine reads a host's endpoint from the environment.
const guestBuild = false
