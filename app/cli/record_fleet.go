// What record writes for many machines: tables of its sessions as Parquet, into a folder that all share.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"framescope/app/convert"
	"framescope/app/headless"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/memory"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/model/store"
	"framescope/net/journal"
)

// A file is complete after so much time of its session, or so many rows.
const (
	fleetFileNs   = int64(time.Hour)
	fleetFileRows = 1 << 20
)

// fleetNote is a file beside the library while the folder lacks a part of a session. If the recorder is killed, the
// next one reads it and exports the session from its recording, with the same labels.
type fleetNote struct {
	Dir       string   `json:"dir"`
	Labels    []string `json:"labels"`
	Recording string   `json:"recording"` // the folder that it is kept in
	Name      string   `json:"name"`
	Files     []string `json:"files"` // that are complete
}

// fleetDir returns the folder of notes.
func fleetDir() string { return filepath.Join(library.StateDir(), "fleet") }

func (n *fleetNote) path() string { return filepath.Join(fleetDir(), n.Name+".json") }

// keep writes the note. Without a recording it would be of no use.
func (n *fleetNote) keep() error {
	if n.Recording == "" {
		return nil
	}
	text, err := json.Marshal(n)
	if err == nil {
		err = os.MkdirAll(fleetDir(), 0o700)
	}
	if err != nil {
		return err
	}
	return aside.Small(n.path(), text, 0o600)
}

// fleetSession writes the tables of a session.
type fleetSession struct {
	fleetNote
	part   *partition
	follow convert.Follower
	files  map[string]*convert.ParquetRows // by table
	sums   convert.Sums
	begin  int64 // of the files, on the session's clock
	day    string
	live   bool
	sent   *sessionMetrics // nil: no collector gets them
}

// newFleetSession begins to write a session. Nothing is on disk yet.
func newFleetSession(s *store.Session, dir string, p *partition) *fleetSession {
	return &fleetSession{
		fleetNote: fleetNote{Dir: dir, Labels: p.labels},
		part:      p, follow: convert.Follower{Session: s}, files: map[string]*convert.ParquetRows{},
	}
}

// plainLetter returns a letter that names of files have on every system.
func plainLetter(r rune) rune {
	if strings.ContainsRune("-_+.", r) || r < 128 && (r|32 >= 'a' && r|32 <= 'z' || r >= '0' && r <= '9') {
		return r
	}
	return '-'
}

// writeSettled exports the frames that no later data can change; with all, every frame: the session has ended.
func (x *fleetSession) writeSettled(ctx context.Context, all bool) error {
	for {
		before := int64(math.MaxInt64)
		if len(x.files) > 0 {
			before = x.begin + fleetFileNs
		}
		over := all || x.follow.Settled(before)
		p := x.follow.Next(before, over)
		if p != nil {
			if err := x.addRows(ctx, p); err != nil {
				return err
			}
		}
		switch {
		case p == nil && !over:
			return nil
		case p == nil && len(x.files) == 0:
			return x.writeLosses(ctx)
		case p == nil || x.full():
			if err := x.endFiles(); err != nil {
				return err
			}
		}
	}
}

// full reports whether a file has as many rows as it may have.
func (x *fleetSession) full() bool {
	for _, f := range x.files {
		if f.Rows >= fleetFileRows {
			return true
		}
	}
	return false
}

// writeLosses exports the losses of a session that has ended, and completes its files.
func (x *fleetSession) writeLosses(ctx context.Context) error {
	whole := convert.Between(x.follow.Session, math.MinInt64, math.MaxInt64)
	if x.day == "" {
		return nil // it had no frames, or there is no folder
	}
	add := x.row(&convert.Losses)
	err := convert.Losses.Rows(ctx, whole, func(row []convert.Cell) error {
		if row[0].Text == "left_memory" { // they are in the tables
			return nil
		}
		return add(row)
	})
	if err != nil {
		return err
	}
	return x.endFiles()
}

// addRows adds the rows of a part to the files.
func (x *fleetSession) addRows(ctx context.Context, p *convert.Part) error {
	if x.sent != nil {
		if err := x.sent.addPart(ctx, p); err != nil {
			return err
		}
	}
	if x.Dir == "" {
		return nil
	}
	if begin, ok := p.Starts(); ok && len(x.files) == 0 {
		x.begin, x.day = begin, x.dayOf(begin)
		x.file(&convert.Frames)
	}
	if err := convert.Totals.Rows(ctx, p, x.sums.Add); err != nil {
		return err
	}
	for _, t := range []*convert.Table{&convert.Frames, &convert.Hitches} {
		if err := t.Rows(ctx, p, x.row(t)); err != nil {
			return err
		}
	}
	return nil
}

// dayOf returns the day of a time of the session. Of a live one it is known by when its data arrive.
func (x *fleetSession) dayOf(ns int64) string {
	if _, known := x.follow.Session.Info().ZeroAt.At(ns); known || !x.live {
		return dayAt(x.follow.Session, ns)
	}
	_, latest, _ := x.follow.Session.Bounds()
	return time.Now().Add(time.Duration(ns - latest)).UTC().Format("2006-01-02")
}

// row returns the function that adds a row to the file of a table. A table without rows has no file.
func (x *fleetSession) row(t *convert.Table) func(row []convert.Cell) error {
	return func(row []convert.Cell) error { return x.file(t).Add(row) }
}

func (x *fleetSession) file(t *convert.Table) *convert.ParquetRows {
	if x.files[t.ID] == nil {
		x.files[t.ID] = convert.NewParquetRows(t)
	}
	return x.files[t.ID]
}

// endFiles completes the files.
func (x *fleetSession) endFiles() error {
	if err := x.sums.Each(x.row(&convert.Totals)); err != nil {
		return err
	}
	n := len(x.Files)
	for table, f := range x.files {
		text, err := f.Close()
		path := x.part.path(x.Dir, table, x.day, fmt.Sprintf("%s-%d.parquet", x.Name, n))
		if err == nil {
			err = putInFolder(path, func(w io.Writer) error { _, err := w.Write(text); return err })
		}
		if err != nil {
			return err
		}
		x.Files = append(x.Files, path)
	}
	clear(x.files)
	return x.keep()
}

// done forgets the note of a session that is wholly written. One that went too fast for memory is written again from
// its recording.
func (x *fleetSession) done() error {
	if x.Dir == "" {
		return nil
	}
	ledger := x.follow.Session.Ledger()
	lost := x.follow.Lost + ledger.Ours
	if lost > 0 && x.Recording != "" {
		return nil
	}
	if err := os.Remove(x.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if lost > 0 {
		return fmt.Errorf("%d frames left memory before they were written", lost)
	}
	return nil
}

// fleetWriter writes the sessions of a recorder.
type fleetWriter struct {
	s    *Streams
	ctx  context.Context
	dir  string // empty: nothing is written
	part *partition
	all  map[*store.Session]*fleetSession // nil: it is wholly written, or cannot be
	otlp *otlpExporter                    // nil: none

	ending sync.WaitGroup // of metrics that are sent
}

// look exports the settled frames of all sessions, and completes the sessions that ended.
func (w *fleetWriter) look(live *headless.Live) error {
	for _, c := range live.Clients() {
		_, ended := c.Session.Ended()
		w.export(c, ended)
	}
	return nil
}

// end completes all sessions.
func (w *fleetWriter) end(live *headless.Live) {
	for _, c := range live.Clients() {
		w.export(c, true)
	}
	w.ending.Wait()
}

// export exports the settled frames of a client's session; with all, the rest of it.
func (w *fleetWriter) export(c *headless.Client, all bool) {
	s := c.Session
	x, known := w.all[s]
	if known && x == nil || w.dir == "" && w.otlp == nil {
		return
	}
	if !known {
		x = newFleetSession(s, w.dir, w.part)
		x.sent = w.metrics(s)
		x.live, x.Name = true, fmt.Sprintf("%s-%016x", strings.Map(plainLetter, s.Info().Program), rand.Uint64())
		w.all[s] = x
	}
	err := x.locate(c.Recorder)
	if err == nil {
		err = x.writeSettled(w.ctx, all)
	}
	if x.sent != nil {
		x.sent.addLosses(w.ctx, s)
		if all {
			w.ending.Go(func() { x.sent.flush(w.ctx) }) // the exporter reports failures
		}
	}
	if err == nil && all {
		err = x.done()
	}
	if err != nil {
		w.s.Warn("%s: not wholly in %s: %v", escape.Name(s.Info().Program), escape.Line(w.dir), err)
	}
	if err != nil || all {
		w.all[s] = nil
	}
}

// metrics returns the metrics of a new session; nil: nobody gets them.
func (w *fleetWriter) metrics(s *store.Session) *sessionMetrics {
	if w.otlp == nil {
		return nil
	}
	m, err := newSessionMetrics(s.Info(), w.part.labels, w.otlp)
	if err != nil {
		w.s.Warn("--otlp: %v", err)
	}
	return m
}

// locate notes where a session is kept, as soon as that is known.
func (x *fleetSession) locate(kept *library.Recorder) error {
	if x.Recording != "" || x.Dir == "" {
		return nil
	}
	x.Recording = kept.Path()
	return x.keep()
}

// writeLeft writes the sessions that this recorder, or one before it, could not write to their end.
func (w *fleetWriter) writeLeft() {
	notes, _ := filepath.Glob(filepath.Join(fleetDir(), "*.json"))
	if len(notes) == 0 {
		return
	}
	lib := w.s.Library()
	defer lib.Close(0)
	keeper := w.s.Keeper()
	defer keeper.Stop()
	var live []string
	for _, one := range lib.Sessions() {
		if one.IsLive() {
			live = append(live, one.Path)
		}
	}
	for _, path := range notes {
		var note fleetNote
		text, err := journal.ReadSmall(path)
		if err == nil {
			err = json.Unmarshal(text, &note)
		}
		if err == nil && !slices.Contains(live, note.Recording) {
			_, err = note.write(w.ctx, keeper)
		}
		if err != nil {
			w.s.Warn("%s: not in the fleet's folder: %v", escape.Name(path), err)
		}
	}
}

// write exports a session from its recording and replaces its earlier files. It returns how many frames left memory
// meanwhile.
func (n *fleetNote) write(ctx context.Context, keeper *memory.Keeper) (left int64, err error) {
	if _, err := os.Stat(n.Recording); err != nil {
		return 0, errors.Join(err, os.Remove(n.path()))
	}
	for _, path := range n.Files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	x := newFleetSession(nil, n.Dir, &partition{labels: n.Labels})
	x.Name = n.Name
	export := func(s *store.Session, all bool) error {
		x.follow.Session = s
		return x.writeSettled(ctx, all)
	}
	look := func(s *store.Session) error { return export(s, false) }
	rec, err := load.File(ctx, n.Recording, load.Options{Memory: keeper, Look: look})
	if rec == nil || ctx.Err() != nil {
		return 0, err
	}
	if err := export(rec.Session, true); err != nil {
		return rec.Left, err
	}
	return rec.Left, x.done()
}
