// Package chrometrace reads Chrome Trace Event JSON, which many tracers write: Chromium, Node,
// clang, viztracer, py-spy, tracing-chrome (Bevy), engines of one's own. It owns a scanner that goes
// from event to event, times in integers, the rules by which begins and ends become spans and
// threads nest, and how all of that is told in the words of the model. It knows model and feed.
//
// Events of a file come in any order, so all of them are gathered, in 16 to 32 bytes each, before
// they are put in order and published, a thread after the other.
package chrometrace
