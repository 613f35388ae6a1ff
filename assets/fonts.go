package assets

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"

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

//go:embed fallback/noto.ttf.gz
var packedFallback []byte

// Fallback returns the TrueType bytes of a font with emoji, and Arabic, Hebrew, Devanagari, Bengali, Tamil and Thai
// letters. They are unpacked when they are first asked for, and shared: do not change them.
var Fallback = sync.OnceValue(func() []byte {
	r, err := gzip.NewReader(bytes.NewReader(packedFallback))
	if err == nil {
		var font []byte
		if font, err = io.ReadAll(r); err == nil {
			return font
		}
	}
	panic("assets: embedded font: " + err.Error())
})
