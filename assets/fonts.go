package assets

import (
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// GoRegular returns the TrueType bytes of the Go font. They are shared: do not change them.
func GoRegular() []byte { return goregular.TTF }

// GoMedium returns the TrueType bytes of the Go font in medium weight, for titles. They are shared:
// do not change them.
func GoMedium() []byte { return gomedium.TTF }

// GoMono returns the TrueType bytes of the fixed-width Go font, for numbers. They are shared: do
// not change them.
func GoMono() []byte { return gomono.TTF }
