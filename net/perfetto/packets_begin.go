package perfetto

// known are the fields by which packets are recognised, with their wire types.
var known = map[uint32]uint8{
	2: Bytes, 3: Varint, 6: Bytes, 8: Varint, 10: Varint, 11: Bytes, 12: Bytes,
	13: Varint, 33: Bytes, 35: Bytes, 36: Bytes, 41: Varint, 42: Varint, 43: Bytes,
	44: Bytes, 45: Bytes, 50: Bytes, 58: Varint, 59: Bytes, 60: Bytes, 69: Bytes,
	76: Bytes, 79: Varint, 87: Varint, 89: Bytes, 98: Varint, 133: Bytes,
}

// enough is the number of packets that have to be valid.
const enough = 3

// Begin reports whether head begins a trace: packets that follow each other, with fields of packets. seen is the
// number of bytes in head if the file is longer.
func Begin(head []byte, seen int) bool {
	if len(head) == 0 || head[0] != PacketsKey {
		return false
	}
	good, bad := 0, false
	s := Splitter{Take: func(packet []byte, _ int64) {
		if good >= enough || bad || len(packet) == 0 {
			return
		}
		w, ours := Fields{Rest: packet}, false
		for w.Next() {
			if kind, ok := known[w.Num]; ok {
				if kind != w.Kind {
					bad = true
					return
				}
				ours = true
			}
		}
		if bad = w.Bad || !ours; !bad {
			good++
		}
	}}
	s.Write(head)
	switch {
	case bad:
		return false
	case good >= enough:
		return true
	case good > 0:
		return s.Damage == "" // a short file, or one with a large packet
	}
	// The first packet is larger than head: settings, or a compressed packet.
	w := Fields{Rest: head}
	key, n := Number(head)
	size, k := Number(head[n:])
	if key != PacketsKey || k == 0 || size < uint64(seen/2) || size > PacketsMost || len(head) < seen {
		return false
	}
	w.Rest = head[n+k:]
	for w.Next() {
		if kind, ok := known[w.Num]; ok && kind == w.Kind {
			return true
		}
	}
	key, _ = Number(w.Rest)
	return known[uint32(key>>3)] == Bytes && key&7 == Bytes
}
