package gsttrace

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
)

// TestIdlePublishesWhatIsComplete: nothing waits for a batch to be full.
func TestIdlePublishesWhatIsComplete(t *testing.T) {
	text := captureText(t, "latency-pipeline-only")
	d := &direct{session: store.NewSession()}
	dec := NewDecoder(d, Options{})
	dec.Write(text)
	dec.Idle()
	n := trackNamed(t, d.session, "audiotestsrc0.src → fakesink0.sink").NumSpans()
	testkit.That(t, n >= 59, "%d spans after the first Idle", n)
	dec.Idle()
	testkit.Equal(t, samples(d.session, "latency", nil), 60, "samples after silence")
	_, ended := d.session.Ended()
	testkit.That(t, !ended, "the session has ended")
	dec.Close("gone")
	dec.Close("twice")
	reason, ended := d.session.Ended()
	testkit.That(t, ended && reason == "gone" && d.endings == 1, "ended %v %q, %d times", ended, reason, d.endings)
}

func TestCancelled(t *testing.T) {
	text := captureText(t, "all-audio-chain")
	d := &direct{session: store.NewSession(), refuse: 3}
	dec := NewDecoder(d, Options{})
	var err error
	for at := 0; at < len(text) && err == nil; at += 4096 {
		_, err = dec.Write(text[at:min(at+4096, len(text))])
		dec.Idle()
	}
	testkit.That(t, err == feed.ErrCancelled && dec.Cancelled(), "error %v", err)
	dec.Close("cancelled")
	testkit.That(t, d.endings == 1, "%d ends", d.endings)
}

// TestLiveLogsShowWhileTheyGrow: a log that never falls silent is published all the same, every 30
// ms.
func TestLiveLogsShowWhileTheyGrow(t *testing.T) {
	text := captureText(t, "latency-pipeline-only")
	d := &direct{session: store.NewSession()}
	dec, ok := Source{}.NewStream(d, feed.StreamOptions{Name: "pipe", Program: "player"}).(*Decoder)
	testkit.MustThat(t, ok, "not a decoder")
	clock := time.Unix(1, 0)
	dec.now = func() time.Time { return clock }
	for at := 0; at < len(text); at += 100 {
		clock = clock.Add(time.Millisecond)
		dec.Write(text[at:min(at+100, len(text))])
	}
	want := len(text) / 100 / 30
	testkit.That(t, d.batches >= want && d.batches <= 8*want, "%d batches in %d ms", d.batches, len(text)/100)
	n := trackNamed(t, d.session, "audiotestsrc0.src → fakesink0.sink").NumSpans()
	testkit.That(t, n >= 50, "%d spans", n)
	i := d.session.Info()
	testkit.That(t, i.Program == "player" && i.Peer == "pipe" && !i.File, "info %+v", i)
}
