package server

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"framescope/model"
)

// lossPause is the time for which losses are gathered after a report, so that a flood of bad datagrams
// does not cause a flood of reports.
const lossPause = 200 * time.Millisecond

// losses gathers losses for the next report.
type losses struct {
	pending [model.NumLossReasons]model.Loss // the detail is that of the first
	total   model.LedgerCounts
	told    [model.NumLossReasons]toldLoss
	timer   *time.Timer // runs while a pause is on
}

// toldLoss is the last report for a reason, with its time.
type toldLoss struct {
	detail string
	at     time.Time
}

// sameDetailEvery is the time until a report repeats the words for a reason; the counts go on.
const sameDetailEvery = 10 * time.Second

// lose counts the loss of n things other than frames.
func (c *conn) lose(reason model.LossReason, n int64, format string, args ...any) {
	c.loseAll(model.Loss{Reason: reason, N: n}, format, args...)
}

// loseFrames counts the loss of n frames of the client.
func (c *conn) loseFrames(reason model.LossReason, n int64, format string, args ...any) {
	c.loseAll(model.Loss{Reason: reason, N: n, Frames: n}, format, args...)
}

// loseAll counts a loss, which comes after the newest frame unless it has a time, and reports it to
// the handler, at once or after a pause. The first loss for each reason is logged.
func (c *conn) loseAll(loss model.Loss, format string, args ...any) {
	l := &c.losses
	reason := loss.Reason
	loss.Track = model.NoTrack
	if loss.End == 0 {
		loss.Begin, loss.End = c.guard.newestNs, c.guard.newestNs
	}
	if reason == model.LossSystem || reason == model.LossChecksum {
		// Frames that came by TCP may be far ahead of the datagrams.
		loss.Begin = c.guard.datagram
	}
	if p := &l.pending[reason]; p.N == 0 {
		loss.Detail = fmt.Sprintf(format, args...)
		*p = loss
	} else {
		p.Add(loss)
	}
	if l.total.Lost[reason] == 0 {
		c.logf("%s: %s", c.name(), l.pending[reason].Detail)
	}
	l.total.Lost[reason] += loss.N
	l.total.Frames[reason] += loss.Frames
	if l.timer == nil && c.begun {
		c.flushLosses()
		l.timer = time.AfterFunc(cmp.Or(c.server.cfg.pause, lossPause), c.pauseOver)
	}
}

// pauseOver reports the losses gathered during a pause, and starts another one if there were any.
func (c *conn) pauseOver() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	if c.flushLosses() {
		c.losses.timer.Reset(cmp.Or(c.server.cfg.pause, lossPause))
	} else {
		c.losses.timer = nil
	}
}

// flushLosses reports all pending losses to the handler. It returns false when there were none.
func (c *conn) flushLosses() (any bool) {
	for reason := range c.losses.pending {
		if p := &c.losses.pending[reason]; p.N > 0 {
			any = true
			if told, now := &c.losses.told[reason], time.Now(); p.Detail == told.detail && now.Sub(told.at) < sameDetailEvery {
				p.Detail = ""
			} else {
				*told = toldLoss{p.Detail, now}
			}
			c.handler.Lost(*p)
			*p = model.Loss{}
		}
	}
	return any
}

func (l *losses) stop() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// summary puts the account of the connection into words for the log line at the end, in those of
// the session's ledger, and returns the frames that were received.
func (c *conn) summary() (received int64, losses string) {
	counts := c.losses.total
	counts.Received, counts.Missing = c.frames.Load(), c.guard.missing()
	counts.Local = c.peer.Addr().IsLoopback()
	if c.dropped != nil { // as the session has it, these were never received
		n := c.dropped()
		counts.Received, counts.Missing = counts.Received-n, counts.Missing+n
		counts.Lost[model.LossRing] += n
		counts.Frames[model.LossRing] += n
	}
	ledger := counts.Ledger()
	var b strings.Builder
	for _, line := range ledger.Lines(nil) {
		if line.N > 0 && line.Key != "in_all" && line.Key != "received" {
			fmt.Fprintf(&b, ", %d %s", line.N, line.Label)
		}
	}
	return ledger.Received, b.String()
}
