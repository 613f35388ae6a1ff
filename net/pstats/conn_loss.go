package pstats

import (
	"fmt"
	"strings"
	"time"

	"framescope/model"
)

// lossPause is how long further losses are gathered after some were told, so that a flood of bad datagrams is not a flood of reports.
const lossPause = 200 * time.Millisecond

// losses gathers what is to be reported as lost.
type losses struct {
	pending [model.NumLossReasons]int64
	detail  [model.NumLossReasons]string // of the first of the pending
	total   [model.NumLossReasons]int64
	timer   *time.Timer // runs while a pause is on
}

// lose counts n things as lost and tells the handler, at once or after a pause. The first loss for each reason is logged.
func (c *conn) lose(reason model.LossReason, n int64, format string, args ...any) {
	l := &c.losses
	c.lostCount.Add(n)
	if l.pending[reason] == 0 {
		l.detail[reason] = fmt.Sprintf(format, args...)
	}
	l.pending[reason] += n
	if l.total[reason] == 0 {
		c.server.logf("%s: %s", c.name(), l.detail[reason])
	}
	l.total[reason] += n
	if l.timer == nil && c.handler != nil {
		c.flushLosses()
		l.timer = time.AfterFunc(lossPause, c.pauseOver)
	}
}

// pauseOver tells what was gathered during a pause, and starts another one if there was something.
func (c *conn) pauseOver() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	if c.flushLosses() {
		c.losses.timer.Reset(lossPause)
	} else {
		c.losses.timer = nil
	}
}

// flushLosses tells the handler of all pending losses. It returns false when there were none.
func (c *conn) flushLosses() (any bool) {
	l := &c.losses
	for reason, n := range l.pending {
		if n > 0 {
			any = true
			c.handler.Lost(model.Loss{Reason: model.LossReason(reason), Track: model.NoTrack, N: n, Detail: l.detail[reason]})
			l.pending[reason] = 0
			l.detail[reason] = ""
		}
	}
	return any
}

func (l *losses) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// summary puts the totals into words for the log line at the end.
func (l *losses) summary() string {
	var b strings.Builder
	for reason, n := range l.total {
		if n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, lossWord(model.LossReason(reason)))
		}
	}
	return b.String()
}

// lossWord names the losses that a connection can see.
func lossWord(reason model.LossReason) string {
	switch reason {
	case model.LossChecksum:
		return "datagrams with a wrong checksum"
	case model.LossStranger:
		return "datagrams from strangers"
	case model.LossRing:
		return "datagrams dropped by the system"
	case model.LossLimit:
		return "beyond a limit"
	}
	return "malformed"
}
