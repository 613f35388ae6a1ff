package place

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// A name that exists is one as it is; what is behind the last # of others is a place.
func TestCut(t *testing.T) {
	there := map[string]bool{"a.pstats": true, "b#1.pstats": true, "c#frame=1": true}
	exists := func(name string) bool { return there[name] }
	for link, want := range map[string]string{
		"a.pstats": "a.pstats ", "a.pstats#frame=3": "a.pstats frame=3", "b#1.pstats": "b#1.pstats ",
		"b#1.pstats#frame=3": "b#1.pstats frame=3", "c#frame=1": "c#frame=1 ", "gone#frame=3": "gone frame=3",
		"gone#x": "gone#x ", "#frame=3": "#frame=3 ",
	} {
		name, p, err := Cut(link, exists)
		got := name + " " + p.String()
		testkit.That(t, got == want && err == nil, "%s: %q, %v", link, got, err)
	}
	name, _, err := Cut("a.pstats#x", exists)
	testkit.That(t, err != nil && name == "a.pstats", "%q %v", name, err)
}

// session has frames 10…19 of 10 ms each without 14 on the threads Main and, again, Main; each with a
// span App and in it App:Draw, twice one inside the other.
func session() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Draw", Parent: 1})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 2})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	for id := range model.TrackID(2) {
		s.Apply(model.TrackDef{ID: id, Name: "Main", Main: id == 0})
		for n := int64(10); n < 20; n++ {
			if n == 14 {
				continue
			}
			const ms = 1_000_000
			ns := (n - 10) * 10 * ms
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: n, Begin: ns, End: ns + 10*ms, Spans: []model.Span{
				{Begin: ns, End: ns + 8*ms, Path: 1}, {Begin: ns + ms, End: ns + 5*ms, Path: 2, Lane: 1},
				{Begin: ns + ms, End: ns + 3*ms, Path: 3, Lane: 2},
			}})
		}
	}
	return s
}

// plain is a place whose fields are printed.
type plain Place

// TestPlaces says what texts mean, and what that is of the session: what is looked up is what the place was made of, and
// what was not received is an error.
func TestPlaces(t *testing.T) {
	s := session()
	testkit.Lines(t, "testdata/places.txt", func(text string) string {
		p, err := Parse(text)
		if err != nil {
			return err.Error()
		}
		said := fmt.Sprintf("%+v", plain(p))
		if again := p.String(); again != text {
			said += ", " + again
		}
		f, err := p.Find(s)
		if err != nil {
			return said + "; " + err.Error()
		}
		if made, ok := OfSpan(s, f.Span); p.Kind == Span {
			again, err := made.Find(s)
			testkit.That(t, ok && err == nil && again.Span.Ref == f.Span.Ref, "%s: the place %s is %+v, %v", text, made, again, err)
		}
		return said + fmt.Sprintf("; track %d, frames %d to %d, %d to %d ns", f.Track, f.First, f.Last, f.BeginNs, f.EndNs)
	})
	testkit.Refused(Parse(strings.Repeat("a", maxText+1)))(t, "too long")
	p, ok := OfFrames(s, 1, 3, 4)
	testkit.That(t, ok && p.String() == "range=13:15&thread=Main&nth=2", "%s %v", p, ok)
	testkit.Refused((Place{Kind: Frames, First: 1, Last: 1}).Find(store.NewSession()))(t)
}

// Whatever a text says, a place that is made of it has a text from which the same place is made.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"frame=5431", "range=-1ns:1h&thread=%00", "span=12.5s:12.6s&collector=App:Cull", "span=0s&thread=a%26b%23c%20d&nth=2", "time=1s&thread=%FFü",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(p.String()); err != nil && len(p.String()) <= maxText || err == nil && again != p {
			t.Fatalf("%q is %+v, its text %q is %+v, %v", text, p, p.String(), again, err)
		}
		p.Find(session())
	})
}

// timerangeSession has frames 10…19 of 10 ms each, 14 and 15 missing, on track 1; track 0 has none.
func timerangeSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.TrackDef{ID: 0, Name: "Empty"})
	s.Apply(model.TrackDef{ID: 1, Name: "Main", Index: 7})
	for n := int64(10); n < 20; n++ {
		if n == 14 || n == 15 {
			continue
		}
		ns := (n - 10) * int64(10*time.Millisecond)
		s.Append(&model.Batch{Track: 1, HasFrame: true, Number: n, Begin: ns, End: ns + int64(10*time.Millisecond)})
	}
	return s
}

// TestRanges says what ranges mean, and which frames they are.
func TestRanges(t *testing.T) {
	s := timerangeSession()
	testkit.Lines(t, "testdata/ranges.txt", func(text string) string {
		r, err := ParseRange(text)
		if err != nil {
			return err.Error()
		}
		first, last, err := r.Frames(s, 1)
		if err != nil {
			return fmt.Sprintf("%+v: %v", r, err)
		}
		return fmt.Sprintf("%+v: frames %d to %d", r, s.Track(1).Frame(first).Number, s.Track(1).Frame(last).Number)
	})
	_, _, err := (TimeRange{}).Frames(s, 0)
	testkit.That(t, err == ErrNoFrames, "empty track: %v", err)
}

func TestResolve(t *testing.T) {
	s := timerangeSession()
	r, _ := ParseRange("12:13")
	a, b, err := r.Resolve(s, 1)
	testkit.That(t, err == nil && a == 2e7 && b == 4e7, "%d %d %v", a, b, err)
	_, _, err = r.Resolve(store.NewSession(), 0)
	testkit.That(t, err == ErrNoFrames, "empty session: %v", err)
}

// A range of frames of a session without any says what its source takes for candidates.
func TestSideNamesWhatMayBeFrames(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 1, End: 2}}})
	s.Apply(model.Warning{Text: "too slow"})
	s.Apply(model.Warning{Text: "5 calls of “Tick” may be: --frames Tick."})
	r, _ := ParseRange("1:2")
	_, err := Side(s, r, nil)
	testkit.That(t, errors.Is(err, ErrNoFrameNumbers) && strings.HasSuffix(err.Error(), ". 5 calls of “Tick” may be: --frames Tick"), "%v", err)
}

func TestFindTrack(t *testing.T) {
	s := timerangeSession()
	for name, want := range map[string]model.TrackID{"": 1, "Main": 1, "main": 1, "7": 1, "Empty": 0, "mai": 1, "M*": 1, "/^ma/": 1, "*pt?": 0} {
		got, err := FindTrack(s, name)
		testkit.That(t, err == nil && got == want, "%q: %d %v", name, got, err)
	}
	s.Apply(model.TrackDef{ID: 2, Name: "Job", Index: 3_855_321_344}) // as systems number threads
	got, err := FindTrack(s, "3855321344")
	testkit.That(t, err == nil && got == 2, "%d %v", got, err)
	_, err = FindTrack(s, "Draw")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "Empty, Main, Job"), "%v", err)
	testkit.Refused(FindTrack(s, "m"))(t, "2 threads", "Empty, Main")
	s.Apply(model.TrackDef{ID: 3, Name: "Job 7", Index: 7}) // of another process; the number is another's
	s.Apply(model.TrackDef{ID: 4, Name: "Job 7", Index: 7})
	for name, want := range map[string]model.TrackID{"7": 1, "1": 3, "2": 4} {
		got, err := FindTrack(s, name)
		testkit.That(t, err == nil && got == want, "%q: %d %v", name, got, err)
	}
	_, err = FindTrack(s, "b 7")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "Job 7 (1), Job 7 (2)"), "%v", err)
	_, err = FindTrack(s, "/(/")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "missing closing"), "%v", err)
}

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
	read := func(text string) error {
		list, err := DecodeMarks([]byte(text))
		testkit.That(t, err != nil && list == nil, "%.60q: %v", text, list)
		return err
	}
	testkit.Blocks(t, "testdata/marks.txt", func(_, text string) string { return read(text).Error() })
	testkit.Fails(t, read("version = 1"+strings.Repeat("\n[[bookmark]]\nat = \"frame=1\"\n", MaxMarks+1)), "the limit is")
	testkit.Fails(t, read("version = 1\n#"+strings.Repeat("x", MaxMarkBytes)), "larger")
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
			testkit.MustThat(t, len(m.Note) <= MaxNote && m.Number >= 0 && m.Number <= MaxNumber &&
				m.EndNs >= m.BeginNs && CleanMarks(m.Note) == m.Note, "%+v", m)
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
