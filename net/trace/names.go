// File names.go gives the names of what a recording measured, its call paths and its threads their
// ids, and defines them at a sink, as far as there is room. It owns what a reader of a format keeps
// by text that the file made up; of formats it knows nothing.

package trace

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of a session: the store has room for 65,536 collectors.
const (
	maxNames  = 1<<16 - 16
	maxPaths  = 1 << 21 // and one more, of the names without room
	maxTracks = 1 << 14
)

// Collectors that exist in every session.
const (
	Root  model.CollectorID = 0 // all that is called by nobody lies below it
	Other model.CollectorID = 1 // of all names that there was no room for
)

// Table is what one reader keeps by names. What there is no room for is counted, and shown as
// feed.MoreNames, or as a part of its caller.
type Table struct {
	// Refused counts the calls without room for their name, call path or thread, one for each
	// lookup.
	Refused int64

	sink   feed.Sink
	room   *feed.Names
	full   bool // there are as many names, call paths or threads as a session can have
	ids    map[string]model.CollectorID
	groups map[string]model.CollectorID
	paths  []callPath // by ID
	slots  []uint32   // open addressing: a path and, above pathBits, more bits of its hash; 0: free
	seed   uint64     // so that no file can choose paths whose hashes are alike
	tracks map[string]model.TrackID
}

// callPath is a name below another call path.
type callPath struct {
	above model.PathID
	of    model.CollectorID
}

// pathBits are the bits of the ID of a path.
const pathBits = 22

// NewTable returns a table without names but those of everything, root, and of what there is no room for.
// The account is the caller's to close.
func NewTable(sink feed.Sink, room *feed.Names, root string) *Table {
	sink.Define(model.CollectorDef{ID: Root, Name: root, Sort: -1})
	sink.Define(model.CollectorDef{ID: Other, Name: feed.MoreNames, Sort: -1})
	return &Table{
		sink: sink, room: room, ids: map[string]model.CollectorID{}, groups: map[string]model.CollectorID{},
		tracks: map[string]model.TrackID{}, paths: []callPath{{model.PathRoot, Root}}, slots: make([]uint32, 64),
		seed: rand.Uint64(),
	}
}

// Collector returns the collector of a name as it stands in the file, as Text.
func (t *Table) Collector(name []byte) model.CollectorID {
	if id, ok := t.ids[string(name)]; ok {
		return id
	}
	return t.define(t.ids, string(name), model.CollectorDef{Name: string(name)})
}

// Keyed returns the collector of a key, for formats in which several have the same name: functions
// of several files. Keyed calls def for a new key only, sets the ID and makes the name a Text.
func (t *Table) Keyed(key []byte, def func() model.CollectorDef) model.CollectorID {
	if id, ok := t.ids[string(key)]; ok {
		return id
	}
	return t.define(t.ids, string(key), def())
}

// Group returns the collector of what functions stand in: a file, a library; Root where there is no room for it. Its
// keys are independent of those of Keyed; the def of Keyed may call Group.
func (t *Table) Group(key []byte, shown func() string) model.CollectorID {
	if id, ok := t.groups[string(key)]; ok {
		return id
	}
	if id := t.define(t.groups, string(key), model.CollectorDef{Name: shown()}); id != Other {
		return id
	}
	return Root
}

func (t *Table) define(ids map[string]model.CollectorID, key string, def model.CollectorDef) model.CollectorID {
	def.ID, def.Name, def.Sort = Other+1+model.CollectorID(t.NumNames()), Text(def.Name), -1
	def.Name = cmp.Or(def.Name, "(unnamed)")
	if t.isFull(t.NumNames(), maxNames) || !t.room.Admit(def) {
		t.Refused++
		return Other
	}
	ids[key] = def.ID
	t.sink.Define(def)
	return def.ID
}

// Path returns the call path of a name below another path. Where there is no room for one more it is
// the caller's, or outermost that of all names without room.
func (t *Table) Path(parent model.PathID, c model.CollectorID) model.PathID {
	slot := t.slotOf(callPath{parent, c})
	if *slot != 0 {
		return model.PathID(*slot % (1 << pathBits))
	}
	def := model.PathDef{ID: model.PathID(len(t.paths)), Parent: parent, Collector: c}
	if sure := parent == model.PathRoot && c == Other; !sure && (t.isFull(len(t.paths), maxPaths) || !t.room.Admit(def)) {
		t.Refused++
		if parent == model.PathRoot {
			return t.Path(parent, Other)
		}
		return parent
	}
	t.paths = append(t.paths, callPath{parent, c})
	*slot = t.hash(t.paths[def.ID])>>pathBits<<pathBits | uint32(def.ID)
	if 2*len(t.paths) > len(t.slots) {
		t.slots = make([]uint32, 2*len(t.slots))
		for id, p := range t.paths[1:] {
			*t.slotOf(p) = t.hash(p)>>pathBits<<pathBits | uint32(id+1)
		}
	}
	t.sink.Define(def)
	return def.ID
}

// slotOf returns the slot of a call path, or the free one where it belongs.
func (t *Table) slotOf(p callPath) *uint32 {
	hash := t.hash(p)
	for at := hash; ; at++ {
		slot := &t.slots[at&uint32(len(t.slots)-1)]
		if *slot == 0 || (*slot^hash)>>pathBits == 0 && t.paths[*slot%(1<<pathBits)] == p {
			return slot
		}
	}
}

func (t *Table) hash(p callPath) uint32 {
	hi, lo := bits.Mul64(uint64(p.above)<<32|uint64(uint32(p.of))^t.seed, 0x9e3779b97f4a7c15)
	return uint32(hi ^ lo)
}

// Of returns the collector of a call path, Root of the empty one.
func (t *Table) Of(p model.PathID) model.CollectorID { return t.paths[p].of }

// Stack appends a call path to a list, and before it those of its callers, the outermost first.
func (t *Table) Stack(p model.PathID, list []model.PathID) []model.PathID {
	from := len(list)
	for ; p != model.PathRoot; p = t.paths[p].above {
		list = append(list, p)
	}
	slices.Reverse(list[from:])
	return list
}

// Track returns the track of a key, and defines it the first time. Its ID is seen to, and that its names
// are each a Text. It reports whether there was room; the first feed.SureThreads always have it.
// To change a track later, define it again at the sink.
func (t *Table) Track(key string, def model.TrackDef) (id model.TrackID, ok bool) {
	if id, ok := t.tracks[key]; ok {
		return id, true
	}
	n := len(t.tracks)
	def.ID, def.Name, def.Process = model.TrackID(n), Text(def.Name), Text(def.Process)
	if t.isFull(n, maxTracks) || n >= feed.SureThreads && !t.room.Admit(def) {
		t.Refused++
		return model.NoTrack, false
	}
	t.tracks[key] = def.ID
	t.sink.Define(def)
	return def.ID, true
}

// NumNames is the number of names that have collectors of their own: the next has the ID
// Other+1+NumNames.
func (t *Table) NumNames() int { return len(t.ids) + len(t.groups) }

// isFull notes whether there are as many of something as a session can have.
func (t *Table) isFull(n, most int) bool {
	t.full = t.full || n >= most
	return n >= most
}

// Report reports the refused names as a loss, if there are any.
func (t *Table) Report() {
	if t.Refused == 0 {
		return
	}
	words := fmt.Sprintf("further ones are shown as %q or as a part of their caller", feed.MoreNames)
	if t.full {
		words = fmt.Sprintf("a session has at most %d names, %d call paths and %d threads: %s", maxNames, maxPaths, maxTracks,
			words)
	} else {
		words = t.room.FullOfNames("no room for the names, call paths or threads of all calls: " + words)
	}
	t.sink.Define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: t.Refused, Detail: words})
}

// Text returns a text of a file with invalid UTF-8 replaced. Shown also replaces control characters.
func Text(s string) string { return strings.ToValidUTF8(s, string(unicode.ReplacementChar)) }

// Shown returns a text of a file for display. It replaces control characters and invalid UTF-8,
// such as the rest of a long name that was cut within a character.
func Shown(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, Text(s))
}

// Files gives the files of functions collectors of their own, below which the functions stand.
type Files struct {
	Names *Table
	paths map[string]string // by what they are shown as
}

// Collector returns the collector of a file, a path or URL as it stands in a JSON text, and what it is
// shown as. It is Root where there is none.
func (x *Files) Collector(path []byte) (c model.CollectorID, shown string) {
	if len(path) == 0 {
		return Root, ""
	}
	shown = x.shown(JSONText(path))
	return x.Names.Group(path, func() string { return shown }), shown
}

// shown is what a file is called: its name alone, where no other has it.
func (x *Files) shown(url string) string {
	path := strings.TrimPrefix(url, "file://")
	base, _, _ := strings.Cut(path, "?")
	if at := strings.LastIndexByte(base, '/'); at >= 0 && at+1 < len(base) && !strings.HasPrefix(base, "node:") {
		base = base[at+1:]
	}
	if of, ok := x.paths[base]; ok && of != url {
		return path
	}
	model.Put(&x.paths, base, url)
	return base
}

// Frame reports whether what happens at a moment and is called so begins a frame: it is called frame,
// in any case, or frame and something that is no letter. number are the first digits in it, nil where
// there are none.
func Frame(name []byte) (number []byte, ok bool) {
	const frame = "frame"
	if len(name) < len(frame) {
		return nil, false
	}
	for i := range len(frame) {
		if name[i]|0x20 != frame[i] {
			return nil, false
		}
	}
	rest := name[len(frame):]
	if r, _ := utf8.DecodeRune(rest); unicode.IsLetter(r) {
		return nil, false
	}
	isDigit := func(c byte) bool { return c-'0' <= 9 }
	if from := slices.IndexFunc(rest, isDigit); from >= 0 {
		rest = rest[from:]
		if to := slices.IndexFunc(rest, func(c byte) bool { return !isDigit(c) }); to >= 0 {
			rest = rest[:to]
		}
		return rest, true
	}
	return nil, true
}

// NoFrames warns that nothing has the name chosen for frames; what names the kind of thing frames can be.
func NoFrames(what, name string) model.Warning {
	return model.Warning{Text: fmt.Sprintf("No %s is called “%s”, so there are no frames.", what, Shown(name))}
}

// MayBeFrames warns that n calls or instants of a name look like frames in a recording without declared frames.
func MayBeFrames(name string, n int, instants bool) model.Warning {
	what, choose := "calls of", "choose “Use its calls as frames” in the menu of one, or "
	if instants {
		what, choose = "instants", "open it with "
	}
	return model.Warning{Text: fmt.Sprintf("This recording does not mark frames. The %d %s “%s” may be frames: "+
		"%s--frames %q.",
		n, what, Shown(name), choose, Shown(name))}
}

// Program returns the display name of a process from its name or command line: the program without folder
// and arguments, except Chromium's --type, which distinguishes its processes. Other names stay unchanged.
func Program(name string) string {
	line := strings.TrimSpace(name)
	path, rest := line, ""
	switch {
	case strings.HasPrefix(line, `"`):
		path, rest, _ = strings.Cut(line[1:], `"`)
	case strings.HasPrefix(line, "/"), len(line) > 2 && line[1:3] == `:\`:
		for i := range line[1:] {
			if line[i] == ' ' && (line[i+1] == '-' || line[i+1] == '/') {
				path, rest = line[:i], line[i:]
				break
			}
		}
	default:
		if at := strings.Index(line, " --"); at > 0 {
			path, rest = line[:at], line[at:]
		} else {
			return name
		}
	}
	title := path
	if path != line || strings.HasPrefix(path, "/") || strings.Contains(path, `:\`) {
		title = path[strings.LastIndexAny(path, `/\`)+1:]
	}
	if title == "" {
		return name
	}
	for _, word := range strings.Fields(rest) {
		if kind, ok := strings.CutPrefix(word, "--type="); ok && kind != "" {
			return title + " " + kind
		}
	}
	return title
}

// mostPath bounds the path of a file in bytes; of a longer one the end is kept, which has its name.
const mostPath = 1024

// Place returns a place in the source code, for display: 0 is no line.
func Place(file string, line int64) model.Place {
	if line < 0 || line > math.MaxInt32 {
		line = 0
	}
	return model.Place{File: Shown(file[max(len(file)-mostPath, 0):]), Line: int(line)}
}

// PlaceOf reads a place as compilers write it: file:line, or a file alone.
func PlaceOf(text string) model.Place {
	if at := strings.LastIndexByte(text, ':'); at > 0 {
		if line, err := strconv.ParseUint(text[at+1:], 10, 31); err == nil {
			return Place(text[:at], int64(line))
		}
	}
	return Place(text, 0)
}
