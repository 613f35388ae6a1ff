// Tests of the examples of CONTRIBUTING.md: a column, a table, a panel, a source and a stream.
package registry_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/table"
	"framescope/examples/column"
	example "framescope/examples/panel"
	callog "framescope/examples/source"
	"framescope/examples/stream"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tabletest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// shown is a source whose columns a test may change.
type shown[R any] struct {
	table.Source[*R]
	columns *[]table.Column[R]
}

func (s shown[R]) Columns() []table.Column[R] { return *s.columns }

// A column anywhere in the list harms none of the others.
func TestColumnOfTheExample(t *testing.T) { unharmed(t, &column.Threads{}) }

func unharmed[R any](t *testing.T, of table.Source[*R]) {
	columns := of.Columns()
	tabletest.Unharmed(t, func() tabletest.Shown[R] {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
		return tabletest.Shown[R]{Rig: rig, Table: table.New("Threads", shown[R]{of, &columns}), Columns: &columns}
	})
}

// What is in the table can be exported.
func TestTableOfTheExample(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
	tb := column.NewThreads()
	rig.Tick(tb)
	var out bytes.Buffer
	testkit.NoErr(t, tb.Export(rig.Env, &out, panel.CSV))
	text := out.String()
	testkit.That(t, strings.HasPrefix(text, "thread,frames\n") && strings.Contains(text, "Main,"), "exported: %s", text)
}

// The panel shows the selected frame, fills its list only when that changes, and does what its command
// says.
func TestPanelOfTheExample(t *testing.T) {
	d := example.Def()
	p := d.New()
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 300, 120)
	rig.Env.View.SelectFrames(10, 10)
	rig.Tick(p)
	quads, at := p.List().Quads(), p.List().Revision()
	testkit.MustThat(t, quads != 0, "nothing is drawn")
	rig.Tick(p)
	testkit.That(t, p.List().Revision() == at, "drawn again though nothing changed")
	rig.Env.View.SelectFrames(20, 20)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "another frame is selected, and nothing was drawn")
	at = p.List().Revision()
	if c := &d.Commands[0]; c.ID == "" || c.Name == "" || c.Run == nil { // as the program demands of its commands
		t.Errorf("the command lacks something: %+v", c)
	}
	d.Commands[0].Run(rig.Env, p)
	rig.Tick(p)
	testkit.That(t, p.List().Revision() != at, "the command does nothing")
	n := testing.AllocsPerRun(50, func() { rig.Tick(p) })
	testkit.That(t, n <= 0, "%g allocations a tick", n)
	var _ panel.Panel = p
}

// A log is recognised by its content, its calls are there, and the panels that have something to show of
// it offer themselves.
func TestSourceOfTheExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "anything")
	text := "# calls 1\nmain begin 0 load\nmain end 5000 load\nnonsense\nmain begin 6000 draw mesh=tree\nmain end 9000 draw\n" +
		"main sends 9500 job\nworker gets 9600 job\nworker begin 9600 run\nmain begin 10000 draw\nmain end 14000 draw\n" +
		"main counts 14000 triangles 1200\nworker end 15000 run\n"
	testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
	k := &feedtest.Into{Session: store.NewSession()}
	testkit.NoErr(t, (feed.Registry{callog.Source{}}).Open(context.Background(), path, k))
	var calls []string
	for _, st := range k.Session.Spans().Stats([]model.TrackID{0}, 0, 1e6, nil) {
		calls = append(calls, k.Session.Collector(st.Collector).Name)
		if name := calls[len(calls)-1]; name == "draw" && (st.Calls != 2 || st.TotalNs != 7000) {
			t.Errorf("draw: %d calls, %d ns, want 2 and 7000", st.Calls, st.TotalNs)
		}
	}
	testkit.Equal(t, strings.Join(calls, " "), "load draw", "calls of %q", calls)
	if _, lines := k.Session.Losses(); len(lines) != 1 || !strings.Contains(lines[0], "line 4") {
		t.Errorf("the line that is none is told as %q", lines)
	}
	for _, id := range []string{"timeline", "flame", "calltree"} {
		d, _ := registry.Find(id)
		testkit.That(t, d.Has(k.Session.Contents()), "the panel %s has nothing to show", id)
	}
}

// FuzzSourceOfTheExample: every byte of a file is hostile.
func FuzzSourceOfTheExample(f *testing.F) {
	f.Add("a begin 1 x\na end 2 x\nb gets 3 x\nb counts 4 y 5\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := feedtest.Load(t, callog.Source{}, feedtest.File(t, "log", "# calls 1\n"+text))
		n := int64(0)
		for _, track := range feedtest.Tracks(s) {
			n += track.NumSpans()
		}
		testkit.That(t, n <= int64(strings.Count(text, "\n")+1), "%d spans of %q", n, text)
		feedtest.Unrefused(t, s)
	})
}

const growing = "# calls 2\nmain begin 5 load\n- frame 10\nmain begin 11 draw mesh=tree\nmain sends 12 j1\nworker gets 15 j1\nworker begin 15 job\n" +
	"main end 20\nmain counts 20 n 4\n- frame 30\nworker end 35\nmain begin 36 draw\nnonsense\nmain end 40\n- frame 50\nmain begin 55 draw\n"

// A log that grows is the same session in pieces.
func TestStreamOfTheExample(t *testing.T) {
	path := feedtest.File(t, "x.calls", growing)
	testkit.That(t, stream.Source{}.Sniff([]byte(growing), path), "it is not recognised")
	whole := feedtest.Outline(feedtest.Open(t, stream.Source{}, path))
	for _, want := range []string{"  frame 1 10-30", "  frame 2 30-50", "load;draw 11-20 mesh=tree", "job 15-35", "sample 20 4", "1 arrows", "bad-line ×1 at line 13"} {
		testkit.That(t, strings.Contains(whole, want), "there is no %q in:\n%s", want, whole)
	}
}

func FuzzStreamOfTheExample(f *testing.F) {
	f.Add(strings.TrimPrefix(growing, "# calls 2\n"))
	f.Fuzz(func(t *testing.T, text string) {
		whole := feedtest.Streamed(t, stream.Source{}, []byte("# calls 2\n"+text), 1<<20, false)
		parts := feedtest.Streamed(t, stream.Source{}, []byte("# calls 2\n"+text), 3, true)
		feedtest.Unrefused(t, whole)
		testkit.Equal(t, feedtest.Outline(parts), feedtest.Outline(whole), "in pieces")
	})
}
