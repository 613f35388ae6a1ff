// Package chrometrace reads Chrome Trace Event JSON, which many tracers write: Chromium, Node, clang, viztracer,
// py-spy, tracing-chrome (Bevy), custom engines. It scans the events one by one, keeps times in integers, pairs
// begins and ends to spans, nests threads and translates all that to the model. It depends on model and feed only.
//
// Events of a file come in any order, so all of them are gathered, in 16 to 32 bytes each, before
// they are put in order and published, a thread after the other.
package chrometrace
