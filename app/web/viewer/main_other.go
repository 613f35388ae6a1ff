//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "viewer: this is for browsers: go run ./internal/packaging web -o FOLDER")
	os.Exit(2)
}
