package gpu

import "testing"

func TestCheckDisplay(t *testing.T) {
	for _, c := range []struct {
		goos, display, wayland string
		want                   error
	}{
		{"linux", "", "", ErrNoDisplay}, {"linux", ":0", "", nil}, {"linux", "", "wayland-0", ErrNoDisplay}, {"freebsd", "", "", ErrNoDisplay},
		{"windows", "", "", nil}, {"darwin", "", "", nil}, {"js", "", "", nil},
	} {
		env := map[string]string{"DISPLAY": c.display, "WAYLAND_DISPLAY": c.wayland}
		if got := checkDisplay(c.goos, func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
