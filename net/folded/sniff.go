package folded

import (
	"bytes"
	"path/filepath"
	"strings"

	"framescope/net/feed"
	"framescope/net/trace"
)

// looked is how many lines are looked at that say something.
const looked = 50

// Sniff implements feed.Source: the text has no magic number, but at least two thirds of its lines are
// stacks with a count. Stacks with a damaged count do not matter unless they are the majority. With a
// file name of this format, one stack is enough.
func (Source) Sniff(head []byte, name string) bool {
	count, stacks, spoilt, deep := 0, 0, 0, false
	for _, line := range trace.Head(head, feed.Whole(head), 4*looked) {
		if count == looked || skipped([]byte(line)) {
			continue
		}
		count++
		if st, ok := parseLine([]byte(line)); ok {
			stacks++
			deep = deep || bytes.IndexByte(st.frames, ';') >= 0
		} else if isSpoilt(line) {
			spoilt++
		}
	}
	count -= min(spoilt, stacks)
	base := strings.TrimSuffix(filepath.Base(name), ".gz")
	ext := filepath.Ext(base)
	if ext == ".folded" || ext == ".collapsed" || ext == ".stacks" {
		return stacks > 0
	}
	return stacks > 0 && 3*stacks >= 2*count && deep
}

// isSpoilt reports whether a line looks like a stack with a damaged count: it has frames, and its last
// word has none of the punctuation of prose.
func isSpoilt(line string) bool {
	line = strings.TrimRight(line, " \t")
	at := strings.LastIndexByte(line, ' ')
	frames, count := line[:max(at, 0)], line[at+1:]
	deep := strings.Contains(frames, ";") && !strings.Contains(frames, "; ") && !strings.ContainsAny(frames, "\"{}")
	return deep && len(count) <= mostSpoilt && !strings.ContainsAny(count, ";:,\"'{}()")
}

// mostSpoilt is the longest text in place of a count.
const mostSpoilt = 40

var _ feed.Patient = Source{}

// Undecided implements feed.Patient: the first lines of a text may be longer than head.
func (Source) Undecided(head []byte) bool {
	wide := bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
	if !wide && bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	said := 0
	for _, line := range trace.Head(head, false, looked) {
		if !skipped([]byte(line)) {
			said++
		}
	}
	return said < fewLines
}

// fewLines are too few lines to recognise a text.
const fewLines = 3
