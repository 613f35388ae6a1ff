package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"framescope/app/report"
	"framescope/internal/escape"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/store"
)

// BudgetFile is the results of budgets in one recording.
type BudgetFile struct {
	Name    string
	Program string // its program, and when it was recorded, as in "Tavern, 2026-11-30 14:02"; empty: not known
	Results []budget.Result
	Against *Compared // the baseline; nil: none
	Err     error     // why it could not be checked; nil: it was
	Unread  string    // unreadable or dropped data
	Stops   []report.Stop
}

// problem returns why the recording could not be read, or not wholly; empty where it was.
func (f *BudgetFile) problem() string {
	if f.Err != nil {
		return f.Err.Error()
	}
	return f.Unread
}

// Broken counts the broken limits and the entries slower than the baseline.
func (f *BudgetFile) Broken() int { return budget.Breaches(f.Results) + f.Against.Breaches() }

// Breached reports whether a limit was broken in it, or whether it could not be checked.
func (f *BudgetFile) Breached() bool { return f.Err != nil || f.Broken() > 0 }

// The JSON form is part of the interface: docs/check.schema.json.
type jsonFile struct {
	File    string       `json:"file"`             // as it was named, or the program that connected
	Error   string       `json:"error,omitempty"`  // why it could not be checked
	Unread  string       `json:"unread,omitempty"` // unreadable or dropped data: the results are of the rest
	Broken  int          `json:"broken"`           // limits, and entries slower than the baseline
	Results []jsonResult `json:"results"`          // in order of the budgets
	// times in which the program stood still: they are in no figure of frames
	Stops    []jsonStop    `json:"stops,omitempty"`
	Baseline *jsonBaseline `json:"baseline,omitempty"` // with --baseline
}

type jsonStop struct {
	Frame    int64 `json:"frame"`       // number of the frame that it is, or of the one behind it
	Between  bool  `json:"between"`     // it lies before that frame
	Begin    int64 `json:"begin_ns"`    // on the session's clock
	Duration int64 `json:"duration_ns"` // how long the program stood still
}

type jsonBaseline struct {
	File     string       `json:"file"`     // as it was named
	Worse    float64      `json:"worse"`    // the allowed increase as a share
	Of       string       `json:"of"`       // unit of means: frame, or second where a session has no frames
	Compared int          `json:"compared"` // frame time and collectors that were tested
	Untested int          `json:"untested"` // with too little data: rare, or frames that are too few or too much alike
	Slower   []jsonSlower `json:"slower"`   // beyond the usual variation of frames
}

type jsonSlower struct {
	Thread    string `json:"thread"`              // of the frames, or on which it ran
	Collector string `json:"collector,omitempty"` // full name; none: the frame itself
	Hitches   bool   `json:"hitches,omitempty"`   // how often there are hitches: shares of the frames in the place of ns
	// typical self time in the baseline, outliers cut; of the frame its length
	Was   float64  `json:"baseline_ns"`
	Is    float64  `json:"measured_ns"` // the same in the checked recording
	Delta float64  `json:"delta_ns"`    // measured less baseline
	Share *float64 `json:"share"`       // delta as a part of the baseline; null where that was nothing
	// chance of such ranks of the frames, corrected for the number of tests
	P      float64 `json:"p"`
	Breach bool    `json:"breach"` // it is more than is allowed
}

func jsonOf(c *Compared) *jsonBaseline {
	if c == nil {
		return nil
	}
	out := &jsonBaseline{File: c.Name, Worse: c.Worse, Of: c.Of, Compared: c.Tested, Untested: c.Untested,
		Slower: []jsonSlower{}}
	for i := range c.Slower {
		x := &c.Slower[i]
		j := jsonSlower{
			Thread: x.Thread, Collector: x.Collector, Hitches: x.Hitches, Was: x.Typical[0], Is: x.Typical[1],
			Delta: x.Delta(), P: x.P, Breach: x.Breach,
		}
		if !math.IsInf(x.Share, 0) {
			j.Share = &x.Share
		}
		out.Slower = append(out.Slower, j)
	}
	return out
}

type jsonResult struct {
	Budget    string         `json:"budget"`              // its name in the file; may be empty
	Line      int            `json:"line"`                // of the budget file, from 1
	Verdict   budget.Verdict `json:"verdict"`             // kept, broken, or nothing: no such thing was recorded
	Breach    bool           `json:"breach"`              // it makes the check fail
	Thread    string         `json:"thread,omitempty"`    // of the frames, or on which it ran
	Collector string         `json:"collector,omitempty"` // full name
	Series    string         `json:"series,omitempty"`    // its name
	Measure   budget.Measure `json:"measure"`             // the measure with the limit, see measures.md
	At        budget.At      `json:"at,omitempty"`        // which value of all frames
	// of value and limit; share: only of value, a part of the frames
	Unit   string   `json:"unit,omitempty"`
	Value  *float64 `json:"value"`                 // ns of times; null: nothing with this name was recorded
	Limit  float64  `json:"limit"`                 // the greatest value allowed: ns of times
	Share  *float64 `json:"share,omitempty"`       // which part of the frames may be over the limit
	Frames int64    `json:"frames"`                // that were looked at; samples of series, calls without frames
	Over   int64    `json:"over"`                  // frames over the limit
	Worst  *int64   `json:"worst_frame,omitempty"` // number of the frame with the greatest value
}

// WriteBudgetJSON writes the results of recordings as an array with an element for each.
func WriteBudgetJSON(w io.Writer, files []BudgetFile) error {
	out := make([]jsonFile, len(files))
	for i := range files {
		f := &files[i]
		out[i] = jsonFile{File: f.Name, Unread: f.Unread, Broken: f.Broken(), Results: []jsonResult{},
			Baseline: jsonOf(f.Against)}
		if f.Err != nil {
			out[i].Error = f.Err.Error()
		}
		for _, stop := range f.Stops {
			out[i].Stops = append(out[i].Stops, jsonStop(stop))
		}
		for k := range f.Results {
			r := &f.Results[k]
			b := r.Budget
			j := jsonResult{
				Budget: b.Name, Line: b.Line, Verdict: r.Verdict, Breach: r.Breach(), Thread: r.Thread, Measure: b.Measure,
				At: b.At, Unit: r.Unit, Limit: b.Limit, Frames: r.Frames, Over: r.Over,
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
			switch {
			case b.HasShare:
				j.Unit = "share"
			case b.Measure.Times():
				j.Unit = "ns"
			}
			out[i].Results = append(out[i].Results, j)
		}
	}
	return escape.WriteJSON(w, out)
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

// WriteBudgetJUnit writes results as the XML of continuous integration servers: a suite for each
// recording, a case for each budget and its subject.
func WriteBudgetJUnit(w io.Writer, files []BudgetFile) error {
	var all junitSuites
	for i := range files {
		f := &files[i]
		s := junitSuite{Name: escape.Line(f.Name)}
		if text := escape.Line(f.problem()); text != "" {
			s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: "recording", Error: &junitText{text, text}})
			s.Errors = 1
		}
		for k := range f.Results {
			r := &f.Results[k]
			c := junitCase{Class: s.Name, Name: r.Title() + ", " + r.Budget.Measured()}
			if r.Breach() {
				found := r.Found()
				if r.Verdict == budget.Nothing {
					found = "nothing recorded"
				}
				c.Failure = &junitText{found + ", allowed " + r.Allowed(), r.Why()}
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		s.against(f.Against)
		s.Tests = len(s.Cases)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Suites = append(all.Suites, s)
	}
	data, err := xml.MarshalIndent(&all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	}
	return err
}

// against adds a case for each thing that is slower than the baseline, and one for all others.
func (s *junitSuite) against(c *Compared) {
	if c == nil {
		return
	}
	for x := range c.slower(true) {
		s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: x.Title() + ", no slower than " + escape.Line(c.Name),
			Failure: &junitText{x.Is() + ", was " + x.Was() + ": " + x.By() + ", allowed " + c.Allowed(), x.Why(c)}})
		s.Failures++
	}
	s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: "all else, no slower than " + escape.Line(c.Name)})
}

// WriteAnnotations writes the breaches as workflow commands of GitHub Actions: each is shown at the
// line of the budget file that it breaks.
func WriteAnnotations(out io.Writer, budgets string, files []BudgetFile) error {
	var w bytes.Buffer
	for i := range files {
		f := &files[i]
		if problem := f.problem(); problem != "" {
			fmt.Fprintf(&w, "::error title=Framescope::%s\n", escape.Workflow(escape.Line(problem)))
		}
		for k := range f.Results {
			if r := &f.Results[k]; r.Breach() {
				fmt.Fprintf(&w, "::error file=%s,line=%d,title=%s::%s\n", escape.WorkflowProperty(budgets), r.Budget.Line,
					escape.WorkflowProperty("Budget broken in "+escape.Line(f.Name)), escape.Workflow(r.Why()))
			}
		}
		for x := range f.Against.slower(true) {
			fmt.Fprintf(&w, "::error title=%s::%s\n",
				escape.WorkflowProperty("Slower than the baseline: "+escape.Line(f.Name)), escape.Workflow(x.Why(f.Against)))
		}
	}
	_, err := out.Write(w.Bytes())
	return err
}

// WriteBudgetMarkdown writes the results as tables for people: the summary of a GitHub workflow, a ticket.
func WriteBudgetMarkdown(out io.Writer, files []BudgetFile) error {
	var w bytes.Buffer
	for i := range files {
		files[i].markdown(&w)
	}
	_, err := out.Write(w.Bytes())
	return err
}

func (f *BudgetFile) markdown(w *bytes.Buffer) {
	head := f.Name
	if f.Program != "" {
		head = f.Program + " (" + f.Name + ")"
	}
	fmt.Fprintf(w, "### %s\n\n", escape.Markdown(head))
	if f.Err != nil {
		fmt.Fprintf(w, "Not checked: %s\n\n", escape.Markdown(f.Err.Error()))
		return
	}
	if f.Unread != "" {
		fmt.Fprintf(w, "Not all of it could be read: %s\n\n", escape.Markdown(f.Unread))
	}
	if len(f.Stops) > 0 {
		report.WriteStops(w, f.Stops)
		fmt.Fprintln(w)
	}
	if len(f.Results) > 0 {
		fmt.Fprintf(w, "%s\n\n| | budget | measured | allowed | of | worst frame |\n|---|---|---:|---:|---|---:|\n",
			budget.Summary(f.Results))
	}
	for k := range f.Results {
		r := &f.Results[k]
		worst, found, allowed := "", r.Found(), r.Allowed()
		if r.HasWorst {
			worst = fmt.Sprint(r.Worst)
		}
		if r.Unit != "" { // it is the program's
			found, allowed = escape.Markdown(found), escape.Markdown(allowed)
		}
		fmt.Fprintln(w, escape.MarkdownRow(string(r.Verdict), escape.Markdown(r.Title()), found, allowed,
			r.Budget.Measured(), worst))
	}
	fmt.Fprintln(w)
	if f.Against == nil {
		return
	}
	fmt.Fprintf(w, "%s\n\n", f.Against.summary(escape.Markdown(escape.Name(f.Against.Name))))
	if len(f.Against.Slower) > 0 {
		fmt.Fprint(w, "| | slower | now | was | by | |\n|---|---|---:|---:|---:|---|\n")
	}
	for k := range f.Against.Slower {
		x := &f.Against.Slower[k]
		fmt.Fprintln(w, escape.MarkdownRow(x.word(), escape.Markdown(x.Title()), x.Is(), x.Was(), x.By(), x.Chance()))
	}
	fmt.Fprintln(w)
}

// The output of `framescope check`: formats of the results of budgets in recordings for people and
// other programs. model/budget has the budgets themselves.

// CheckBudgets checks a range of a session against budgets.
func CheckBudgets(s *store.Session, budgets []budget.Budget, rng place.TimeRange) ([]budget.Result, error) {
	part, err := budgetPartOf(s, rng)
	if err != nil {
		return nil, err
	}
	return budget.Check(s, budgets, part)
}

// stopsOf returns the stops that the figures of a range leave out.
func stopsOf(s *store.Session, rng place.TimeRange) []report.Stop {
	t := s.Track(s.MainTrack())
	part, err := budgetPartOf(s, rng)
	if t == nil || err != nil {
		return nil
	}
	return report.StopsOf(t.LeftOut(part.First, part.Last, nil))
}

// budgetPartOf returns the part of a session that a range is.
func budgetPartOf(s *store.Session, rng place.TimeRange) (part budget.Part, err error) {
	part = budget.All(s)
	if part.BeginNs, part.EndNs, err = rng.Resolve(s, s.MainTrack()); err != nil || rng.All() {
		return part, err
	}
	part.Whole, part.Numbered = false, !rng.Times
	if part.First, part.Last, err = rng.Frames(s, s.MainTrack()); err != nil {
		part.First, part.Last = 0, -1 // the time has something all the same
	}
	return part, nil
}

// WriteBudgetText writes the results for a recording as tables, breaches first, and their count.
func WriteBudgetText(out io.Writer, f *BudgetFile) error {
	var w bytes.Buffer
	tw := tabwriter.NewWriter(&w, 0, 0, 2, ' ', 0)
	if len(f.Results) > 0 {
		writeResults(tw, f.Results)
		fmt.Fprintln(&w, budget.Summary(f.Results))
	}
	report.WriteStops(&w, f.Stops)
	for _, breach := range [...]bool{true, false} {
		for x := range f.Against.slower(breach) {
			fmt.Fprintf(tw, "%s\t%s\t%s\twas %s\t%s\tallowed %s\t%s\n", strings.ToUpper(x.word()), x.Title(), x.Is(), x.Was(),
				x.By(),
				f.Against.Allowed(), x.Chance())
		}
	}
	tw.Flush()
	if f.Against != nil {
		fmt.Fprintln(&w, f.Against.Summary())
	}
	_, err := out.Write(w.Bytes())
	return err
}

// writeResults writes results as a table, breaches first.
func writeResults(tw *tabwriter.Writer, all []budget.Result) {
	for _, breach := range [...]bool{true, false} {
		for i := range all {
			r := &all[i]
			if r.Breach() != breach {
				continue
			}
			more := ""
			switch {
			case r.HasWorst && r.Budget.HasShare:
				more = fmt.Sprintf("%d of %d frames, worst #%d", r.Over, r.Frames, r.Worst)
			case r.HasWorst:
				more = fmt.Sprintf("%d of %d frames over, worst #%d", r.Over, r.Frames, r.Worst)
			case r.Verdict == budget.Nothing:
				more = r.Lacks()
			}
			fmt.Fprintf(tw, "%s\t%s\t%s\tallowed %s\t%s\t%s\n", strings.ToUpper(string(r.Verdict)), r.Title(), r.Found(),
				r.Allowed(),
				r.Budget.Measured(), more)
		}
	}
	tw.Flush()
}
