// Package profilelib reads the stream of the Foundation profiler ("profile_lib"): a sequence of
// small binary records that games write to a file or a socket. FORMAT.md describes it in full; the
// sub-package record holds the records, this one what a stream of them means: trees of blocks,
// messages, locks, frames.
//
// Decoder takes the bytes of a stream from anywhere. Source opens files, and decodes what comes
// live.
package profilelib
