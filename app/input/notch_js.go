package input

// notch is how far a notch turns the wheel, as Ebitengine reports it: in a browser, which scrolls by it, in pixels.
const notch = 100
