//go:build !js

package input

// notch is how far a notch turns the wheel, as Ebitengine reports it.
const notch = 1

// writesWithCtrl reports that a letter counts as written although Ctrl is held.
const writesWithCtrl = false
