package messages_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/store"
)

type plainMessage struct {
	model.Message
	track model.TrackID
	frame int64
}

// plainMessages keeps messages in order of time, then track, then arrival.
type plainMessages []plainMessage

func (p *plainMessages) add(m plainMessage) {
	i := len(*p)
	for i > 0 && ((*p)[i-1].Time > m.Time || (*p)[i-1].Time == m.Time && (*p)[i-1].track > m.track) {
		i--
	}
	*p = slices.Insert(*p, i, m)
}

func (p plainMessages) find(q messages.Query) (out []messages.Hit) {
	for _, m := range p {
		switch {
		case (q.T0 != 0 || q.T1 != 0) && (m.Time < q.T0 || m.Time > q.T1), m.Severity < q.MinSeverity,
			len(q.Categories) > 0 && !slices.Contains(q.Categories, m.Category), len(q.Tracks) > 0 && !slices.Contains(q.Tracks, m.track),
			!strings.Contains(strings.ToLower(m.Object), strings.ToLower(q.Object)), !strings.Contains(strings.ToLower(m.Text), strings.ToLower(q.Text)):
			continue
		}
		out = append(out, messages.Hit{Message: m.Message, Track: m.track})
	}
	return out
}

func TestMessagesLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tracks = 3
		s := store.NewSession()
		var p plainMessages
		var number, now [tracks]int64
		word := rapid.SampledFrom([]string{"", "queue", "Sink", "src", "Übergang", "error in SRC", "pad of queue"})
		category := rapid.SampledFrom([]string{"", "GST_PADS", "basesrc", "übrig"})
		ask := func() {
			q := messages.Query{
				MinSeverity: model.Severity(rapid.IntRange(-3, 3).Draw(t, "severity")), Text: rapid.SampledFrom([]string{"", "s", "sr", "src", "ÜBER", "SINK"}).Draw(t, "text"),
				Object: rapid.SampledFrom([]string{"", "", "SRC"}).Draw(t, "object"), Limit: 1 << 20,
			}
			if rapid.Bool().Draw(t, "range") {
				q.T0 = rapid.Int64Range(-5, 300).Draw(t, "t0")
				q.T1 = q.T0 + rapid.Int64Range(1, 300).Draw(t, "length")
			}
			if rapid.IntRange(0, 2).Draw(t, "categories") == 0 {
				q.Categories = []string{category.Draw(t, "category"), category.Draw(t, "category")}
			}
			if rapid.IntRange(0, 2).Draw(t, "tracks") == 0 {
				q.Tracks = []model.TrackID{1, 0, 1}
			}
			want := p.find(q)
			checkSoFar(t, s, q, want)
			got, total := s.Messages().Find(q, nil)
			for i := range got {
				got[i].Index = 0
			}
			diff := gocmp.Diff(want, got)
			testkit.MustThat(t, diff == "" && total == len(want), "%+v: total %d, %s", q, total, diff)
			at := rapid.Int64Range(0, 300).Draw(t, "at")
			before := 0
			for _, h := range want {
				if h.Time < at {
					before++
				}
			}
			testkit.MustEqual(t, s.Messages().Index(q, at), before, "messages before %d", at)
			q.First, q.Limit = rapid.IntRange(0, 20).Draw(t, "first"), rapid.IntRange(0, 5).Draw(t, "limit")
			page, total := s.Messages().Find(q, nil)
			testkit.MustThat(t, total == len(want) && len(page) == min(q.Limit, max(total-q.First, 0)),
				"a page of %d from %d has %d of %d", q.Limit, q.First, len(page), total)
			for i, h := range page {
				testkit.MustThat(t, h.Text == want[q.First+i].Text && h.Time == want[q.First+i].Time,
					"page: %v, want %v", h, want[q.First+i])
			}
		}
		for range rapid.IntRange(1, 25).Draw(t, "batches") {
			k := rapid.IntRange(0, tracks-1).Draw(t, "track")
			b := &model.Batch{Track: model.TrackID(k), HasFrame: rapid.Bool().Draw(t, "frame")}
			frame := model.NoFrame
			if b.HasFrame {
				if number[k] > 0 && rapid.IntRange(0, 3).Draw(t, "rewinds") == 0 {
					b.Rewind = true
					number[k] = rapid.Int64Range(max(0, number[k]-5), number[k]-1).Draw(t, "back")
					p = slices.DeleteFunc(p, func(m plainMessage) bool { return m.track == b.Track && m.frame >= number[k] })
				}
				frame = number[k]
				b.Number, b.Begin, b.End = frame, now[k], now[k]
				number[k]++
			}
			for range rapid.IntRange(0, 12).Draw(t, "messages") {
				now[k] += rapid.Int64Range(0, 9).Draw(t, "step")
				m := model.Message{Time: now[k], Severity: model.Severity(rapid.IntRange(-3, 3).Draw(t, "severity")), Text: word.Draw(t, "text"), Category: category.Draw(t, "category"), Object: word.Draw(t, "object")}
				if rapid.IntRange(0, 5).Draw(t, "late") == 0 {
					m.Time = max(1, m.Time-rapid.Int64Range(0, 60).Draw(t, "by"))
				}
				b.Messages = append(b.Messages, m)
				p.add(plainMessage{m, b.Track, frame})
			}
			s.Append(b)
			if rapid.IntRange(0, 3).Draw(t, "ask") == 0 {
				ask()
			}
		}
		for range 4 {
			ask()
		}
		counts := map[string]int64{}
		var severities [7]int64
		for _, m := range p {
			severities[m.Severity+3]++
			if m.Category != "" {
				counts[m.Category]++
			}
		}
		got := map[string]int64{}
		for _, c := range s.Messages().Categories(nil) {
			got[c.Name] = c.Count
		}
		testkit.MustNoDiff(t, gocmp.Diff(counts, got), "categories")
		testkit.MustEqual(t, s.Messages().Severities(), severities, "severities")
		for k := range model.TrackID(tracks) {
			if s.Track(k) != nil {
				checkMarks(t, s, k, p.find(messages.Query{MinSeverity: model.SeverityTrace, Tracks: []model.TrackID{k}}))
			}
		}
	})
}

// checkSoFar asks for what is found in a few small steps: hits all of them, and all hits where it says
// so. In between other questions may go on, too.
func checkSoFar(t *rapid.T, s *store.Session, q messages.Query, want []messages.Hit) {
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		s.Messages().Step(rapid.Int64Range(1, 40).Draw(t, "work"))
		got, total, share := s.Messages().FindSoFar(q, nil)
		rest := want
		for i := range got {
			got[i].Index = 0
			k := slices.Index(rest, got[i])
			testkit.MustThat(t, k >= 0, "%+v: so far %v, of all %v", q, got, want)
			rest = rest[k+1:]
		}
		testkit.MustThat(t, total == len(got) && (share != 1 || total == len(want)) && share >= 0 && share <= 1,
			"%+v: %d listed of %d, share %v of %d", q, len(got), total, share, len(want))
	}
}

func checkMarks(t *rapid.T, s *store.Session, track model.TrackID, all []messages.Hit) {
	minNs := rapid.Int64Range(1, 60).Draw(t, "minNs")
	t0 := rapid.Int64Range(-20, 200).Draw(t, "t0")
	t1 := t0 + rapid.Int64Range(0, 200).Draw(t, "length")
	bucket := func(timeNs int64) int64 { return int64(math.Floor(float64(timeNs) / float64(minNs))) }
	var want []messages.Mark
	for _, m := range all {
		at := bucket(m.Time)
		if at < bucket(t0) || at > bucket(t1) {
			continue
		}
		if k := len(want); k > 0 && bucket(want[k-1].Begin) == at {
			w := &want[k-1]
			w.End = m.Time
			w.N++
			if m.Severity > w.Severity {
				w.Severity, w.Gravest = m.Severity, m.Message
			}
			continue
		}
		want = append(want, messages.Mark{Begin: m.Time, End: m.Time, N: 1, Severity: m.Severity, First: m.Message, Gravest: m.Message})
	}
	got := s.Messages().Marks(track, t0, t1, minNs, nil)
	for i := range got {
		got[i].Index = 0
	}
	testkit.MustNoDiff(t, gocmp.Diff(want, got), "marks of %d ns in %d…%d", minNs, t0, t1)
}

func manyMessages(s *store.Session, n int) {
	b := &model.Batch{}
	for i := range n {
		b.Track = model.TrackID(i / 1000 % 4)
		severity := model.SeverityDebug
		if i%1000 == 7 {
			severity = model.SeverityWarning
		}
		b.Messages = append(b.Messages, model.Message{Time: int64(i) * 1000, Severity: severity, Text: fmt.Sprintf("caps event %d of the pipeline was not handled by element sink%d", i, i%100), Category: fmt.Sprintf("GST_CATEGORY_%d", i%30), Object: fmt.Sprintf("element%d:src", i%200)})
		if i%1000 == 999 {
			s.Append(b)
			b.Reset()
		}
	}
}

// TestMessageWork checks that what was found is kept, and that marks cost what their number is.
func TestMessageWork(t *testing.T) {
	s := store.NewSession()
	const n = 100_000
	manyMessages(s, n)
	all := messages.Query{MinSeverity: model.SeverityTrace, Limit: 50}
	if hits, total := s.Messages().Find(all, nil); total != n || len(hits) != 50 || s.Messages().SearchWork() != n {
		t.Fatalf("%d of %d, %d looked at", len(hits), total, s.Messages().SearchWork())
	}
	sink := all
	sink.Text = "SINK4"
	_, total := s.Messages().Find(sink, nil)
	testkit.Equal(t, total, n/100*11, "hits")
	before := s.Messages().SearchWork()
	sink.Text = "Sink42"
	_, total = s.Messages().Find(sink, nil)
	testkit.That(t, total == n/100, "%d hits, want %d", total, n/100)
	work := s.Messages().SearchWork() - before
	testkit.That(t, work <= n/100*11, "%d messages looked at for one more letter", work)
	before = s.Messages().SearchWork()
	s.Append(&model.Batch{Messages: []model.Message{{Time: n * 1000, Text: "sink42"}}})
	_, total = s.Messages().Find(sink, nil)
	testkit.That(t, total == n/100+1, "%d hits after one more came", total)
	work = s.Messages().SearchWork() - before
	testkit.That(t, work <= 10, "%d messages looked at after one came", work)
	marks, visited := s.Messages().MarksWork(0, 0, n*1000, n*10)
	testkit.That(t, len(marks) >= 20 && visited <= int64(len(marks))*120,
		"%d looked at for %d marks", visited, len(marks))
	if marks[0].Severity != model.SeverityWarning || marks[0].Gravest.Severity != model.SeverityWarning || marks[0].First.Severity != model.SeverityDebug {
		t.Errorf("%+v", marks[0])
	}
	var page []messages.Hit
	var flags []messages.Mark
	if a := testing.AllocsPerRun(20, func() {
		page, _ = s.Messages().Find(sink, page[:0])
		flags = s.Messages().Marks(0, 0, n*1000, n*10, flags[:0])
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

// TestSearchGoesOn checks that no step looks at more than its work, that a search comes to its end, and
// that what was found is what a search at once finds, also while messages come in and as letters are
// typed.
func TestSearchGoesOn(t *testing.T) {
	s, twin := store.NewSession(), store.NewSession()
	const n, work = 10_000, 1000
	manyMessages(s, n)
	manyMessages(twin, n)
	m, seen := s.Messages(), int64(0)
	step := func() (looked int64) {
		m.Step(work)
		return m.SearchWork() - seen
	}
	q := messages.Query{MinSeverity: model.SeverityTrace, Limit: 1 << 20}
	long := int64(n)
	for _, text := range []string{"element", "Element sink", "element SINK4", "caps"} {
		q.Text = text
		share, steps, last := 0.0, 0, 0.0
		for ; share < 1; steps++ {
			seen = m.SearchWork()
			step()
			b := &model.Batch{Messages: []model.Message{{Time: (n + long) * 1000, Text: "one more element sink4 with caps"}}}
			long++
			s.Append(b)
			twin.Append(b)
			hits, total := []messages.Hit(nil), 0
			hits, total, share = m.FindSoFar(q, nil)
			looked := m.SearchWork() - seen
			testkit.MustThat(t, looked <= work && steps <= n/work*3,
				"%s: %d messages looked at in step %d", text, looked, steps)
			want, all := twin.Messages().Find(q, nil)
			if total > all || share < 1 && share < last || !slices.Equal(hits, want[:total]) || share == 1 && total != all {
				t.Fatalf("%s: %d of %d found, of %v", text, total, all, share)
			}
			last = share
		}
		testkit.That(t, steps >= 2, "%s: found in %d steps of %d", text, steps, work)
	}
	seen = m.SearchWork()
	testkit.That(t, step() == 0, "a search goes on after its end")
	// What is asked for as a whole is, also where another waits for a step.
	q.Text = "pipeline"
	_, _, share := m.FindSoFar(q, nil)
	testkit.That(t, share != 1, "found at once")
	_, total := m.Find(q, nil)
	_, want := twin.Messages().Find(q, nil)
	testkit.That(t, total == want, "%d found, want %d", total, want)
	_, _, share = m.FindSoFar(q, nil)
	testkit.That(t, share == 1, "searched %v after all was found", share)
}

// Many questions at once, such as those of threads with clocks of their own, all come to their ends.
func TestManySearchesGoOn(t *testing.T) {
	s := store.NewSession()
	const n = 20_000
	manyMessages(s, n)
	done, text := 0, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for range 200 {
		s.Messages().Step(1000)
		done = 0
		for i := range text {
			q := messages.Query{MinSeverity: model.SeverityTrace, Text: text[i], Tracks: []model.TrackID{model.TrackID(i % 4)}}
			if _, _, share := s.Messages().FindSoFar(q, nil); share == 1 {
				done++
			}
		}
	}
	testkit.Equal(t, done, len(text), "%d of %d searches came to their ends", done, len(text))
}

func TestMessagesLeaveMemory(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := st.NewSession()
	// One that claims to be of a far future stays last, and its text is the oldest.
	s.Append(&model.Batch{Messages: []model.Message{{Time: 1 << 50, Text: "from the future", Category: "odd"}}})
	const n = 50_000
	q := messages.Query{MinSeverity: model.SeverityTrace, Text: "7", Limit: 10}
	for i := range int64(n) {
		s.Append(&model.Batch{Track: 0, Messages: []model.Message{{Time: i * 1000, Text: fmt.Sprintf("message %d%s", i, strings.Repeat(".", 50)), Category: fmt.Sprintf("c%d", i/1000), Object: fmt.Sprint("o", i)}}})
		if i%500 == 0 {
			st.EnforceLimit(time.Time{})
			// What a search found is kept too, and is not there yet when room is made.
			got := st.Memory().Total()
			testkit.MustThat(t, got <= 5<<19, "%d bytes after %d messages", got, i)
			s.Messages().Find(q, nil)
		}
	}
	st.EnforceLimit(time.Time{})
	tr := s.Track(0)
	stored := tr.NumMessages()
	losses, _ := s.Losses()
	testkit.MustThat(t, stored >= 5000 && stored+losses[model.LossEvicted] == n+1,
		"%d stored, %d evicted", stored, losses[model.LossEvicted])
	list := s.Messages().Of(0, math.MinInt64, math.MaxInt64, nil)
	last := list[len(list)-1]
	testkit.That(t, last.Text == "from the future" && last.Category == "odd", "the last is %+v", last)
	var sum int64
	for _, c := range s.Messages().Categories(nil) {
		sum += c.Count
	}
	testkit.Equal(t, sum, stored, "categories of %d messages, %d are stored", sum, stored)
	want := 0
	for _, m := range list {
		if strings.Contains(m.Text, "7") {
			want++
		}
	}
	_, total := s.Messages().Find(q, nil)
	testkit.That(t, total == want, "%d hits, want %d", total, want)
}
