package library

import (
	"fmt"
	"strings"
	"time"

	"framescope/net/flare"
	"framescope/net/journal"
)

// folderSink writes the data of a Flare agent to sample folders, about once a second, on its own
// goroutine. Unwritten data is lost and counted; about a second later the next folder begins.
type folderSink struct {
	outlet
	addr    string
	waiting []record

	// Of the goroutine that writes.
	w       *flare.FolderWriter
	events  flare.EventReader
	defs    map[string][]byte
	order   []string
	pending int64 // samples that the writer holds in memory
	samples int64 // that it has written
}

func newFolderSink(path string, m journal.Meta, now func() time.Duration, notify func(RecordingState)) *folderSink {
	s := &folderSink{outlet: newOutlet(path, now, notify), addr: strings.TrimSpace(m.Peer), defs: map[string][]byte{}}
	go s.run()
	return s
}

const folderWriteEvery = time.Second

func (s *folderSink) put(r record) bool {
	switch r.kind {
	case journal.KindHole:
		s.miss(r.payload)
		return true
	case journal.KindData, journal.KindDefinition:
	default:
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || !s.fits(len(r.payload)) {
		if r.kind == journal.KindData {
			s.status.Refused++
		}
		return false
	}
	r.payload = append([]byte(nil), r.payload...)
	s.waiting = append(s.waiting, r)
	s.held += len(r.payload)
	return true
}

func (s *folderSink) finish(string) error {
	st := s.close()
	switch {
	case st.Err != nil:
		return fmt.Errorf("the samples in %s are incomplete: %w", Home(s.path), st.Err)
	case st.Refused > 0:
		return fmt.Errorf("%d samples could not be written to %s", st.Refused, Home(s.path))
	}
	return nil
}

func (s *folderSink) run() {
	defer close(s.done)
	for {
		s.rest(folderWriteEvery)
		end := s.begin()
		s.mu.Lock()
		batch, closing := s.waiting, s.closing
		s.waiting, s.held = nil, 0
		s.mu.Unlock()
		s.count(batch, s.write(batch))
		end()
		if closing {
			return
		}
	}
}

// write writes records to the folder, and begins the next one after an error.
func (s *folderSink) write(batch []record) (err error) {
	defer func() {
		if err != nil {
			s.w = nil
		}
	}()
	if s.w == nil && len(batch) > 0 {
		s.w = flare.NewFolderWriter(s.path, s.addr, nil)
		for _, key := range s.order {
			if err := s.event(s.defs[key]); err != nil {
				return err
			}
		}
	}
	if s.w == nil {
		return nil
	}
	for i := range batch {
		r := &batch[i]
		if r.kind == journal.KindDefinition {
			if _, known := s.defs[r.key]; !known {
				s.order = append(s.order, r.key)
			}
			s.defs[r.key] = r.payload
		} else {
			s.pending++
		}
		if err := s.event(r.payload); err != nil {
			return err
		}
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	s.samples += s.pending
	s.pending = 0
	return nil
}

func (s *folderSink) event(message []byte) error {
	e, err := s.events.Event(&journal.Record{Payload: message})
	if err != nil {
		return err
	}
	return flare.WriteEvent(s.w, e)
}

// count counts what was written of a batch, or was lost.
func (s *folderSink) count(batch []record, err error) {
	s.mu.Lock()
	if err != nil {
		s.status.Refused += s.pending
		s.pending = 0
	}
	for i := range batch {
		if err == nil {
			s.status.Bytes += int64(len(batch[i].payload))
		}
	}
	s.mu.Unlock()
	if len(batch) > 0 {
		s.note(err, s.samples)
	}
}
