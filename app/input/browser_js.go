package input

// notch is how far a notch turns the wheel, as Ebitengine reports it: in a browser, which scrolls by it, in pixels.
const notch = 100

// writesWithCtrl reports that a letter counts as written although Ctrl is held, as browsers have it.
const writesWithCtrl = true
