package app

import (
	"fmt"
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/query"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/widgets"
)

// queryID is the panel's name.
const queryID = "query"

// Console is the Query panel: a field for SQL, a line for errors and completions, and the result as a table. The
// goroutine of the game loop calls its methods.
type Console struct {
	*table.Table
	panel.Layers[widgets.Sum, struct{}]
	Field widgets.TextField

	ss       *sessions.Sessions
	ask      *workspace.Prompt
	settings *settings.Settings
	light    func(*find.Hits) // lights spans in all panels; nil: none

	opened  bool // its tab is there
	inSight bool // in the tick before
	field   draw.Rect
	asking  *asking // that runs; nil: none
	text    string  // that was run last
	again   bool    // it runs each second
	nextNs  int64
	said    string // the line below the field: an error or a note
	failed  bool
	answered
	hits  find.Hits // the spans of the rows
	names completion
	past  int // which of the earlier queries is in the field, -1: none
	tools panel.Toolbox
	mode  panel.CachedText
}

// completion is the word that Tab has put into the field, of several.
type completion struct {
	text  string // of the field then
	names []string
	at    int
}

// NewConsole returns the panel, which Meet makes ready.
func NewConsole() *Console {
	c := &Console{past: -1}
	c.set(nil, &query.Result{})
	c.Table = table.New("Query", &c.answered)
	c.Field.Hint = "select name, count(*) as calls, sum(self_ns) as self_ns from spans group by name order by self_ns desc"
	return c
}

// Open makes the tab of the panel there, and gives its field the keyboard.
func (c *Console) Open() {
	c.opened, c.inSight = true, true
	c.Field.Focus(true)
}

// Shows reports whether the panel was opened.
func (c *Console) Shows() bool { return c.opened }

// run runs a query about the shown session.
func (c *Console) run(text string) {
	c.Stop()
	if c.ss.View().None() || strings.TrimSpace(text) == "" {
		return
	}
	s := c.ss.View().Session()
	c.said, c.failed, c.text = "", false, text
	var err error
	if c.asking, err = ask(s, text); err != nil {
		c.say(err.Error(), true)
	}
}

// say shows a line below the field.
func (c *Console) say(text string, failed bool) { c.said, c.failed = text, failed }

// Stop cancels the query that runs; false: none does.
func (c *Console) Stop() bool {
	if c.asking == nil {
		return false
	}
	c.asking.cancel()
	c.asking = nil
	return true
}

// cancel stops the query that runs, for good; false: none does.
func (c *Console) cancel() bool {
	c.again = false
	return c.Stop()
}

// busy reports whether one waits for a query. Nobody does for those of each second.
func (c *Console) busy() bool { return c.asking != nil && !c.again }

// Tick lets a query go on that runs, and runs it again when that is wanted.
func (c *Console) Tick(env *panel.Env) {
	if !c.inSight && c.Field.Focused() {
		c.Field.Focus(false)
	}
	c.inSight = false
	shown := c.ss.View().Session()
	if a := c.asking; a != nil && a.of != shown {
		c.Stop()
	}
	if c.of != nil && c.of != shown {
		c.forget()
	}
	if a := c.asking; a != nil {
		if out, ended := a.step(env.Paced); ended {
			c.take(out)
			c.nextNs = env.NowNs + 1_000_000_000
		}
	} else if c.again && c.ss.Live() && env.NowNs >= c.nextNs {
		c.run(c.text)
	}
}

// forget drops the result.
func (c *Console) forget() {
	c.again = false
	c.say("", false)
	c.set(nil, &query.Result{})
	c.unlight()
}

// take shows an answer.
func (c *Console) take(out answer) {
	s := c.asking.of
	c.asking = nil
	if out.err != nil {
		c.again = false
		c.say(out.err.Error(), true)
		return
	}
	lit := c.lit()
	c.set(s, out.result)
	if lit {
		c.lightRows()
	}
}

// lit reports whether the spans of the rows are lit.
func (c *Console) lit() bool { return c.of != nil && c.ss.View().Look().FoundCalls() == &c.hits }

// lightRows lights the spans of the rows in all panels.
func (c *Console) lightRows() {
	var calls []spans.Call
	for _, r := range c.rows {
		if b, ok := c.found.span(c.of, r); ok {
			calls = append(calls, spans.Call{Ref: b.Ref, Begin: b.Begin})
		}
	}
	c.hits.Give(c.of, calls)
	n, _ := c.hits.Count()
	if n == 0 {
		c.say("No row is a span: those with thread, begin_ns and duration_ns or name are", false)
		c.unlight()
		return
	}
	c.say(string(format.AppendPlural(nil, n, "span is lit", "spans are lit")), false)
	c.light(&c.hits)
}

func (c *Console) unlight() {
	if c.hits.Search(nil, nil); c.light != nil {
		c.light(nil)
	}
}

// keys passes the keys to the field; false: it does not have the keyboard.
func (c *Console) keys(k *input.Keyboard) bool {
	f := &c.Field
	if !f.Focused() {
		return false
	}
	if f.Type(int(c.ask.Mouse.X), int(c.ask.Mouse.Y), workspace.Strokes(k), c.ask.Clipboard()) {
		return true
	}
	switch {
	case k.Struck("esc") && !c.cancel():
		f.Focus(false)
	case k.Struck("enter"):
		c.enter()
	case k.Struck("tab"):
		c.complete()
	case k.Struck("up"):
		c.earlier(1)
	case k.Struck("down"):
		c.earlier(-1)
	}
	return true
}

// enter runs the query in the field, and remembers it.
func (c *Console) enter() {
	text := strings.TrimSpace(c.Field.Text())
	if text == "" {
		return
	}
	c.past = -1
	c.settings.RememberQuery(text)
	c.run(text)
}

// earlier puts a query before or after the one in the field into it.
func (c *Console) earlier(by int) {
	to := min(max(c.past+by, -1), len(c.settings.Queries)-1)
	if to == c.past {
		return
	}
	if c.past = to; to < 0 {
		c.Field.SetText("")
		return
	}
	c.Field.SetText(c.settings.Queries[to])
}

// complete completes the word before the cursor; again, with the next name.
func (c *Console) complete() {
	n := &c.names
	before := c.Field.Before()
	if n.text != "" && n.text == before {
		word := n.names[n.at]
		n.at = (n.at + 1) % len(n.names)
		c.Field.Replace(len(word), n.names[n.at])
	} else {
		word, names := completions(before)
		if len(names) == 0 {
			return
		}
		*n = completion{names: names}
		c.Field.Replace(len(word), names[0])
	}
	n.text = c.Field.Before()
}

// mostNames is how many completions are listed.
const mostNames = 8

// line is what stands below the field: an error, or the names that Tab gives.
func (c *Console) line() string {
	if !c.Field.Focused() {
		return c.said
	}
	_, names := completions(c.Field.Before())
	switch n := &c.names; {
	case n.text != "" && n.text == c.Field.Before():
		names = append(slices.Clone(n.names[n.at:]), n.names[:n.at]...)
	case c.failed || len(names) == 0:
		return c.said
	}
	more := ""
	if len(names) > mostNames {
		names, more = names[:mostNames], " …"
	}
	return "Tab: " + strings.Join(names, "  ") + more
}

// The heights of the field with the room around it, and of the line below, at scale 1.
const consoleBar, consoleLine = 32, 16

// Update implements panel.Panel.
func (c *Console) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.inSight = true
	pad := env.Px(8)
	c.field = draw.Rect{X0: rect.X0 + pad, Y0: rect.Y0 + env.Px(4), X1: rect.X1 - pad, Y1: rect.Y0 + env.Px(consoleBar-2)}
	if in.Over && in.Left.Pressed && c.field.Contains(in.X, in.Y) && !c.Field.Focused() {
		c.Field.Focus(true)
	} else {
		c.Field.Point(in)
	}
	body := rect
	body.Y0 = min(rect.Y0+env.Px(consoleBar+consoleLine), rect.Y1)
	act := c.Table.Place(env, body, in)
	line := c.line()
	var looks widgets.Sum
	c.Field.Sum(&looks)
	looks.Add(c.Stamp())
	looks.Text(line)
	for _, on := range []bool{c.Field.Focused(), c.failed, c.busy()} {
		looks.Flag(on)
	}
	if c.BeginBase(env, rect, looks) {
		c.draw(env, body, line)
	}
	return act
}

func (c *Console) draw(env *panel.Env, body draw.Rect, line string) {
	l, th := c.List(), env.Theme
	c.Field.Draw(l, env, c.field, "")
	below := draw.Rect{X0: c.field.X0, Y0: c.field.Y1, X1: c.field.X1, Y1: body.Y0}
	color := draw.Color(format.Pick(c.failed && line == c.said, th.Bad, th.TextDim))
	l.TextIn(draw.Small, below, draw.Left, line, color)
	c.DrawInto(l, env)
	if c.busy() { // the result is an old one
		l.Rect(body, draw.Color(th.Panel).WithAlpha(150))
	}
}

// List implements panel.Panel.
func (c *Console) List() *draw.List { return c.Layers.List() }

// Holds reports whether a point is in the field.
func (c *Console) Holds(x, y float32) bool { return c.inSight && c.field.Contains(x, y) }

// Mode is the number of rows; while a query runs, the number of rows that it has read.
func (c *Console) Mode(*panel.Env) string {
	b := c.mode.New()
	switch {
	case c.busy():
		b = append(format.AppendPlural(b, c.asking.rows(), "row", "rows"), " read…"...)
	case len(c.result.Columns) == 0:
	case c.result.Cut:
		b = append(format.AppendCount(append(b, "first "...), int64(len(c.rows))), " rows"...)
	default:
		b = format.AppendPlural(b, int64(len(c.rows)), "row", "rows")
	}
	return c.mode.Set(b)
}

// The tools of the panel.
const (
	toolRun = iota
	toolShow
	toolAgain
	toolSaved
)

// Tools implements panel.Tooled.
func (c *Console) Tools(*panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	if c.busy() {
		b.Action(toolRun, "Cancel", "Stop the query (Esc)")
	} else {
		b.Action(toolRun, "Run", "Run the query (Enter)")
	}
	b.Choice(toolSaved, -1, savedNames, "Examples", "Queries to begin with")
	if len(c.rows) > 0 {
		b.Toggle(toolShow, c.lit(), "Show these", "Light the spans of the rows in all panels")
	}
	if c.ss != nil && c.ss.Live() {
		b.Toggle(toolAgain, c.again, "Again each second", "Run the query again and again while data comes")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (c *Console) Use(_ *panel.Env, id, option int) {
	switch id {
	case toolRun:
		if !c.busy() || !c.cancel() {
			c.enter()
		}
	case toolSaved:
		c.Field.SetText(savedQueries[option][1])
		c.enter()
	case toolShow:
		if c.lit() {
			c.unlight()
			c.say("", false)
		} else if len(c.rows) > 0 {
			c.lightRows()
		}
	case toolAgain:
		c.again = !c.again
		if c.text == "" {
			c.enter()
		}
	}
}

// savedQueries are queries to begin with: a name, and the text.
var savedQueries = [][2]string{
	{"Where the time goes", "select name, count(*) as calls, sum(self_ns) as self_ns, max(duration_ns) as longest_ns " +
		"from spans group by name order by self_ns desc limit 100"},
	{"The longest calls", "select thread, frame, begin_ns, duration_ns, name, path from spans order by duration_ns " +
		"desc limit 100"},
	{"The slowest frames", "select thread, frame, begin_ns, duration_ns from frames order by duration_ns desc limit 100"},
	{"What stutters, and why", "select cause_thread, cause, how, count(*) as hitches, sum(excess_ns) as excess_ns " +
		"from hitches group by cause_thread, cause, how order by excess_ns desc"},
	{"What is missing", "select loss, reason, count from losses order by count desc"},
}

// queryCommands are the queries to begin with as commands.
func (n *navigator) queryCommands(group string) (list []input.Command) {
	p, ok := n.panels[queryID].(*Console)
	if !ok {
		return nil
	}
	list = append(list, input.Command{ID: "query.show", Name: "Query: highlight the spans of the rows", Group: group,
		Panel: queryID, Run: func() { p.Use(n.ask.Env, toolShow, 0) }})
	for i, name := range savedNames {
		run := func() {
			n.show(queryID)
			p.Use(n.ask.Env, toolSaved, i)
		}
		id := fmt.Sprintf("query.%d", i+1)
		list = append(list, input.Command{ID: id, Name: "Query: " + name, Words: "sql", Group: group, Panel: queryID,
			Run: run})
	}
	return list
}

var savedNames = func() (names []string) {
	for _, q := range savedQueries {
		names = append(names, q[0])
	}
	return names
}()
