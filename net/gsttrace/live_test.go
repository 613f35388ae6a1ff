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
	if n := trackNamed(t, d.session, "audiotestsrc0.src → fakesink0.sink").NumSpans(); n < 59 {
		t.Errorf("%d spans after the first Idle", n)
	}
	dec.Idle()
	if n := samples(d.session, "latency", nil); n != 60 {
		t.Errorf("%d samples after silence", n)
	}
	if _, ended := d.session.Ended(); ended {
		t.Error("the session has ended")
	}
	dec.Close("gone")
	dec.Close("twice")
	if reason, ended := d.session.Ended(); !ended || reason != "gone" || d.endings != 1 {
		t.Errorf("ended %v %q, %d times", ended, reason, d.endings)
	}
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
	if want := len(text) / 100 / 30; d.batches < want || d.batches > 8*want {
		t.Errorf("%d batches in %d ms", d.batches, len(text)/100)
	}
	if n := trackNamed(t, d.session, "audiotestsrc0.src → fakesink0.sink").NumSpans(); n < 50 {
		t.Errorf("%d spans", n)
	}
	if i := d.session.Info(); i.Program != "player" || i.Peer != "pipe" || i.File {
		t.Errorf("info %+v", i)
	}
}
