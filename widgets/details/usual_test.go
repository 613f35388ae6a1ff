package details

import "testing"

// A frame that is no hitch is as usual only where it took about what is typical: one far over that is
// none because others are, too, and a short one is none, either.
func TestWhatIsUsual(t *testing.T) {
	for ns, want := range map[int64]string{
		44_400_000: "within what frames vary by here", 16_300_000: "as usual here", 18_000_000: "as usual here",
		13_000_000: "as usual here", 5_000_000: "less than usual here",
	} {
		h := headline{ns: ns, usualNs: 16_300_000, of: "typical", usual: true}
		if said := h.usually(); said != want {
			t.Errorf("%d ns: %q, not %q", ns, said, want)
		}
		if h.usual = false; h.usually() != "" {
			t.Errorf("%d ns: a hitch is %q", ns, h.usually())
		}
	}
	if h := (headline{ns: 2, usualNs: 1, of: "median", usual: true}); h.usually() != "" {
		t.Error("what is compared with something else than frames around is usual")
	}
}
