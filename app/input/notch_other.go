//go:build !js

package input

// notch is how far a notch turns the wheel, as Ebitengine reports it.
const notch = 1
