package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. Readers pass over those that they do not know.
const (
	KindMeta       Kind = 1 // the session's description, twice at the beginning of every segment; see Meta
	KindDefinition Kind = 2 // replaces the one with the same key, and stays when older data leave
	KindData       Kind = 3 // in order of arrival
	KindHole       Kind = 4 // something is missing here; see Hole
	KindEvicted    Kind = 5 // something before this has left; see Evicted
	KindEnd        Kind = 6 // the session ended in order; see End
	KindMark       Kind = 7 // nothing happened here; see Writer.Mark
)

// Record is one record of a session.
type Record struct {
	Kind Kind
	Time int64 // ns since the session's start
	// Key is that of a definition, empty for others. Key and Payload are valid until the reader's
	// next record.
	Key     []byte
	Payload []byte
	// Pos is where the record is, for Reader.At.
	Pos Pos
}

// Pos is the place of a record: the number of its segment (0: the base) and the offset of its first
// byte there. Places ascend in the order of records.
type Pos struct {
	Segment uint64
	Offset  int64
}

// Hole says that records could not be kept.
type Hole struct {
	Records     int64  `json:"records"`               // data records that were refused
	Definitions int64  `json:"definitions,omitempty"` // those were given again after it
	Bytes       int64  `json:"bytes"`                 // of all of them
	FromNs      int64  `json:"from_ns"`               // time of the first
	ToNs        int64  `json:"to_ns"`                 // time of the last
	Reason      string `json:"reason"`
}

// goneReason is the Reason of records that another program deleted from disk.
const goneReason = "was deleted or truncated by another program"

// Deleted reports whether another program deleted the records from disk.
func (h *Hole) Deleted() bool { return h.Reason == goneReason }

// Evicted counts the records that left at the beginning of a session, because the disk space for
// journals was used up.
type Evicted struct {
	Records     int64 `json:"records"`               // data records, those in holes not among them
	Bytes       int64 `json:"bytes"`                 // of segments
	Refused     int64 `json:"refused,omitempty"`     // data records in holes
	Definitions int64 `json:"definitions,omitempty"` // that were too many to be kept
	ToNs        int64 `json:"to_ns"`                 // time of the newest record that left
}

// End says why a session ended.
type End struct {
	Reason string `json:"reason"`
}

// Bounds of a record.
const (
	recordHead = 8         // length and checksum
	bodyHead   = 10        // kind, length of the key, time
	MaxKey     = 255       // bytes of a key
	MaxPayload = 256 << 20 // bytes of a payload
	maxBody    = bodyHead + MaxKey + MaxPayload
	maxText    = 64 << 10 // bytes of a payload that is JSON
)

// The segment head: magic, session, number, before, checksum. before is the length of the segment before, 0 if
// there is none; of the base the newest segment that is folded into it.
const (
	magic       = "fsjrnl1\n"
	segmentHead = len(magic) + 16 + 8 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRecord adds the bytes of a record to b. The key is at most MaxKey bytes long.
func appendRecord(b []byte, kind Kind, timeNs int64, key string, payload []byte) []byte {
	body := bodyHead + len(key) + len(payload)
	at := len(b)
	b = slices.Grow(b, recordHead+body)
	b = binary.LittleEndian.AppendUint32(b, uint32(body))
	b = append(b, 0, 0, 0, 0, byte(kind), byte(len(key)))
	b = binary.LittleEndian.AppendUint64(b, uint64(timeNs))
	b = append(append(b, key...), payload...)
	binary.LittleEndian.PutUint32(b[at+4:], checksum(b[at:at+4], b[at+recordHead:]))
	return b
}

// The checksum covers the length, too: a damaged one must be found.
func checksum(length, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, body)
}

// appendJSON adds a record with a JSON payload.
func appendJSON(b []byte, kind Kind, timeNs int64, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // structs of numbers and texts
	}
	return appendRecord(b, kind, timeNs, "", text)
}

// appendMeta adds the session's description twice: one damaged place leaves one of them whole.
func appendMeta(b []byte, m Meta) []byte {
	return appendJSON(appendJSON(b, KindMeta, 0, m), KindMeta, 0, m)
}

// recordSize returns the length of the record at the beginning of b, which is one that we made.
func recordSize(b []byte) int { return recordHead + int(binary.LittleEndian.Uint32(b)) }

var (
	errShort   = errors.New("cut off in a record")
	errDamaged = errors.New("a record is damaged")
	errLarge   = errors.New("a record is larger than a journal takes")
)

// recordLength returns the length of the record at the beginning of b, according to its head.
// errShort: the head is incomplete. errDamaged: no record is that long.
func recordLength(b []byte) (int, error) {
	if len(b) < recordHead {
		return recordHead, errShort
	}
	size := binary.LittleEndian.Uint32(b)
	if size < bodyHead || size > maxBody {
		return 0, errDamaged
	}
	return recordHead + int(size), nil
}

// parseRecord reads the record at the beginning of b and returns its length. errShort: b has only
// the first bytes of it, and n is how many are needed to say more.
func parseRecord(b []byte) (r Record, n int, err error) {
	n, err = recordLength(b)
	if err != nil {
		return r, n, err
	}
	if len(b) < n {
		return r, n, errShort
	}
	body := b[recordHead:n]
	if checksum(b[:4], body) != binary.LittleEndian.Uint32(b[4:]) {
		return r, n, errDamaged
	}
	key := bodyHead + int(body[1])
	if key > len(body) {
		return r, n, errDamaged
	}
	r.Kind, r.Time = Kind(body[0]), int64(binary.LittleEndian.Uint64(body[2:]))
	r.Key, r.Payload = body[bodyHead:key:key], body[key:len(body):len(body)]
	return r, n, nil
}

// Decode reads the payload of a record that is JSON: of a Meta, Hole, Evicted or End.
func (r *Record) Decode(v any) error {
	if len(r.Payload) > maxText {
		return fmt.Errorf("%d bytes of text, %d are the most", len(r.Payload), maxText)
	}
	return json.Unmarshal(r.Payload, v)
}

// ID identifies a session.
type ID [16]byte

// appendHead adds the head of a segment.
func appendHead(b []byte, id ID, number, before uint64) []byte {
	at := len(b)
	b = append(append(b, magic...), id[:]...)
	b = binary.LittleEndian.AppendUint64(b, number)
	b = binary.LittleEndian.AppendUint64(b, before)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[at:], castagnoli))
}

// parseHead reads the head of a segment.
func parseHead(b []byte) (id ID, number, before uint64, err error) {
	switch {
	case len(b) < segmentHead:
		return id, 0, 0, errors.New("too short for a journal segment")
	case string(b[:len(magic)]) != magic:
		return id, 0, 0, errors.New("not a journal segment")
	}
	end := segmentHead - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return id, 0, 0, errors.New("the header of a segment is damaged")
	}
	copy(id[:], b[len(magic):])
	return id, binary.LittleEndian.Uint64(b[len(magic)+16:]), binary.LittleEndian.Uint64(b[len(magic)+24:]), nil
}

// Sniff reports whether head is the beginning of a journal that is one file.
func Sniff(head []byte) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }
