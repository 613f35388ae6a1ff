// Package widgets holds what lies around the panels of sessions: the lists of sessions, of clips and of
// sessions on disk, details, menus, the palette, questions, settings, the overlay of keys, the viewer's own
// cost. Each takes a rectangle and an input, and fills a draw list, as a panel does. Where they lie is the app's.
package widgets

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model/store"
	"framescope/net/feed"
)

// Program is the interface of panels to the program around them.
type Program interface {
	// Sessions lists the sessions in the order of their arrival. The slice is only valid during the
	// tick.
	Sessions() []SessionRow
	// Select makes a session the one that all panels show.
	Select(s *store.Session)
	// Forget takes an ended session off the screen.
	Forget(s *store.Session)
	// Offer opens the menu of a session, at the mouse.
	Offer(s *store.Session)
	// Silent counts the programs that connected, sent nothing that could be shown, and are gone.
	Silent() Silent
	// Listening returns the address on which the viewer awaits clients, or why there is none.
	Listening() Listening
	// ListenAgain tries an address once more that could not be listened on.
	ListenAgain()
	// Copy puts a text on the clipboard.
	Copy(text string)
	// PlayDemo lets the built-in game connect.
	PlayDemo()
}

// Silent counts programs that connected, brought nothing that could be shown, and are gone.
type Silent struct {
	Nothing       int    // sent nothing
	NotPStats     int    // sent something else to the port of PStats
	NotProfileLib int    // and to that of profile_lib
	Why           string // the last of those ended; may be empty
}

// kinds is how many of the counts are not 0.
func (s Silent) kinds() (n int) {
	for _, count := range [...]int{s.Nothing, s.NotPStats, s.NotProfileLib} {
		if count > 0 {
			n++
		}
	}
	return n
}

// lines puts the counts into words, those left out that are 0.
func (s Silent) lines() (out []string) {
	count := func(n int) string { return string(format.AppendCount(nil, int64(n))) }
	switch {
	case s.Nothing == 1:
		out = append(out, "1 client connected and sent no frame")
	case s.Nothing > 1:
		out = append(out, count(s.Nothing)+" clients connected and sent no frame")
	}
	other := func(n int, format string) {
		switch {
		case n == 1:
			out = append(out, "1 connection sent something other than "+format)
		case n > 1:
			out = append(out, count(n)+" connections sent something other than "+format)
		}
	}
	other(s.NotPStats, "PStats")
	other(s.NotProfileLib, "profile_lib")
	return out
}

// SessionRow is one session as the list shows it.
type SessionRow struct {
	Session *store.Session
	Active  bool
	Name    string // until the program's own name is known: the file's path or the client's address
	Path    string // of its file, else Name
	// Apart distinguishes it from others of the same name: its file, or its address; empty: no other
	// has it.
	Apart string
	// Title is the name that the user gave the session on disk, empty if none.
	Title string
	// OnDisk is the state of the session on disk, in a word, if it is unusual; empty: nothing
	// special.
	OnDisk string
	Live   bool
	// At is when it ended; the zero time: it has not, or that is not known.
	At time.Time
	// Followed means that the viewer itself reads the session's source as it grows, so that closing
	// it stops the reading.
	Followed bool
	// State describes the progress of a followed session, in words.
	State string
	Feed  feed.Stats
	// Silence is for how long nothing has come, while something may.
	Silence Silence
	// Problem is why a file could not be read, in words; empty if all is well.
	Problem string
	// Recording is the file that the session is being written to, empty if none.
	Recording string
	// Recorded is how many bytes are in that file.
	Recorded int64
	// Unrecorded is why nothing can be written to that file now, and Unkept why nothing can be to the
	// sessions on disk: since when, why, which file; empty if all is well.
	Unrecorded, Unkept string
	// Why is the one of them that counts more in a few words, the reason first.
	Why string
	// Deleted describes the part of it on disk that another program deleted, in words; empty:
	// nothing.
	Deleted string
}

// Called is the name of the session in lists.
func (r *SessionRow) Called() string {
	if name := cmp.Or(r.Title, r.Session.Info().Program); name != "" {
		return name
	}
	return filepath.Base(r.Name)
}

// Listening describes the address on which the viewer awaits clients, or why there is none.
type Listening struct {
	// Address is the one that is listened on, HOST:PORT; empty: none is.
	Address string
	// Problem is why a configured address is not listened on, in a few words; empty: all is well, or
	// none is configured.
	Problem string
	// Short is the problem in fewer words.
	Short string
	// Remedy is the advice on the problem, in words.
	Remedy string
	// Page reports that the viewer is a page in a browser, to which no program can connect.
	Page bool
	// Doors are all addresses on which programs are awaited, or would be; those without a For are none.
	Doors [MaxDoors]Door
}

// MaxDoors bounds the number of shown addresses.
const MaxDoors = 4

// Door is an address on which programs are awaited.
type Door struct {
	// For names its clients in a few words, and Flag is its flag on the command line.
	For, Flag string
	// Address is where it listens, HOST:PORT; empty: it does not. Then Problem is the reason, in a
	// few words; empty: it is not configured.
	Address, Problem string
}

// listenAgain is the words of the button, and the name of the command, that tries a closed address
// once more.
const listenAgain = "Listen again"

// closedStrip is the part of the list of sessions that warns if a configured address is not
// listened on.
type closedStrip struct {
	rect   draw.Rect // empty: no problem
	again  button
	detail Listening
}

// closedHeight is the strip's at scale 1.
const closedHeight = 30

// place takes the strip off the lower end of a panel if there is a problem, and returns the rest.
func (c *closedStrip) place(env *panel.Env, rect draw.Rect, now Listening) draw.Rect {
	c.detail = now
	c.rect = draw.Rect{}
	if now.Problem == "" {
		c.again.rect = draw.Rect{}
		return rect
	}
	c.rect = rect
	c.rect.Y0 = max(rect.Y0, rect.Y1-env.Px(closedHeight))
	rect.Y1 = c.rect.Y0
	return rect
}

// draw paints the strip.
func (c *closedStrip) draw(env *panel.Env, l *draw.List) {
	if c.rect.Empty() {
		return
	}
	t := env.Theme
	l.Rect(c.rect, draw.Color(t.Panel))
	l.HLine(c.rect.X0, c.rect.X1, c.rect.Y0, 1, draw.Color(t.Separator))
	line := c.rect
	line.X0, line.X1 = line.X0+env.Px(9), line.X1-env.Px(8)
	y := float32(int((c.rect.Y0 + c.rect.Y1 - env.Px(buttonHeight)) / 2))
	c.again.draw(env, l, line.X1-c.again.width(env, listenAgain), y, listenAgain)
	line.X1 = c.again.rect.X0 - env.Px(6)
	l.TextIn(draw.Small, line, draw.Left, c.detail.Short, draw.Color(t.Over))
}

// hit describes the hovered item.
func (c *closedStrip) hit(pxX, pxY float32) (panel.Hit, bool) {
	if !c.rect.Contains(pxX, pxY) {
		return panel.NoHit(), false
	}
	hit := panel.NoHit()
	hit.Kind, hit.Rect = panel.HitLabel, c.rect
	hit.Lines = append(hit.Lines, "Not listening: "+c.detail.Problem, c.detail.Remedy)
	return hit, true
}

// Silence is for how long a live session has received nothing. The zero value means no silence
// worth showing.
type Silence struct {
	// Ns is how long it has lasted, in ns.
	Ns int64
	// UsualNs is after how long something usually comes, in ns; 0: not known yet.
	UsualNs int64
	// Nothing means that the session has not received anything at all yet.
	Nothing bool
	// Overdue means that data should have come by now.
	Overdue bool
}

// Append appends the silence in words: "silent for 12 s", "nothing received yet, 25 s"; nothing for
// the zero value.
func (s Silence) Append(b []byte) []byte {
	switch {
	case s.Ns <= 0:
		return b
	case s.Nothing:
		return appendAge(append(b, "nothing received yet, "...), s.Ns)
	}
	return appendAge(append(b, "silent for "...), s.Ns)
}

// seconds is the part that changes the words, so that they are painted anew only then.
func (s Silence) seconds() uint64 {
	n := uint64(s.Ns / int64(100*time.Millisecond))
	if n >= 10 {
		n -= n % 10
	}
	n <<= 2
	if s.Nothing {
		n |= 1
	}
	if s.Overdue {
		n |= 2
	}
	return n
}

// appendAge appends how long ago something was, as exact as one wants to know that: "0.6 s", "12
// s", "2 min 5 s".
func appendAge(b []byte, ns int64) []byte {
	total := ns / int64(time.Second)
	switch {
	case total < 1:
		b = append(b, "0."...)
		b = strconv.AppendInt(b, ns/int64(100*time.Millisecond), 10)
	case total < 60:
		b = strconv.AppendInt(b, total, 10)
	case total < 3600:
		b = append(strconv.AppendInt(b, total/60, 10), " min "...)
		b = strconv.AppendInt(b, total%60, 10)
	default:
		b = append(strconv.AppendInt(b, total/3600, 10), " h "...)
		return append(strconv.AppendInt(b, total/60%60, 10), " min"...)
	}
	return append(b, " s"...)
}

// Distinguish disambiguates sessions of the same name: files by their names, with the folders if those have the
// same name, too; programs by their process numbers where all have others, else by their addresses.
func Distinguish(rows []SessionRow) {
	for i := range rows {
		for k := range rows {
			if i == k || rows[i].Called() != rows[k].Called() {
				continue
			}
			apart := apartFrom(&rows[i], &rows[k])
			if len(apart) > len(rows[i].Apart) {
				rows[i].Apart = apart
			}
		}
	}
}

// apartFrom returns the word by which a session differs from another of its name.
func apartFrom(r, other *SessionRow) string {
	a, b := r.Session.Info(), other.Session.Info()
	switch {
	case !a.File && a.PID > 0 && a.PID != b.PID:
		return pidWords(a.PID)
	case !a.File && a.Peer != "" && a.Peer != b.Peer:
		return a.Peer
	case r.Name == other.Name:
		return lastOf(r.Path, 2)
	}
	return r.Name
}

func pidWords(pid int64) string { return "pid " + strconv.FormatInt(pid, 10) }

// lastOf returns the last n parts of a path.
func lastOf(path string, n int) string {
	at := len(path)
	for range n {
		i := strings.LastIndexAny(path[:at], `/\`)
		if i < 0 {
			return path
		}
		at = i
	}
	return path[at+1:]
}

// NameApart returns the name of a session in a sentence, with what sets it apart from others.
func NameApart(r *SessionRow) string {
	if r.Apart == "" {
		return r.Called()
	}
	return r.Called() + " (" + r.Apart + ")"
}
