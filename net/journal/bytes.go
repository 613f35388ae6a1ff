package journal

// HeadKey is the key of the definition that holds the first bytes of a session that is a stream of
// bytes, by which its kind and layout are recognised when its oldest data have left.
const HeadKey = "head"

// HeadBytes is how many these are, at most. Streams that are shorter have no such definition.
const HeadBytes = 64 << 10

// ByteTape hands a stream of bytes to a tape. The zero value with a Tape is ready.
type ByteTape struct {
	Tape Tape
	head []byte
	told bool
}

// Write takes the next bytes, cut anywhere. It returns false when they were refused.
func (b *ByteTape) Write(p []byte) bool {
	full := len(b.head) == HeadBytes
	if n := min(HeadBytes-len(b.head), len(p)); n > 0 {
		b.head = append(b.head, p[:n]...)
	}
	if full && (!b.told || b.Tape.NeedsDefinitions()) {
		b.told = b.Tape.Define(HeadKey, b.head)
	}
	ok := true
	for len(p) > MaxPayload {
		ok = b.Tape.Data(p[:MaxPayload]) && ok
		p = p[MaxPayload:]
	}
	ok = b.Tape.Data(p) && ok
	if !full && len(b.head) == HeadBytes { // behind the data that it holds, for which it stands once they have left
		b.told = b.Tape.Define(HeadKey, b.head)
	}
	return ok
}

// EachPiece reads a session that is a stream of bytes to its end, or up to now, and calls piece with
// its bytes, in pieces, and hole, which may be nil, where some are missing. Where the oldest data have
// left, the first piece is the head of the stream, and a hole follows it. An error of piece or hole
// ends the reading.
func EachPiece(r *Reader, piece func(p []byte) error, hole func(reason string, h Hole) error) error {
	some := false
	for rec, err := range r.All() {
		if err != nil {
			return err
		}
		switch rec.Kind {
		case KindDefinition:
			if some || string(rec.Key) != HeadKey {
				continue
			}
			some = true
			err = piece(rec.Payload)
		case KindData:
			some = true
			err = piece(rec.Payload)
		case KindHole:
			var h Hole
			if rec.Decode(&h) == nil && hole != nil {
				err = hole(h.Reason, h)
			}
		case KindEvicted:
			var e Evicted
			if rec.Decode(&e) == nil && hole != nil {
				err = hole("deleted to make room", Hole{Records: e.Records + e.Refused, Bytes: e.Bytes, ToNs: e.ToNs})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
