package chartstest

import (
	"fmt"

	"framescope/model"
	"framescope/model/store"
)

// MessageSession holds n messages on three threads, 1 µs apart.
func MessageSession(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "gst", Program: "pipeline", File: true})
	for id, name := range []string{"src", "queue0:src", "sink"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name, Index: id})
	}
	var b model.Batch
	for i := 0; i < n; {
		for t := range model.TrackID(3) {
			b.Reset()
			b.Track = t
			for k := 0; k < 1000 && i < n; k++ {
				b.Messages = append(b.Messages, model.Message{Time: int64(i) * 1000, Severity: model.Severity(i%7) - 3,
					Text: fmt.Sprintf("message %d", i), Category: []string{"GST_PADS", "GST_EVENT", "basesink"}[i%3], Object: "sink0"})
				i++
			}
			s.Append(&b)
		}
	}
	return s
}
