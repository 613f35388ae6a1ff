package cli

import (
	"fmt"
	"html"
	"strings"

	"framescope/app/report"
	"framescope/charts/format"
)

// markup is HTML; other text has to be escaped.
type markup string

// body is the text of the page so far.
type body struct{ strings.Builder }

// add adds markup with values in it: all but markup and numbers is escaped. A program with Go's own templates keeps
// all methods of all types, since any might be named in one, and is larger by megabytes.
func (b *body) add(form markup, values ...any) {
	for i, v := range values {
		switch v.(type) {
		case markup, int, int64, float64:
		default:
			values[i] = markup(html.EscapeString(fmt.Sprint(v)))
		}
	}
	fmt.Fprintf(b, string(form), values...)
}

// page returns the whole page.
func (c *content) page() string {
	b := &body{}
	b.add("<h1>%v</h1>\n<p class=\"dim\">%v</p>\n\n", c.Title, c.About)
	b.summary(c.Threads)
	b.sentences("ul", "Why it was slow", c.Causes)
	if len(c.Causes) > 0 {
		b.sentences("ol", "The worst, one by one", c.Worst)
	} else {
		b.sentences("ol", "Why it was slow", c.Worst)
	}
	b.bookmarks(c.Bookmarks)
	b.histogram(c.Histogram)
	for _, p := range c.Pictures {
		b.add("<h2>%v</h2>\n<p class=\"dim\">%v</p>\n<figure>%v</figure>\n", p.Title, p.What, p.SVG)
	}
	for i := range c.Tables {
		b.table(&c.Tables[i])
	}
	b.missing(c)
	return strings.NewReplacer("{{.Title}}", html.EscapeString(c.Title), "{{.Body}}", b.String()).Replace(pageHTML)
}

func (b *body) summary(threads []report.ThreadFigures) {
	if len(threads) == 0 {
		return
	}
	b.add("<table><caption>Frames</caption>\n")
	b.heads("thread", "frames", "missing", "per second", "median", "95 %", "99 %", "longest")
	for i := range threads {
		t := &threads[i]
		b.add("<tr><td>%v</td>%v%v<td>%.2f</td>", t.Name, countCell(int64(t.Frames)), countCell(t.Missing), t.Rate)
		if f := frameTimes(t); f != nil {
			b.add("%v%v%v%v", timeCell(f.Median), timeCell(f.P95), timeCell(f.P99), timeCell(f.Max))
		}
		b.add("</tr>\n")
	}
	b.add("</table>\n")
	for i := range threads {
		if o := threads[i].Open; o != nil {
			b.add("<p class=\"dim\">%v: frame %v is open: at least %v, in no figure of frames</p>\n", threads[i].Name, o.Number,
				string(format.AppendDuration(nil, o.AtLeast)))
		}
	}
}

// heads adds the row with the titles of columns.
func (b *body) heads(titles ...string) {
	b.add("<tr>")
	for _, title := range titles {
		b.add("<th>%v</th>", title)
	}
	b.add("</tr>\n")
}

// sentences adds a list with a title, if there are any.
func (b *body) sentences(list markup, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.add("<h2>%v</h2>\n", title)
	b.list("<"+list+">", lines)
	b.add("</%v>\n", list)
}

func (b *body) list(begin markup, lines []string) {
	b.add(begin)
	for _, line := range lines {
		b.add("<li>%v</li>", line)
	}
}

func (b *body) bookmarks(marks []report.Bookmark) {
	if len(marks) == 0 {
		return
	}
	b.add("<h2>Bookmarks</h2>\n<table>")
	b.heads("place", "from", "duration", "note")
	for _, m := range marks {
		b.add("<tr><td>%v</td>%v%v<td class=\"note\">%v</td></tr>\n", m.Place, timeCell(float64(m.Begin)),
			timeCell(float64(m.End-m.Begin)), m.Note)
	}
	b.add("</table>\n")
}

func (b *body) histogram(h *histogram) {
	if h == nil {
		return
	}
	b.add("<h2>How long the frames of %v took</h2>\n<table>", h.Thread)
	b.heads("from", "frames", "")
	for _, x := range h.Bins {
		b.bin(x, "<i")
	}
	if h.Above != nil {
		b.bin(*h.Above, "and longer<i class=\"over\"")
	}
	b.add("</table>\n")
}

// bin adds a bar; begin is what stands in its cell before the bar's width.
func (b *body) bin(x bin, begin markup) {
	b.add("<tr>%v%v<td class=\"bar\">%v style=\"width: %v%%\"></i></td></tr>\n", timeCell(x.From), countCell(x.Frames),
		begin, x.Percent)
}

func (b *body) table(t *table) {
	open := markup("")
	if t.Open {
		open = " open"
	}
	b.add("<details%v><summary><b>%v</b> <span class=\"dim\">%v</span></summary>\n<table>", open, t.Title, t.What)
	b.heads(t.Heads...)
	units := t.units()
	for _, r := range t.Rows {
		b.add("<tr><td>%v</td>", r.Name)
		for i, cell := range r.Cells {
			if ns, ok := cell.(nanoseconds); ok {
				cell = exactCell(float64(ns), units[i].AppendNamed(nil, float64(ns)))
			}
			b.add("%v", cell)
		}
		b.add("</tr>\n")
	}
	b.add("</table></details>\n")
}

func (b *body) missing(c *content) {
	if len(c.Missing) > 0 {
		b.add("<h2>What is missing</h2>\n<table>")
		for _, l := range c.Missing {
			b.add("<tr><td>%v</td>%v</tr>", l.Reason, countCell(l.Count))
		}
		b.add("</table>\n")
	}
	if len(c.Notes) > 0 {
		b.list("<ul class=\"dim\">", c.Notes)
		b.add("</ul>\n")
	}
}
