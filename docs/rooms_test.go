// Package docs holds the tests of what stands in this folder.
package docs

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// greatestRoom is how many lines of code a room has at most, with room to grow
// until it is divided: no blanks, no comments, no tests.
const greatestRoom = 4000

type room struct {
	lines int
	doc   bool // a comment says what it owns
}

// Every folder with code has its place in rooms.md, says in its doc comment what it owns, and is small
// enough to be held in the head.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("rooms.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms := readRooms(t, "..")
	if len(rooms) < 50 {
		t.Fatalf("only %d folders with code", len(rooms))
	}
	for dir, r := range rooms {
		if !names(string(text), dir) && dir != "." && !strings.HasPrefix(dir, "examples/") {
			t.Errorf("%s: not in docs/rooms.md", dir)
		}
		if !r.doc {
			t.Errorf("%s: no comment of the package says what it owns", dir)
		}
		if r.lines > greatestRoom {
			t.Errorf("%s: %d lines of code, more than %d: divide it by what it owns", dir, r.lines, greatestRoom)
		}
	}
}

// names tells whether a text has a folder in it, by its path or the end of it.
func names(text, dir string) bool {
	for at := dir; ; {
		if strings.Contains(text, "`"+at+"`") {
			return true
		}
		_, rest, more := strings.Cut(at, "/")
		if !more {
			return false
		}
		at = rest
	}
}

// readRooms reads the code below a folder, tests apart.
func readRooms(t *testing.T, top string) map[string]room {
	t.Helper()
	rooms := map[string]room{}
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != top && (base == "testdata" || base[0] == '.' || base[0] == '_'):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(top, filepath.Dir(name))
		if err != nil {
			return err
		}
		code, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r := rooms[filepath.ToSlash(dir)]
		r.lines += linesOf(code)
		f, err := parser.ParseFile(token.NewFileSet(), name, code, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		r.doc = r.doc || says(f.Doc)
		rooms[filepath.ToSlash(dir)] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}

// says tells whether a comment has words: a licence is not beside the clause, and directives say nothing.
func says(c *ast.CommentGroup) bool { return c != nil && strings.TrimSpace(c.Text()) != "" }

// linesOf counts the lines that hold more than a comment.
func linesOf(code []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, code, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return len(lines)
		case tok == token.SEMICOLON && lit == "\n":
			continue
		}
		for k := range 1 + strings.Count(lit, "\n") {
			lines[file.Line(pos)+k] = true
		}
	}
}
