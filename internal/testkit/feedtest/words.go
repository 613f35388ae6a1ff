package feedtest

import (
	"cmp"
	"fmt"
	"strings"

	"framescope/model"
)

// Stack is a call path in words, the outermost first, between semicolons.
func (k *Kept) Stack(p model.PathID) string {
	name := k.Name(p)
	if up := k.Parent[p]; up != model.PathRoot {
		name = k.Stack(up) + ";" + name
	}
	return name
}

// Words says what a sink got, in words between commas. Of each batch a frame as "track#number begin-end", with the
// self times of its names as "name=ns/starts"; spans as "track.row path begin-end(key=argument)"; messages as
// "track: severity category
// object text time"; arrows as "track>track begin-end:row". + stands for what is open. Then the values of counters as
// "name [group]=value time", and at last what was wrong, as "kind×count@byte".
func (k *Kept) Words() string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	open := map[bool]string{true: "+"}
	for i := range k.Batches {
		b := &k.Batches[i]
		if b.HasFrame || b.Open {
			self := ""
			for _, x := range b.Self {
				self += fmt.Sprintf(" %s=%d/%d", k.Names[x.Collector], x.Ns, x.Count)
			}
			say("%d#%d %d-%d%s%s", b.Track, b.Number, b.Begin, b.End, open[b.Open], self)
		}
		args := map[int32][]string{}
		for _, a := range b.Args {
			args[a.Span] = append(args[a.Span], a.Key+"="+a.Value.String())
		}
		for i, s := range b.Spans {
			said := strings.Join(args[int32(i)], " ")
			if said != "" {
				said = "(" + said + ")"
			}
			more := open[s.Flags&model.SpanOpenEnd != 0] + said
			say("%d.%d %s %d-%d%s", b.Track, s.Lane, k.Stack(s.Path), s.Begin, s.End, more)
		}
		for _, m := range b.Messages {
			severity := ""
			if m.Severity != model.SeverityInfo {
				severity = m.Severity.Word()
			}
			text := fmt.Sprintln(severity, m.Category, m.Object, m.Text, m.Time)
			say("%d: %s", b.Track, strings.Join(strings.Fields(text), " "))
		}
		for _, f := range b.Flows {
			say("%d>%d %d-%d:%d", f.FromTrack, b.Track, f.From, f.To, int16(f.ToLane))
		}
		for _, s := range b.Samples {
			def := k.Series[s.Series]
			say("%s [%s]=%v %d", def.Name, def.Group, s.Value, s.Time)
		}
	}
	for _, l := range k.Losses {
		say("%s×%d%s", cmp.Or(l.Kind, l.Detail), l.N, strings.Replace(l.Place, "byte ", "@", 1))
	}
	return strings.Join(out, ", ")
}

// Titles are the tracks: "name/process", with * for the main one.
func (k *Kept) Titles() string {
	var out []string
	for _, d := range k.Tracks {
		out = append(out, d.Name+"/"+d.Process+map[bool]string{true: "*"}[d.Main])
	}
	return strings.Join(out, ", ")
}

// Told returns how often there is something of a kind that was wrong.
func (k *Kept) Told(kind string) (n int64) {
	for _, l := range k.Losses {
		if l.Kind == kind {
			n += l.N
		}
	}
	return n
}
