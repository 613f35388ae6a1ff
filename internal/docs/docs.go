// Package docs makes the pictures of README.md and docs from the program itself, and checks that the
// documents and the pictures belong together:
//
//	go test ./internal/docs -update
//
// It consists of tests. A picture shows the whole window, drawn in software (app.Photo): it needs no
// display, and the same program draws the same picture.
package docs
