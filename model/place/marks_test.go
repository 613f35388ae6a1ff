package place

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func frame(n int64) Place { return Place{Kind: Frames, First: n, Last: n, Thread: "Main"} }

func addMark(t *testing.T, l *MarkList, n int64) Mark {
	t.Helper()
	m, added, ok := l.Add(frame(n), n*10, n*10+10)
	testkit.MustThat(t, added && ok, "frame %d was not added", n)
	return m
}

// Numbers are the lowest that are free, up to 9; bookmarks stand in the order of time, and each place
// has one.
func TestList(t *testing.T) {
	var l MarkList
	for n := int64(12); n > 0; n-- {
		addMark(t, &l, n)
	}
	m, _ := l.At(frame(12))
	testkit.That(t, m.Number == 1, "%+v", m)
	m, _ = l.At(frame(3))
	testkit.That(t, m.Number == 0 && m.Name("frame 3") == "frame 3", "%+v", m)
	all := l.All()
	testkit.That(t, all[0].Place == frame(1) && all[11].Place == frame(12), "%+v", all)
	rev := l.Revision()
	m, added, ok := l.Add(frame(12), 0, 0)
	testkit.That(t, !added && ok && m.Number == 1 && l.Revision() == rev, "%+v was added again", m)
	five, _ := l.Numbered(5)
	before := l.All()
	l.Remove(five.ID)
	testkit.That(t, len(before) == 12 && l.Len() == 11 && l.Revision() != rev, "%d, then %d", len(before), l.Len())
	m = addMark(t, &l, 100)
	testkit.That(t, m.Number == 5, "%+v", m)
	l.SetNote(five.ID, "gone")
	hundred, _ := l.Numbered(5)
	l.SetNote(hundred.ID, " two\nlines\x1b\x00 ")
	m, _ = l.ByID(hundred.ID)
	testkit.That(t, m.Note == "two\nlines", "%q", m.Note)
	for n := int64(1000); l.Len() < MaxMarks; n++ {
		addMark(t, &l, n)
	}
	_, _, ok = l.Add(frame(5000), 0, 0)
	testkit.That(t, !ok, "there is room for more than MaxMarks")
}

// What others wrote comes in, what they took away goes, and what was changed here stays.
func TestMerge(t *testing.T) {
	var l, o MarkList
	for n := range int64(5) {
		addMark(t, &l, n)
		addMark(t, &o, n)
	}
	before := l.All()
	note := func(l *MarkList, n int64, text string) {
		m, _ := l.At(frame(n))
		l.SetNote(m.ID, text)
	}
	remove := func(l *MarkList, n int64) {
		m, _ := l.At(frame(n))
		l.Remove(m.ID)
	}
	note(&l, 0, "mine")
	note(&o, 0, "theirs")
	note(&o, 1, "theirs")
	remove(&o, 2)
	remove(&l, 3)
	note(&l, 4, "mine")
	remove(&o, 4)
	addMark(t, &o, 7)
	addMark(t, &l, 8)
	l.Merge(before, o.All())
	var got []string
	for _, m := range l.All() {
		got = append(got, m.Place.String()[6:7]+m.Note)
	}
	testkit.Equal(t, strings.Join(got, " "), "0mine 1theirs 4mine 7 8", "got")
	seen := map[int]bool{}
	for _, m := range l.All() {
		testkit.That(t, m.Number <= 0 || !seen[m.Number], "two have the number %d", m.Number)
		seen[m.Number] = true
	}
	rev := l.Revision()
	l.Merge(l.All(), l.All())
	testkit.That(t, l.Revision() == rev, "nothing changed, the revision did")
}

// A file is read as it was written.
func TestFile(t *testing.T) {
	var l MarkList
	m := addMark(t, &l, 7)
	l.SetNote(m.ID, "a \"note\"\nof two lines # 日本")
	l.Add(Place{Kind: Span, BeginNs: 5, EndNs: 9, Thread: "a&b", Collector: "App:Draw"}, 5, 9)
	text, err := EncodeMarks(l.All())
	testkit.NoErr(t, err)
	got, err := DecodeMarks(text)
	testkit.That(t, err == nil && SameMarks(got, l.All()) && got[1].BeginNs == 70 && got[1].EndNs == 80,
		"%v\n%s\n%+v", err, text, got)
	text, err = EncodeMarks(nil)
	testkit.That(t, text == nil && err == nil, "%q %v", text, err)
}

// A file that can't be read whole is an error, and nothing of it is taken.
func TestDamaged(t *testing.T) {
	mark := "\n[[bookmark]]\nat = \"frame=1\"\n"
	for text, want := range map[string]string{
		"":                                    "version is missing",
		"version = 2":                         "version 2",
		"version = 1\nfoo = 1":                "unknown key “foo”",
		"version":                             "toml",
		"version = 1" + mark + mark:           "twice",
		"version = 1" + mark + "x=1":          "unknown key",
		"version = 1" + mark + "number = 10":  "number is 10",
		"version = 1" + mark + "from = \"x\"": "not a time",
		"version = 1" + mark + "from = \"2s\"\nuntil = \"1s\"":       "ends before",
		"version = 1\n[[bookmark]]\nat = \"frame=\"":                 "bookmark 1",
		"version = 1" + strings.Repeat(mark, MaxMarks+1):             "the limit is",
		"version = 1\n#" + strings.Repeat("x", MaxMarkBytes):         "larger",
		"version = 1\n[[bookmark]]\nat = \"frame=1\"\nnote = \"\x01": "toml",
	} {
		list, err := DecodeMarks([]byte(text))
		testkit.That(t, err != nil && strings.Contains(err.Error(), want) && list == nil,
			"%.60q: %v, want %q", text, err, want)
	}
	dir := t.TempDir()
	list, err := ReadMarks(filepath.Join(dir, "none"))
	testkit.That(t, list == nil && err == nil, "%v %v", list, err)
	_, err = ReadMarks(dir)
	testkit.That(t, err != nil, "a folder was read")
	if os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o600) == nil {
		_, err := ReadMarks(filepath.Join(dir, "f"))
		testkit.That(t, err != nil, "a damaged file was read")
	}
}

// Whatever a file says, what is read of it is within the bounds, and is written as it was read.
func FuzzDecode(f *testing.F) {
	var l MarkList
	for n := range int64(12) {
		l.Add(frame(n*n), n, n+1)
	}
	text, _ := EncodeMarks(l.All())
	f.Add(text)
	f.Add([]byte("version = 1\n[[bookmark]]\nnumber=1\nat = \"span=1s&thread=%00\"\nnote = '''a\n\u202eb'''\n"))
	f.Add(bytes.Repeat([]byte("version = 1\n[[bookmark]]\n"), 3))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := DecodeMarks(text)
		if err != nil {
			return
		}
		testkit.MustThat(t, len(list) <= MaxMarks, "%d bookmarks", len(list))
		for _, m := range list {
			if len(m.Note) > MaxNote || m.Number < 0 || m.Number > MaxNumber || m.EndNs < m.BeginNs || CleanMarks(m.Note) != m.Note {
				t.Fatalf("%+v", m)
			}
		}
		if len(list) == 0 {
			return
		}
		text, err = EncodeMarks(list)
		if err != nil {
			return // names in percent notation are longer than they were
		}
		again, err := DecodeMarks(text)
		if err != nil && !strings.Contains(err.Error(), "too long") || err == nil && !SameMarks(list, again) {
			t.Fatalf("%v: %+v became %+v by\n%s", err, list, again, text)
		}
	})
}
