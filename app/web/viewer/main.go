// Command viewer is the window in a page of a browser: GOOS=js GOARCH=wasm. `go run ./internal/packaging web` builds it
// with its page.
package main
