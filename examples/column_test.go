package examples

import (
	"bytes"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
	"framescope/examples/column"
	"framescope/internal/testkit"
)

// shown is a source whose columns a test may change.
type shown[R any] struct {
	table.Source[R]
	columns *[]table.Column[R]
}

func (s shown[R]) Columns() []table.Column[R] { return *s.columns }

// A column anywhere in the list harms none of the others.
func TestColumns(t *testing.T) { unharmed(t, &column.Threads{}) }

func unharmed[R any](t *testing.T, of table.Source[R]) {
	columns := of.Columns()
	tabletest.Unharmed(t, func() tabletest.Shown[R] {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
		return tabletest.Shown[R]{Rig: rig, Table: table.New("Threads", shown[R]{of, &columns}), Columns: &columns}
	})
}

// What is in the table can be exported.
func TestExport(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
	tb := column.NewThreads()
	rig.Tick(tb)
	var out bytes.Buffer
	testkit.NoErr(t, tb.Export(rig.Env, &out, panel.CSV))
	text := out.String()
	testkit.That(t, strings.HasPrefix(text, "thread,frames\n") && strings.Contains(text, "Main,"), "exported: %s", text)
}
