package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"time"

	"framescope/internal/aside"
	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// EarlierFile returns the file in which versions before this one kept the last session. It is never
// written any more.
func EarlierFile() string { return filepath.Join(StateDir(), "last-session.pstats") }

// earlierSession returns the session that earlier versions kept as a file. It says nothing of when
// it was: it was written when the session ended.
func earlierSession() (Session, bool) {
	path := EarlierFile()
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return Session{}, false
	}
	sum := sha256.Sum256([]byte(path))
	s := Session{
		ID: hex.EncodeToString(sum[:16]), Path: path, Name: filepath.Base(path), Source: sourcePStats, Began: st.ModTime(),
		Written: st.ModTime(), Bytes: st.Size(), Records: -1, File: true, Kept: true, Imported: true,
	}
	if sv, ok := readEarlierSurvey(st.Size(), st.ModTime()); ok {
		s.Records, s.Length, s.Program, s.Host = sv.Records, sv.length(), sv.Program, sv.Host
		s.Began = s.Began.Add(-s.Length)
	}
	return s, true
}

// earlierSurvey is what was found out of the file when it was read once. It lies beside it.
type earlierSurvey struct {
	survey
	Program string    `json:"program,omitempty"`
	Host    string    `json:"host,omitempty"`
	Size    int64     `json:"size"` // of the file that was read
	Written time.Time `json:"written"`
}

func earlierSurveyFile() string { return filepath.Join(StateDir(), "last-session.survey.json") }

func readEarlierSurvey(size int64, written time.Time) (s earlierSurvey, ok bool) {
	text, err := journal.ReadSmall(earlierSurveyFile())
	if err != nil || json.Unmarshal(text, &s) != nil {
		return s, false
	}
	return s, s.Size == size && s.Written.Equal(written) && s.LengthNs >= 0 && s.Records >= 0
}

// surveyEarlier reads the file once, and remembers what is in it. It tells whether anything was
// learnt.
func surveyEarlier(ctx context.Context) bool {
	s, there := earlierSession()
	if !there || s.Records >= 0 {
		return false
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	n := counter{ctx: ctx, from: math.Inf(1), to: math.Inf(-1)}
	sessionfile.Read(f, s.Path, s.Bytes, &n, nil) // what is before an error counts
	if ctx.Err() != nil {
		return false
	}
	sv := earlierSurvey{Program: n.hello.Program, Host: n.hello.Host, Size: s.Bytes, Written: s.Written}
	sv.Records = n.frames
	if n.to > n.from && n.to-n.from < maxEarlierSeconds {
		sv.LengthNs = int64((n.to - n.from) * 1e9)
	}
	text, err := json.Marshal(sv)
	if err != nil {
		return false
	}
	return aside.Small(earlierSurveyFile(), append(text, '\n'), 0o600) == nil
}

// maxEarlierSeconds is how long a session may have lasted: times that say more are damaged.
const maxEarlierSeconds = 366 * 24 * 3600

// counter counts what is in a file.
type counter struct {
	ctx      context.Context
	hello    wire.ClientHello
	frames   int64
	from, to float64 // s
}

// Cancelled ends the reading: see sessionfile.Read.
func (c *counter) Cancelled() bool { return c.ctx.Err() != nil }

// Hello implements pstats.Handler.
func (c *counter) Hello(h wire.ClientHello) { c.hello = h }

// Frame implements pstats.Handler.
func (c *counter) Frame(f *wire.Frame, _ int) {
	c.frames++
	for i := range f.Events {
		if t := float64(f.Events[i].Time); !math.IsNaN(t) {
			c.from, c.to = min(c.from, t), max(c.to, t)
		}
	}
}

// Collectors implements pstats.Handler, as those that follow, which count nothing.
func (c *counter) Collectors([]wire.CollectorDef) {}

// Threads implements pstats.Handler.
func (c *counter) Threads(int, []string) {}

// Expire implements pstats.Handler.
func (c *counter) Expire(int) {}

// Lost implements pstats.Handler.
func (c *counter) Lost(model.Loss) {}

// Close implements pstats.Handler.
func (c *counter) Close(string) {}
