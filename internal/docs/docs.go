// Package docs checks that documents say what the program and its code are: names of measures, schemas, examples,
// platforms, and the structure of the program. Its tests link nothing of the window; the pictures that documents show
// are those of app/truth.
package docs
