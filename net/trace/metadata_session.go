package trace

import (
	"strconv"

	"framescope/model"
)

const (
	// Session is what the text is called that says what the session is: an object of JSON.
	Session = "session_info"
	// RetoldProgram and Host are its members that say which program ran, and where; Root is what the collector is called
	// that all others lie below.
	RetoldProgram = "program"
	Host          = "host"
	// PID is the number of its process, negative where it is not known: the format's own may be made up.
	PID        = "pid"
	RetoldRoot = "root"
	// Each is true where the frames of each thread are its own, and those of none cut what the others did.
	Each = "each"
	// Apart is true if the only process is still shown as a process of its own.
	Apart = "apart"
	// Note is what the text is called that has a sentence which one should know before one trusts the session, its Text.
	Note       = "session_note"
	RetoldText = "text"
	// Origin says of what it was given back, in words, the date among them where that is known.
	Origin = "origin"
	// Step is the step of its clock, in ns, and Floats is true if times were 32-bit floats of seconds.
	Step   = "step_ns"
	Floats = "float32_seconds"
	// Unframed is how many spans began in no frame that was received, by the account of the session.
	Unframed = "unframed"
)

// SessionInfo is the metadata of a session.
type SessionInfo struct {
	Program, Host []byte // as they stand in the text, nil: unknown
	PID, Root     []byte
	Each, Apart   bool
	Origin        []byte
	Clock         model.Clock
	Unframed      int64 // -1: unknown
}

// Told reports whether the metadata names the program. Such a session has exactly the frames in its metadata.
func (s *SessionInfo) Told() bool { return s.Program != nil }

const (
	mostNote   = 4 << 10 // bytes
	mostOrigin = 1 << 10
	mostStep   = 1e12 // ns
)

// ReadNote reads the text of a note. ok is false where it has none.
func ReadNote(text []byte) (w model.Warning, ok bool) {
	said := Member(text, RetoldText)
	w.Text = JSONText(said[:min(len(said), mostNote)])
	return w, len(said) > 0
}

// Fill sets the program and recording data of info from the metadata. They replace the data of the format, which
// describe the exported file.
func (s *SessionInfo) Fill(info *model.Info) {
	if s.Program != nil {
		info.Program = JSONText(s.Program)
	}
	if s.Host != nil {
		info.Host = JSONText(s.Host)
	}
	if pid, err := strconv.ParseInt(string(s.PID), 10, 64); err == nil {
		info.PID = max(pid, -1)
	}
	if s.Program != nil {
		info.Clock = s.Clock
	}
	if s.Origin != nil {
		info.Origin, info.Detail = JSONText(s.Origin[:min(len(s.Origin), mostOrigin)]), ""
	}
}

// ReadSession reads the text on a session.
func ReadSession(text []byte) (s SessionInfo) {
	s.Unframed = -1
	Members(text, func(key, value []byte) {
		switch string(key) {
		case RetoldProgram:
			s.Program = value
		case Host:
			s.Host = value
		case PID:
			s.PID = value
		case RetoldRoot:
			s.Root = value
		case Unframed:
			if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n >= 0 {
				s.Unframed = n
			}
		case Origin:
			s.Origin = value
		case Step:
			if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n >= 0 && n <= mostStep {
				s.Clock.StepNs = n
			}
		case Floats:
			s.Clock.Float32Seconds = string(value) == "true"
		case Apart:
			s.Apart = string(value) == "true"
		case Each:
			s.Each = string(value) == "true"
		}
	})
	return s
}
