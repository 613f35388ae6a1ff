package library

import (
	"context"
	"errors"
	"io"
	"time"

	"framescope/net/journal"
)

// Recover looks in the background for what viewers that were killed, and earlier versions, have left, makes sessions of it, and tells the user once.
func (l *Library) Recover() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.opt.Dir == "" {
		return
	}
	l.work.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			select {
			case <-l.stop:
				cancel()
			case <-ctx.Done():
			}
		}()
		l.importEarlier(ctx)
		l.tellFound(l.survey(ctx, true))
	})
}

// Survey reads each session once that did not end in order, to learn how much is in it. That is remembered.
func (l *Library) Survey(ctx context.Context) { l.survey(ctx, false) }

// survey does that, and returns those that nobody was told of yet. told says that this is done now.
func (l *Library) survey(ctx context.Context, told bool) (found []Session) {
	for _, s := range l.Sessions() {
		if s.State != Interrupted {
			continue
		}
		sv, err := readSurvey(s.Path)
		if err == nil && (sv.Told || !told) {
			continue
		}
		if err != nil {
			if sv, err = surveyOf(ctx, s.Path); err != nil {
				continue // called off, or the disk fails: the next start tries again
			}
		}
		sv.Told = told
		sv.write(s.Path) // on a disk that is full it is read again the next time
		s.Records, s.Missing, s.Length = sv.Records, sv.Missing, sv.length()
		found = append(found, s)
	}
	l.changed()
	return found
}

// tellFound tells of sessions that did not end in order.
func (l *Library) tellFound(found []Session) {
	switch len(found) {
	case 0:
	case 1:
		l.tell(false, "A session of a viewer that was killed is kept: %s. Open it from Sessions on disk", found[0].words())
	default:
		l.tell(false, "%d sessions of a viewer that was killed are kept: %s and %d more. Open them from Sessions on disk", len(found), found[0].words(), len(found)-1)
	}
}

// words names a session that is told of.
func (s *Session) words() string {
	text := s.Name + ", " + s.Length.Round(time.Second).String()
	if n := s.Frames(); n >= 0 {
		text += ", " + count(n) + " frames"
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
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return s, ctx.Err()
		}
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		s.LengthNs = max(s.LengthNs, r.Time)
		switch r.Kind {
		case journal.KindData:
			s.Records++
		case journal.KindHole:
			var h journal.Hole
			if r.Decode(&h) == nil {
				s.Missing += max(h.Records, 0)
			}
		}
	}
}
