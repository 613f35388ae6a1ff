// Package place names places of a session by stable properties: a frame by its number and its
// thread, a span by its time, thread and collector. A place has a text, the end of a link behind
// the name of a file, and is found again in a session. It queries the store.
package place

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"framescope/internal/escape"
	"framescope/model/measure"
)

// Kind is the kind of a place.
type Kind uint8

// The kinds. The zero one is no place.
const (
	None   Kind = iota
	Frames      // a run of frames of a thread
	Range       // a range of time
	Span        // a span of a thread
	Moment      // a time
)

// Place is a place of a session. It is comparable: two that are equal are one place.
type Place struct {
	Kind Kind
	// Thread is the title of the thread: for frames empty for the main one, for a range and a
	// moment empty without one. Among several threads of one title Nth is the index, from 0 on.
	Thread string
	Nth    int
	// First and Last are the numbers of the frames.
	First, Last int64
	// BeginNs and EndNs are the time of a place other than a run of frames: of a range [BeginNs,
	// EndNs), of a moment the same.
	BeginNs, EndNs int64
	// Collector is the full name of that of a span; empty: it is the innermost span that runs then.
	Collector string
}

// Help describes the texts, for the help of commands.
const Help = `FILE may end with a link to a place, as the window copies it (Ctrl+Shift+L). Quote it for the shell.
  #frame=5431  #time=12.5s              a frame; a moment
  #range=12.5s:13s  #range=120:180      a range of times or of frames
  #span=12.503s                         the innermost span at that time
  &thread=Draw  &collector=App:Draw     after one of these: its thread, the collector of the span
If a file with a # in its own name exists, it is opened.`

// maxText bounds the text of a place, in bytes.
const maxText = 1 << 14

// The words of a text.
const (
	keyFrame, keyRange, keySpan, keyTime   = "frame", "range", "span", "time"
	keyThread, keyNth, keyCollector, words = "thread", "nth", "collector",
		"frame=5431, range=12.5s:13s, span=12.5s or time=12.5s"
)

// String returns the text of a place, from which Parse makes it again; empty: it is none.
func (p Place) String() string {
	var b []byte
	switch p.Kind {
	case Frames:
		if b = strconv.AppendInt(append(b, keyFrame+"="...), p.First, 10); p.First != p.Last {
			b = strconv.AppendInt(append(b[:0], keyRange+"="...), p.First, 10)
			b = strconv.AppendInt(append(b, ':'), p.Last, 10)
		}
	case Range:
		b = p.appendTimes(append(b, keyRange+"="...))
	case Span:
		b = p.appendTimes(append(b, keySpan+"="...))
	case Moment:
		b = appendTime(append(b, keyTime+"="...), p.BeginNs)
	default:
		return ""
	}
	if p.Thread != "" {
		b = appendName(append(b, "&"+keyThread+"="...), p.Thread)
	}
	if p.Nth > 0 {
		b = strconv.AppendInt(append(b, "&"+keyNth+"="...), int64(p.Nth)+1, 10)
	}
	if p.Collector != "" {
		b = appendName(append(b, "&"+keyCollector+"="...), p.Collector)
	}
	return string(b)
}

func (p Place) appendTimes(b []byte) []byte {
	b = appendTime(b, p.BeginNs)
	if p.EndNs != p.BeginNs {
		b = appendTime(append(b, ':'), p.EndNs)
	}
	return b
}

// appendTime appends a time in seconds, to the nanosecond: "12.5s".
func appendTime(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
	}
	whole, rest := ns/1e9, ns%1e9
	b = strconv.AppendUint(b, abs(whole), 10)
	if rest != 0 {
		b = fmt.Appendf(b, ".%09d", abs(rest))
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return append(b, 's')
}

func abs(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// appendName appends a name in the form of a text: separators, and characters that other programs
// may lose, in percent notation.
func appendName(b []byte, name string) []byte {
	for i, r := range name {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD"):
			b = fmt.Appendf(b, "%%%02X", name[i])
		case r <= ' ' || strings.ContainsRune("%&#+'\"`\\$<>", r) || !escape.IsVisible(r) ||
			r != ' ' && r > 0x7f && escape.Joins(r):
			for _, c := range []byte(string(r)) {
				b = fmt.Appendf(b, "%%%02X", c)
			}
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// Parse reads the text of a place, the part behind the # of a link; see Help.
func Parse(text string) (Place, error) {
	p, err := parse(text)
	if err != nil {
		return Place{}, fmt.Errorf("#%s: %w", escape.Name(text), err)
	}
	return p, nil
}

func parse(text string) (p Place, err error) {
	if len(text) > maxText {
		return p, errors.New("it is too long")
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, "&") {
		key, value, some := strings.Cut(part, "=")
		if value, err = url.PathUnescape(value); err != nil {
			return p, fmt.Errorf("%q is not escaped as in a link: %w", key, err)
		}
		switch {
		case !some || value == "":
			return p, fmt.Errorf("%q has no value: give %s", escape.Name(part), words)
		case seen[key]:
			return p, fmt.Errorf("%s is given twice", escape.Name(key))
		}
		seen[key] = true
		if err := p.setPart(key, value); err != nil {
			return p, err
		}
	}
	switch {
	case p.Kind == None:
		return p, errors.New("it names no place: give " + words)
	case p.Collector != "" && p.Kind != Span:
		return p, errors.New("a collector needs a span: add span=12.5s")
	case p.Nth > 0 && p.Thread == "":
		return p, errors.New("nth selects one of several threads with the same name: add thread=NAME")
	}
	return p, nil
}

// setPart sets one part of the place from a text.
func (p *Place) setPart(key, value string) (err error) {
	switch key {
	case keyThread:
		p.Thread = value
		return nil
	case keyCollector:
		p.Collector = value
		return nil
	case keyNth:
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 1 {
			return fmt.Errorf("nth=%s: give 1 or more", escape.Name(value))
		}
		p.Nth = int(n - 1)
		return nil
	}
	kind, known := map[string]Kind{keyFrame: Frames, keyRange: Range, keySpan: Span, keyTime: Moment}[key]
	switch {
	case !known:
		return fmt.Errorf("unknown key %q: give %s", escape.Name(key), words)
	case p.Kind != None:
		return errors.New("it names two places")
	}
	p.Kind = kind
	a, b, two := strings.Cut(value, ":")
	switch {
	case two && (kind == Moment || key == keyFrame):
		return fmt.Errorf("%s=%s: for several frames give range=%s", key, escape.Name(value), escape.Name(value))
	case !two && kind == Range:
		return fmt.Errorf("%s=%s: a range needs two ends, such as range=12.5s:13s", key, escape.Name(value))
	case !two:
		b = a
	}
	if kind == Frames || kind == Range && strings.Trim(a+b, "0123456789") == "" {
		p.Kind = Frames
		return p.takeFrames(key, a, b)
	}
	if p.BeginNs, err = parseTime(key, a); err != nil {
		return err
	}
	if p.EndNs, err = parseTime(key, b); err != nil {
		return err
	}
	if p.EndNs < p.BeginNs || kind == Range && p.EndNs == p.BeginNs {
		return fmt.Errorf("%s=%s: it ends before it begins", key, escape.Name(value))
	}
	return nil
}

func (p *Place) takeFrames(key, a, b string) (err error) {
	for _, end := range []struct {
		text string
		to   *int64
	}{{a, &p.First}, {b, &p.Last}} {
		if *end.to, err = measure.ParseCount(end.text); err != nil || *end.to < 0 {
			return fmt.Errorf("%s=%s: %q is not a frame number", key, escape.Name(a), escape.Name(end.text))
		}
	}
	if p.Last < p.First {
		return fmt.Errorf("%s=%s:%s: it ends before it begins", key, a, b)
	}
	return nil
}

func parseTime(key, text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%s=%s: %q is not a time, such as 12.5s or 200ms", key, escape.Name(text), escape.Name(text))
	}
	return int64(d), nil
}

// Cut splits a link into the name of a file and the place in it, of Kind None if it has none. A
// link that exists as a file is a name. The error is that of the place.
func Cut(link string, exists func(name string) bool) (name string, p Place, err error) {
	i := strings.LastIndexByte(link, '#')
	if i <= 0 || exists(link) {
		return link, Place{}, nil
	}
	if p, err = Parse(link[i+1:]); err != nil && !exists(link[:i]) {
		return link, Place{}, nil
	}
	return link[:i], p, err
}
