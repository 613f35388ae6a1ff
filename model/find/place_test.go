package find_test

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/find"
	"framescope/model/spans"
)

// A call's place is how many calls begin before it, of few as of more than are told apart; those that
// are no hits have none.
func TestPlaceAmongTheHits(t *testing.T) {
	for frames, told := range map[int]bool{20: true, 2400: false} {
		s := session(frames)
		e, err := find.Parse("Draw")
		testkit.NoErr(t, err)
		var h find.Hits
		h.Search(s, e)
		for !h.Done() {
			h.Step(1<<20, 0)
		}
		of, all := h.Count()
		testkit.MustEqual(t, all, told, "%d frames: %d calls, all told apart", frames, of)
		var hits []spans.Bar
		others := 0
		each(s, func(b spans.Bar) {
			if b.Collector == 3 || b.Collector == 4 {
				hits = append(hits, b)
			} else if others++; others < 50 {
				n, _, is := placed(&h, &b)
				testkit.MustThat(t, !is, "a span of %s is hit %d", names[b.Collector], n)
			}
		})
		testkit.MustEqual(t, int64(len(hits)), of, "%d frames: %d hits, %d are counted", frames, len(hits), of)
		for k := 0; k < len(hits); k += 1 + len(hits)/40 {
			b := hits[k]
			least, most := int64(1), int64(0)
			for _, o := range hits {
				if o.Begin < b.Begin {
					least++
				}
				if o.Begin <= b.Begin {
					most++
				}
			}
			n, all, ok := placed(&h, &b)
			if !ok || all != of || n < least || n > most {
				t.Errorf("%d frames: call %d of %s: place %d of %d (%v), want %d to %d of %d",
					frames, b.Begin, names[b.Collector], n, all, ok, least, most, of)
			}
		}
		if b, ok := h.Next(nil, math.MinInt64, 1); told {
			n, _, is := placed(&h, &b)
			testkit.That(t, ok && is && n == 1, "the first hit has place %d", n)
		}
	}
}

// placed asks for the place of a span until it is counted.
func placed(h *find.Hits, b *spans.Bar) (n, of int64, ok bool) {
	for range 1000 {
		if n, of, ok = h.Place(b); ok {
			break
		}
		h.Step(1<<20, 0)
	}
	return n, of, ok
}
