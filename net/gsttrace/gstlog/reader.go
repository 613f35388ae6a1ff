package gstlog

// Reader takes a log apart. See [NewReader].
type Reader struct {
	h      Handler
	o      Options
	counts Counts
}

type layout struct{}

// NewReader makes a reader that calls h. It starts anywhere in a log.
func NewReader(h Handler, o Options) *Reader { return &Reader{h: h, o: o} }

// Write takes the next bytes of the log, cut anywhere. It always takes all and returns no error; p is not kept.
func (r *Reader) Write(p []byte) (int, error) { r.counts.Bytes += int64(len(p)); return len(p), nil }

// Idle hands over what is complete although no later line has come: call it when a live log has been silent for a moment. Lines without a line end are kept.
func (r *Reader) Idle() {}

// Close hands over the rest. A last line without line end that can't be read is unreadable with a reason that says so. It returns nil.
func (r *Reader) Close() error { return nil }

// Counts tells what was met so far.
func (r *Reader) Counts() Counts { return r.counts }

// Sniff tells whether the beginning of a stream (some kilobytes, not compressed) looks like a GStreamer debug log: one whole line of it does.
func Sniff(head []byte) bool { return false }
