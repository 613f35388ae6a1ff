// Package perfetto reads traces of Perfetto: packets of its SDK, of its tracing service, of Chromium,
// Android and writers of one's own, as far as they are track events, counters and frame timelines. It
// owns the wire format, the state that packets of one sequence share (names, clocks, defaults), and
// the rules by which events become tracks, spans, series and frames. It knows model, feed and names.
//
// Sequences come in any order and descriptions after what they describe, so all events are gathered,
// in 8 to 24 bytes each, before they are put in order and published, a track after the other.
package perfetto
