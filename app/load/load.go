// Package load reads recordings directly into a session, without a window: for the commands that report
// and draw, and for tests.
package load

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"framescope/app/memory"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// Options says how to read a recording. The zero value is good.
type Options struct {
	// Sources says how the kinds of recordings are to be read.
	Sources
	// Events keeps every event of a PStats client beside the session (see Recording.Events).
	Events bool
	// Name is where the recording comes from, for people, when the path is only that of a copy; empty:
	// the path.
	Name string
	// Store holds the session without Memory; nil: its own store in the collected heap, which grows to
	// a multiple of the session's size.
	Store *store.Store
	// Memory bounds the data kept: the oldest frames leave (see Recording.Left), the same ones each
	// time. nil: everything is kept, within Limit.
	Memory *memory.Keeper
	// Look is called with the session after each batch, before old ones leave. It needs Memory. nil: never.
	Look func(s *store.Session) error
	// Limit bounds the recording without Memory, together with everything in Store, in bytes: a larger
	// recording returns its beginning and an error. 0: no limit.
	Limit int64
	// Progress is called now and then with the bytes done and the size of the file; nil for never.
	Progress func(done, total int64)
}

// Recording is a recording in memory.
type Recording struct {
	Session *store.Session
	// Events is every event of the client; nil unless Options.Events was set and the recording is one
	// of PStats.
	Events *sessionfile.Raw
	// Cut says where the recording is cut off or damaged, if it is and reading it was no error all
	// the same; empty: it is whole.
	Cut string
	// Left is the number of frames that did not fit into memory; in recordings without frames, of
	// spans, messages, samples.
	Left int64
	// Given reports that the recording has frames: they cannot be chosen by span name.
	Given bool
	// Unused are the given flags without a meaning for such a recording, except flags of frames.
	Unused []string
}

// File reads a recording. For a damaged one it returns the readable part and the error.
func File(ctx context.Context, path string, o Options) (*Recording, error) {
	reg, err := o.Registry()
	if err != nil {
		return nil, err
	}
	name := cmp.Or(o.Name, path)
	src, err := reg.Recognise(path)
	if err != nil {
		return nil, feed.NameError(err, path, name)
	}
	d := &direct{ctx: ctx, progress: o.Progress, memory: o.Memory, most: o.Limit, look: o.Look}
	switch {
	case o.Memory != nil:
		d.store = store.New(0)
		d.limit = o.Memory.Steady()
		d.store.MemoryLimit = d.limit
	case o.Store != nil:
		d.store, d.limit = o.Store, memory.Steady(o.Limit)
	default:
		d.store, d.limit = new(store.Store), memory.Steady(o.Limit)
	}
	d.names.SetLimit(d.limit / 4)
	d.data.SetLimit(feed.DataLimit(d.limit / 6)) // a sixth of it is the feeds' share of memory
	d.session = d.store.NewSession()
	d.session.Treat(o.Treat)
	rec := &Recording{Session: d.session, Given: framesGiven(src), Unused: o.Sources.unused(src)}
	var sink feed.Sink = d
	if name != path {
		sink = feed.Named(sink, path, name)
	}
	if _, ok := src.(decode.Source); ok && o.Events {
		rec.Events = sessionfile.NewRaw()
		// The error, if any, is the one that reading it below gives again.
		if _, err := sessionfile.ReadFile(path, rec.Events, nil); err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	err = feed.NameError(src.OpenFile(ctx, path, sink), path, name)
	err = cmp.Or(d.lookErr, err)
	losses, _ := rec.Session.Losses()
	rec.Left = losses[model.LossEvicted]
	if d.full {
		err = fmt.Errorf("%s: %w", name, tooLarge(o.Limit))
	}
	if err != nil {
		return rec, err // it says where
	}
	rec.Cut = d.places.String()
	return rec, err
}

// applyEvery is the number of appended batches between two checks of the session's limit.
const applyEvery = 256

// direct is a sink that hands everything to a session at once, on the goroutine that decodes. It
// refuses batches when ctx is done.
type direct struct {
	ctx      context.Context
	session  *store.Session
	batch    model.Batch
	progress func(done, total int64)
	store    *store.Store
	memory   *memory.Keeper // of the store, drops the oldest data; nil: none
	limit    int64          // of the data in the store and data gathered for it; 0: none
	most     int64          // Options.Limit
	full     bool           // the store has no room for more
	names    feed.Held      // see feed.Names
	data     feed.Held      // see feed.Names.TakeData
	appended int
	look     func(s *store.Session) error // nil: nobody looks
	lookErr  error
	places   feed.Places
}

// Define implements feed.Sink.
func (d *direct) Define(c model.Change) {
	if l, ok := c.(model.Loss); ok && d.full && l.Reason == model.LossTruncated {
		return // by the limit, as File says
	}
	d.places.Note(c)
	if _, ok := c.(model.End); ok && d.full {
		c = model.End{Reason: tooLarge(d.most).Error()}
	}
	d.session.Apply(c)
}

// InOrder implements feed.InOrder: the order decides which data is kept within a limit.
func (d *direct) InOrder() bool { return d.memory != nil }

// TakesRows implements feed.TakesRows.
func (d *direct) TakesRows() bool { return true }

// NamesHeld returns the account for the names of the recording to feed.NamesOf.
func (d *direct) NamesHeld() *feed.Held {
	if d.limit == 0 {
		return nil
	}
	return &d.names
}

// DataHeld returns the account for the data gathered from the recording to feed.NamesOf.
func (d *direct) DataHeld() *feed.Held {
	if d.limit == 0 {
		return nil
	}
	return &d.data
}

// Begin implements feed.Sink.
func (d *direct) Begin() *model.Batch {
	d.batch.Reset()
	return &d.batch
}

// Publish implements feed.Sink.
func (d *direct) Publish(b *model.Batch) bool {
	d.session.Append(b)
	if d.memory == nil {
		return d.fits() && d.ctx.Err() == nil
	}
	if d.appended++; d.appended%applyEvery == 0 {
		d.memory.Held(d.store.Bytes(), d.data.Bytes())
	}
	if d.look != nil && d.lookErr == nil {
		d.lookErr = d.look(d.session)
	}
	d.store.MemoryLimit = max(d.limit-d.data.Bytes(), d.limit/8)
	d.store.EnforceLimit(time.Time{})
	return d.ctx.Err() == nil && d.lookErr == nil
}

// fits reports whether there is room for more data that never leaves.
func (d *direct) fits() bool {
	d.full = d.full || d.limit > 0 && d.store.Bytes()+d.data.Bytes() > d.limit
	return !d.full
}

// tooLarge is the error for a recording that takes more than a limit.
type tooLarge int64

// Error implements error.
func (t tooLarge) Error() string {
	return fmt.Sprintf("it needs more than %d MiB of memory, the limit without --memory: the rest is left out "+
		"(with --memory SIZE, the newest part stays)", t>>20)
}

// Divide implements feed.Divided. A bounded session takes one batch after the other.
func (d *direct) Divide(mu sync.Locker) (publish func(batches []model.Batch) bool) {
	a := d.session.Appender(mu)
	return func(batches []model.Batch) bool {
		for i := range batches {
			a.AppendPart(&batches[i], math.MaxInt)
		}
		mu.Lock()
		defer mu.Unlock()
		return d.fits() && d.ctx.Err() == nil
	}
}

// Progress implements feed.Sink.
func (d *direct) Progress(done, total int64) {
	if d.progress != nil {
		d.progress(done, total)
	}
}

// FormatsHelp lists the kinds of recordings for the help of commands, two lines each at most.
func FormatsHelp() string {
	reg, err := Sources{}.Registry()
	if err != nil {
		panic(err) // the empty options are valid
	}
	var b strings.Builder
	for _, src := range reg {
		a := src.About()
		fmt.Fprintf(&b, "  %-28s%s\n", src.Name(), strings.ReplaceAll(a.Writers, "`", ""))
		if len(a.Ends) > 0 {
			fmt.Fprintf(&b, "  %-28s%s\n", "", strings.Join(a.Ends, ", "))
		}
	}
	return b.String()
}
