package feedtest

import (
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// listed is how many things of one kind an outline lists one by one. Of more it has the first and the last few, how
// many there are, and a sum of the texts of all.
const listed = 12

// longest is how many characters a line has.
const longest = 200

// outline is a text about a session.
type outline struct {
	strings.Builder
	s *store.Session
}

// Outline says all that is in a session, a line a thing: what tests of sources compare with files that people read.
func Outline(s *store.Session) string {
	o := &outline{s: s}
	info := s.Info()
	host := map[bool]string{true: " on " + info.Host}[info.Host != ""]
	version := strings.Trim(info.Version+": "+info.Detail, ": ")
	o.say("%s, %q of process %d%s, %s", info.Source, info.Program, info.PID, host, version)
	if info.Sampling != (model.Sampling{}) {
		o.say("sampling: %+v", info.Sampling)
	}
	o.addColors()
	o.addObjects()
	for _, track := range Tracks(s) {
		o.addTrack(track)
	}
	o.addSeries()
	if arrows, args := s.Flows().Stored(), s.Args().Stored(); arrows+args > 0 {
		o.say("%d arrows, %d arguments", arrows, args)
	}
	for _, l := range s.Diagnostics() {
		o.say("wrong: %s ×%d at %s", l.Kind, l.N, l.Place)
	}
	lost, _ := s.Losses()
	for reason, n := range lost {
		if n > 0 {
			o.say("lost for reason %d: %d", reason, n)
		}
	}
	for _, w := range s.Warnings() {
		o.say("warning: %s", w)
	}
	if reason, ended := s.Ended(); ended {
		o.say("ended: %s", reason)
	}
	return o.String()
}

// say writes a line. Of a long one it has the beginning and a sum.
func (o *outline) say(format string, args ...any) {
	text := strings.ReplaceAll(strings.ToValidUTF8(fmt.Sprintf(format, args...), "�"), "\n", "␤")
	if words := []rune(text); len(words) > longest {
		text = fmt.Sprintf("%s … %08x", string(words[:longest]), sumOf(text))
	}
	fmt.Fprintln(o, text)
}

// sumOf is a number that is another one for other texts.
func sumOf(texts ...string) uint32 {
	sum := fnv.New32a()
	for _, text := range texts {
		fmt.Fprintln(sum, text)
	}
	return sum.Sum32()
}

// list says things of a kind.
func (o *outline) list(kind string, texts []string) {
	if len(texts) <= listed {
		for _, text := range texts {
			o.say("  %s %s", kind, text)
		}
		return
	}
	for _, text := range texts[:2] {
		o.say("  %s %s", kind, text)
	}
	o.say("  … %d of kind %s, all together %08x …", len(texts), kind, sumOf(texts...))
	o.say("  %s %s", kind, texts[len(texts)-1])
}

func moment(ns int64) string {
	if ns == model.TimeUnknown {
		return "?"
	}
	return fmt.Sprint(ns)
}

func (o *outline) object(id model.ObjectID) string {
	x, ok := o.s.Topology().Object(id)
	if !ok {
		return ""
	}
	if up := o.object(x.Parent); up != "" {
		return up + "/" + x.Name
	}
	return x.Name
}

// addColors names the collectors that have a color of their source.
func (o *outline) addColors() {
	var names []string
	for id := range model.CollectorID(o.s.Collectors().Len()) {
		if c := o.s.Collector(id); c.Color.Set {
			names = append(names, c.FullName)
		}
	}
	o.list("colored", names)
}

func (o *outline) addObjects() {
	topology := o.s.Topology()
	for _, x := range topology.Objects() {
		kind := [...]string{"element", "bin", "pad", "ghost pad"}[x.Kind]
		direction := [...]string{"", " out", " in"}[x.Direction]
		o.say("%s %s %s%s, made at %s", kind, o.object(x.ID), x.Type, direction, moment(x.Created))
	}
	for _, l := range topology.Links() {
		o.say("link %s → %s since %d until %s of %q", o.object(l.From), o.object(l.To), l.Since, moment(l.Until), l.Media)
	}
	all := map[string][]string{}
	for _, r := range topology.Resources() {
		fate := [...]string{"leaked", "alive", "added", "removed"}[r.Fate]
		refs := topology.RefEvents(r.ID)
		kind := fmt.Sprintf("%s in listing %d: %s", fate, r.Listing, r.Type)
		all[kind] = append(all[kind], fmt.Sprintf("%s %q at %d, %d references, trace %q, history %v",
			r.Address, r.Description, r.Time, r.RefCount, r.Trace, refs))
	}
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		o.list(kind, all[kind])
	}
}

// stack is a call path in words.
func (o *outline) stack(p model.PathID) string {
	up, c := o.s.Path(p)
	name := o.s.Collector(c).FullName
	if up != model.PathRoot {
		name = o.stack(up) + ";" + name
	}
	return name
}

func (o *outline) addTrack(track *store.Track) {
	d := track.Def
	also := map[bool]string{true: ", main"}[d.Main] + map[bool]string{true: ", sums"}[d.Sums]
	o.say("%s %q, number %d of %q%s", d.Kind, track.Title(), d.Index, d.Process, also)
	var all []string
	for i := range track.NumFrames() {
		f, self := track.Frame(i), ""
		for _, x := range o.s.Frames().Self(d.ID, i, nil) {
			self += fmt.Sprintf(" %s=%d/%d", o.s.Collector(x.Collector).FullName, x.Ns, x.Count)
		}
		all = append(all, fmt.Sprintf("%d %d-%d, %d missing%s", f.Number, f.Begin, f.End, f.Missing, self))
	}
	o.list("frame", all)
	all = nil
	for row := range track.Lanes() {
		for _, b := range Bars(o.s, d.ID, row) {
			open := map[bool]string{true: fmt.Sprint(" flags ", b.Flags)}[b.Flags != 0]
			for _, a := range o.s.Args().Of(d.ID, row, b.Ref.Index, nil) {
				open += fmt.Sprintf(" %s=%s", a.Key, a.Value.String())
			}
			all = append(all, fmt.Sprintf("%d: %s %d-%d%s", row, o.stack(b.Path), b.Begin, b.End, open))
		}
	}
	o.list("span", all)
	all = nil
	for _, m := range o.s.Messages().Of(d.ID, model.MinTime, model.MaxTime, nil) {
		all = append(all, fmt.Sprintf("%d %s %q of %q: %s", m.Time, m.Severity.Word(), m.Category, m.Object, m.Text))
	}
	o.list("message", all)
	all = nil
	for _, e := range o.s.Locks().Events(d.ID, model.MinTime, model.MaxTime, nil) {
		all = append(all, fmt.Sprintf("%d %s %s", e.Time, e.Kind.Word(), o.s.Collector(e.Lock).FullName))
	}
	o.list("lock event", all)
}

func (o *outline) addSeries() {
	for id := range model.SeriesID(o.s.Series().Len()) {
		x := o.s.Series().ByID(id)
		d := x.Def
		of := o.object(d.Object)
		if track := o.s.Track(d.Track); track != nil {
			of = track.Title()
		}
		o.say("%s %q %q of %s, role %d, in %q, %v to %v", d.Kind.Word(), d.Group, d.Name, of, d.Role, d.Unit, d.Min, d.Max)
		var all []string
		for _, v := range x.Samples(model.MinTime, model.MaxTime, 0, nil) {
			word := ""
			if v.Value >= 0 && v.Value < float64(len(d.States)) {
				word = " " + d.States[int(v.Value)]
			} else if d.Role == model.RoleStack && v.Value > 0 {
				word = " " + o.stack(model.PathID(v.Value))
			}
			all = append(all, fmt.Sprint(v.Time, " ", v.Value, word))
		}
		o.list("sample", all)
	}
}

// Outlines compares the outlines of recordings with the files of their names in testdata.
func Outlines(t *testing.T, source feed.Source, paths ...string) {
	for _, path := range paths {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		t.Run(name, func(t *testing.T) {
			testkit.SameText(t, filepath.Join("testdata", "outlines", name+".txt"), Outline(Open(t, source, path)))
		})
	}
}

// cases is the file of what Cases reads.
const cases = "testdata/cases.txt"

// CaseTexts returns the texts of the cases, such as for a fuzz test to begin with.
func CaseTexts(t testing.TB) []string { return testkit.BlockTexts(t, cases) }

// Cases compares what becomes of the texts of testdata/cases.txt, blocks of testkit.Blocks, with it: the outline of
// each session, or why there is none. What a text is about may end with an option after a bar; how says by what it is
// read, as a file of which name.
func Cases(t *testing.T, how func(option string) (source feed.Source, name string)) {
	t.Helper()
	testkit.Blocks(t, cases, func(about, text string) string {
		_, option, _ := strings.Cut(about, " | ")
		source, name := how(option)
		path := File(t, name, text)
		s, err := Load(t, source, path)
		Unrefused(t, s)
		out := strings.TrimRight(Outline(s), "\n")
		if err != nil {
			out = "refused: " + strings.ReplaceAll(err.Error(), path, name)
		}
		if !source.Sniff([]byte(text)[:min(len(text), feed.HeadSize)], name) {
			out += "\nnot recognised"
		}
		return out
	})
}

// CasesOf is Cases of one source, without options.
func CasesOf(t *testing.T, source feed.Source, name string) {
	t.Helper()
	Cases(t, func(string) (feed.Source, string) { return source, name })
}
