package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Column is one column of a table of rows R.
type Column[R any] = ColumnOf[*R]

// ColumnOf is one column of a table; R points to a row, as everywhere in this package: what is compiled for
// pointers serves all of them, and tables have many kinds of rows. Everything that is known of a column is in
// its literal; it is named by its ID everywhere: sorting, exports, tests.
type ColumnOf[R any] struct {
	// ID is the name of the column among those of the table. Title stands in the header, in the words
	// of the vocabulary (model/measure), Unit beside it in exports: the unit of Value.
	ID, Title, Unit string
	Kind            Kind
	// Width is the width at scale 1. A column of width 0 shares the rest, and keeps at least Least,
	// or room for a name if that is 0, before others leave.
	Width, Least float32
	// Drop is when the column leaves a table that is too narrow: highest first. Those of 0 are the
	// last, first drawn ones; words at the left and columns of width 0 never leave by it.
	Drop int
	// Prose is set where the words are sentences: they lose their ends, and may look alike.
	Prose bool
	// Gap is set where words follow a number, so that they do not touch.
	Gap bool
	// Quiet columns are written in the second color of text.
	Quiet bool
	// Fixed columns have no sorting: the order of their rows has a meaning.
	Fixed bool
	// Lead is set in the column by which the rows are sorted while none is chosen.
	Lead bool

	// Text returns the words of a cell; by them the column is sorted.
	Text func(env *panel.Env, r R) string
	// Value returns the number of a cell, by which the column is sorted; NaN where there is none: such
	// rows come last. Format appends it to the text of the cell.
	Value  func(env *panel.Env, r R) float64
	Format func(dst []byte, v float64) []byte
	// Time is set where Value returns nanoseconds: all are written in one unit, which suits the
	// greatest of the column and stands in the header. Cell has it as Cell.Unit.
	Time bool
	// Scale returns a time that the unit suits as well, so that it does not change with the rows; nil: there is none.
	Scale func(env *panel.Env) int64
	// As names another column of times; these use its unit, so that both can be compared.
	As string
	// Share is set if Value returns parts of 1: all are written in %, as the header shows.
	Share bool
	// Compare sorts the column where neither Text nor Value does.
	Compare func(env *panel.Env, a, b R) int
	// Class returns the class of comparable numbers of a cell, such as their unit: rows of one
	// class stand together, in the order of the classes, whatever the direction is. nil: all are
	// comparable.
	Class func(env *panel.Env, r R) string
	// Cell sets the parts that Text and Format do not. c holds their results.
	Cell func(env *panel.Env, r R, c *Cell)

	// Legend returns, for a Stack, the names and colors of its parts; the header shows them in place of
	// the title if there is room.
	Legend func(env *panel.Env) []Part

	// Fold, Swatch and Click handle clicks on the fold arrow, on the swatch, and elsewhere in the
	// column; without them a click is one on the row.
	Fold   func(env *panel.Env, r R, in *panel.Input)
	Swatch func(env *panel.Env, r R)
	Click  func(env *panel.Env, r R, in *panel.Input) panel.Action
}

// Kind is the look of the cells of a column.
type Kind uint8

// The kinds of columns.
const (
	Words  Kind = iota // at the left, with swatch, indentation and fold arrow where the cell has them
	Number             // at the right, in a font of equal widths
	Bar                // a bar from the left, Cell.Share of the width
	Spark              // a line of Cell.Series
	Bars               // little columns of Cell.Series
	Delta              // a bar from the middle: to the right where Cell.Share is above 0; cut where it is beyond ±1
	Stack              // a bar of Cell.Parts, one behind the other
	Ticks              // a tick at each of Cell.Series, below the other cells over the width of the row
)

// Part is a part of a bar, or its name in a header.
type Part struct {
	Name  string
	Share float32    // of the bar's width
	Color draw.Color // zero: hatched, for missing data
}

// drawn reports whether columns of the kind have no text.
func (k Kind) drawn() bool { return k >= Bar }

// Cell is one cell of a table. Text is appended to Buf or set; Text wins.
type Cell struct {
	Text   string
	Buf    []byte
	Color  draw.Color // of the text, bar, line or marked column; zero: the theme's
	Swatch draw.Color // a colored square before the text; zero: none
	Sign   string     // a sign in the color of Swatch instead of the square
	Found  bool       // the search finds it: its square is marked
	Badge  draw.Color // of a dot behind Words; transparent: none
	Hollow bool       // the swatch is only an outline: the thing is hidden
	Depth  int        // indentation of Words
	Wide   bool       // Words only: goes on over the columns at the right, which are empty in this row
	Fold   Fold
	Share  float32   // of Bar, 0…1; of Delta, −1…1
	Parts  []Part    // of Stack; the rest of the width stays empty
	Series []float32 // of Spark and Bars; scaled to SeriesMax, or to the greatest value if that is 0; of Ticks, 0…1
	// SeriesMax is the value at full height.
	SeriesMax float32
	// FromZero draws the line of a Spark between 0 and SeriesMax, whatever its smallest value is.
	FromZero bool
	// Unit is that of all times of the column (Column.Time).
	Unit format.TimeUnit
	// Foreign is set in a cell of such a column that has something else in it, with its own unit.
	Foreign bool
	Limit   float32 // columns of Bars above it are in the color of what is too long; 0: none
	Mark    int     // index into Series of the column or tick that stands out, -1 none
}

// text returns the text of the cell, valid until the next cell is read.
func (c *Cell) text() string {
	if c.Text != "" {
		return c.Text
	}
	return panel.ScratchText(c.Buf)
}

// unknown stands for an unknown value.
const unknown = format.None

// Unknown writes a dash, for an unknown value.
func (c *Cell) Unknown(env *panel.Env) {
	c.Buf, c.Color = append(c.Buf, unknown...), draw.Color(env.Theme.TextDim)
}

// inUnit reports whether the cell has a time in the unit of its column.
func (c *Cell) inUnit() bool {
	return !c.Foreign && c.Unit.Name != "" && len(c.Buf) > 0 && string(c.Buf) != unknown
}

// None writes a dash in place of a 0 without information.
func (c *Cell) None(zero bool) {
	if zero {
		c.Buf = append(c.Buf[:0], unknown...)
	}
}

// AtLeast puts "≥" before the text of the cell, if only a part is known.
func (c *Cell) AtLeast(part bool) { c.mark(part, "≥ ") }

// About puts "≈" before the text of the cell, if it is an estimate.
func (c *Cell) About(estimated bool) { c.mark(estimated, "≈") }

func (c *Cell) mark(set bool, sign string) {
	if set && len(c.Buf) > 0 && string(c.Buf) != unknown {
		c.Buf = slices.Insert(c.Buf, 0, []byte(sign)...)
	}
}

// Fold is the state of a row's fold arrow.
type Fold uint8

// The states.
const (
	FoldNone Fold = iota
	FoldOpen
	FoldClosed
)

// FoldOf returns the arrow of an open or closed row.
func FoldOf(open bool) Fold {
	return format.Pick(open, FoldOpen, FoldClosed)
}

// Duration formats nanoseconds.
func Duration(dst []byte, v float64) []byte {
	return format.AppendDuration(dst, int64(math.Floor(v+0.5)))
}

// Clock formats nanoseconds of something long as a clock: of a column of minutes and hours all have one form.
func Clock(dst []byte, v float64) []byte { return format.AppendClock(dst, int64(v), 1e9) }

// Count formats a number of things.
func Count(dst []byte, v float64) []byte { return format.AppendCount(dst, int64(v)) }

// Bytes formats a size.
func Bytes(dst []byte, v float64) []byte { return format.AppendBytes(dst, int64(v)) }

// Known returns a number, or NaN for none where it is not known.
func Known(v float64, ok bool) float64 { return format.Pick(ok, v, math.NaN()) }

// Positive omits values of 0 or less, so that the others stand out.
func Positive(f func([]byte, float64) []byte) func([]byte, float64) []byte {
	return func(dst []byte, v float64) []byte {
		if v <= 0 {
			return dst
		}
		return f(dst, v)
	}
}

// sorts reports whether the rows can be sorted by the column.
func (c *ColumnOf[R]) sorts() bool {
	return !c.Fixed && (c.Text != nil || c.Value != nil || c.Compare != nil)
}

// compare orders two rows by the column.
func (c *ColumnOf[R]) compare(env *panel.Env, a, b R, down bool) int {
	d := 0
	if c.Class != nil {
		if d := cmp.Compare(c.Class(env, a), c.Class(env, b)); d != 0 {
			return d
		}
	}
	switch {
	case c.Compare != nil:
		d = c.Compare(env, a, b)
	case c.Value != nil:
		x, y := c.Value(env, a), c.Value(env, b)
		if x != x || y != y {
			return cmp.Compare(y, x) // NaN is less than all numbers: last, whatever the direction is
		}
		d = cmp.Compare(x, y)
	default:
		d = cmp.Compare(c.Text(env, a), c.Text(env, b))
	}
	return format.Pick(down, -d, d)
}

// cell describes a cell.
func (c *ColumnOf[R]) cell(env *panel.Env, r R, to *Cell) {
	if c.Quiet {
		to.Color = draw.Color(env.Theme.Text2)
	}
	if c.Text != nil {
		to.Text = c.Text(env, r)
	}
	if c.Format != nil || c.Time || c.Share {
		switch v := c.Value(env, r); {
		case v != v:
			to.Unknown(env)
		case c.Time:
			to.Buf = to.Unit.Append(to.Buf, v)
		case c.Share:
			to.Buf = format.AppendBare(to.Buf, v*100)
		default:
			to.Buf = c.Format(to.Buf, v)
		}
	}
	if c.Cell != nil {
		c.Cell(env, r, to)
	}
}

// menuOf opens the menu of a cell: that of the row's item, and actions on its words.
func (t *Table) menuOf(env *panel.Env, hit panel.Hit, row, col int, in *panel.Input) panel.Action {
	act := panel.MenuOf(hit, in.X, in.Y)
	act.Cells = panel.Cells{Row: t.rowText(env, row), All: t.all()}
	heads := t.rows.heads()
	if col < 0 || heads[col].kind.drawn() {
		return act
	}
	words, h := strings.Clone(t.fetch(env, row, col).text()), &heads[col]
	act.Cells.Cell, act.Cells.Name = words, h.kind == Words
	if id := h.id; words != "" && h.kind == Words && !t.rows.arranges() {
		act.Cells.Only = func() { t.setOnly(only{id, words}) }
	}
	return act
}

// all returns the function that removes the filter by cell text; nil: there is none.
func (t *Table) all() func() {
	if t.by.only.words == "" {
		return nil
	}
	return func() { t.setOnly(only{}) }
}

func (t *Table) setOnly(o only) {
	t.by.only = o
	t.by.stamp++
}

// onlyIn reports whether the rows are filtered by the text of a column.
func (t *Table) onlyIn(h *head) bool { return t.by.only.words != "" && t.by.only.column == h.id }
