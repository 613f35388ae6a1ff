// Package profilelib reads the stream of the Foundation profiler ("profile_lib"): a sequence of
// small binary records that games write to a file or a socket. FORMAT.md describes it in full; the
// record files decode the records, the others turn them into trees of blocks, messages,
// locks and frames.
//
// Decoder takes the bytes of a stream from any origin. Source opens files, and decodes live streams.
package profilelib
