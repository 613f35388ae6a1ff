package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"framescope/internal/escape"
)

// reportList prints reports on several recordings: as text each below its name, as JSON an array
// with an element for each.
type reportList struct {
	out  io.Writer
	json bool
	n    int
}

// add prints one report with write, and returns its error. In JSON the element of a failed recording
// has the error in place of the report.
func (l *reportList) add(name string, write func(out io.Writer) error) error {
	head := fmt.Sprintf("== %s\n", escape.Line(name))
	switch {
	case l.json && l.n == 0:
		head = "[\n"
	case l.json:
		head = ",\n"
	case l.n > 0:
		head = "\n" + head
	}
	l.n++
	if _, err := io.WriteString(l.out, head); err != nil || !l.json {
		if err != nil {
			return err
		}
		return write(l.out)
	}
	report := &lateHead{out: l.out, head: fmt.Sprintf("{\"file\": %s, \"report\": ", quoted(name))}
	failed := write(report)
	tail := "}"
	if !report.done { // failures come before the output, or prevent it
		tail = fmt.Sprintf("{\"file\": %s, \"error\": %s}", quoted(name), quoted(fmt.Sprint(failed)))
	}
	if _, err := io.WriteString(l.out, tail); err != nil {
		return err
	}
	return failed
}

// close prints the end of the list.
func (l *reportList) close() error {
	if !l.json {
		return nil
	}
	_, err := io.WriteString(l.out, "\n]\n")
	return err
}

// lateHead writes a head before the first bytes.
type lateHead struct {
	out  io.Writer
	head string
	done bool
}

// Write implements io.Writer.
func (b *lateHead) Write(p []byte) (int, error) {
	if !b.done {
		b.done = true
		if _, err := io.WriteString(b.out, b.head); err != nil {
			return 0, err
		}
	}
	return b.out.Write(p)
}

// quoted is a text as in JSON.
func quoted(text string) []byte {
	out, err := json.Marshal(text)
	if err != nil {
		return []byte(`""`)
	}
	return out
}
