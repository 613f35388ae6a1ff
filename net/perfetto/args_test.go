package perfetto

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
)

// plain is a field of a message, as another decoder of the wire format reads it.
type plain struct {
	num  protowire.Number
	v    uint64
	data []byte
}

func fieldsOf(b []byte) (list []plain) {
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		size := protowire.ConsumeFieldValue(num, kind, b[max(n, 0):])
		if n < 0 || size < 0 {
			break
		}
		f := plain{num: num}
		switch b = b[n:]; kind {
		case protowire.VarintType:
			f.v, _ = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			f.v, _ = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.data, _ = protowire.ConsumeBytes(b)
		}
		list, b = append(list, f), b[size:]
	}
	return list
}

// first returns the first of some fields of a message.
func first(b []byte, nums ...protowire.Number) (f plain) {
	for _, x := range fieldsOf(b) {
		for _, num := range nums {
			if x.num == num {
				return x
			}
		}
	}
	return f
}

// plainArgs reads the annotations of all begins and ends of spans of a file: those of each key and value
// how often. It knows nothing of order, clocks and tracks.
func plainArgs(data []byte) map[string]int {
	type names map[protowire.Number]map[uint64]string
	out, sequences := map[string]int{}, map[uint64]names{}
	for _, packet := range fieldsOf(data) {
		seq := first(packet.data, 10).v
		if sequences[seq] == nil || first(packet.data, 13).v&1 != 0 || first(packet.data, 41).v != 0 {
			sequences[seq] = names{3: {}, 29: {}}
		}
		s := sequences[seq]
		inside := func(num protowire.Number, take func(message []byte, x plain)) {
			for _, f := range fieldsOf(packet.data) {
				for _, x := range fieldsOf(f.data) {
					if f.num == num {
						take(f.data, x)
					}
				}
			}
		}
		inside(12, func(_ []byte, x plain) {
			if s[x.num] != nil {
				s[x.num][first(x.data, 1).v] = string(first(x.data, 2).data)
			}
		})
		inside(11, func(event []byte, x plain) {
			if kind := first(event, 9).v; x.num == 4 && (kind == kindBegin || kind == kindEnd) {
				plainNote("", x.data, s[3], s[29], func(arg string) { out[arg]++ })
			}
		})
	}
	return out
}

// plainNote hands over the values of an annotation.
func plainNote(path string, data []byte, keys, values map[uint64]string, take func(arg string)) {
	key := first(data, 1, 10)
	path += keys[key.v] + string(key.data)
	at := 0
	for _, f := range fieldsOf(data) {
		switch f.num {
		case 11:
			plainNote(path+".", f.data, keys, values, take)
		case 12:
			plainNote(fmt.Sprintf("%s[%d]", path, at), f.data, keys, values, take)
			at++
		case 2:
			take(path + "=" + strconv.FormatBool(f.v != 0))
		case 3:
			take(path + "=" + strconv.FormatUint(f.v, 10))
		case 4:
			take(path + "=" + strconv.FormatInt(int64(f.v), 10))
		case 5:
			take(path + "=" + model.FloatArg(math.Float64frombits(f.v)).String())
		case 6:
			take(path + "=" + strings.ToValidUTF8(string(f.data), "\uFFFD"))
		case 7:
			take(path + "=" + fmt.Sprintf("%#x", f.v))
		case 17:
			take(path + "=" + values[f.v])
		}
	}
}

// TestArgsOfCaptures compares the annotations of traces with what a plain reading of the file finds.
func TestArgsOfCaptures(t *testing.T) {
	least := map[string]int{
		"sdk-plain": 1300, "sdk-us": 1300, "concatenated": 2600, "py-multi": 300, "rust-layer": 1600, "chromium-page": 1500,
	}
	for name, least := range least {
		t.Run(name, func(t *testing.T) {
			got, n := map[string]int{}, 0
			for _, b := range open(t, name).Batches {
				for _, a := range b.Args {
					got[a.Key+"="+a.Value.String()]++
					n++
				}
			}
			want := plainArgs(recordings.Read(t, recordings.Perfetto, name+".pftrace"))
			testkit.That(t, maps.Equal(got, want), "%s", testkit.Diff(want, got))
			testkit.That(t, n >= least, "%d arguments, want %d or more", n, least)
		})
	}
}
