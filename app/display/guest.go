//go:build ebitenginevmguest

package display

// guestBuild tells that Ebitengine reads a host's endpoint from the environment.
const guestBuild = true
