package budget

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"framescope/internal/visible"
	"framescope/model/budget"
)

// File is what became of budgets in one recording.
type File struct {
	Name    string
	Results []budget.Result
	Err     error // why it could not be checked; nil: it was
}

// Breached tells whether a budget was broken in it, or whether it could not be checked.
func (f *File) Breached() bool { return f.Err != nil || budget.Breaches(f.Results) > 0 }

// The JSON form is part of the interface: docs/check.schema.json.
type jsonFile struct {
	File    string       `json:"file"`
	Error   string       `json:"error,omitempty"`
	Broken  int          `json:"broken"`
	Results []jsonResult `json:"results"`
}

type jsonResult struct {
	Budget    string         `json:"budget"`
	Line      int            `json:"line"`
	Verdict   budget.Verdict `json:"verdict"`
	Breach    bool           `json:"breach"`
	Thread    string         `json:"thread,omitempty"`
	Collector string         `json:"collector,omitempty"`
	Series    string         `json:"series,omitempty"`
	Measure   budget.Measure `json:"measure"`
	At        budget.At      `json:"at,omitempty"`
	Unit      string         `json:"unit,omitempty"`
	Value     *float64       `json:"value"` // ns of times; null: nothing of this name was recorded
	Limit     float64        `json:"limit"`
	Share     *float64       `json:"share,omitempty"`
	Frames    int64          `json:"frames"`
	Over      int64          `json:"over"`
	Worst     *int64         `json:"worst_frame,omitempty"`
}

// WriteJSON writes the results of recordings as an array with an element for each.
func WriteJSON(w io.Writer, files []File) error {
	out := make([]jsonFile, len(files))
	for i := range files {
		f := &files[i]
		out[i] = jsonFile{File: f.Name, Broken: budget.Breaches(f.Results), Results: []jsonResult{}}
		if f.Err != nil {
			out[i].Error = f.Err.Error()
		}
		for k := range f.Results {
			r := &f.Results[k]
			b := r.Budget
			j := jsonResult{
				Budget: b.Name, Line: b.Line, Verdict: r.Verdict, Breach: r.Breach(), Thread: r.Thread, Measure: b.Measure, At: b.At,
				Unit: r.Unit, Limit: b.Limit, Frames: r.Frames, Over: r.Over,
			}
			if b.Series != "" {
				j.Series = r.What
			} else {
				j.Collector = r.What
			}
			if r.Verdict != budget.Nothing {
				j.Value = &r.Value
			}
			if b.HasShare {
				j.Share = &b.Share
			}
			if r.HasWorst {
				j.Worst = &r.Worst
			}
			if b.Measure.Times() {
				j.Unit = "ns"
			}
			out[i].Results = append(out[i].Results, j)
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Failure *junitText `xml:"failure"`
	Error   *junitText `xml:"error"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes results as the XML that servers of continuous integration read: a suite for each
// recording, a case for each budget and what it is on.
func WriteJUnit(w io.Writer, files []File) error {
	var all junitSuites
	for i := range files {
		f := &files[i]
		s := junitSuite{Name: visible.Line(f.Name)}
		if f.Err != nil {
			text := visible.Line(f.Err.Error())
			s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: "recording", Error: &junitText{text, text}})
			s.Errors = 1
		}
		for k := range f.Results {
			r := &f.Results[k]
			c := junitCase{Class: s.Name, Name: r.Title() + ", " + r.Budget.Measured()}
			if r.Breach() {
				c.Failure = &junitText{r.Found() + ", allowed " + r.Allowed(), r.Why()}
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		s.Tests = len(s.Cases)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(&all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// WriteAnnotations writes the breaches as workflow commands of GitHub Actions: each is shown at the
// line of the file of budgets that it breaks.
func WriteAnnotations(w io.Writer, budgets string, files []File) error {
	for i := range files {
		f := &files[i]
		if f.Err != nil {
			if _, err := fmt.Fprintf(w, "::error title=Framescope::%s\n", escapeData(f.Err.Error())); err != nil {
				return err
			}
		}
		for k := range f.Results {
			r := &f.Results[k]
			if !r.Breach() {
				continue
			}
			if _, err := fmt.Fprintf(w, "::error file=%s,line=%d,title=%s::%s\n", escapeProperty(budgets), r.Budget.Line,
				escapeProperty("Budget broken in "+f.Name), escapeData(r.Why())); err != nil {
				return err
			}
		}
	}
	return nil
}

// escapeData and escapeProperty are how workflow commands take any text.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// WriteMarkdown writes the results as tables for people: the summary of a GitHub workflow, a ticket.
func WriteMarkdown(w io.Writer, files []File) error {
	cell := func(s string) string { return strings.ReplaceAll(visible.Line(s), "|", "\\|") }
	for i := range files {
		f := &files[i]
		if _, err := fmt.Fprintf(w, "### %s\n\n", cell(f.Name)); err != nil {
			return err
		}
		if f.Err != nil {
			if _, err := fmt.Fprintf(w, "Not checked: %s\n\n", cell(f.Err.Error())); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s\n\n| | budget | measured | allowed | of | worst frame |\n|---|---|---:|---:|---|---:|\n", budget.Summary(f.Results))
		for k := range f.Results {
			r := &f.Results[k]
			worst := ""
			if r.HasWorst {
				worst = fmt.Sprint(r.Worst)
			}
			if _, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", r.Verdict, cell(r.Title()), r.Found(), r.Allowed(),
				cell(r.Budget.Measured()), worst); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}
