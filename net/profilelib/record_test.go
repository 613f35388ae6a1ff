package profilelib

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

// What is encoded is decoded as it was, in every layout, and means the same in the current one.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(AllRecords()).Draw(t, "layout")
		kind := Kind(rapid.IntRange(int(SysInfo), int(Block)).Draw(t, "kind"))
		r := Record{
			Processor: rapid.Uint32().Draw(t, "processor"), Thread: rapid.Uint32().Draw(t, "thread"),
			Start: rapid.Int64Range(0, MaxTicks).Draw(t, "start"),
			Name:  rapid.SliceOfN(rapid.ByteRange(0x20, 0x7e), 0, l.NameSize()-1).Draw(t, "name"),
		}
		link := rapid.Uint32Range(0, 0xffff)
		r.Previous, r.Sibling, r.Child = link.Draw(t, "previous"), link.Draw(t, "sibling"), link.Draw(t, "child")
		if id, ok := l.ID(kind); kind == Block {
			r.ID = rapid.Uint32Min(FirstBlock).Draw(t, "id")
		} else if !ok {
			t.Skip("no such kind")
		} else {
			r.ID = id
		}
		if kind.More() {
			r.Parent = rapid.Uint32Min(FirstBlock).Draw(t, "parent")
		}
		r.End = rapid.Int64Range(FirstBlock, 1<<32-1).Draw(t, "end")
		switch kind {
		case Block:
			r.End += r.Start
		case SysInfo:
			r.Start, r.End = 1e7, 0
		case Frame:
			r.Name = nil
		}
		raw := l.Encode(&r, []byte("before"))
		if len(raw) != 6+l.Stride() || string(raw[:6]) != "before" {
			t.Fatalf("%d bytes", len(raw))
		}
		var got Record
		testkit.OK(t, l.Decode(raw[6:], &got))
		same(t, got, r)
		if k := l.Kind(got.ID, got.Parent); k != kind {
			t.Fatalf("kind %v, want %v", k, kind)
		}
		var cur [RecordSize]byte
		l.ToCurrent(raw[6:], &cur)
		testkit.OK(t, Current.Decode(cur[:], &got))
		r.ID, _ = Current.ID(kind)
		if kind == Block {
			r.ID = got.ID
		}
		same(t, got, r)
		if f := CheckRecord(cur[:]); f != NoFault && r.End <= MaxTicks && r.Parent != r.ID {
			t.Fatalf("%v: %v", kind, f)
		}
	})
}

func same(t *rapid.T, a, b Record) {
	if !bytes.Equal(a.Name, b.Name) {
		t.Fatalf("name %q, want %q", a.Name, b.Name)
	}
	a.Name, b.Name = nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("%+v, want %+v", a, b)
	}
}

func TestLayoutNames(t *testing.T) {
	for _, l := range AllRecords() {
		got, err := ParseRecord(l.String())
		if err != nil || got != l {
			t.Errorf("%v is read as %v: %v", l, got, err)
		}
	}
	for in, want := range map[string]Layout{"V3": {V3, false}, " v4-le ": Current, "v2-BE": {V2, true}} {
		if got, err := ParseRecord(in); err != nil || got != want {
			t.Errorf("%q is read as %v: %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "v5", "4", "v3-64", "v4-be-le"} {
		if l, err := ParseRecord(bad); err == nil {
			t.Errorf("%q is read as %v", bad, l)
		}
	}
}

// The worked example of the format's description.
func TestExample(t *testing.T) {
	raw := readFile(t, "../../testdata/profilelib/small-clean.prof")
	var r Record
	testkit.OK(t, Current.Decode(raw[:64], &r))
	if r.ID != 219 || r.Thread != 31120 || r.Start != 19640789 || r.End != 19757432 || string(r.Name) != "Job" || r.Child != 96 {
		t.Errorf("first record: %+v", r)
	}
	testkit.OK(t, Current.Decode(raw[64:], &r))
	if r.ID != 222 || r.Parent != 219 || r.Start != 19721909 || string(r.Name) != "Skinning of character wit" || r.Sibling != 94 {
		t.Errorf("second record: %+v", r)
	}
	if err := Current.Decode(raw[:63], &r); err == nil {
		t.Error("63 bytes are taken for a record")
	}
}
