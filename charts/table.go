package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// TableSource is what a Table shows. Rows are numbered from 0 in the order of display; only those on screen are ever asked for, so that a table of a
// hundred thousand rows costs as much as one of twenty.
type TableSource interface {
	// Columns describes the columns. The slice must stay the same from one Prepare to the next; another slice has other columns, by which nothing is sorted yet.
	Columns() []Column
	// Prepare brings the rows up to date, once a tick, and returns their number and a revision that changes whenever any cell may have changed.
	Prepare(env *Env) (rows int, revision uint64)
	// Cell describes one cell. c is empty but for its Buf, whose capacity the source may use.
	Cell(env *Env, row, col int, c *Cell)
	// Sort orders the rows by a column; called once for each click on a header, before the next Prepare.
	Sort(col int, descending bool)
	// Row tells how a row stands out, and what it is.
	Row(env *Env, row int) RowInfo
	// Click is told of a click on a part of a cell.
	Click(env *Env, row, col int, part CellPart, in *Input) Action
	// Empty is what the table says, in words, while it has no rows.
	Empty() string
}

// TableTips is implemented by sources that have more to say about a row than its cells show.
type TableTips interface {
	// Tip adds the tooltip's lines.
	Tip(env *Env, row int, t *Tip)
}

// Tip collects the lines of a tooltip.
type Tip struct{ lines tipLines }

// Line adds a line of text.
func (t *Tip) Line(s string) { t.lines.add(s) }

// CellPart is a part of a cell of a ColumnText.
type CellPart uint8

// The parts.
const (
	PartText CellPart = iota
	PartFold
	PartSwatch
)

// RowInfo is how a row of a table stands out, and what lies under the mouse there.
type RowInfo struct {
	Selected bool
	Lit      bool // what it stands for is under the mouse in some panel
	Dim      bool
	Hit      Hit
}

// ColumnKind says how the cells of a column are drawn.
type ColumnKind uint8

// The kinds of columns.
const (
	ColumnText   ColumnKind = iota // left-aligned words, with swatch, indentation and fold arrow where the cell has them
	ColumnNumber                   // right-aligned mono numbers
	ColumnBar                      // a bar from the left, Cell.Value of the width
	ColumnSpark                    // a line of Cell.Series
	ColumnBars                     // little columns of Cell.Series, Cell.Mark in the colour of Cell.Color
)

// drawn tells whether columns of the kind have no text.
func (k ColumnKind) drawn() bool { return k == ColumnBar || k == ColumnSpark || k == ColumnBars }

// Column is one column of a table.
type Column struct {
	Title string
	// Width is the width at scale 1. A column of width 0 shares what is left.
	Width float32
	// Least is what a column that shares what is left has at least before others leave, at scale 1; 0 means 72.
	Least float32
	Kind  ColumnKind
	// Sortable columns react to clicks on their header.
	Sortable bool
	// Drop is when a column leaves a table that is too narrow: highest first, 0 never.
	Drop int
}

// Cell is one cell of a table. The source appends text to Buf[:0] or sets Text; Text wins.
type Cell struct {
	Text   string
	Buf    []byte
	Color  draw.Color // of the text, bar, line or marked column; zero: the theme's
	Swatch draw.Color // a coloured square before the text; zero: none
	Hollow bool       // the swatch is only an outline: the thing is hidden
	Depth  int        // indentation of ColumnText
	Wide   bool       // ColumnText only: the text may go on over the columns at the right, which are empty in this row
	Fold   Fold
	Value  float32   // of ColumnBar, 0…1
	Series []float32 // of ColumnSpark and ColumnBars; scaled to SeriesMax, or to the greatest value if that is 0
	// SeriesMax is the value at full height.
	SeriesMax float32
	// FromZero draws the line of a ColumnSpark between 0 and SeriesMax, whatever its smallest value is: for shares.
	FromZero bool
	Mark     int // index into Series that stands out in ColumnBars, -1 none
}

// Fold is the state of a row's fold arrow.
type Fold uint8

// The states.
const (
	FoldNone Fold = iota
	FoldOpen
	FoldClosed
)

// Table draws rows and columns of a source in a draw list: the rows on screen, nothing else. Clicking a header sorts by it, again reverses; the wheel and the bar at
// the right scroll.
type Table struct {
	Source TableSource
	// Name is the panel's title, ModeText stands at its right.
	Name, ModeText string
	// RowHeight at scale 1; 0 means 22.
	RowHeight float32
	// NoHeader leaves the header row out.
	NoHeader bool
	// SortColumn is the column sorted by, -1 none; Descending its direction.
	SortColumn int
	Descending bool

	list    *draw.List
	cell    Cell
	hover   hoverReport
	tip     Tip
	layout  []tableColumn // of the columns that are shown
	widths  tableWidths
	key     tableKey
	rows    int
	scrollY float64 // px; exact for millions of rows
	swallow bool    // the next release belongs to a double click
	grabY   float32 // where in the thumb the scroll bar was taken; < 0 not taken
	hoverRow,
	hoverCol int
}

// tableColumn is a column with its place.
type tableColumn struct {
	index  int
	x0, x1 float32
}

type tableWidths struct {
	rect  draw.Rect
	scale float32
	n     int
	first *Column
}

// tableKey holds everything that a table's picture depends on.
type tableKey struct {
	rect       draw.Rect
	scale      float32
	revision   uint64
	rows       int
	scrollY    float64
	hoverRow   int
	hoverCol   int
	sortColumn int
	descending bool
	looks      uint64
	theme      *assets.Theme
	valid      bool
}

// indentPx is the indentation of a level of a tree, and the room for a fold arrow, at scale 1.
const indentPx = 12

// NewTable returns a table of a source, unsorted.
func NewTable(name string, src TableSource) *Table {
	return &Table{Source: src, Name: name, SortColumn: -1, grabY: -1, hoverRow: -1, hoverCol: -1}
}

// Title returns the table's name.
func (t *Table) Title(*Env) string { return t.Name }

// Mode returns ModeText.
func (t *Table) Mode(*Env) string { return t.ModeText }

// List returns the picture of the last Update.
func (t *Table) List() *draw.List { return t.list }

func (t *Table) rowHeight(env *Env) float32 {
	if t.RowHeight > 0 {
		return env.Px(t.RowHeight)
	}
	return env.Px(22)
}

func (t *Table) headerHeight(env *Env) float32 {
	if t.NoHeader {
		return 0
	}
	return env.Px(22)
}

// body returns the part of the table that scrolls.
func (t *Table) body(env *Env) draw.Rect {
	r := t.key.rect
	r.Y0 = min(r.Y0+t.headerHeight(env), r.Y1)
	return r
}

// Update handles the input of a tick, asks the source for what is on screen, and draws it if anything changed.
func (t *Table) Update(env *Env, rect draw.Rect, in *Input) Action {
	if listFor(&t.list, env) {
		t.key.valid = false
	}
	rows, revision := t.Source.Prepare(env)
	t.rows = rows
	old := t.key
	t.key.rect, t.key.scale = rect, env.Scale
	t.layOut(env)
	t.hover.begin()
	act := t.input(env, in)
	t.hover.tell(env.View, t)
	if act.Kind != ActionNone || in.Left.Released {
		rows, revision = t.Source.Prepare(env) // the click may have changed the rows
		t.rows = rows
	}
	t.clampScroll(env)
	key := tableKey{rect: rect, scale: env.Scale, revision: revision, rows: rows, scrollY: t.scrollY, hoverRow: t.hoverRow, hoverCol: t.hoverCol,
		sortColumn: t.SortColumn, descending: t.Descending, looks: env.View.Stamp(), theme: env.Theme, valid: true}
	t.key = key
	if key != old {
		t.draw(env)
	}
	return act
}

// layOut places the columns, leaving out those that do not fit.
func (t *Table) layOut(env *Env) {
	cols := t.Source.Columns()
	w := tableWidths{rect: t.key.rect, scale: env.Scale, n: len(cols)}
	if len(cols) > 0 {
		w.first = &cols[0]
	}
	if w == t.widths {
		return
	}
	if t.widths.first != nil && t.widths.first != w.first {
		t.SortColumn = -1 // other columns
	}
	t.widths = w
	pad := env.Px(9)
	avail := t.key.rect.W() - 2*pad
	const minFlex = 72
	dropAt := 1 << 30
	for {
		var need float32
		worst := 0
		for _, c := range cols {
			if c.Drop >= dropAt {
				continue
			}
			worst = max(worst, c.Drop)
			if c.Width == 0 {
				need += env.Px(max(minFlex, c.Least))
			} else {
				need += env.Px(c.Width)
			}
		}
		if need <= avail || worst == 0 {
			break
		}
		dropAt = worst
	}
	var fixed, flex float32
	for _, c := range cols {
		if c.Drop >= dropAt {
			continue
		}
		if c.Width == 0 {
			flex++
		}
		fixed += env.Px(c.Width)
	}
	// In a very narrow table numbers keep their room, and what is only drawn gives of its own.
	over, drawn := max(0, fixed-avail), float32(0)
	for _, c := range cols {
		if c.Drop < dropAt && c.Kind.drawn() {
			drawn += env.Px(c.Width)
		}
	}
	share := float32(0)
	if flex > 0 {
		share = max(0, float32(int((avail-fixed)/flex)))
	}
	t.layout = t.layout[:0]
	x := t.key.rect.X0 + pad
	for i, c := range cols {
		if c.Drop >= dropAt {
			continue
		}
		cw := env.Px(c.Width)
		if c.Width == 0 {
			cw = share
		} else if c.Kind.drawn() && over > 0 {
			cw = max(0, float32(int(cw-over*cw/drawn)))
		}
		t.layout = append(t.layout, tableColumn{i, x, x + cw})
		x += cw
	}
}

// clampScroll keeps the rows in view.
func (t *Table) clampScroll(env *Env) {
	t.scrollY = max(0, min(t.scrollY, float64(t.rows)*float64(t.rowHeight(env))-float64(t.body(env).H())))
}

// rowY returns the window position of a row's top.
func (t *Table) rowY(env *Env, row int) float32 {
	return t.body(env).Y0 + float32(float64(row)*float64(t.rowHeight(env))-t.scrollY)
}

// ScrollTo brings a row into view.
func (t *Table) ScrollTo(env *Env, row int) {
	h, body := float64(t.rowHeight(env)), float64(t.body(env).H())
	y := float64(row) * h
	if y < t.scrollY {
		t.scrollY = y
	} else if y+h > t.scrollY+body {
		t.scrollY = y + h - body
	}
	t.clampScroll(env)
}

// fetch asks the source for a cell.
func (t *Table) fetch(env *Env, row, col int) *Cell {
	t.cell = Cell{Buf: t.cell.Buf[:0], Mark: -1}
	t.Source.Cell(env, row, col, &t.cell)
	return &t.cell
}

// HitTest returns the row under a point.
func (t *Table) HitTest(env *Env, pxX, pxY float32) Hit {
	row, _, _ := t.at(env, pxX, pxY)
	if row < 0 {
		return Hit{Collector: model.NoCollector, Frame: -1}
	}
	h := t.Source.Row(env, row).Hit
	y := t.rowY(env, row)
	h.Rect = draw.Rect{X0: t.key.rect.X0, Y0: y, X1: t.key.rect.X1, Y1: y + t.rowHeight(env)}
	if src, ok := t.Source.(TableTips); ok && h.Lines == nil {
		t.tip.lines.begin()
		src.Tip(env, row, &t.tip)
		h.Lines = t.tip.lines.all()
	}
	return h
}

// SetFilter implements Filterer, for tables whose source does.
func (t *Table) SetFilter(text string) {
	if f, ok := t.Source.(Filterer); ok {
		f.SetFilter(text)
	}
}
