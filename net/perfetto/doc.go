// Package perfetto reads traces of Perfetto: packets of its SDK, of its tracing service, of Chromium,
// Android and custom writers. It reads track events, counters and frame timelines, keeps the shared state of
// each packet sequence (names, clocks, defaults), and turns events into tracks, spans, series and frames.
//
// Sequences come in any order and descriptions after what they describe, so all events are gathered,
// in 8 to 24 bytes each, before they are put in order and published, a track after the other.
package perfetto
