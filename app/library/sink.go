package library

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"framescope/net/framescope"
	"framescope/net/journal"
)

// newSink makes the writer for an existing, empty file or folder.
func newSink(r *Recorder, path string) sink {
	told := func(s RecordingState) {
		r.lib.changed()
		if s.Err != nil || !s.Ended {
			r.lib.reportState(notRecorded(&r.meta), title(&r.meta)+" is recorded again", r.meta.Source, s)
		}
	}
	now := func() time.Duration { return time.Duration(r.now()) }
	switch {
	case r.meta.Source == sourcePStats, framescope.IsName(path):
		w := journal.CreateFile(path, r.meta, journal.Options{Claimed: true, Changed: func(s journal.Stats) { told(stateOf(s)) }})
		return &journalSink{Writer: w, path: path, source: r.meta.Source, ctx: r.lib.ctx}
	case r.meta.Source == sourceFlare:
		return newFolderSink(path, r.meta, now, told)
	default:
		f := newRawFile(path, now, told)
		go f.run()
		return f
	}
}

// journalSink writes the file as a journal, and replaces that by a file of the official format at
// the end.
type journalSink struct {
	*journal.Writer
	path, source string
	ctx          context.Context
	converting   atomic.Bool
}

func (s *journalSink) put(r record) bool {
	return s.Copy(journal.Record{Kind: r.kind, Time: r.timeNs, Key: []byte(r.key), Payload: r.payload})
}

func (s *journalSink) queued() int64 { return s.Stats().Queued }

func (s *journalSink) state() RecordingState {
	out := stateOf(s.Stats())
	out.Path = s.path
	return out
}

func (s *journalSink) finish(reason string) error {
	s.Close(reason)
	<-s.Done()
	st := s.Stats()
	if st.Path == "" {
		return fmt.Errorf("%s is empty: nothing could be written to it", Home(s.path))
	}
	s.converting.Store(!framescope.IsName(s.path))
	if err := s.convert(); err != nil {
		return fmt.Errorf("%s could not be completed and stays a journal, which Framescope opens: %w. When there is room, run: "+
			"framescope sessions export %s NEW-FILE", Home(s.path), err, s.path)
	}
	if st.Deleted > 0 {
		state := stateOf(st)
		return fmt.Errorf("%s lacks %s", Home(s.path), state.DeletedWords(s.source))
	}
	if st.Refused > 0 {
		return fmt.Errorf("%s lacks %s that could not be written", Home(s.path), amount(s.source, st.Refused))
	}
	return nil
}

// convert replaces the journal by a file of the official format, unless it is to stay one.
func (s *journalSink) convert() error {
	if framescope.IsName(s.path) {
		return nil
	}
	return convert(s.ctx, s.source, s.path, s.path)
}

// holeRecord is the record of a hole.
func holeRecord(h journal.Hole) record {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers and a text
	}
	return record{kind: journal.KindHole, timeNs: h.ToNs, payload: text}
}
