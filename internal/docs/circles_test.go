package docs

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"

	"golang.org/x/tools/go/packages"
)

// The files of the window name what stands in files below them: no file leads back to itself.
func TestFilesHaveNoCircle(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: "../../app"}, ".")
	if err != nil || len(list[0].Errors) > 0 {
		t.Fatal(err, list[0].Errors)
	}
	uses := map[string][]string{}
	p := list[0]
	name := func(n ast.Node) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, file := range p.Syntax {
		from := name(file)
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.TypesInfo.Uses[id]
			if field, ok := o.(*types.Var); ok && field.IsField() {
				return true
			}
			if o == nil || o.Pkg() != p.Types || o.Parent() != nil && o.Parent() != p.Types.Scope() {
				return true
			}
			to := filepath.Base(p.Fset.Position(o.Pos()).Filename)
			if to != from && !slices.Contains(uses[from], to) {
				uses[from] = append(uses[from], to)
			}
			return true
		})
	}
	testkit.MustThat(t, len(uses) >= 30, "%d files name others", len(uses))
	done := map[string]bool{}
	var way []string
	var visit func(file string)
	visit = func(file string) {
		if i := slices.Index(way, file); i >= 0 {
			t.Errorf("a circle: %s", strings.Join(append(way[i:], file), " > "))
			return
		}
		if done[file] {
			return
		}
		way = append(way, file)
		for _, to := range uses[file] {
			visit(to)
		}
		way = way[:len(way)-1]
		done[file] = true
	}
	for file := range uses {
		visit(file)
	}
}
