package journal

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
	"framescope/net/journal/journaltest"
)

// anySession makes a session of all kinds of records, in one file, and returns its bytes.
func anySession(t testing.TB) []byte {
	fsys := journaltest.NewMemory()
	w := CreateFileOn(fsys, "/x", Meta{Source: "test", Program: "game"}, Options{})
	w.Define("a", []byte("1"))
	for i := range 20 {
		w.Data(number(i))
	}
	w.Copy(Record{Kind: KindHole, Payload: []byte(`{"records":3,"reason":"full"}`)})
	w.Mark([]byte("id"))
	w.Close("done")
	testkit.OK(t, w.Wait(time.Minute))
	return testkit.Must(readFile(fsys, "/x", 1<<20))(t)
}

// drain reads all records of a session and writes them down, as far as it can be read.
func drain(fsys disk.FS, path string) (out []byte, n int) {
	r, err := OpenOn(fsys, path)
	if err != nil {
		return nil, 0
	}
	defer r.Close()
	r.Finish()
	r.Size()
	each(r, func(rec *Record) {
		if again, err := r.At(rec.Pos); err != nil || !bytes.Equal(again.Payload, rec.Payload) {
			panic("a record is not where it says that it is")
		}
		out = appendRecord(out, rec.Kind, rec.Time, string(rec.Key), rec.Payload)
		n++
	})
	r.Damage()
	return out, n
}

// FuzzReader reads anything as a file, as the segments and the descriptions of a session, and as a
// stream: nothing panics, all three read the same, and what stands before damage is there.
func FuzzReader(f *testing.F) {
	whole := anySession(f)
	f.Add(whole, uint16(0), []byte(nil))
	f.Add(whole, uint16(200), []byte{1, 2, 3})
	f.Add(whole[:100], uint16(44), bytes.Repeat([]byte{0xff}, 30))
	f.Add(whole, uint16(len(whole)/2), make([]byte, 200))
	f.Add(whole, uint16(records(whole)[7]), []byte{0, 0, 1, 0})
	f.Add(append(slices.Clone(whole[:len(whole)/2]), whole[len(whole)/3:]...), uint16(7), []byte(nil))
	f.Add(append(slices.Clone(whole), bytes.Repeat([]byte{18, 0, 0, 0, 1, 2, 3, 4, 3, 0}, 50)...), uint16(30), []byte{255})
	f.Add([]byte(magic), uint16(0), []byte(`{"format":1,"source":"test"}`))
	f.Fuzz(func(t *testing.T, file []byte, at uint16, patch []byte) {
		fsys := journaltest.NewMemory()
		write := func(path string, data []byte) {
			file := testkit.Must(fsys.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600))(t)
			file.WriteAt(data, 0)
		}
		write("/file", file)
		drain(fsys, "/file")
		ReadInfoOn(fsys, "/file")
		fsys.MkdirAll("/dir", 0o700)
		for i, name := range []string{"base.seg", "00000001.seg", "00000002.seg", "session.json", "user.json"} {
			switch i {
			case 3, 4:
				write("/dir/"+name, patch)
			default:
				write("/dir/"+name, file)
			}
		}
		drain(fsys, "/dir")
		ReadInfoOn(fsys, "/dir")
		OpenRoot("/", RootOptions{FS: fsys}).List()

		var streamed []byte
		p := Parser{Record: func(r Record) error {
			if r.Kind != KindMeta {
				streamed = appendRecord(streamed, r.Kind, r.Time, string(r.Key), r.Payload)
			}
			return nil
		}}
		for rest := file; len(rest) > 0; {
			n := min(len(rest), 1+int(at)%100)
			if _, err := p.Write(rest[:n]); err != nil {
				break
			}
			rest = rest[n:]
		}
		p.Finish()
		if read, _ := drain(fsys, "/file"); !bytes.Equal(read, streamed) {
			t.Fatalf("a stream gives %d bytes of records, the file %d", len(streamed), len(read))
		}

		// Damage somewhere in a good session takes nothing from what is before it.
		bad := append([]byte(nil), whole...)
		from := int(at) % len(bad)
		copy(bad[from:], patch)
		if len(patch) == 0 {
			bad = bad[:from]
		}
		write("/bad", bad)
		all := records(whole)
		before := 0
		for before < len(all) && all[before] <= from {
			before++
		}
		if _, got := drain(fsys, "/bad"); got < before-1 { // the first is the Meta
			t.Fatalf("%d records are read, %d stand before the damage at %d", got, before-1, from)
		}
	})
}

// records returns where the records of a file end.
func records(file []byte) (ends []int) {
	for at := segmentHead; at < len(file); {
		at += recordSize(file[at:])
		ends = append(ends, at)
	}
	return ends
}

// FuzzSegmentNames reads anything as the name of a segment: what is taken is what we would write.
func FuzzSegmentNames(f *testing.F) {
	for _, s := range []string{"base.seg", "00000001.seg", "99999999.seg", "100000000.seg", "+0000001.seg", ".seg"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		n, ok := segmentNumber(name)
		testkit.MustThat(t, !ok || segmentName(n) == name, "%q is taken for segment %d", name, n)
	})
}
