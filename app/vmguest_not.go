//go:build !ebitenginevmguest

package app

// vmGuestBuild tells that Ebitengine reads a host's endpoint from the environment.
const vmGuestBuild = false
