package gsttrace

import (
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
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

// TestOldLatencies reads the layout of version 1.8 to 1.14: pads by one name, no time of the
// record.
func TestOldLatencies(t *testing.T) {
	text := record(1000, "new-element, thread-id=(guint64)4096, ts=(guint64)1, ix=(uint)0, parent-ix=(uint)4294967295, name=(string)my_src, type=(string)S, is-bin=(boolean)0") +
		record(1001, "new-pad, thread-id=(guint64)4096, ix=(uint)0, parent-ix=(uint)0, name=(string)src_0, type=(string)GstPad, is-ghostpad=(boolean)0, pad-direction=(GstPadDirection)1") +
		class("latency", "src="+scopePad, "sink="+scopePad, "time="+value("guint64", `flags=(GstTracerValueFlags)GST_TRACER_VALUE_FLAGS_AGGREGATED`)) +
		record(5000, "latency, src=(string)my_src_src_0, sink=(string)fakesink0_sink, time=(guint64)1500")
	s := decode([]byte(text))
	x := seriesNamed(t, s, "latency", "my_src.src_0 → fakesink0_sink")
	if x.Def.Kind != model.SeriesValue || x.Def.Role != model.RoleLatency || x.Def.Unit != "ns" || !slices.Equal(values(x), []float64{1500}) {
		t.Errorf("%+v %v", x.Def, values(x))
	}
	spans := spansOf(s, trackNamed(t, s, "my_src.src_0 → fakesink0_sink").Def.ID)
	testkit.That(t, len(spans) == 1 && spans[0].Begin == 3500 && spans[0].End == 5000, "%+v", spans)
}
