package sessions

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/widgets"
)

func TestSilence(t *testing.T) {
	const s = time.Second
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		since, usual, step time.Duration // since the last arrival; below 0: since the beginning, nothing came
		waiting            bool
		want               widgets.Silence
	}{
		"just came":                {since: s / 10, usual: s / 4},
		"between two frames":       {since: s / 2, usual: s / 4},
		"a stopped game":           {since: 3 * s / 4, usual: s / 4, want: widgets.Silence{Ns: int64(3 * s / 4), UsualNs: int64(s / 4), Overdue: true}},
		"a slow log":               {since: 3 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(2 * s)}},
		"a slow log that stopped":  {since: 5 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(5 * s), UsualNs: int64(2 * s), Overdue: true}},
		"one batch, then nothing":  {since: 2*s + 1, want: widgets.Silence{Ns: int64(2*s + 1), Overdue: true}},
		"slow samples":             {since: 3 * s, usual: s / 4, step: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(s / 4)}},
		"connected this moment":    {since: -s / 2},
		"connected":                {since: -2 * s, want: widgets.Silence{Ns: int64(2 * s), Nothing: true}},
		"connected for long":       {since: -25 * s, want: widgets.Silence{Ns: int64(25 * s), Nothing: true, Overdue: true}},
		"a file that is not there": {since: -25 * s, waiting: true},
		"a lost connection":        {since: 25 * s, usual: s / 4, waiting: true, want: widgets.Silence{Ns: int64(25 * s), UsualNs: int64(s / 4), Overdue: true}},
	} {
		p := feed.Pulse{Since: start, LastAt: start, Usual: c.usual}
		now := start.Add(c.since)
		if c.since < 0 {
			p.LastAt, now = time.Time{}, start.Add(-c.since)
		}
		testkit.Equal(t, silence(p, c.step, c.waiting, now), c.want, "%s", name)
	}
}
