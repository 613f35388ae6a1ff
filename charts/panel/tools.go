package panel

import "framescope/charts/draw"

// Tooled is a panel with tools. They stand at the right of its title row, and in the menu of that
// row, the first ones longest where room is short.
type Tooled interface {
	// Tools returns the tools of this tick; valid until the next call.
	Tools(env *Env) []Tool
	// Use runs a tool; option is the index of the chosen option, else 0.
	Use(env *Env, id, option int)
}

// Resizer is a panel with rows that can be resized by dragging their lower edges.
type Resizer interface {
	// Resizes reports whether there is one at a point of the window, or one is being dragged.
	Resizes(env *Env, pxX, pxY float32) bool
}

// Turner is a panel with a tool that also reacts to the wheel: steps are notches, up above 0.
type Turner interface {
	Turn(env *Env, id, steps int)
}

// Tool is a control of a panel. It names the effect of a click, the state that is on, or the chosen
// option, and never two of these in one word.
type Tool struct {
	ID    int
	Kind  ToolKind
	Label string // a verb, the state that is on, or the chosen option
	On    bool   // of a toggle
	// Options are the options of a choice; Chosen is the index of the one named by Label, -1 none.
	Options []string
	Chosen  int
	Marked  uint64 // options that hold at present, where there are several: a bit each
	Tip     string // information beyond the label
}

// ToolKind is the kind of a tool, by the effect of a click.
type ToolKind uint8

// The kinds of tools.
const (
	ToolAction ToolKind = iota // it is done
	ToolToggle                 // it is on or off
	ToolChoice                 // a menu opens
)

// Toolbox is the list of a panel's tools, filled anew for each tick.
type Toolbox struct{ list []Tool }

// Begin forgets the tools of the tick before.
func (b *Toolbox) Begin() { b.list = b.list[:0] }

// Action adds a tool that runs on a click.
func (b *Toolbox) Action(id int, label, tip string) {
	b.list = append(b.list, Tool{ID: id, Kind: ToolAction, Label: label, Tip: tip})
}

// Toggle adds a tool that is on or off.
func (b *Toolbox) Toggle(id int, on bool, label, tip string) {
	b.list = append(b.list, Tool{ID: id, Kind: ToolToggle, On: on, Label: label, Tip: tip})
}

// Choice adds a choice of several options; label is its text if none of the options is chosen.
func (b *Toolbox) Choice(id, chosen int, options []string, label, tip string) {
	if chosen >= 0 && chosen < len(options) {
		label = options[chosen]
	}
	b.list = append(b.list, Tool{ID: id, Kind: ToolChoice, Options: options, Chosen: chosen, Label: label, Tip: tip})
}

// Mark marks an option of the choice that was added last as one that holds.
func (b *Toolbox) Mark(option int, on bool) {
	if t := &b.list[len(b.list)-1]; on {
		t.Marked |= 1 << option
	}
}

// All returns the tools; valid until the next Begin.
func (b *Toolbox) All() []Tool { return b.list }

// MenuMark draws the mark of a control that opens a menu, 6 pixels wide at scale 1.
func MenuMark(l *draw.List, env *Env, x, yMid float32, c draw.Color) {
	l.Triangle(x, yMid-env.Px(2), x+env.Px(6), yMid-env.Px(2), x+env.Px(3), yMid+env.Px(2), c)
}

// MoreTool stands for the button that opens the menu of a title row.
const MoreTool = -2

// Width is how wide a tool is.
func (t *Tool) Width(env *Env) float32 {
	w := Snap(env.Atlas.Measure(draw.Regular, t.Label)) + env.Px(16)
	if t.Kind == ToolChoice {
		w += env.Px(10)
	}
	return w
}

// Draw paints a tool: a raised box, with accent on its ground while it is on, with a triangle
// where it opens a menu.
func (t *Tool) Draw(l *draw.List, env *Env, r draw.Rect, hot bool) {
	th := env.Theme
	ground, text := draw.Color(th.Button), draw.Color(th.Text2)
	if hot {
		ground, text = draw.Color(th.ButtonHover), draw.Color(th.Text)
	}
	if t.Kind == ToolToggle && t.On {
		ground, text = draw.Color(th.AccentGround), draw.Color(th.Accent)
		if hot {
			ground = draw.Mix(ground, draw.Color(th.Text), 24)
		}
	}
	l.Rect(r, ground)
	if t.ID == MoreTool {
		mid, s := (r.Y0+r.Y1)/2, env.Px(2)
		for i := float32(-1); i <= 1; i++ {
			x := Snap((r.X0+r.X1)/2 + i*env.Px(5))
			l.Rect(draw.Rect{X0: x - s/2, Y0: mid - s/2, X1: x + s/2, Y1: mid + s/2}, text)
		}
		return
	}
	in := r
	in.X0, in.X1 = r.X0+env.Px(8), r.X1-env.Px(8)
	if t.Kind == ToolChoice {
		x, mid := r.X1-env.Px(14), (r.Y0+r.Y1)/2
		MenuMark(l, env, x, mid, text)
		in.X1 = x - env.Px(4)
	}
	l.TextIn(draw.Regular, in, draw.Left, t.Label, text)
}
