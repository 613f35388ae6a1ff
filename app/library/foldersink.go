package library

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"framescope/net/flare"
	"framescope/net/journal"
)

// folderSink writes the data of a Flare agent to sample folders, about once a second, on its own
// goroutine. Unwritten data is lost and counted; about a second later the next folder begins.
type folderSink struct {
	rounds
	path string
	addr string
	now  func() time.Duration
	told func(RecordingState)

	mu      sync.Mutex
	waiting []record
	bytes   int64
	state_  RecordingState
	closing bool
	reason  string

	// Of the goroutine that writes.
	w       *flare.FolderWriter
	events  flare.EventReader
	defs    map[string][]byte
	order   []string
	pending int64 // samples that the writer holds in memory
	samples int64 // that it has written
}

func newFolderSink(path string, m journal.Meta, now func() time.Duration, told func(RecordingState)) *folderSink {
	s := &folderSink{path: path, addr: strings.TrimSpace(m.Peer), now: now, told: told, rounds: newRounds(), defs: map[string][]byte{}}
	s.state_.Path = path
	go s.run()
	return s
}

const folderWriteEvery = time.Second

func (s *folderSink) put(r record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.kind {
	case journal.KindHole:
		var h journal.Hole
		if json.Unmarshal(r.payload, &h) == nil {
			s.state_.Refused += h.Records
		}
		return true
	case journal.KindData, journal.KindDefinition:
	default:
		return true
	}
	if s.closing || !s.fits(len(r.payload)) {
		if r.kind == journal.KindData {
			s.state_.Refused++
		}
		return false
	}
	r.payload = append([]byte(nil), r.payload...)
	s.waiting = append(s.waiting, r)
	s.bytes += int64(len(r.payload))
	return true
}

// fits reports whether there is room for more waiting bytes. s.mu is held.
func (s *folderSink) fits(bytes int) bool { return s.bytes+int64(bytes) <= rawWaiting }

func (s *folderSink) queued() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

func (s *folderSink) flush() error {
	s.await()
	return s.state().Err
}

func (s *folderSink) needsDefinitions() bool { return false }

func (s *folderSink) state() RecordingState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state_
}

func (s *folderSink) finish(reason string) error {
	s.mu.Lock()
	s.closing, s.reason = true, reason
	s.mu.Unlock()
	s.hurry()
	<-s.done
	st := s.state()
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
		s.waiting, s.bytes = nil, 0
		s.mu.Unlock()
		err := s.write(batch)
		s.note(batch, err)
		end()
		if closing {
			return
		}
	}
}

// write writes records to the folder, and begins the next one after an error.
func (s *folderSink) write(batch []record) error {
	if s.w == nil && len(batch) > 0 {
		s.w = flare.NewFolderWriter(s.path, s.addr, nil)
		for _, key := range s.order {
			if err := s.event(s.defs[key]); err != nil {
				s.w = nil
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
			s.w = nil
			return err
		}
	}
	if err := s.w.Flush(); err != nil {
		s.w = nil
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

// note stores the outcome of a write, and reports a change of it.
func (s *folderSink) note(batch []record, err error) {
	s.mu.Lock()
	changed := len(batch) > 0 && (err == nil) != (s.state_.Err == nil)
	if err != nil {
		s.state_.Refused += s.pending
		s.pending = 0
	}
	if changed && err != nil {
		s.state_.Since, s.state_.Record = s.now(), s.samples
	}
	if len(batch) > 0 {
		s.state_.Err = err
	}
	for i := range batch {
		if err == nil {
			s.state_.Bytes += int64(len(batch[i].payload))
		}
	}
	state := s.state_
	s.mu.Unlock()
	if changed {
		s.told(state)
	}
}
