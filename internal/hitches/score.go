package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"framescope/app/load"
	"framescope/app/report"
	"framescope/internal/planted"
)

// link is a link of a chain as `framescope why --json` prints it.
type link struct {
	Thread    string `json:"thread"`
	Collector string `json:"collector"`
	How       string `json:"how"`
}

// answer is a frame as it prints it.
type answer struct {
	Frame    int64  `json:"frame"`
	Duration int64  `json:"duration_ns"`
	Typical  int64  `json:"typical_ns"`
	Hitch    bool   `json:"hitch"`
	Lasting  bool   `json:"lasting"`
	Chain    []link `json:"chain"`
	Others   []link `json:"others"`
}

// tally counts planted hitches. Silent are hitches not found, or found with an unknown cause.
type tally struct{ planted, found, right, silent int }

func (t tally) wrong() int { return t.planted - t.right - t.silent }

// styleTally counts the hitches of games that name their waits in one style, in files of one format.
type styleTally struct {
	style  planted.Style
	format planted.Format
	tally
}

func (t tally) share() float64 {
	if t.planted == 0 {
		return 1
	}
	return float64(t.right) / float64(t.planted)
}

// score is the result of one session or of all.
type score struct {
	truth   *planted.Truth // of one session
	all     tally
	kinds   map[planted.Kind]tally
	wrong   []string
	frames  int // of sessions without hitches
	wrongly int // hitches that were found in these
	beside  int // hitches that were found beside those planted, and are none
	others  int // frames of sessions with hitches
	seeds   int
	steps   int // found in even games, in which nothing lasts
	even    int // frames of these
	noisy   int // sessions without hitches in which the command found some
	styles  []styleTally
}

// good reports whether the figures meet the requirements.
func (s *score) good() bool {
	return s.all.share() >= leastRight && float64(s.wrongly) <= mostFalse*float64(s.frames)
}

// session makes a session, explains it, and compares.
func session(dir string, o planted.Options) (score, error) {
	made, err := planted.New(o)
	if err != nil {
		return score{}, err
	}
	name := fmt.Sprintf("seed-%d", o.Seed)
	if o.Style != planted.Conventional {
		name += "-" + string(o.Style)
	}
	if o.Quiet {
		name += "-none" + strings.ReplaceAll(string(o.Lasts), " ", "-")
	}
	path := filepath.Join(dir, name+"."+string(o.Format))
	if err := errors.Join(write(path, made.Write), write(filepath.Join(dir, name+".truth.json"),
		made.WriteTruth)); err != nil {
		return score{}, err
	}
	rec, err := load.File(context.Background(), path, load.Options{})
	if err != nil {
		return score{}, err
	}
	var out bytes.Buffer
	if err := report.WriteWhy(&out, rec.Session, report.WhyOptions{JSON: true, Worst: 1_000_000}); err != nil {
		return score{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".why.json"), out.Bytes(), 0o666); err != nil {
		return score{}, err
	}
	var answers []answer
	if err := json.Unmarshal(out.Bytes(), &answers); err != nil {
		return score{}, fmt.Errorf("%s: framescope why printed: %w", name, err)
	}
	return judge(made.Truth(), answers), nil
}

// write writes a file.
func write(path string, to func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(to(f), f.Close())
}

// judge compares the answers for a session with its truth.
func judge(truth *planted.Truth, answers []answer) score {
	s := score{truth: truth, kinds: map[planted.Kind]tally{}, seeds: 1}
	if s.judgeLasting(answers); truth.Lasts != nil {
		s.seeds = 0
		return s
	}
	said := map[int64]*answer{}
	for i := range answers {
		if answers[i].Hitch {
			said[answers[i].Frame] = &answers[i]
		}
	}
	for i := range truth.Frames {
		f := &truth.Frames[i]
		a := said[f.Frame]
		t := tally{planted: 1}
		switch {
		case a == nil:
			t.silent = 1
			s.wrong = append(s.wrong, fmt.Sprintf("frame %d, %s: not found: %.1f ms, typical %.1f", f.Frame, f.Kind,
				ms(f.ExcessNs+f.TypicalNs), ms(f.TypicalNs)))
		case right(f, a):
			t.found, t.right = 1, 1
		default:
			t.found = 1
			if n := len(a.Chain); n == 0 || a.Chain[n-1].How == "unknown" {
				t.silent = 1
			}
			s.wrong = append(s.wrong, fmt.Sprintf("frame %d, %s: %.1f ms, typical %.1f\n      true %s\n      said %s", f.Frame,
				f.Kind,
				ms(a.Duration), ms(a.Typical), describeChain(links(f.Chain), links(f.Others)), describeChain(a.Chain, a.Others)))
		}
		s.all.add(t)
		k := s.kinds[f.Kind]
		k.add(t)
		s.kinds[f.Kind] = k
		delete(said, f.Frame)
	}
	for _, number := range truth.Also {
		delete(said, number)
	}
	if truth.None {
		s.frames, s.wrongly = truth.Received, len(said)
		s.noisy = min(1, len(said))
	} else {
		s.others, s.beside = truth.Received, len(said)
	}
	for _, a := range answers {
		if said[a.Frame] != nil {
			s.wrong = append(s.wrong, fmt.Sprintf("frame %d, no hitch: %.1f ms, typical %.1f\n      said %s", a.Frame,
				ms(a.Duration),
				ms(a.Typical), describeChain(a.Chain, a.Others)))
		}
	}
	return s
}

// judgeLasting compares what takes longer for good: a step is to be dated within five frames.
func (s *score) judgeLasting(answers []answer) {
	f, t := s.truth.Lasts, tally{planted: 1, silent: 1}
	if f == nil && s.truth.Even {
		s.even = s.truth.Received
	}
	for i := range answers {
		a := &answers[i]
		switch near := f != nil && (f.Kind == planted.Drift || max(a.Frame-f.Frame, f.Frame-a.Frame) <= 5); {
		case !a.Lasting:
		case f == nil && s.truth.Even:
			s.steps++
		case f == nil: // another phase may be one
		default:
			if t.found, t.silent = 1, 0; near && right(f, a) {
				t.right = 1
			}
		}
	}
	if f != nil {
		s.kinds[f.Kind] = t
	}
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }

// right reports whether a frame was explained rightly: the chain ends at the thread and collector that
// the hitch was planted in, and says how; a second cause is among the others.
func right(f *planted.Frame, a *answer) bool {
	if len(a.Chain) == 0 || !same(f.Chain[len(f.Chain)-1], a.Chain[len(a.Chain)-1]) {
		return false
	}
	for _, want := range f.Others {
		if !slices.ContainsFunc(a.Others, func(got link) bool { return same(want, got) }) {
			return false
		}
	}
	return true
}

// same reports whether a reported link is the true one. Any collector is accepted for a cause without
// one.
func same(want planted.Link, got link) bool {
	there := want.Collector == "" || got.Collector == want.Collector || slices.Contains(want.At, got.Collector)
	return there && got.Thread == want.Thread && (got.How == want.How || slices.Contains(want.Or, got.How))
}

func links(of []planted.Link) (out []link) {
	for _, l := range of {
		out = append(out, link{l.Thread, l.Collector, l.How})
	}
	return out
}

// describeChain writes a chain and the other links.
func describeChain(chain, others []link) string {
	var b strings.Builder
	for i, l := range chain {
		if i > 0 {
			b.WriteString(" → ")
		}
		fmt.Fprintf(&b, "%s %q %s", l.Thread, l.Collector, l.How)
	}
	for _, l := range others {
		fmt.Fprintf(&b, "; %s %q %s", l.Thread, l.Collector, l.How)
	}
	return b.String()
}

func (t *tally) add(o tally) {
	t.planted += o.planted
	t.found += o.found
	t.right += o.right
	t.silent += o.silent
}

// add adds the score of a session.
func (s *score) add(o score) {
	s.all.add(o.all)
	if s.kinds == nil {
		s.kinds = map[planted.Kind]tally{}
	}
	for k, t := range o.kinds {
		sum := s.kinds[k]
		sum.add(t)
		s.kinds[k] = sum
	}
	s.frames += o.frames
	s.wrongly += o.wrongly
	s.beside += o.beside
	s.others += o.others
	s.noisy += o.noisy
	s.seeds += o.seeds
	s.steps += o.steps
	s.even += o.even
}

// print prints the score of a session.
func (s *score) print(out io.Writer, verbose bool) {
	if s.truth.Lasts != nil {
		return
	}
	if s.truth.None {
		fmt.Fprintf(out, "seed %d: none planted, %d found in %d frames (%s)\n", s.truth.Seed, s.wrongly, s.frames,
			s.truth.About)
	} else {
		fmt.Fprintf(out, "seed %d: %d planted, %d explained rightly, %d false ones (%s)\n", s.truth.Seed, s.all.planted,
			s.all.right,
			s.beside, s.truth.About)
	}
	if verbose {
		for _, w := range s.wrong {
			fmt.Fprintln(out, "   ", w)
		}
	}
}

func printHead(out io.Writer, of string) {
	fmt.Fprintf(out, "\n%-28s %8s %8s %8s %8s\n", of, "planted", "right", "wrong", "silent")
}

func (t tally) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%-28s %8d %8d %8d %8d %7.1f %%\n", name, t.planted, t.right, t.wrong(), t.silent, 100*t.share())
}

// printStyles prints the score by style of names, if there is more than one.
func (s *score) printStyles(out io.Writer) {
	if len(s.styles) < 2 {
		return
	}
	printHead(out, "names")
	for _, t := range s.styles {
		t.print(out, fmt.Sprintf("%s, %s", t.style, t.format))
	}
}

// printAll prints the score of all sessions.
func (s *score) printAll(out io.Writer) {
	printHead(out, "kind")
	for _, k := range planted.Kinds {
		if t := s.kinds[k]; t.planted > 0 {
			t.print(out, string(k))
		}
	}
	s.all.print(out, "all")
	for _, k := range [...]planted.Kind{planted.Step, planted.Drift} {
		s.kinds[k].print(out, string(k))
	}
	fmt.Fprintf(out, "\nfalse ones: %d in %d frames without hitches (%.3f %%), in %d of %d sessions; %d in %d frames "+
		"beside hitches\n",
		s.wrongly, s.frames, 100*float64(s.wrongly)/float64(max(s.frames, 1)), s.noisy, s.seeds/2, s.beside, s.others)
	fmt.Fprintf(out, "steps or drifts where nothing lasts: %d in %d frames\n", s.steps, s.even)
}
