package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"framescope/net/journal"
)

// Recover looks in the background for sessions of viewers that were killed, also while the library is
// open, and reports each once.
func (l *Library) Recover() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.opt.Dir == "" {
		return
	}
	l.work.Go(func() {
		// A process that was killed may take seconds to be gone, and other viewers may be killed while
		// this one runs.
		told := map[string]bool{} // a disk that is full takes no note of it
		for n := 0; ; n++ {
			_, found := l.survey(l.running, told)
			l.reportFound(found)
			if !l.rest(lookAgain[min(n, len(lookAgain)-1)]) {
				return
			}
		}
	})
}

// lookAgain are the times after which Recover looks again for sessions of killed viewers.
var lookAgain = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute}

// rest waits so long; false: the library is being closed.
func (l *Library) rest(d time.Duration) bool {
	select {
	case <-l.running.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Survey reads each session once that does not say how much is in it, as it did not end in order or on a full
// disk, to learn that. It is remembered. It returns all sessions, as Sessions does.
func (l *Library) Survey(ctx context.Context) []Session {
	list, _ := l.survey(ctx, nil)
	return list
}

// survey implements Survey. With told it also returns the interrupted sessions that were neither reported
// before nor are in told, and marks them as reported.
func (l *Library) survey(ctx context.Context, told map[string]bool) (list, found []Session) {
	list = l.Sessions()
	for i := range list {
		s := &list[i]
		if s.IsLive() || s.State == Ended && s.Records >= 0 || told[s.ID] {
			continue
		}
		shown := told != nil && s.New // not for damaged ones
		sv, err := readSurvey(s.Path)
		if err == nil && !shown {
			continue
		}
		if err != nil {
			sv, err = surveyOf(ctx, s.Path)
			if ctx.Err() != nil {
				return list, found
			}
			if told != nil {
				told[s.ID] = true
			}
			if err != nil {
				continue // the disk fails: the next start tries again
			}
			sv.write(s.Path) // on a disk that is full it is read again the next time
			sv.into(s)
			l.changed()
		}
		if shown {
			told[s.ID] = true
			journal.SetFound(s.Path, time.Now())
			found = append(found, *s)
		}
	}
	if len(found) > 0 {
		l.changed()
	}
	return list, found
}

// reportFound reports interrupted sessions.
func (l *Library) reportFound(found []Session) {
	switch len(found) {
	case 0:
	case 1:
		l.report(false, "%s. Open it from Sessions on disk", foundWords(found))
	default:
		l.report(false, "%s. Open them from Sessions on disk", foundWords(found))
	}
}

// foundWords describes one or many found sessions.
func foundWords(found []Session) string {
	if len(found) == 1 {
		return "A session of a viewer that was killed is kept: " + found[0].describe()
	}
	return fmt.Sprintf("%d sessions of a viewer that was killed are kept: %s and %d more",
		len(found), found[0].describe(), len(found)-1)
}

// ReportInterrupted reports, in one line for a command line, the unreported sessions of killed viewers among
// list. It reads none of them. seen: the user sees the line, so do not report them again.
func (l *Library) ReportInterrupted(list []Session, seen bool) {
	var found []Session
	for i := range list {
		s := &list[i]
		if s.State != Interrupted || !s.New {
			continue
		}
		found = append(found, *s)
		if seen {
			journal.SetFound(s.Path, time.Now())
			s.New = false
		}
	}
	if len(found) > 0 {
		l.report(false, "%s. `framescope sessions open %s` shows it, `framescope sessions` lists all",
			foundWords(found), found[0].ShortID())
	}
}

// describe returns a session's line in a report.
func (s *Session) describe() string {
	text := s.Name
	if s.Length > 0 {
		text += ", " + Length(s.Length)
	} else { // it was not read yet
		text += " of " + s.Began.Local().Format(time.DateTime)
	}
	if n := s.Frames(); n >= 0 {
		text += ", " + Count(n) + " frames of all threads"
	}
	return text
}

func (s survey) length() time.Duration { return time.Duration(s.LengthNs) }

// surveyOf reads a session from its beginning to its end.
func surveyOf(ctx context.Context, path string) (s survey, err error) {
	rd, err := journal.Open(path)
	if err != nil {
		return s, err
	}
	defer rd.Close()
	firstNs, newestNs := int64(-1), int64(0)
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return s, ctx.Err()
		}
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			s.LengthNs = newestNs
			if info, err := journal.ReadInfo(path); err == nil && info.Headless {
				s.LengthNs = max(0, newestNs-firstNs)
			}
			return s, nil
		}
		if err != nil {
			return s, err
		}
		newestNs = max(newestNs, r.Time)
		switch r.Kind {
		case journal.KindData:
			if s.Records++; firstNs < 0 {
				firstNs = r.Time
			}
		case journal.KindHole:
			var h journal.Hole
			switch {
			case r.Decode(&h) != nil:
			case h.Deleted():
				s.Deleted += max(h.Records, 0)
			default:
				s.Missing += max(h.Records, 0)
			}
		}
	}
}
