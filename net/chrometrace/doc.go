// Package chrometrace reads Chrome Trace Event JSON, which many tracers write: Chromium, Node, clang, viztracer,
// py-spy, tracing-chrome (Bevy), custom engines. It scans the events one by one, keeps times in integers, and hands
// them to a trace.Builder, which puts them in order.
package chrometrace
