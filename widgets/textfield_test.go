package widgets

import "testing"

// What is typed goes to the cursor, or in the place of what is selected, and stays one line.
func TestTextFieldTakesText(t *testing.T) {
	var f TextField
	f.SetText("localhost:3333")
	f.insert("0")
	if f.Text() != "localhost:33330" {
		t.Errorf("at the end: %q", f.Text())
	}
	f.Focus(true) // selects everything
	f.insert("b")
	f.insert("ö\n\x7f\tx")
	if f.Text() != "böx" || f.a != len("böx") || f.a != f.b {
		t.Errorf("%q, cursor at %d, %d", f.Text(), f.a, f.b)
	}
	f.set(f.Text(), len("bö"))
	f.insert("--")
	f.insert("\n")
	if f.Text() != "bö--x" || f.a != len("bö--") {
		t.Errorf("%q, cursor at %d", f.Text(), f.a)
	}
	f.a, f.b = 0, len("bö")
	f.preedit = "ろ"
	f.Focus(false)
	if f.preedit != "" || f.Text() != "bö--x" || f.Focused() {
		t.Errorf("%q while %q is composed", f.Text(), f.preedit)
	}
}
