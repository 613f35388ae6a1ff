// Package web holds the page that shows the viewer in a browser, serves it with the sessions that run on this
// machine, to look at only, and writes it with a recording into one file.
package web

import "embed"

// Page is the page without its code: framescope.wasm, and wasm_exec.js of the Go version that made it.
//
//go:embed page
var Page embed.FS
