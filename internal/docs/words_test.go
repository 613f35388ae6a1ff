package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// riddles are words of sentences that avoid the noun. Participles behind "can't be" name what fails, and are none.
var riddles = regexp.MustCompile(`(?i)\b(told|tells?|whose|of which|what (?:is|has|was|are|were|had)|who|asked|one's|can't be)\b`)

var failing = regexp.MustCompile(`(?i)\bcan't be (?:read|decoded|opened|shown|written|kept)\b`)

// mostRiddles is the share of lines of comments, and of texts that users see, with such words.
const (
	mostInComments = 0.02
	mostInTexts    = 0.02
)

// Comments and texts say things plainly.
func TestWordsArePlain(t *testing.T) {
	var comments, texts share
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for line := range strings.Lines(group.Text()) {
				comments.add(line)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(strings.TrimSpace(text), " ") {
					texts.add(text)
				}
			}
			return true
		})
		return nil
	})
	testkit.OK(t, err)
	comments.check(t, "lines of comments", 20_000, mostInComments)
	texts.check(t, "texts", 4_000, mostInTexts)
}

// share counts lines, and those with riddles.
type share struct{ all, riddles int }

func (s *share) add(line string) {
	s.all++
	if riddles.MatchString(failing.ReplaceAllString(line, "")) {
		s.riddles++
	}
}

func (s *share) check(t *testing.T, what string, least int, most float64) {
	t.Helper()
	t.Logf("%d of %d %s have riddle words: %.1f %%", s.riddles, s.all, what, 100*float64(s.riddles)/float64(s.all))
	testkit.That(t, s.all >= least, "only %d %s were read", s.all, what)
	testkit.That(t, float64(s.riddles) <= most*float64(s.all),
		"more than %.1f %% of %s have riddle words: name the thing, see docs/glossary.md", 100*most, what)
}
