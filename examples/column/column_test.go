package column

import (
	"bytes"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/table/tabletest"
	"framescope/internal/testkit"
)

// A column anywhere in the list harms none of the others.
func TestColumns(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[thread] {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
		return tabletest.Shown[thread]{Rig: rig, Table: NewThreads(), Columns: &columns}
	})
}

// What is in the table can be exported.
func TestExport(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 400, 300)
	tb := NewThreads()
	rig.Tick(tb)
	var out bytes.Buffer
	testkit.NoErr(t, tb.Export(rig.Env, &out, panel.CSV))
	if text := out.String(); !strings.HasPrefix(text, "thread,frames\n") || !strings.Contains(text, "Main,") {
		t.Errorf("exported: %s", text)
	}
}
