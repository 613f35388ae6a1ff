package profilelib

import (
	"slices"
	"testing"
)

// FuzzDecoder writes anything, in pieces and with idle moments that the first bytes choose.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"no-sysinfo", "exhausted"} {
		data := readFile(f, capture(f, name))
		f.Add(uint8(0), uint8(200), data[:min(len(data), 150*64)])
		f.Add(uint8(7), uint8(77), data[:min(len(data), 60*64)])
		f.Add(uint8(1), uint8(63), slices.Concat(data[:20*64], data[10*64:60*64], data[:30*64+7], make([]byte, 64*3), data[:20*64]))
	}
	f.Fuzz(func(t *testing.T, how, step uint8, data []byte) {
		o := Options{File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.Rate = 1e7
		}
		if how&8 == 0 {
			l := allLayouts()[int(how>>4)%10]
			o.Layout = &l
		}
		k := newSink()
		d := NewDecoder(k, o)
		n := 0
		_ = feedParts(d, data, func() int { return int(step) + 1 }, func() bool { n++; return n%int(how%5+1) == 0 })
		check(t, k)
	})
}

// recordsOf makes records out of bytes that are each plausible, but hardly their order.
func recordsOf(data []byte) []byte {
	take := func() int64 {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int64(b)
	}
	var out []byte
	var open []uint32 // ids that may be parents
	id, now := uint32(128), int64(1000)
	names := []string{"Frame", "Update", "profile_io", "", "Job"}
	for len(data) > 0 {
		op, x := take(), take()
		now += x * 10
		r := Record{Thread: uint32(op % 3), Processor: uint32(x % 2), Start: now, End: now}
		id++
		r.ID = id
		switch kind := op % 20; {
		case kind < 9:
			r.Name = []byte(names[x%5])
			if y := take(); y < 128 {
				r.Start -= y * 20
			} else {
				r.Start -= (y - 128) / 8
			}
			r.Start = max(r.Start, 0)
			if n := len(open); n > 0 && op >= 100 {
				r.Parent = open[(n-1)-int(x)%n]
			}
			if op >= 180 {
				r.Child = uint32(x % 2)
				r.Sibling = uint32(x / 2 % 2)
			}
			open = append(open, id)
			if len(open) > 4 {
				open = open[1:]
			}
		case kind < 12:
			r.ID, r.End = uint32(Frame), x-60
			id--
		case kind == 12:
			r.ID, r.Start, r.End, r.Parent = uint32(SysInfo), 1e7*(1+x%2*99), 0, 0
			r.Thread, r.Processor, r.Name = 0, 0, []byte("sysinfo")
			id--
		case kind == 13:
			r = Record{}
			id--
		case kind == 14:
			now -= min(now, take()*100)
			id -= uint32(min(int64(id-128), take()))
			continue
		case kind == 15:
			out = append(out, make([]byte, x)...)
			continue
		default:
			r.ID, r.End, r.Name = uint32(Log)+uint32(x%12), int64(id), []byte("lock")
			if r.ID == uint32(Frame) {
				r.Name = nil
			}
			if k := Kind(r.ID); k.More() || k == Signal && x > 128 {
				r.Parent = id - 1
				if r.Parent < FirstBlock {
					r.Parent = FirstBlock
				}
			}
		}
		out = Current.Encode(&r, out)
	}
	return out
}

// FuzzRecords writes plausible records in any order, so that everything behind their decoding is
// reached. Idle moments must change nothing in the end but numbers of frames whose counter fell
// back.
func FuzzRecords(f *testing.F) {
	f.Add(uint8(0), []byte("\x00\x10\x05\x64\x20\x05\x09\x10\x00\x10\x05\x0d\x00\x00\x10\x05\x09\x22"))
	f.Add(uint8(9), []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
	f.Fuzz(func(t *testing.T, how uint8, data []byte) {
		stream := recordsOf(data)
		l := Current
		o := Options{Layout: &l, File: how&1 != 0, KeepPieces: how&2 != 0}
		if how&4 != 0 {
			o.Rate = 1e9
		}
		if how&16 != 0 {
			o.lagNs = 500
		}
		k := newSink()
		n := 0
		_ = feedParts(NewDecoder(k, o), stream, func() int { return 64 * (1 + int(how>>5)) }, func() bool { n++; return n%int(how/8%4+1) == 0 })
		check(t, k)
	})
}
