package columns_test

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"

	"framescope/internal/testkit"
)

// No exported type of the model has a field, at any depth, of an instantiated generic type of columns: each package that imports such a type would compile all its methods again.
func TestNoExportedTypeHasAGenericField(t *testing.T) {
	all, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile},
		"framescope/model/...")
	testkit.MustThat(t, err == nil && len(all) >= 15, "%d packages, error %v", len(all), err)
	ours := map[string]bool{"framescope/model/columns": true}
	for _, found := range genericFields(all, ours) {
		t.Error(found)
	}
	// The walk finds what there is: frames.Scratch has answers.
	other := map[string]bool{"framescope/model/frames": true}
	found := genericFields(all, other)
	testkit.That(t, len(found) != 0, "found no field of frames.Answers[…]")
}

// genericFields names the fields below exported types that are of instantiated types of some packages.
func genericFields(all []*packages.Package, of map[string]bool) (found []string) {
	w := walker{of: of, seen: map[types.Type]bool{}}
	for _, p := range all {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			if o, ok := scope.Lookup(name).(*types.TypeName); ok && o.Exported() {
				w.walk(o.Type(), p.PkgPath+"."+name)
			}
		}
	}
	return w.found
}

type walker struct {
	of    map[string]bool
	seen  map[types.Type]bool
	found []string
}

func (w *walker) walk(t types.Type, path string) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.walk(types.Unalias(t), path)
	case *types.Named:
		if p := t.Obj().Pkg(); t.TypeArgs().Len() > 0 && p != nil && w.of[p.Path()] {
			w.found = append(w.found, path+" is "+t.String())
			return
		}
		w.walk(t.Underlying(), path)
	case *types.Struct:
		for f := range t.Fields() {
			w.walk(f.Type(), path+"."+f.Name())
		}
	case *types.Map:
		w.walk(t.Key(), path)
		w.walk(t.Elem(), path)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.walk(t.Elem(), path)
	}
}
