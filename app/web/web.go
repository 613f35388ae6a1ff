// Package web holds the page that shows the viewer in a browser.
package web

import "embed"

// Page is the page without its code: framescope.wasm, and wasm_exec.js of the Go version that made it.
//
//go:embed page
var Page embed.FS
