package report

import (
	"bufio"
	"fmt"
	"time"

	"framescope/model"
)

// pace is how fast and how even the frames of a thread came: see frames.Pace.
type pace struct {
	Median   float64  `json:"median_ns"`
	P95      float64  `json:"p95_ns"`
	P99      float64  `json:"p99_ns"`
	Max      float64  `json:"max_ns"`
	Low1     *float64 `json:"low_1"`  // null where these frames took no time
	Low01    *float64 `json:"low_01"` // null as in Low1
	Over     float64  `json:"over"`
	BudgetNs int64    `json:"limit_ns"`
}

// paceOf returns the pace of frames that there are.
func paceOf(c *scope, id model.TrackID, first, last int) pace {
	p, _ := c.s.Frames().Pace(id, first, last, c.budgetNs)
	return pace{
		p.Median, p.P95, p.P99, p.Longest, orNull(p.Low1), orNull(p.Low01), float64(p.Over) / float64(p.Frames), c.budgetNs,
	}
}

// write writes a line of text.
func (p *pace) write(out *bufio.Writer) {
	fmt.Fprintf(out, "frame times: median %s, p95 %s, p99 %s, max %s ms", Ms(p.Median), Ms(p.P95), Ms(p.P99), Ms(p.Max))
	for _, low := range []struct {
		of string
		hz *float64
	}{{"1 % low", p.Low1}, {"0.1 % low", p.Low01}} {
		if low.hz != nil {
			fmt.Fprintf(out, "; %s %s Hz", low.of, Number(*low.hz))
		}
	}
	fmt.Fprintf(out, "; %.3g %% over %v\n", 100*p.Over, time.Duration(p.BudgetNs).Round(10*time.Microsecond))
}
