package find

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"framescope/model"
	"framescope/model/args"
	"framescope/model/spans"
)

// argument is a condition of a term on the arguments of a call: at least one of them must meet it.
type argument struct {
	key    pattern // all of it
	op     string  // empty: it is there; ":" has a part; else it is compared
	value  pattern // of ":" and "="
	number model.ArgValue
	ranked bool // number holds: numbers are compared with it
}

// argument reads a key, and the value to compare with.
func (p *parser) argument(t *term, begin int) error {
	from := p.at
	key, how := "", whole
	if strings.HasPrefix(p.text[p.at:], `"`) {
		text, _, err := p.word(whole, false)
		if err != nil {
			return err
		}
		key, how = "(?-i:^"+regexp.QuoteMeta(text)+"$)", regex
	} else {
		n := strings.IndexFunc(p.text[p.at:], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(`:=<>"`, r)
		})
		if n < 0 {
			n = len(p.text) - p.at
		}
		key = p.text[p.at : p.at+n]
		p.at += n
	}
	if key == "" {
		return p.fail(begin, "which argument? Give its key, such as arg:size>1000 or arg:url")
	}
	t.arg = new(argument)
	var err error
	if t.arg.key, err = newPattern(key, how); err != nil {
		return p.fail(from, err.Error())
	}
	if p.next(':') {
		t.arg.op = ":"
	} else {
		t.arg.op = p.operator()
	}
	if t.arg.op == "" {
		return nil
	}
	return p.argumentValue(t.arg, begin)
}

// argumentValue reads the value to compare an argument with.
func (p *parser) argumentValue(a *argument, begin int) error {
	from := p.at
	how := part
	if a.op == "=" {
		how = whole
	}
	text, how, err := p.word(how, false)
	if err != nil {
		if strings.HasPrefix(p.text[from:], `"`) || strings.HasPrefix(p.text[from:], "/") {
			return err
		}
		return p.fail(begin, "compared with what? Give a value behind "+a.op+", such as "+a.op+"10")
	}
	if how != phrase && how != regex {
		a.number, a.ranked = numberOf(text)
	}
	switch a.op {
	case ":":
	case "=":
		if how == phrase { // letters are as they are
			text, how = "(?-i:^"+regexp.QuoteMeta(text)+"$)", regex
		}
	default:
		if !a.ranked {
			return p.fail(from, strconv.Quote(text)+" is no number")
		}
		return nil
	}
	if a.value, err = newPattern(text, how); err != nil {
		return p.fail(from, err.Error())
	}
	return nil
}

// numberOf reads a number, as values of arguments are compared: a text that is one counts as one.
func numberOf(text string) (v model.ArgValue, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return model.IntArg(n), true
	}
	if text == "" || !utf8.ValidString(text) || strings.ContainsAny(text, "xXpP_nNiI") {
		return v, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return model.FloatArg(f), err == nil
}

// compareNumbers compares two that are no texts; ok is false where one is no number.
func compareNumbers(a, b model.ArgValue) (sign int, ok bool) {
	if a.Kind == model.ArgInt && b.Kind == model.ArgInt {
		return cmp.Compare(a.Int(), b.Int()), true
	}
	x, y := a.Float(), b.Float()
	return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y)
}

// lets reports whether a value is as the term wants; buf is scratch memory.
func (a *argument) lets(v model.ArgValue, buf *[]byte) bool {
	if a.op == "" {
		return true
	}
	if a.ranked && a.op != ":" {
		of, is := v, v.Kind != model.ArgText
		if !is {
			of, is = numberOf(v.Text)
		}
		if is {
			if sign, ok := compareNumbers(of, a.number); ok && holds(a.op, sign) {
				return true
			}
		}
	}
	if a.op != ":" && a.op != "=" {
		return false
	}
	if v.Kind == model.ArgText {
		return a.value.expr.MatchString(v.Text)
	}
	*buf = v.Append((*buf)[:0])
	return a.value.expr.Match(*buf)
}

// holds reports whether a comparison holds, given the sign of the difference of its sides.
func holds(op string, sign int) bool {
	switch op {
	case ">":
		return sign > 0
	case ">=":
		return sign >= 0
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	}
	return sign == 0
}

// argRuns goes along the spans of lanes with arguments that match an expression. It skips spans
// without any; it tests texts and keys, which many spans share, once each.
type argRuns struct {
	table  *args.Table
	terms  []*term
	none   bool // calls without arguments are meant
	cursor args.Cursor
	lane   spans.Ref // the lane of the cursor; its index means nothing
	rev    uint64    // of the table
	from   int64     // no span from here on, before the cursor's, has arguments
	at     int64     // the cursor's span, math.MaxInt64 at the end
	keys   [][]verdict
	texts  [][]verdict
	buf    []byte
}

// verdict is the cached result of a key or a text for a term.
type verdict uint8

const (
	unjudged verdict = iota
	refused
	meant
)

func newArgRuns(e *Expr, table *args.Table) *argRuns {
	r := &argRuns{table: table, none: true, lane: spans.Ref{Track: model.NoTrack}}
	for i := range e.terms {
		if t := &e.terms[i]; t.field == byArg {
			r.terms, r.none = append(r.terms, t), r.none && t.not
		}
	}
	r.keys, r.texts = make([][]verdict, len(r.terms)), make([][]verdict, len(r.terms))
	return r
}

// next is spans.Runs.
func (r *argRuns) next(of spans.Ref, from, to, budget int64) (a, b, work int64) {
	if r.rev != r.table.Revision() || of.Track != r.lane.Track || of.Lane != r.lane.Lane {
		if r.rev != r.table.Revision() { // numbers of texts are given again
			for i := range r.terms {
				clear(r.texts[i])
				clear(r.keys[i])
			}
			r.rev = r.table.Revision()
		}
		r.cursor.Reset(r.table, of.Track, int(of.Lane))
		r.lane, r.from, r.at = of, math.MaxInt64, math.MaxInt64
	}
	read := r.cursor.Read()
	if from < r.from || from > r.at {
		r.from, r.at = from, math.MaxInt64
		if r.cursor.To(from) {
			r.at = r.cursor.Index()
		}
	}
	if r.none {
		a, b = r.without(from, to, read+budget)
	} else {
		a, b = r.with(to, read+budget)
	}
	return a, b, max(r.cursor.Read()-read, 1)
}

// mostOfRun bounds a run.
const mostOfRun = 1 << 12

// with returns the next run of spans with arguments that are meant.
func (r *argRuns) with(to, until int64) (a, b int64) {
	for r.at < to && !r.meant() {
		if r.forth(); r.cursor.Read() >= until && r.at < to {
			return r.at, r.at
		}
	}
	a = min(r.at, to)
	for b = a; b < to && b-a < mostOfRun && r.at == b && (b == a || r.meant()); b++ {
		r.forth()
	}
	return a, b
}

// without returns the next run of spans without arguments, or with such as are meant.
func (r *argRuns) without(from, to, until int64) (a, b int64) {
	for a = from; r.at < to; {
		if !r.meant() {
			if r.at > a {
				return a, r.at
			}
			a = r.at + 1
		}
		if r.forth(); r.cursor.Read() >= until {
			return a, min(r.at, to)
		}
	}
	return a, to
}

// forth goes to the next span with arguments.
func (r *argRuns) forth() {
	r.from = r.at + 1
	if r.at = math.MaxInt64; r.cursor.Next() {
		r.at = r.cursor.Index()
	}
}

// meant reports whether the arguments of the cursor's span are.
func (r *argRuns) meant() bool {
	cells := r.cursor.Each()
	for i, t := range r.terms {
		is := false
		for k := 0; k < len(cells) && !is; k++ {
			is = r.keyMeant(i, cells[k].Key) && r.valueMeant(i, cells[k])
		}
		if is == t.not {
			return false
		}
	}
	return true
}

func (r *argRuns) keyMeant(term int, key args.KeyID) bool {
	v := verdictOf(&r.keys[term], int(key))
	if *v == unjudged {
		*v = judged(r.terms[term].arg.key.expr.MatchString(r.table.Keys()[key]))
	}
	return *v == meant
}

func (r *argRuns) valueMeant(term int, c args.Cell) bool {
	a := r.terms[term].arg
	if a.op == "" {
		return true
	}
	if c.Kind != model.ArgText {
		return a.lets(r.table.Value(c), &r.buf)
	}
	v := verdictOf(&r.texts[term], int(c.Bits))
	if *v == unjudged {
		*v = judged(a.lets(r.table.Value(c), &r.buf))
	}
	return *v == meant
}

func judged(is bool) verdict {
	if is {
		return meant
	}
	return refused
}

// verdictOf returns the verdict of a number, with room for it.
func verdictOf(list *[]verdict, n int) *verdict {
	if n >= len(*list) {
		*list = append(*list, make([]verdict, n+1-len(*list))...)
	}
	return &(*list)[n]
}
