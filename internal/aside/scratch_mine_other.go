//go:build !unix

package aside

import "io/fs"

// mine reports whether a file is of the user who runs the program: here each user has a folder of
// their own for temporary files.
func mine(fs.FileInfo) bool { return true }
